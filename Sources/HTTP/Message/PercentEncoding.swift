/// Why percent-encoded text could not be decoded.
package enum PercentEncodingError: Error, Hashable, Sendable {
    /// A `%` is not followed by two hexadecimal digits.
    case malformedEscape
    /// The decoded bytes are not UTF-8.
    case invalidUTF8
    /// The text contains U+0000, raw or as `%00`.
    case nul
}

/// Percent-encoding of UTF-8 text (RFC 3986, 2.1).
package enum PercentEncoding {
    /// Decodes a path segment or a piece of a query, where `+` may mean a space as in HTML forms;
    /// fails rather than guess.
    package static func decode(
        _ text: some StringProtocol, plusIsSpace: Bool = false
    ) throws(PercentEncodingError) -> String {
        try decode(bytes: Array(text.utf8)[...], plusIsSpace: plusIsSpace)
    }

    /// Encodes text for a query component or a path segment: every byte but the unreserved ones
    /// becomes `%XX`.
    package static func encode(_ text: String) -> String {
        var encoded: [UInt8] = []
        encoded.reserveCapacity(text.utf8.count)
        for byte in text.utf8 {
            if ASCII.isUnreserved(byte) {
                encoded.append(byte)
            } else {
                encoded += [ASCII.percent, upperDigit(byte >> 4), upperDigit(byte & 15)]
            }
        }
        return String(decoding: encoded, as: UTF8.self)
    }

    static func decode(
        bytes: ArraySlice<UInt8>, plusIsSpace: Bool
    ) throws(PercentEncodingError) -> String {
        guard bytes.contains(where: { isSpecial($0, plusIsSpace: plusIsSpace) }) else {
            return try validated(bytes)
        }
        var decoded: [UInt8] = []
        decoded.reserveCapacity(bytes.count)
        var index = bytes.startIndex
        while index < bytes.endIndex {
            let byte = bytes[index]
            index += 1
            if byte == ASCII.plus, plusIsSpace {
                decoded.append(ASCII.space)
            } else if byte == ASCII.percent {
                decoded.append(try escapedByte(bytes[index...]))
                index += 2
            } else {
                decoded.append(byte)
            }
        }
        return try validated(decoded[...])
    }

    private static func isSpecial(_ byte: UInt8, plusIsSpace: Bool) -> Bool {
        byte == ASCII.percent || (plusIsSpace && byte == ASCII.plus)
    }

    /// The byte that two digits at the start of a slice stand for.
    private static func escapedByte(
        _ digits: ArraySlice<UInt8>
    ) throws(PercentEncodingError) -> UInt8 {
        guard digits.count >= 2,
            let high = ASCII.hexadecimalValue(digits[digits.startIndex]),
            let low = ASCII.hexadecimalValue(digits[digits.startIndex + 1])
        else { throw .malformedEscape }
        return high << 4 | low
    }

    private static func validated(
        _ bytes: ArraySlice<UInt8>
    ) throws(PercentEncodingError) -> String {
        guard !bytes.contains(0) else { throw .nul }
        guard let text = String(validating: bytes, as: UTF8.self) else { throw .invalidUTF8 }
        return text
    }

    private static func upperDigit(_ value: UInt8) -> UInt8 {
        value < 10 ? ASCII.zero + value : 0x37 + value
    }
}
