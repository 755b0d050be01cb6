/// The entity tags of an `If-None-Match` field (RFC 9110, 13.1.2).
package struct EntityTagList: Equatable, Sendable {
    private let matchesAny: Bool
    /// The opaque tags with their quotes, without `W/`.
    private let tags: [String]

    /// Reads the field's value; what is not an entity tag is passed over and matches nothing.
    package init(_ value: String) {
        let elements = FieldList.elements(of: value).map { Substring($0) }
        matchesAny = elements.count == 1 && elements.first == "*"
        tags = elements.compactMap { Self.opaqueTag($0) }
    }

    /// Whether an entity tag, given with its quotes, is in the list by weak comparison, in which
    /// `W/` makes no difference (RFC 9110, 8.8.3.2).
    package func matches(_ tag: String) -> Bool {
        guard let opaque = Self.opaqueTag(tag[...]) else { return false }
        return matchesAny || tags.contains(opaque)
    }

    private static func opaqueTag(_ text: Substring) -> String? {
        let opaque = text.hasPrefix("W/") ? text.dropFirst(2) : text
        let bytes = opaque.utf8
        guard bytes.count >= 2, bytes.first == ASCII.quote, bytes.last == ASCII.quote,
            !bytes.dropFirst().dropLast().contains(ASCII.quote)
        else { return nil }
        return String(opaque)
    }
}
