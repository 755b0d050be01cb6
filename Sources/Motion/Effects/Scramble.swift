/// Decoding: decoys flicker instead of each glyph before it settles.
package struct Scramble: Effect, Parameterized {
    package static let name = "scramble"
    package static let title = "Scramble"

    private let interval: Double
    private let lead: Double
    private let tick: Double
    package let characters: [String]

    package init(_ parameters: inout ParameterReader) {
        interval = parameters.seconds(
            "interval", default: 0.05, "Seconds between one glyph's settling and the next one's.")
        lead = parameters.seconds(
            "lead", default: 0.3, "Seconds that decoys flicker before a glyph settles.")
        tick = parameters.seconds(
            "tick", default: 0.05, in: 0.01...10, "Seconds that each decoy shows.")
        characters = parameters.text(
            "charset", .characters(1...256), default: "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789#%&@$",
            "The characters that stand in, without white space."
        ).map(String.init)
    }

    package func entrance(of block: EffectBlock) throws(SceneError) -> Phase {
        let letters = block.glyphs.count { !$0.isWhitespace }
        let ticks = Int((lead / tick).rounded(.up))
        try block.checkLimit(2 * letters * ticks)
        // White space is there from the start: its tracks stand first.
        var phase = Phase(tracks: [.appearing(at: 0)], assignment: [], duration: 0)
        var start = 0.0
        for (index, glyph) in block.glyphs.enumerated() {
            try block.deadline.checkScene()
            guard !glyph.isWhitespace else {
                phase.assignment.append(0)
                continue
            }
            let settled = start + lead
            phase.assignment.append(phase.tracks.count)
            phase.tracks.append(.appearing(at: settled))
            phase.decoys += decoys(of: index, from: start, ticks: ticks, block.randomness)
            phase.duration = settled
            start = Double(phase.tracks.count - 1) * interval
        }
        return phase
    }

    /// Returns the characters that flicker instead of one glyph, each distinct one once.
    private func decoys(
        of glyph: Int, from start: Double, ticks: Int, _ randomness: PhaseRandomness
    ) -> [PhaseDecoy] {
        var decoys: [PhaseDecoy] = []
        var known: [Int: Int] = [:]
        for number in 0..<ticks {
            let share = randomness.unit(.level, item: glyph, draw: number)
            let character = Int(share * Double(characters.count))
            let shown = (
                start: start + Double(number) * tick,
                end: start + min(Double(number + 1) * tick, lead)
            )
            if let decoy = known[character] {
                decoys[decoy].spans.append(shown)
            } else {
                known[character] = decoys.count
                decoys.append(PhaseDecoy(glyph: glyph, character: character, spans: [shown]))
            }
        }
        return decoys
    }
}
