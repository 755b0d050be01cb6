/// A word, or another character, with the white space before it on its line; the last one of a line
/// has the white space behind it too.
struct TextToken: Equatable {
    /// Indices into the block's glyphs, white space included.
    private(set) var glyphs: Range<Int>
    /// The glyphs that are not white space; empty on a line of only white space.
    let ink: Range<Int>
    /// True for letters, digits, and underscores.
    let isWord: Bool
    /// Index of its line within the block.
    let line: Int
    /// The number of its white-space glyphs at the start of its line.
    let indentation: Int

    /// Returns the tokens of a block's glyphs, in order.
    ///
    /// A word also ends at the end of a word of the block.
    static func tokens(of glyphs: [Glyph]) -> [TextToken] {
        var tokens: [TextToken] = []
        var rest = glyphs.indices
        while let first = rest.first {
            let line = glyphs[first].line
            let own = rest.prefix { glyphs[$0].line == line }
            rest = own.upperBound..<rest.upperBound
            addTokens(of: glyphs, in: own, on: line, to: &tokens)
        }
        return tokens
    }

    /// Adds the tokens of the glyphs of one line.
    private static func addTokens(
        of glyphs: [Glyph], in range: Range<Int>, on line: Int, to tokens: inout [TextToken]
    ) {
        var start = range.lowerBound
        while start < range.upperBound {
            let isFirst = start == range.lowerBound
            let rest = start..<range.upperBound
            guard let ink = rest.first(where: { !glyphs[$0].isWhitespace }) else {
                guard isFirst else { return tokens[tokens.count - 1].extend(to: rest.upperBound) }
                tokens.append(
                    TextToken(
                        glyphs: rest, ink: start..<start, isWord: false, line: line,
                        indentation: rest.count))
                return
            }
            var end = ink + 1
            let isWord = glyphs[ink].isWordPart
            while isWord, end < range.upperBound, glyphs[end].isWordPart,
                glyphs[end].word == glyphs[ink].word
            { end += 1 }
            tokens.append(
                TextToken(
                    glyphs: start..<end, ink: ink..<end, isWord: isWord, line: line,
                    indentation: isFirst ? ink - start : 0))
            start = end
        }
    }

    private mutating func extend(to end: Int) { glyphs = glyphs.lowerBound..<end }
}

extension Glyph {
    /// True if it begins with a letter, a mark, a digit or another number, or an underscore or
    /// another connector of words (Unicode's L, M, N, and Pc).
    fileprivate var isWordPart: Bool {
        switch text.unicodeScalars.first?.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
            .nonspacingMark, .spacingMark, .enclosingMark, .decimalNumber, .letterNumber,
            .otherNumber, .connectorPunctuation:
            true
        default: false
        }
    }
}

/// The tokens that stay where one text takes another's place.
enum TokenMatching {
    /// A token of the old text that stays, and its counterpart in the new one.
    struct Pair: Equatable {
        let old: TextToken
        let new: TextToken

        fileprivate var lines: LinePair { LinePair(old: old.line, new: new.line) }
    }

    /// A line of the old text and one of the new.
    fileprivate struct LinePair: Hashable {
        let old: Int
        let new: Int
    }

    /// Returns pairs of tokens that rise in both texts: equal letters of equal size, white space
    /// left out.
    ///
    /// The pairs have the largest sum of weights: one for each letter, one more for each word, and
    /// one more where two pairs follow each other in both texts. Pairs of one line with one other
    /// line stay only if a word is among them, or if they are the whole line in one of the texts:
    /// brackets and commas do not part from their words.
    ///
    /// O(n·m) in time and memory; requests are limited to 2,000 glyphs in all.
    ///
    /// - Throws: `SceneError.deadline`.
    static func pairs(
        _ old: [TextToken], of oldGlyphs: [Glyph], _ new: [TextToken], of newGlyphs: [Glyph],
        until deadline: WorkDeadline = WorkDeadline()
    ) throws(SceneError) -> [Pair] {
        let letters = LetterMatching.letterNumbers(oldGlyphs + newGlyphs)
        var numbers: [ArraySlice<Int?>: Int] = [:]
        func number(_ token: TextToken, from first: Int) -> Int? {
            guard !token.ink.isEmpty else { return nil }
            let own = letters[first + token.ink.lowerBound..<first + token.ink.upperBound]
            let number = numbers[own] ?? numbers.count
            numbers[own] = number
            return number
        }
        let oldNumbers = old.map { number($0, from: 0) }
        let newNumbers = new.map { number($0, from: oldGlyphs.count) }
        let pairs = try heaviest(
            oldNumbers, newNumbers, weights: old.map { $0.ink.count + ($0.isWord ? 1 : 0) },
            until: deadline)
        return staying(pairs.map { Pair(old: old[$0], new: new[$1]) }, of: old, new)
    }

