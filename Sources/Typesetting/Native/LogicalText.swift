import CPango

/// A text with the boundaries between its characters in any font: where lines may end, and where
/// white space is.
///
/// Offsets are in characters (Unicode scalars). Belongs to one thread; nothing changes once its
/// paragraphs are shaped.
final class LogicalText {
    /// Where a line may end.
    enum BreakKind {
        /// Where UAX 14, words and the script's own rules let it.
        case betweenWords
        /// Between any two graphemes.
        case betweenGraphemes
    }

    /// The text's UTF-8 bytes; C takes their count.
    let start: UnsafePointer<CChar>
    /// In bytes.
    let length: Int
    /// In characters.
    let characterCount: Int
    /// One before each character and one after the last.
    let attributes: UnsafeMutablePointer<PangoLogAttr>
    /// The line ends that UAX 14 does not know, before each character; empty if there are none.
    private let lineEnds: [TextBoundaries.LineEnd]
    private let bytes: UnsafeMutablePointer<CChar>
    /// The positions behind soft hyphens.
    private let softHyphenEnds: Set<Int>

    /// True if every byte is a character of its own.
    var isASCII: Bool { characterCount == length }

    /// Takes a text; in the place of the characters that begin at the offsets in `hidden`, in UTF-8, it has
    /// some of the same length that no font has.
    init(
        _ text: String, lineEnds: [TextBoundaries.LineEnd] = [], hiding hidden: [Int] = []
    ) {
        self.lineEnds = lineEnds
        softHyphenEnds = Self.softHyphenEnds(in: text)
        var text = text
        (bytes, length) = text.withUTF8 { source in
            let bytes = UnsafeMutablePointer<CChar>.allocate(capacity: source.count + 1)
            for index in source.indices { bytes[index] = CChar(bitPattern: source[index]) }
            bytes[source.count] = 0
            return (bytes, source.count)
        }
        for offset in hidden {
            // U+FFFF and U+10FFFF are characters of no font: they never will be any (Unicode, 23.7).
            let isShort = UInt8(bitPattern: bytes[offset]) < 0xF0
            let none: [UInt8] = isShort ? [0xEF, 0xBF, 0xBF] : [0xF4, 0x8F, 0xBF, 0xBF]
            for (index, byte) in none.enumerated() {
                bytes[offset + index] = CChar(bitPattern: byte)
            }
        }
        start = UnsafePointer(bytes)
        characterCount = g_utf8_strlen(bytes, length)
        attributes = .allocate(capacity: characterCount + 1)
        attributes.initialize(repeating: PangoLogAttr(), count: characterCount + 1)
    }

    deinit {
        bytes.deallocate()
        attributes.deallocate()
    }

    /// Returns the UTF-8 offset of the next line feed, or the text's end.
    func endOfParagraph(from offset: Int) -> Int {
        var end = offset
        while end < length, bytes[end] != 0x0A { end += 1 }
        return end
    }

    /// Returns the UTF-8 offset of the character after the one at an offset.
    func byte(after offset: Int) -> Int {
        var next = offset + 1
        while next < length, UInt8(bitPattern: bytes[next]) & 0xC0 == 0x80 { next += 1 }
        return next
    }

    /// Returns the characters of a range of UTF-8 offsets.
    func characters(in range: Range<Int>) -> String {
        String(decoding: range.lazy.map { UInt8(bitPattern: self.bytes[$0]) }, as: UTF8.self)
    }

    /// Calls `take` for each character of a range with its UTF-8 offset and the next one's.
    func forEachCharacter(
        in range: Range<Int>, _ take: (_ scalar: Unicode.Scalar, _ offset: Int, _ next: Int) -> Void
    ) {
        var offset = range.lowerBound
        for scalar in characters(in: range).unicodeScalars {
            let next = offset + UTF8.width(scalar)
            take(scalar, offset, next)
            offset = next
        }
    }

    func canBreak(at position: Int, _ kind: BreakKind) -> Bool {
        guard position < characterCount else { return true }
        switch kind {
        case .betweenWords: return attributes[position].is_line_break != 0
        case .betweenGraphemes: return attributes[position].is_char_break != 0
        }
    }

    /// Lets lines end between words and clusters of scripts without spaces, once UAX 14 has been
    /// applied to a paragraph's characters.
    func setLineEnds(of characters: Range<Int>) {
        guard !lineEnds.isEmpty else { return }
        for position in characters.dropFirst() {
            switch lineEnds[position] {
            case .standard, .withinWord: break
            case .betweenWords:
                attributes[position].is_line_break = attributes[position].is_char_break
            case .betweenClusters:
                attributes[position].is_line_break = 0
            case .withinCluster:
                attributes[position].is_line_break = 0
                attributes[position].is_char_break = 0
            }
        }
    }

    /// True if a line that ends at a position ends within a word of Chinese or Japanese.
    func isWithinWord(at position: Int) -> Bool {
        position < lineEnds.count && lineEnds[position] == .withinWord
    }

    /// True if a line can end within a word of Chinese or Japanese.
    func canEndWithinWord(in characters: Range<Int>) -> Bool {
        characters.contains { isWithinWord(at: $0) && canBreak(at: $0, .betweenWords) }
    }

    /// True if a hyphen is added where a line ends here: behind a soft hyphen, but not within a
    /// word that is too long for a line, where Pango would add one.
    func insertsHyphen(at position: Int) -> Bool {
        attributes[position].break_inserts_hyphen != 0 && softHyphenEnds.contains(position)
    }

    private static func softHyphenEnds(in text: String) -> Set<Int> {
        guard text.utf8.contains(0xAD) else { return [] }
        var ends: Set<Int> = []
        for (index, scalar) in text.unicodeScalars.enumerated() where scalar == "\u{AD}" {
            ends.insert(index + 1)
        }
        return ends
    }

    /// True if the character before is not shown where a line ends here.
    func removesPreceding(at position: Int) -> Bool {
        attributes[position].break_removes_preceding != 0
    }

    /// True if the character after a position is white space.
    func isWhite(at position: Int) -> Bool { attributes[position].is_white != 0 }
}
