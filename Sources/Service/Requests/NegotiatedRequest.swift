import Bytes
import Encoders
import HTTP
import Motion
import Rendering
import Synchronization

/// A checked request for a rendering, with the properties of its response that need no rendering.
///
/// A class, because the memo shares it; it is immutable except for the cached heads.
final class NegotiatedRequest: Sendable {
    /// Header fields that are made once.
    struct CachedFields: ~Copyable, Sendable {
        private let made = Mutex<Fields?>(nil)

        /// Returns the fields; `make` is called the first time.
        func callAsFunction(_ make: () -> Fields) -> Fields {
            made.withLock { made in
                let fields = made ?? make()
                made = fields
                return fields
            }
        }
    }

    let resolved: ResolvedRequest
    let negotiation: Negotiation
    /// The `Cache-Control` field.
    let cacheControl: String
    let wantsGzip: Bool
    /// The permission that the server gave.
    let permission: Permission
    /// The key that requests for the same bytes share: the renderer's revision, a hyphen, and a
    /// hash of all that the bytes are made of.
    ///
    /// Caches keep renderings by it, so nobody must be able to make two requests with the same key.
    let key: String
    /// The head of the response with the rendering.
    let head = CachedFields()
    /// The head of the response to a client that has the rendering.
    let unchangedHead = CachedFields()

    var format: any OutputFormat.Type { negotiation.format.type }

    /// Returns the entity tag of the plain or the compressed rendering.
    func entityTag(isGzip: Bool) -> String {
        isGzip ? "\"\(key)-gzip\"" : "\"\(key)\""
    }

    /// The `Vary` field, the same for all formats that one URL has; nil if no field of requests makes a
    /// difference.
    var vary: String? {
        if negotiation.dependsOnAccept { return Self.varyOfNegotiation }
        return format.isText ? "Accept-Encoding" : nil
    }

    /// The `Vary` field where `Accept` decides the format.
    static let varyOfNegotiation = "Accept, Accept-Encoding"

    init(
        _ request: HTTP.Request, _ checked: CheckedRequest, fonts: FontReading
    ) throws(Problem) {
        (permission, negotiation) = (checked.permission, checked.negotiation)
        cacheControl = checked.cacheControl
        let format = negotiation.format
        resolved = try Problem.catching { () throws(RenderingError) in
            try ResolvedRequest(checked.request, as: format, fonts: fonts)
        }
        wantsGzip =
            format.type.isText
            && AcceptEncoding.acceptsGzip(request.fields.combined("Accept-Encoding"))
        let hash = ContentHash.shortText(
            of: [checked.request.canonical, format.name, fonts.fingerprint + format.fingerprint]
                + checked.request.sources)
        key = "\(Renderer.revision)-\(hash)"
    }
}
