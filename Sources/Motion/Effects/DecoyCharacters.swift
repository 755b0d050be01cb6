import Bytes

/// The characters that stand in for the glyphs of a text: Latin's, digits, and symbols, then the
/// letters of its other scripts that have an alphabet.
struct DecoyCharacters {
    private let texts: [String]
    /// In CSS pixels.
    private let widths: [Double]
    /// True if they are the request's own, which stand in for any glyph.
    private let areOwn: Bool
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
    ///
    /// - Parameters:
    ///   - characters: The characters.
    ///   - charset: The characters that the request names; nil for those of each glyph's class.
    init(in characters: ArraySlice<Glyph>, charset: [String]?) {
        texts = characters.prefix(charset?.count ?? .max).map(\.text)
        widths = characters.map(\.rect.width)
        areOwn = charset != nil
        guard !areOwn else { return }
        var next = Self.usual.count
        while next < characters.count,
            let alphabet = DecoyAlphabet.beginning(
                with: characters[characters.startIndex + next].text)
        {
            alphabets.append((alphabet, next))
            next += alphabet.letters.count
        }
    }

    /// Returns the indices of the characters that may stand in for a glyph, in their order: the
    /// request's own, or those of the glyph's class that are about as wide.
    func candidates(for glyph: Glyph) -> [Int] {
        if areOwn { return Array(texts.indices) }
        let range = range(for: glyph.text).clamped(to: widths.indices)
        func difference(_ character: Int) -> Double { abs(widths[character] - glyph.rect.width) }
        let near = range.filter { difference($0) <= Self.tolerance * glyph.rect.width }
        guard near.count < Self.fewestCandidates else { return near }
        let nearest = range.sorted { (difference($0), $0) < (difference($1), $1) }
        return nearest.prefix(Self.fewestCandidates).sorted()
    }

    /// Returns the indices of so many candidates that come before a glyph in their order, the
    /// nearest last. The last candidate comes before the first one, and all of them come before a
    /// glyph that is none.
    func leading(to glyph: Glyph, count: Int) -> [Int] {
        var candidates = candidates(for: glyph)
        if let own = candidates.firstIndex(where: { texts[$0].isSame(as: glyph.text) }) {
            candidates = Array(candidates[(own + 1)...] + candidates[..<own])
        }
        guard !candidates.isEmpty else { return [] }
        return (1...max(count, 1)).prefix(count).reversed().map {
            candidates[candidates.count - 1 - ($0 - 1) % candidates.count]
        }
    }

    /// The most by which a character may be wider or narrower than a glyph, as a share.
    private static let tolerance = 0.15
    /// The number of characters that stand in if fewer are nearly as wide.
    private static let fewestCandidates = 3

    /// Returns the indices of the characters of a glyph's class, by its first character.
    private func range(for text: String) -> Range<Int> {
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
