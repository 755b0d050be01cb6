/// The byte classes of HTTP's grammar and the few bytes that it gives a meaning.
enum ASCII {
    static let tab: UInt8 = 0x09
    static let lineFeed: UInt8 = 0x0A
    static let carriageReturn: UInt8 = 0x0D
    static let space: UInt8 = 0x20
    static let quote: UInt8 = 0x22
    static let hash: UInt8 = 0x23
    static let percent: UInt8 = 0x25
    static let ampersand: UInt8 = 0x26
    static let asterisk: UInt8 = 0x2A
    static let plus: UInt8 = 0x2B
    static let comma: UInt8 = 0x2C
    static let slash: UInt8 = 0x2F
    static let zero: UInt8 = 0x30
    static let colon: UInt8 = 0x3A
    static let semicolon: UInt8 = 0x3B
    static let equals: UInt8 = 0x3D
    static let questionMark: UInt8 = 0x3F
    static let at: UInt8 = 0x40
    static let openingBracket: UInt8 = 0x5B
    static let backslash: UInt8 = 0x5C
    static let closingBracket: UInt8 = 0x5D
    static let delete: UInt8 = 0x7F

    /// Returns true if the byte may stand in a token, such as a method or a field name (RFC 9110, 5.6.2).
    static func isToken(_ byte: UInt8) -> Bool {
        contains(byte, low: 0x03FF_6CFA_0000_0000, high: 0x57FF_FFFF_C7FF_FFFE)
    }

    /// Returns true if the byte may stand in a field's value: visible, obs-text, space or tab
    /// (RFC 9110, 5.5).
    static func isFieldValue(_ byte: UInt8) -> Bool {
        byte >= space ? byte != delete : byte == tab
    }

    /// Returns true if the byte may stand in a request target.
    ///
    /// Every visible ASCII character but `#`: browsers leave some in a query that RFC 3986 would
    /// have encoded.
    static func isTarget(_ byte: UInt8) -> Bool {
        byte > space && byte < delete && byte != hash
    }

    /// Returns true if the byte is a letter, digit, `-`, `.`, `_` or `~` (RFC 3986, 2.3).
    static func isUnreserved(_ byte: UInt8) -> Bool {
        contains(byte, low: 0x03FF_6000_0000_0000, high: 0x47FF_FFFE_87FF_FFFE)
    }

    /// Returns true if the byte may stand unencoded in a registered host name: unreserved or one of
    /// `!$&'()*+,;=` (RFC 3986, 3.2.2).
    static func isRegisteredName(_ byte: UInt8) -> Bool {
        contains(byte, low: 0x2BFF_7FD2_0000_0000, high: 0x47FF_FFFE_87FF_FFFE)
    }

    static func isWhitespace(_ byte: UInt8) -> Bool {
        byte == space || byte == tab
    }

    static func lowercased(_ byte: UInt8) -> UInt8 {
        byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte
    }

    /// Returns true if two byte sequences are equal when ASCII letters are compared without case.
    static func equalIgnoringCase(
        _ left: some Collection<UInt8>, _ right: some Collection<UInt8>
    ) -> Bool {
        left.count == right.count
            && zip(left, right).allSatisfy { lowercased($0) == lowercased($1) }
    }

    /// Returns the bytes without spaces and tabs at either end.
    static func trimmed<Bytes: BidirectionalCollection<UInt8>>(
        _ bytes: Bytes
    ) -> Bytes.SubSequence {
        var rest = bytes[...]
        while let first = rest.first, isWhitespace(first) { rest = rest.dropFirst() }
        while let last = rest.last, isWhitespace(last) { rest = rest.dropLast() }
        return rest
    }

    /// Returns true if a byte is in a set of ASCII bytes given as two bit masks, which needs no table
    /// in memory.
    private static func contains(_ byte: UInt8, low: UInt64, high: UInt64) -> Bool {
        guard byte < 0x80 else { return false }
        return (byte < 0x40 ? low : high) >> UInt64(byte & 0x3F) & 1 == 1
    }
}
