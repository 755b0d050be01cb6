/// Where a text's grapheme clusters begin (UAX 29), as UTF-8 offsets.
struct GraphemeBoundaries {
    /// Every byte is a grapheme of its own.
    let isASCII: Bool
    private let isBoundary: [Bool]

    init(_ text: String) {
        isASCII = text.utf8.allSatisfy { $0 < 0x80 }
        guard !isASCII else {
            isBoundary = []
            return
        }
        var boundaries = [Bool](repeating: false, count: text.utf8.count + 1)
        var offset = 0
        for character in text {
            boundaries[offset] = true
            offset += character.utf8.count
        }
        boundaries[offset] = true
        isBoundary = boundaries
    }

    /// Whether a grapheme begins or the text ends at an offset.
    func contains(_ offset: Int) -> Bool {
        isASCII || isBoundary[min(offset, isBoundary.count - 1)]
    }
}

/// Counts words: a run of characters that are not white space, with the white space after it.
struct WordCounter {
    private var word = 0
    private var hasBegun = false
    private var isApart = false

    /// The word of the next glyph.
    mutating func word(isWhitespace: Bool) -> Int {
        if !isWhitespace, hasBegun, isApart { word += 1 }
        hasBegun = hasBegun || !isWhitespace
        isApart = isWhitespace
        return word
    }

    /// A line break counts as white space.
    mutating func breakLine() {
        isApart = true
    }
}

extension String {
    /// The characters between two UTF-8 offsets that lie between characters.
    func slice(_ range: Range<Int>) -> String {
        let start = utf8.index(startIndex, offsetBy: range.lowerBound)
        return String(self[start..<utf8.index(start, offsetBy: range.count)])
    }

    /// Whether every character has Unicode's property White_Space.
    var isWhitespace: Bool {
        if utf8.count == 1, let byte = utf8.first, byte < 0x80 {
            return byte == 0x20 || (0x09...0x0D).contains(byte)
        }
        return unicodeScalars.allSatisfy { $0.properties.isWhitespace }
    }

    /// The UTF-8 offset at which the white space at the end of a range begins.
    func trailingSpace(in range: Range<Int>) -> Int {
        var offset = range.upperBound
        for scalar in slice(range).unicodeScalars.reversed() {
            guard scalar.properties.isWhitespace else { break }
            offset -= UTF8.width(scalar)
        }
        return offset
    }
}
