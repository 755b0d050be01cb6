import Bytes

/// `Cache-Control` fields (RFC 9111, 5.2).
enum CacheControl {
    /// The directives by which a cache may use an answer after its age.
    private static let withoutEnd: Set<ByteString> = [
        "immutable", "stale-while-revalidate", "stale-if-error",
    ]

    /// Returns a field by which no cache keeps an answer past an instant.
    ///
    /// - Parameters:
    ///   - usual: The field of an answer that may be kept for longer.
    ///   - end: The instant, in seconds.
    ///   - now: The present, in seconds; not after `end`.
    /// - Returns: The field.
    static func field(_ usual: String, until end: Int64, _ now: Int64) -> String {
        let left = max(end - now, 0)
        var (directives, hasAge): ([String], Bool) = ([], false)
        for piece in usual.pieces(separatedBy: ",") {
            let directive = String(piece.trimmingSpaces)
            let parts = directive.pieces(separatedBy: "=", maxSplits: 1)
            let name = ByteString(String(parts[0]).lowercasedASCII)
            if withoutEnd.contains(name) { continue }
            guard name == "max-age" || name == "s-maxage" else {
                directives.append(directive)
                continue
            }
            hasAge = hasAge || name == "max-age"
            let age = parts.count > 1 ? Int64(parts[1]) : nil
            directives.append("\(name.text)=\(min(age ?? 0, left))")
        }
        if !hasAge { directives.append("max-age=\(left)") }
        return directives.joined(separator: ", ")
    }
}
