/// Random sparkle: at each tick letters begin to show, or go on to a level not below their own.
package struct Secret: Effect, Parameterized {
    package static let name = "secret"
    package static let title = "Secret sparkle"

    private let tick: Double
    private let firstChance: Double
    private let chance: Double
    private let maxTicks: Int

    package init(_ parameters: inout ParameterReader) {
        tick = parameters.seconds(
            "tick", default: 0.1, in: 0.01...10, "Seconds between one level and the next.")
        firstChance = parameters.number(
            "firstChance", default: 0.1, in: 0...1, "Chance that a letter begins at the first tick."
        )
        chance = parameters.number(
            "chance", default: 0.25, in: 0...1,
            "Chance that a hidden letter begins at a later tick.")
        maxTicks = parameters.integer(
            "maxTicks", default: 60, in: 1...1000,
            "Ticks after which every letter is fully visible.")
    }

    package func entrance(of block: EffectBlock) throws(SceneError) -> Phase {
        // White space is there from the start: its tracks stand first.
        var tracks: [PhaseTracks] = [.appearing(at: 0)]
        var assignment: [Int] = []
        var keyframes = 0
        var ticks = 0
        for (index, glyph) in block.glyphs.enumerated() {
            guard !glyph.isWhitespace else {
                assignment.append(0)
                continue
            }
            try block.deadline.checkScene(every: 16)
            let levels = levels(ofLetter: index, block.randomness)
            keyframes += levels.count + 1
            try block.checkLimit(keyframes)
            ticks = max(ticks, levels.count)
            assignment.append(tracks.count)
            tracks.append(PhaseTracks(opacity: track(levels)))
        }
        return Phase(tracks: tracks, assignment: assignment, duration: Double(ticks) * tick)
    }

    /// Returns the levels in whole percents from the first tick on, the last one 100; 0 while
    /// hidden.
    private func levels(ofLetter letter: Int, _ randomness: PhaseRandomness) -> [Int] {
        var levels: [Int] = []
        var level: Int?
        while level != 100 {
            let number = levels.count
            if number > 0, number == maxTicks {
                level = 100
            } else {
                let begins = randomness.unit(.chance, item: letter, draw: number)
                if level != nil || begins < (number == 0 ? firstChance : chance) {
                    let floor = level ?? 0
                    let share = randomness.unit(.level, item: letter, draw: number)
                    level = floor + Int(share * Double(101 - floor))
                }
            }
            levels.append(level ?? 0)
        }
        return levels
    }

    private func track(_ levels: [Int]) -> [Keyframe<Double, Double>] {
        var keyframes: [Keyframe<Double, Double>] = [
            Keyframe(0, value: 0, easing: .easeInOut)
        ]
        for (number, level) in levels.enumerated() {
            let easing = number == levels.count - 1 ? Easing.linear : .easeIn
            keyframes.append(
                Keyframe(Double(number + 1) * tick, value: Double(level) / 100, easing: easing)
            )
        }
        return keyframes
    }
}
