import Bytes
import Motion

/// A word of a text, and the seconds of the cycle in which it is said.
package struct TextWord: Equatable, Sendable {
    /// The UTF-8 offset of its start in the text; it ends where the next word starts.
    package var offset: Int
    package var start: Double
    package var end: Double

    package init(offset: Int, start: Double, end: Double) {
        self.offset = offset
        self.start = start
        self.end = end
    }
}

extension TextWord {
    /// Finds words in a text, in their order.
    ///
    /// White space and punctuation behind a word belong to it, and opening punctuation before it.
    ///
    /// - Parameters:
    ///   - words: The characters of each word.
    ///   - text: The text.
    /// - Returns: The UTF-8 offset at which each word starts with all that belongs to it; the first
    ///   is 0. Fewer than there are words if one is not found: their number is the index of that
    ///   word.
    package static func offsets(of words: [[UInt8]], in text: String) -> [Int] {
        let bytes = Array(text.utf8)
        var offsets: [Int] = []
        var end = 0
        for word in words {
            guard let start = position(of: word, in: bytes, from: end) else { return offsets }
            offsets.append(
                offsets.isEmpty ? 0 : start - openingLength(before: start, in: bytes, end))
            end = start + word.count
        }
        return offsets
    }

    /// Returns where a word begins behind an offset: first where no letter or digit is before it,
    /// then anywhere.
    private static func position(of word: [UInt8], in bytes: [UInt8], from start: Int) -> Int? {
        guard !word.isEmpty else { return nil }
        var inner: Int?
        var index = start
        while index + word.count <= bytes.count {
            guard let found = bytes[index...].firstIndex(of: word[0]),
                found + word.count <= bytes.count
            else { return inner }
            if bytes[found..<found + word.count].elementsEqual(word) {
                let isBehindWord =
                    found > start
                    && (bytes[found - 1] >= 0x80 || bytes[found - 1].isASCIILetterOrDigit)
                if !isBehindWord || bytes[found] >= 0x80 { return found }
                inner = inner ?? found
            }
            index = found + 1
        }
        return inner
    }

    /// Returns the number of bytes of opening punctuation just before an offset.
    private static func openingLength(before offset: Int, in bytes: [UInt8], _ start: Int) -> Int {
        var length = 0
        let text = String(decoding: bytes[start..<offset], as: UTF8.self)
        let scalars = Array(text.unicodeScalars)
        for (index, scalar) in scalars.enumerated().reversed() {
            let isBehindSpace = index == 0 ? false : scalars[index - 1].properties.isWhitespace
            guard scalar.opensWords || scalar.isStraightQuote && isBehindSpace else { break }
            length += UTF8.width(scalar)
        }
        return length
    }
}

extension Unicode.Scalar {
    /// True for punctuation that belongs to the word behind it.
    fileprivate var opensWords: Bool {
        switch properties.generalCategory {
        case .openPunctuation, .initialPunctuation: true
        default: self == "¿" || self == "¡"
        }
    }

    fileprivate var isStraightQuote: Bool { self == "\"" || self == "'" }
}
