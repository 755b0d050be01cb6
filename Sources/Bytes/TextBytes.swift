/// Parsing of text by its bytes, in which no character joins another, and no letter outside of ASCII
/// has a case.
///
/// The separators are ASCII, which no other character of UTF-8 has among its bytes.
extension StringProtocol where UTF8View.SubSequence == Substring.UTF8View {
    /// Returns true if the bytes are those of another text.
    package func isSame(as other: some StringProtocol) -> Bool {
        utf8.elementsEqual(other.utf8)
    }

    package func begins(with prefix: String) -> Bool {
        utf8.starts(with: prefix.utf8)
    }

    package func ends(with suffix: String) -> Bool {
        utf8.count >= suffix.utf8.count && utf8.suffix(suffix.utf8.count).elementsEqual(suffix.utf8)
    }

    /// Returns true if a character of ASCII occurs.
    package func contains(ascii scalar: Unicode.Scalar) -> Bool {
        utf8.contains(UInt8(ascii: scalar))
    }

    /// Returns what stands between separators, of which there may be at most so many.
    package func pieces(
        separatedBy scalar: Unicode.Scalar, maxSplits: Int = .max, omittingEmpty: Bool = false
    ) -> [Substring] {
        utf8.split(
            separator: UInt8(ascii: scalar), maxSplits: maxSplits,
            omittingEmptySubsequences: omittingEmpty
        ).map { Substring($0) }
    }

    /// Returns what stands between separators, which are texts of at least one byte.
    package func pieces(separatedBy separator: String) -> [Substring] {
        let mark = Array(separator.utf8)
        var pieces: [Substring] = []
        var rest = utf8[utf8.startIndex...]
        var start = rest.startIndex
        while let first = mark.first, let found = rest.firstIndex(of: first) {
            rest = rest[found...]
            guard rest.starts(with: mark) else {
                rest.removeFirst()
                continue
            }
            pieces.append(Substring(utf8[start..<found]))
            rest.removeFirst(mark.count)
            start = rest.startIndex
        }
        return pieces + [Substring(utf8[start...])]
    }

    /// Returns the text without bytes of ASCII at its start.
    package func dropping(first count: Int) -> Substring {
        Substring(utf8.dropFirst(count))
    }

    /// Returns the text without bytes of ASCII at its end.
    package func dropping(last count: Int) -> Substring {
        Substring(utf8.dropLast(count))
    }

    /// Returns the text without such bytes of ASCII at either end.
    package func trimming(_ isTrimmed: (UInt8) -> Bool) -> Substring {
        var rest = utf8[utf8.startIndex...]
        while let first = rest.first, isTrimmed(first) { rest.removeFirst() }
        while let last = rest.last, isTrimmed(last) { rest.removeLast() }
        return Substring(rest)
    }

    /// Returns the text without spaces at either end.
    package var trimmingSpaces: Substring {
        trimming { $0 == UInt8(ascii: " ") }
    }

    /// The text with small letters for the capital ones of ASCII, and only for them.
    package var lowercasedASCII: String {
        guard utf8.contains(where: { $0 >= 0x41 && $0 <= 0x5A }) else { return String(self) }
        return String(
            decoding: utf8.map { $0 >= 0x41 && $0 <= 0x5A ? $0 | 0x20 : $0 }, as: UTF8.self)
    }

    /// The text with capital letters for the small ones of ASCII, and only for them.
    package var uppercasedASCII: String {
        String(decoding: utf8.map { $0 >= 0x61 && $0 <= 0x7A ? $0 & 0xDF : $0 }, as: UTF8.self)
    }

    /// Returns at most so many characters of the text's start for a message, and an ellipsis if that
    /// is not all.
    ///
    /// It takes no longer for a long text.
    package func shortened(to count: Int) -> String {
        var start = String.UnicodeScalarView(unicodeScalars.prefix(count + 1))
        guard start.count > count else { return String(start) }
        start.removeLast()
        return String(start) + "…"
    }
}

extension Sequence<String> {
    /// Returns true if one of the texts has the bytes of a text.
    package func includes(_ text: some StringProtocol) -> Bool {
        contains { $0.utf8.elementsEqual(text.utf8) }
    }

    /// The texts in the order of their bytes.
    package var sortedByBytes: [String] {
        sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }
}
