/// Which pair of a form could not be decoded.
package struct FormDecodingError: Error, Hashable, Sendable {
    /// The pair's name where it is the value that is at fault; nil where it is the name.
    package let name: String?
    package let reason: PercentEncodingError
}

/// Decoder of `application/x-www-form-urlencoded` text, which a query is too (WHATWG URL, 5.1), but
/// strict about escapes and UTF-8.
package enum FormDecoder {
    /// Decodes pairs in order; empty pieces between `&` are skipped.
    ///
    /// - Returns: each name with its value, nil where the piece has no `=`.
    package static func decode(
        _ bytes: [UInt8]
    ) throws(FormDecodingError) -> [(name: String, value: String?)] {
        var pairs: [(name: String, value: String?)] = []
        for piece in bytes.split(separator: ASCII.ampersand) {
            let nameEnd = piece.firstIndex(of: ASCII.equals)
            let name = try decode(piece[..<(nameEnd ?? piece.endIndex)], of: nil)
            var value: String?
            if let nameEnd {
                value = try decode(piece[(nameEnd + 1)...], of: name)
            }
            pairs.append((name, value))
        }
        return pairs
    }

    /// Decodes the text of a query.
    package static func decode(
        _ text: String
    ) throws(FormDecodingError) -> [(name: String, value: String?)] {
        try decode(Array(text.utf8))
    }

    private static func decode(
        _ bytes: ArraySlice<UInt8>, of name: String?
    ) throws(FormDecodingError) -> String {
        do {
            return try PercentEncoding.decode(bytes: bytes, plusIsSpace: true)
        } catch {
            throw FormDecodingError(name: name, reason: error)
        }
    }
}
