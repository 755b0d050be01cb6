/// The `Accept-Encoding` field of a request (RFC 9110, 12.5.3).
package enum AcceptEncoding {
    /// Whether the client would take a gzip coding: it is listed, by its name or its alias `x-gzip`
    /// or by `*`, with a weight above 0.
    ///
    /// Without the field the answer is no, although the standard would allow it.
    package static func acceptsGzip(_ value: String?) -> Bool {
        guard let value else { return false }
        var anyOther = false
        for element in FieldList.elements(of: value) {
            let pieces = FieldList.elements(
                of: Substring(element).lowercased(), separator: ASCII.semicolon
            ).map { Substring($0) }
            guard let name = pieces.first else { continue }
            let accepts = pieces.dropFirst().allSatisfy { isAccepting($0) }
            if name == "gzip" || name == "x-gzip" { return accepts }
            if name == "*" { anyOther = accepts }
        }
        return anyOther
    }

    private static func isAccepting(_ parameter: Substring) -> Bool {
        guard parameter.hasPrefix("q=") else { return true }
        return (FieldList.weight(parameter.dropFirst(2)) ?? 0) > 0
    }
}
