/// The credits of *Birdman*: all equal letters fade in together, the letters in random order.
package struct Birdman: Effect, Parameterized {
    package static let name = "birdman"
    package static let title = "Birdman credits"

    private let duration: Double
    private let groupDelay: Double
    private let acceleration: Double
    private let foldCase: Bool

    package init(_ parameters: inout ParameterReader) {
        duration = parameters.seconds(
            "duration", default: 0.4, "Seconds in which the first letter of the alphabet fades in.")
        groupDelay = parameters.seconds(
            "groupDelay", default: 0.4,
            "Seconds before the first letter fades in, and, ever shorter, before the others.")
        acceleration = parameters.number(
            "acceleration", default: 0.9, in: 0.1...1,
            "Factor by which each letter's delay and duration are shorter than those of the letter "
                + "before.")
        foldCase = parameters.boolean(
            "foldCase", default: false,
            "True: upper and lower case fade in together, as the same letter.")
    }

    package func entrance(of block: EffectBlock) -> Phase {
        let (letterOfGlyph, count) = letters(of: block.glyphs)
        let alphabet = (0..<count).map { block.randomness.unit(.order, item: $0) }
        let order = (0..<count).sorted { (alphabet[$0], $0) < (alphabet[$1], $1) }

        // White space belongs to no letter: its tracks stand last.
        var tracks = [PhaseTracks](repeating: .appearing(at: 0), count: count + 1)
        var (end, shrink) = (0.0, 1.0)
        for letter in order {
            let start = end + groupDelay * shrink
            end += (groupDelay + duration) * shrink
            tracks[letter] = .fading(from: start, for: end - start)
            shrink *= acceleration
        }
        return Phase(
            tracks: tracks, assignment: letterOfGlyph.map { $0 ?? count }, duration: end)
    }

    /// Returns the number of each glyph's letter by first appearance, nil for white space.
    private func letters(of glyphs: ArraySlice<Glyph>) -> (ofGlyph: [Int?], count: Int) {
        // String's equality is canonical equivalence.
        var numbers: [String: Int] = [:]
        let ofGlyph = glyphs.map { glyph -> Int? in
            guard !glyph.isWhitespace else { return nil }
            let letter = foldCase ? glyph.text.uppercased() : glyph.text
            let number = numbers[letter] ?? numbers.count
            numbers[letter] = number
            return number
        }
        return (ofGlyph, numbers.count)
    }
}