    /// The beginning of the heaviest pairs of the rest of both texts.
    private struct Choice: OptionSet {
        let rawValue: UInt8
        /// The first tokens of both rests are a pair.
        static let pair = Choice(rawValue: 1)
        /// The first token of the old text is skipped if the first tokens of both are no pair.
        static let skipsOld = Choice(rawValue: 2)
        /// If the first tokens of both are a pair, the second ones are, too.
        static let continues = Choice(rawValue: 4)
    }

    /// Returns the pairs of equal numbers, which rise in both lists, with the largest sum of
    /// weights, and 1 more for each pair that follows another one in both lists.
    private static func heaviest(
        _ old: [Int?], _ new: [Int?], weights: [Int], until deadline: WorkDeadline
    ) throws(SceneError) -> [(Int, Int)] {
        var choices = [Choice](repeating: [], count: old.count * new.count)
        // The largest weights of the rests of both texts: of any pairs, and of pairs that begin
        // with the first tokens of both.
        var best = [Int](repeating: 0, count: new.count + 1)
        var pairing = best
        for i in old.indices.reversed() {
            try deadline.checkScene(every: 16)
            // The same weights of both rests without their first tokens.
            var (bestBehind, pairingBehind) = (0, 0)
            for j in new.indices.reversed() {
                var choice: Choice = []
                var pair = 0
                if old[i] == new[j], old[i] != nil {
                    let continued = pairingBehind > 0 ? pairingBehind + 1 : 0
                    if continued > 0, continued >= bestBehind { choice.insert(.continues) }
                    pair = weights[i] + max(continued, bestBehind)
                }
                let (skippingOld, skippingNew) = (best[j], best[j + 1])
                (bestBehind, pairingBehind) = (best[j], pairing[j])
                best[j] = max(pair, skippingOld, skippingNew)
                pairing[j] = pair
                if pair > 0, pair == best[j] { choice.insert(.pair) }
                if skippingOld >= skippingNew { choice.insert(.skipsOld) }
                choices[i * new.count + j] = choice
            }
        }
        var pairs: [(Int, Int)] = []
        var (i, j) = (0, 0)
        var continues = false
        while i < old.count, j < new.count {
            let choice = choices[i * new.count + j]
            if continues || choice.contains(.pair) {
                pairs.append((i, j))
                continues = choice.contains(.continues)
                i += 1
                j += 1
            } else if choice.contains(.skipsOld) {
                i += 1
            } else {
                j += 1
            }
        }
        return pairs
    }

    /// Returns the pairs without those whose lines have neither a word nor a whole line in common.
    private static func staying(
        _ pairs: [Pair], of old: [TextToken], _ new: [TextToken]
    ) -> [Pair] {
        func tokensOfLines(_ tokens: [TextToken]) -> [Int: Int] {
            tokens.reduce(into: [:]) { if !$1.ink.isEmpty { $0[$1.line, default: 0] += 1 } }
        }
        let (oldCounts, newCounts) = (tokensOfLines(old), tokensOfLines(new))
        var counts: [LinePair: Int] = [:]
        var withWord: Set<LinePair> = []
        for pair in pairs {
            counts[pair.lines, default: 0] += 1
            if pair.new.isWord { withWord.insert(pair.lines) }
        }
        return pairs.filter { pair in
            withWord.contains(pair.lines) || counts[pair.lines] == oldCounts[pair.old.line]
                || counts[pair.lines] == newCounts[pair.new.line]
        }
    }
}
