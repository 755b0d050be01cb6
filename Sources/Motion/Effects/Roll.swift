/// Each digit of a number is a drum that turns to what is written, later digits later; all else stands.
package struct Roll: Effect, Parameterized {
    package static let name = "roll"
    package static let title = "Rolling digits"

    private let duration: Double
    private let interval: Double
    private let turns: Int
    private let trend: NumberTrend
    private let easing: TimingFunction

    package init(_ parameters: inout ParameterReader) {
        interval = parameters.seconds(
            "interval", default: 0.08, "Seconds between one digit's start and the next one's.")
        duration = parameters.seconds(
            "duration", default: 1.2, "Seconds in which each drum turns.")
        turns = parameters.integer(
            "turns", default: 1, in: 0...5, "Whole turns before the part that leads to the digit.")
        trend = parameters.choice(
            "trend", default: .up,
            "Whether the digits rise from 0 and upwards (up), or fall (down).")
        easing = parameters.easing(
            "easing", default: .easing(.cubic(CubicBezier(x1: 0.22, y1: 1, x2: 0.36, y2: 1))),
            "How each drum turns.")
    }

    package func characters(for text: String) -> [String] {
        WrittenNumber.characters(for: text)
    }

    package func entrance(of block: EffectBlock) throws(SceneError) -> Phase {
        var phase = Phase(
            tracks: [.appearing(at: 0)],
            assignment: [Int](repeating: 0, count: block.glyphs.count), duration: 0)
        let zeros = WrittenNumber.zeros(in: block.glyphs.map(\.text).joined())
        let way = KeyframeMotion.ramp(from: 1, to: 0, easing)
        let range = easing.range
        var boxes = [Rect?](repeating: nil, count: block.glyphs.count)
        let digits = WrittenNumber.all(in: block.glyphs).flatMap(\.digits)
        for (rank, digit) in digits.enumerated() {
            try block.deadline.checkScene()
            let steps = 10 * turns + (trend == .up ? digit.value : (10 - digit.value) % 10)
            guard steps > 0, let script = zeros.firstIndex(of: digit.zero) else { continue }
            // A curve that goes too far shows what stands beyond the first digit and the last.
            let first = Int((range.lowerBound * Double(steps) + 1e-6).rounded(.down))
            let last = Int((range.upperBound * Double(steps) - 1e-6).rounded(.up))
            let keyframes = (last - first + 1) * (2 + way.count)
            try block.checkLimit(2 * phase.decoys.count + keyframes)
            let glyph = block.glyphs[block.glyphs.startIndex + digit.glyph]
            let height = max(glyph.rect.height, glyph.size)
            let step = trend == .up ? height : -height
            let start = Double(rank) * interval
            let end = start + duration
            let moves = way.map {
                Keyframe(
                    start + $0.share * duration, value: $0.value * Double(steps) * step,
                    easing: $0.easing)
            }
            // Masks do not cut shadows.
            let shadow = [
                Keyframe(start + duration / 2, value: 0.0), Keyframe(end, value: 1),
            ]
            phase.assign(
                PhaseTracks(
                    opacity: [Keyframe(0, value: 1)],
                    moves: [(.offsetY, moves), (.shadowOpacity, shadow)]), to: digit.glyph)
            boxes[digit.glyph] = glyph.inkBox
            for number in first...last where number != steps {
                let value = (number % 10 + 10) % 10
                phase.decoys.append(
                    PhaseDecoy(
                        glyph: digit.glyph,
                        character: 10 * script + (trend == .up ? value : (10 - value) % 10),
                        spans: [(0, end)], shift: Double(number - steps) * step,
                        moves: [(.offsetY, moves), (.shadowOpacity, [Keyframe(0, value: 0)])]))
            }
            phase.duration = max(phase.duration, end)
        }
        if phase.duration > 0 {
            phase.masks = PhaseMasks(boxes: boxes, edges: [.top, .bottom])
        }
        return phase
    }
}

extension Glyph {
    /// Its box, with its ink.
    fileprivate var inkBox: Rect { ink.map { rect.union($0.bounds) } ?? rect }
}
