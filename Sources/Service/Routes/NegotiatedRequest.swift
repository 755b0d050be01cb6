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
        case parameters(extension: FormatCatalog.Entry?)
        /// In the path.
        case permalink(token: String, extension: FormatCatalog.Entry)
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

    var format: any OutputFormat.Type { negotiation.format.type }

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
        let (limits, schema) = (settings.rendering.limits, settings.rendering.schema)
        isSigned = try settings.signer?.check(request) ?? false
        let checked: RenderRequest
        switch source {
        case .parameters(let fileExtension):
            let raw = try RequestDecoder.decode(request)
            checked = try Problem.catching { () throws(RenderingError) in
                try RequestReader.read(raw, schema: schema, limits: limits)
            }
            negotiation = try Negotiation(
                extension: fileExtension, requested: checked.format,
                accept: request.fields.combined("Accept"), schema.formats)
            isPermanent = false
        case .permalink(let token, let fileExtension):
            try Self.checkNothingBeside(request)
            checked = try Problem.catching { () throws(RenderingError) in
                let raw = try Permalink.request(in: token[...], limit: limits.permalinkBytes)
                return try RequestReader.read(raw, schema: schema, limits: limits)
            }
            negotiation = try Negotiation(
                extension: fileExtension, requested: nil, accept: nil, schema.formats)
            isPermanent = true
        }
        let format = negotiation.format
        resolved = try Problem.catching { () throws(RenderingError) in
            try ResolvedRequest(checked, as: format, fonts: fonts)
        }
        wantsGzip =
            format.type.isText
            && AcceptEncoding.acceptsGzip(request.fields.combined("Accept-Encoding"))
        tag =
            Digest([
                checked.canonical, format.name, Release.version, fonts.fingerprint,
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
