/// A text's UTF-8 bytes with its grapheme boundaries (UAX 29), for access by UTF-8 offset.
struct SegmentedText {
    /// True if every byte is a character of its own.
    let isASCII: Bool
    private let bytes: [UInt8]
    /// For each offset, true where a grapheme begins or the text ends; empty for ASCII.
    private let isBoundary: [Bool]

    init(_ text: String) {
        bytes = Array(text.utf8)
        isASCII = bytes.allSatisfy { $0 < 0x80 }
        guard !isASCII else {
            isBoundary = []
            return
        }
        var boundaries = [Bool](repeating: false, count: bytes.count + 1)
        var offset = 0
        for character in text {
            boundaries[offset] = true
            offset += character.utf8.count
        }
        boundaries[offset] = true
        isBoundary = boundaries
    }

    /// Returns true where a grapheme begins or the text ends.
    func isGraphemeBoundary(_ offset: Int) -> Bool {
        isASCII || isBoundary[min(offset, isBoundary.count - 1)]
    }

    /// Returns the start of the grapheme before an offset.
    func graphemeStart(before offset: Int) -> Int {
        var start = max(offset - 1, 0)
        while !isGraphemeBoundary(start) { start -= 1 }
        return start
    }

    /// Returns the character that begins at an offset; nil at the text's end.
    func character(at offset: Int) -> Unicode.Scalar? {
        String(decoding: bytes[offset...].prefix(4), as: UTF8.self).unicodeScalars.first
    }

    /// Returns the offset behind the character that begins at an offset.
    func end(ofCharacterAt offset: Int) -> Int {
        offset + (character(at: offset).map(UTF8.width) ?? 0)
    }

    /// True if every character of a range draws nothing in any font (Unicode's property
    /// Default_Ignorable_Code_Point).
    func drawsNothing(_ range: Range<Int>) -> Bool {
        guard !range.isEmpty, bytes[range.lowerBound] >= 0x80 else { return false }
        return self[range].unicodeScalars.allSatisfy(\.properties.isDefaultIgnorableCodePoint)
    }

    /// The characters of ASCII.
    private static let ascii = (UInt8(0)..<0x80).map { String(Unicode.Scalar($0)) }

    /// The characters between two offsets that lie between characters.
    subscript(range: Range<Int>) -> String {
        // The commonest case by far: it needs no decoding.
        if range.count == 1, bytes[range.lowerBound] < 0x80 {
            return Self.ascii[Int(bytes[range.lowerBound])]
        }
        return String(decoding: bytes[range], as: UTF8.self)
    }

    /// True if every character of a range has Unicode's property White_Space.
    @inline(__always)
    func isWhitespace(_ range: Range<Int>) -> Bool {
        if range.count == 1, bytes[range.lowerBound] < 0x80 {
            let byte = bytes[range.lowerBound]
            return byte == 0x20 || (0x09...0x0D).contains(byte)
        }
        return self[range].unicodeScalars.allSatisfy { $0.properties.isWhitespace }
    }

    /// Returns the offset at which the white space at the end of a range begins.
    func trailingSpace(in range: Range<Int>) -> Int {
        var offset = range.upperBound
        for scalar in self[range].unicodeScalars.reversed() {
            guard scalar.properties.isWhitespace else { break }
            offset -= UTF8.width(scalar)
        }
        return offset
    }
}

extension Unicode.Scalar {
    /// True for a letter of any script (Unicode's L).
    var isLetter: Bool {
        switch properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter:
            true
        default: false
        }
    }

    /// False for white space and for characters that draw nothing in any font.
    var isSeen: Bool {
        !properties.isWhitespace && (isASCII || !properties.isDefaultIgnorableCodePoint)
    }

    /// True for a character of the private areas (Unicode's Co).
    var isPrivateUse: Bool {
        switch value {
        case 0xE000...0xF8FF, 0xF_0000...0xF_FFFD, 0x10_0000...0x10_FFFD: true
        default: false
        }
    }

    /// True for a mark, which belongs to the character before it (Unicode's M).
    var isMark: Bool {
        switch properties.generalCategory {
        case .nonspacingMark, .spacingMark, .enclosingMark: true
        default: false
        }
    }
}

/// Counts words, each with the white space after it.
struct WordCounter {
    /// True at each UTF-8 offset at which a word begins without white space before it; empty if none does.
    private let starts: [Bool]
    private var word = 0
    private var hasBegun = false
    private var isApart = false

    init(starts: [Bool] = []) {
        self.starts = starts
    }

    /// Returns the word of the next glyph, which begins at a UTF-8 offset.
    mutating func word(at offset: Int, isWhitespace: Bool) -> Int {
        let begins = isApart || !starts.isEmpty && starts[offset]
        if !isWhitespace, hasBegun, begins { word += 1 }
        hasBegun = hasBegun || !isWhitespace
        isApart = isWhitespace
        return word
    }

    /// Counts a line break, which is white space.
    mutating func breakLine() {
        isApart = true
    }
}
