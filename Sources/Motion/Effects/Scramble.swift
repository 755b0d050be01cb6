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
        // White space is there from the start: its tracks stand first.
        var phase = Phase(tracks: [.appearing(at: 0)], assignment: [], duration: 0)
        var start = 0.0
        let widths = block.characters.map(\.rect.width)
        let characters = DecoyCharacters(in: block.characters)
        for (index, glyph) in block.glyphs.enumerated() {
            try block.deadline.checkScene()
            guard !glyph.isWhitespace else {
                phase.assignment.append(0)
                continue
            }
            let settled = start + lead
            phase.assignment.append(phase.tracks.count)
            phase.tracks.append(.appearing(at: settled))
            phase.decoys += decoys(
                of: index, from: start, ticks: ticks,
                candidates(for: glyph, characters, widths: widths), block.randomness)
            phase.duration = settled
            start = Double(phase.tracks.count - 1) * interval
        }
        return phase
    }

    /// Returns the indices of the characters that may stand in for a glyph.
    ///
    /// - Parameters:
    ///   - glyph: The glyph.
    ///   - characters: The characters of each class.
    ///   - widths: The widths of the characters, in CSS pixels.
    /// - Returns: The indices in their order.
    private func candidates(
        for glyph: Glyph, _ characters: DecoyCharacters, widths: [Double]
    ) -> [Int] {
        if let charset { return Array(charset.indices) }
        let range = characters.range(for: glyph.text).clamped(to: widths.indices)
        func difference(_ character: Int) -> Double { abs(widths[character] - glyph.rect.width) }
        let near = range.filter { difference($0) <= Self.tolerance * glyph.rect.width }
        guard near.count < Self.fewestCandidates else { return near }
        let nearest = range.sorted { (difference($0), $0) < (difference($1), $1) }
        return nearest.prefix(Self.fewestCandidates).sorted()
    }

    /// The most by which a character may be wider or narrower than a glyph, as a share.
    private static let tolerance = 0.15
    /// The number of characters that stand in if fewer are nearly as wide.
    private static let fewestCandidates = 3

    /// Returns the characters that flicker instead of one glyph, each distinct one once.
    ///
    /// - Parameters:
    ///   - glyph: The number of the glyph in its block.
    ///   - start: The seconds at which the first one shows.
    ///   - ticks: The number of times that one shows.
    ///   - candidates: The indices of the characters to choose from.
    ///   - randomness: The random numbers of the phase.
    /// - Returns: The decoys, with all the spans in which each shows.
    private func decoys(
        of glyph: Int, from start: Double, ticks: Int, _ candidates: [Int],
        _ randomness: PhaseRandomness
    ) -> [PhaseDecoy] {
        guard !candidates.isEmpty else { return [] }
        var decoys: [PhaseDecoy] = []
        var known: [Int: Int] = [:]
        for number in 0..<ticks {
            let share = randomness.unit(.level, item: glyph, draw: number)
            let character = candidates[Int(share * Double(candidates.count))]
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

/// The characters that stand in for the glyphs of a text: Latin's, digits, and symbols, then the
/// letters of its other scripts that have an alphabet.
private struct DecoyCharacters {
    /// The alphabets behind Latin's, each with the index of its first letter.
    private var alphabets: [(letters: DecoyAlphabet, first: Int)] = []

    private static let uppers = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    private static let lowers = "abcdefghijklmnopqrstuvwxyz"
    private static let digits = "0123456789"
    private static let symbols = "#%&@$!?*+=<>/-~.,:;'"

    /// The characters of all texts.
    private static let usual = (uppers + lowers + digits + symbols).map(String.init)

    /// Returns the characters of a text.
    static func all(for text: String) -> [String] {
        let alphabets = DecoyAlphabet.all(in: text)
        return alphabets.isEmpty ? usual : usual + alphabets.flatMap(\.letters)
    }

    /// Finds the alphabets among characters that were set; characters of another effect may follow
    /// them.
    init(in characters: ArraySlice<Glyph>) {
        var next = Self.usual.count
        while next < characters.count,
            let alphabet = DecoyAlphabet.beginning(
                with: characters[characters.startIndex + next].text)
        {
            alphabets.append((alphabet, next))
            next += alphabet.letters.count
        }
    }

    /// Returns the indices of the characters of a glyph's class, by its first character.
    func range(for text: String) -> Range<Int> {
        switch text.unicodeScalars.first?.properties.generalCategory {
        case .uppercaseLetter, .titlecaseLetter: letters(for: text)?.capitals ?? 0..<26
        case .lowercaseLetter: letters(for: text)?.smallLetters ?? 26..<52
        case .decimalNumber: 52..<62
        // A letter of a script that has no case.
        case .otherLetter, .modifierLetter, .nonspacingMark, .spacingMark:
            letters(for: text)?.all ?? 0..<52
        default: 62..<Self.usual.count
        }
    }

    /// Returns the indices of the letters of a glyph's script; nil if it has no alphabet.
    private func letters(
        for text: String
    ) -> (capitals: Range<Int>, smallLetters: Range<Int>, all: Range<Int>)? {
        guard !alphabets.isEmpty, let scalar = text.unicodeScalars.first?.value,
            let (alphabet, first) = alphabets.first(where: { $0.letters.contains(scalar) })
        else { return nil }
        let middle = first + alphabet.capitals.count
        let end = middle + alphabet.smallLetters.count
        return (first..<middle, middle..<end, first..<end)
    }
}
