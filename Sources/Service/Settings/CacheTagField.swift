import HTTP

/// The field that lists the tags by which a content delivery network removes renderings that it
/// keeps.
package enum CacheTagField: String, CaseIterable, Sendable {
    case none
    /// The field of Fastly, and of networks that follow it.
    case surrogateKey = "surrogate-key"
    /// The field of Cloudflare, and of networks that follow it.
    case cacheTag = "cache-tag"

    /// Adds the field, unless there is none.
    func add(_ tags: [String], to fields: inout Fields) {
        switch self {
        case .none: break
        case .surrogateKey: fields.add("Surrogate-Key", tags.joined(separator: " "))
        case .cacheTag: fields.add("Cache-Tag", tags.joined(separator: ","))
        }
    }
}
