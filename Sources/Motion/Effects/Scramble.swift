/// Decoding: decoys flicker instead of each glyph before it settles.
package struct Scramble: Effect, Parameterized {
    package static let name = "scramble"
    package static let title = "Scramble"

    private let interval: ItemInterval
    private let lead: Double
    private let tick: Double
    /// The characters that stand in for any glyph; nil if each glyph has its own.
    private let charset: [String]?

    package func characters(for text: String) -> [String] {
        charset ?? DecoyCharacters.all(for: text)
    }

    package init(_ parameters: inout ParameterReader) {
        interval = ItemInterval(
            &parameters, usually: 0.05, "Seconds between one glyph's settling and the next one's")
        lead = parameters.seconds(
            "lead", default: 0.3, "Seconds for which decoys flicker before a glyph settles.")
        tick = parameters.seconds(
            "tick", default: 0.05, in: 0.01...10, "Seconds for which each decoy shows.")
        charset = parameters.optionalText(
            "charset", .characters(1...256),
            "The characters to show as decoys, without white space; by default ones similar to "
                + "each glyph."
        ).map { $0.map(String.init) }
    }

    package func entrance(of block: EffectBlock) throws(SceneError) -> Phase {
        let letters = block.glyphs.count { !$0.isWhitespace }
        let interval = interval.seconds(ofItems: letters)
        let ticks = Int((lead / tick).rounded(.up))
        try block.checkLimit(2 * letters * ticks)
        let characters = DecoyCharacters(in: block.characters, charset: charset)
        return try .settling(block, every: interval) { index, glyph, start, phase in
            flicker(
                index, from: start, ticks: ticks, characters.candidates(for: glyph),
                block.randomness, in: &phase)
            return start + lead
        }
    }

    /// Adds the characters that flicker instead of one glyph, each distinct one once.
    ///
    /// - Parameters:
    ///   - glyph: The number of the glyph in its block.
    ///   - start: The seconds at which the first one shows.
    ///   - ticks: The number of times that one shows.
    ///   - candidates: The indices of the characters to choose from.
    ///   - randomness: The random numbers of the phase.
    ///   - phase: The phase.
    private func flicker(
        _ glyph: Int, from start: Double, ticks: Int, _ candidates: [Int],
        _ randomness: PhaseRandomness, in phase: inout Phase
    ) {
        guard !candidates.isEmpty else { return }
        var known: [PhaseNode.Shape: Int] = [:]
        for number in 0..<ticks {
            let share = randomness.unit(.level, item: glyph, draw: number)
            let character = candidates[Int(share * Double(candidates.count))]
            let span = (
                start: start + Double(number) * tick,
                end: start + min(Double(number + 1) * tick, lead)
            )
            phase.show(.character(character), for: glyph, span, known: &known)
        }
    }
}
