package import Bytes

/// A reason for which percent-encoded text could not be decoded.
package enum PercentEncodingError: Error, Hashable, Sendable {
    /// A `%` is not followed by two hexadecimal digits.
    case malformedEscape
    /// The decoded bytes are not UTF-8.
    case invalidUTF8
    /// The text contains U+0000, raw or as `%00`.
    case nul

    /// The fault, in words that follow the name of a parameter.
    package var message: String {
        switch self {
        case .malformedEscape: "has a % without two hexadecimal digits after it; write %25"
        case .invalidUTF8: "is not UTF-8 once it is percent-decoded"
        case .nul: "must not hold the control character U+0000"
        }
    }
}

/// Percent-encoding of UTF-8 text (RFC 3986, 2.1).
package enum PercentEncoding {
    /// Decodes a path segment or a piece of a query, in which `+` may mean a space as in HTML forms;
    /// fails rather than guess.
    package static func decode(
        _ text: some StringProtocol, plusIsSpace: Bool = false
    ) throws(PercentEncodingError) -> String {
        try decode(bytes: Array(text.utf8)[...], plusIsSpace: plusIsSpace)
    }

    /// Encodes text for a query component or a path segment: every byte except for the unreserved
    /// ones becomes `%XX`, or a space `+` as in HTML forms.
    package static func encode(_ text: String, spaceIsPlus: Bool = false) -> String {
        var encoded: [UInt8] = []
        encoded.reserveCapacity(text.utf8.count)
        for byte in text.utf8 {
            if ASCII.isUnreserved(byte) {
                encoded.append(byte)
            } else if byte == ASCII.space, spaceIsPlus {
                encoded.append(ASCII.plus)
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

    /// Reads the byte that two digits at the start of a slice stand for.
    private static func escapedByte(
        _ digits: ArraySlice<UInt8>
    ) throws(PercentEncodingError) -> UInt8 {
        guard digits.count >= 2,
            let high = digits[digits.startIndex].hexadecimalValue,
            let low = digits[digits.startIndex + 1].hexadecimalValue
        else { throw .malformedEscape }
        return high << 4 | low
    }

    private static func validated(
        _ bytes: ArraySlice<UInt8>
    ) throws(PercentEncodingError) -> String {
        guard !bytes.contains(0) else { throw .nul }
        guard let text = String(utf8: bytes) else { throw .invalidUTF8 }
        return text
    }

    private static func upperDigit(_ value: UInt8) -> UInt8 {
        value < 10 ? ASCII.zero + value : 0x37 + value
    }
}

/// A failure to decode a pair of a form.
package struct FormDecodingError: Error, Hashable, Sendable {
    /// The pair's name if its value is at fault; nil if the name is.
    package let name: ByteString?
    package let reason: PercentEncodingError
}

/// Decoder of `application/x-www-form-urlencoded` text, which a query is too (WHATWG URL, 5.1), but
/// strict about escapes and UTF-8.
package enum FormDecoder {
    /// Decodes pairs in order; empty pieces between `&` are skipped.
    ///
    /// - Returns: Each name with its value, nil where the piece has no `=`.
    /// - Throws: `FormDecodingError` at the first pair that is malformed.
    package static func decode(
        _ bytes: [UInt8]
    ) throws(FormDecodingError) -> [(name: ByteString, value: String?)] {
        var pairs: [(name: ByteString, value: String?)] = []
        for piece in bytes.split(separator: ASCII.ampersand) {
            let nameEnd = piece.firstIndex(of: ASCII.equals)
            let name = ByteString(try decode(piece[..<(nameEnd ?? piece.endIndex)], of: nil))
            var value: String?
            if let nameEnd {
                value = try decode(piece[(nameEnd + 1)...], of: name)
            }
            pairs.append((name, value))
        }
        return pairs
    }

    private static func decode(
        _ bytes: ArraySlice<UInt8>, of name: ByteString?
    ) throws(FormDecodingError) -> String {
        do {
            return try PercentEncoding.decode(bytes: bytes, plusIsSpace: true)
        } catch {
            throw FormDecodingError(name: name, reason: error)
        }
    }
}
