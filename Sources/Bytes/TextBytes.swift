import Glibc

extension String {
    /// Makes a text of the bytes of UTF-8; nil where they are not valid.
    ///
    /// The standard library's `init(validating:as:)` looks up types at run time each time.
    package init?(utf8 bytes: ArraySlice<UInt8>) {
        guard let text = try? UTF8Span(validating: bytes.span) else { return nil }
        self.init(copying: text)
    }
}

/// Parsing of text by its bytes, in which no character joins another, and no letter outside of ASCII
/// has a case.
///
/// The separators are ASCII, which no other character of UTF-8 has among its bytes.
extension StringProtocol where UTF8View.SubSequence == Substring.UTF8View {
    /// Returns true if another text has the same bytes.
    @inlinable
    package func isSame(as other: some StringProtocol) -> Bool {
        ByteComparison.compare(utf8, other.utf8) { $0.count == $1.count && $0.begins(with: $1) }
    }

    @inlinable
    package func begins(with prefix: String) -> Bool {
        ByteComparison.compare(utf8, prefix.utf8) { $0.begins(with: $1) }
    }

    @inlinable
    package func ends(with suffix: String) -> Bool {
        ByteComparison.compare(utf8, suffix.utf8) { text, suffix in
            text.count >= suffix.count
                && UnsafeBufferPointer(rebasing: text.suffix(suffix.count)).begins(with: suffix)
        }
    }

    /// Returns true if a character of ASCII occurs.
    package func contains(ascii scalar: Unicode.Scalar) -> Bool {
        utf8.contains(UInt8(ascii: scalar))
    }

    /// Returns the pieces between separators, of which at most so many count.
    package func pieces(
        separatedBy scalar: Unicode.Scalar, maxSplits: Int = .max, omittingEmpty: Bool = false
    ) -> [Substring] {
        utf8.split(
            separator: UInt8(ascii: scalar), maxSplits: maxSplits,
            omittingEmptySubsequences: omittingEmpty
        ).map { Substring($0) }
    }

    /// Returns the pieces between separators, which are texts of at least one byte.
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
    @inlinable
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
    @inlinable
    package func includes(_ text: some StringProtocol) -> Bool {
        contains { $0.isSame(as: text) }
    }

    /// The texts in the order of their bytes.
    package var sortedByBytes: [String] {
        sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }
}

/// Comparison of texts where they lie in memory.
@usableFromInline
enum ByteComparison {
    @inlinable
    static func compare(
        _ one: some Collection<UInt8>, _ other: some Collection<UInt8>,
        _ body: (UnsafeBufferPointer<UInt8>, UnsafeBufferPointer<UInt8>) -> Bool
    ) -> Bool {
        let result = one.withContiguousStorageIfAvailable { one in
            other.withContiguousStorageIfAvailable { body(one, $0) }
                ?? Array(other).withUnsafeBufferPointer { body(one, $0) }
        }
        return result
            ?? Array(one).withUnsafeBufferPointer { one in
                Array(other).withUnsafeBufferPointer { body(one, $0) }
            }
    }
}

extension UnsafeBufferPointer<UInt8> {
    @usableFromInline
    func begins(with prefix: UnsafeBufferPointer<UInt8>) -> Bool {
        guard count >= prefix.count else { return false }
        guard let start = baseAddress, let other = prefix.baseAddress else { return true }
        return memcmp(start, other, prefix.count) == 0
    }
}
