import Encoders
import HTTP
import Motion
import Rendering
import Synchronization

/// A request for a rendering, checked, with all that can be said of its response without rendering.
///
/// A class, because the memo shares it; it means the same for ever.
final class NegotiatedRequest: Sendable {
    /// The part of an HTTP request that names a rendering.
    enum Source: Sendable {
        /// In the query or the body; the path may name the format.
        case parameters(extension: (any OutputFormat.Type)?)
        /// In the path.
        case permalink(token: String, extension: any OutputFormat.Type)
    }

    let resolved: ResolvedRequest
    let negotiation: Negotiation
    /// True if the URL means the same for ever.
    let isPermanent: Bool
    let wantsGzip: Bool
    /// True if the URL was signed, as the server demands.
    let isSigned: Bool
    /// The stem of the entity tags, without quotes.
    private let tag: String
    private let knownHead = Mutex<Fields?>(nil)

    var format: any OutputFormat.Type { negotiation.format }

    /// Returns the entity tag of the rendering as it is, or compressed.
    func entityTag(isGzip: Bool) -> String {
        isGzip ? "\"\(tag)-gzip\"" : "\"\(tag)\""
    }

    /// Returns the head of the response that carries the rendering, which is made the first time.
    func head(_ make: () -> Fields) -> Fields {
        knownHead.withLock { known in
            let fields = known ?? make()
            known = fields
            return fields
        }
    }

    /// - Throws: Everything that is wrong with the request; 403 first, where the server demands
    ///   signatures.
    init(
        _ request: HTTP.Request, _ source: Source, _ settings: ServiceSettings,
        fonts: FontReading
    ) throws(Problem) {
        let limits = settings.rendering.limits
        isSigned = try settings.signer?.check(request) ?? false
        let checked: RenderRequest
        switch source {
        case .parameters(let fileExtension):
            let raw = try RequestDecoder.decode(request)
            checked = try Problem.catching { () throws(RenderingError) in
                try RequestReader.read(raw, limits: limits)
            }
            negotiation = try Negotiation(
                extension: fileExtension, requested: checked.format,
                accept: request.fields.combined("Accept"))
            isPermanent = false
        case .permalink(let token, let fileExtension):
            try Self.checkNothingBeside(request)
            checked = try Problem.catching { () throws(RenderingError) in
                let raw = try Permalink.request(in: token[...], limit: limits.permalinkBytes)
                return try RequestReader.read(raw, limits: limits)
            }
            negotiation = try Negotiation(
                extension: fileExtension, requested: nil, accept: nil)
            isPermanent = true
        }
        resolved = ResolvedRequest(checked, as: negotiation.format, fonts: fonts)
        wantsGzip =
            negotiation.format.isText
            && AcceptEncoding.acceptsGzip(request.fields.combined("Accept-Encoding"))
        tag =
            Digest([
                checked.canonical, negotiation.format.name, Release.version, fonts.fingerprint,
            ]).text
    }

    /// A permalink takes no query but a signature.
    private static func checkNothingBeside(_ request: HTTP.Request) throws(Problem) {
        guard let query = request.query, !query.isEmpty else { return }
        let names = try RequestDecoder.form(Array(query.utf8))
        let given = (names.values.keys + (names.texts.isEmpty ? [] : ["text"])).sorted()
        guard !given.isEmpty else { return }
        throw .invalid(
            given.map {
                ParameterFault(parameter: $0, message: "a permalink takes no other parameters")
            })
    }
}
