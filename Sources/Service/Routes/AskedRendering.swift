import Encoders
import HTTP
import Motion
import Rendering
import Synchronization
import Typesetting

/// What a request asks of the renderer, checked; all that can be said without rendering.
///
/// A class, because the memo shares it; it means the same for ever.
final class AskedRendering: Sendable {
    /// Where the request is.
    enum Source: Sendable {
        /// In the query or the body; the path may name the format.
        case parameters(extension: (any OutputFormat.Type)?)
        /// In the path.
        case permalink(token: String, extension: any OutputFormat.Type)
    }

    let request: RenderRequest
    /// The fonts that it is rendered with.
    let fonts: FontReading
    let negotiation: Negotiation
    /// Whether the URL means the same for ever.
    let isPermanent: Bool
    let wantsGzip: Bool
    /// Whether the URL was signed, as the server demands.
    let isSigned: Bool
    let key: RenderKey
    /// What the entity tags are made of, without quotes.
    private let tag: String
    private let worded = Mutex<Fields?>(nil)

    var format: any OutputFormat.Type { negotiation.format }

    /// The entity tag of the rendering as it is, or compressed.
    func entityTag(isGzip: Bool) -> String {
        isGzip ? "\"\(tag)-gzip\"" : "\"\(tag)\""
    }

    /// The head of the answer that carries the rendering, which is worded the first time.
    func head(_ word: () -> Fields) -> Fields {
        worded.withLock { worded in
            let fields = worded ?? word()
            worded = fields
            return fields
        }
    }

    /// - Throws: Everything that is wrong with the request; 403 first, where the server demands
    ///   signatures.
    init(
        _ request: HTTP.Request, _ source: Source, _ settings: ServiceSettings,
        fonts: FontReading
    ) throws(Problem) {
        self.fonts = fonts
        let limits = settings.limits
        isSigned = try settings.signer?.check(request) ?? false
        switch source {
        case .parameters(let fileExtension):
            let raw = try RequestDecoder.decode(request)
            self.request = try Problem.catching { () throws(RenderingError) in
                try RequestReader.read(raw, limits: limits)
            }
            negotiation = try Negotiation(
                extension: fileExtension, requested: self.request.format,
                accept: request.fields.combined("Accept"))
            isPermanent = false
        case .permalink(let token, let fileExtension):
            try Self.checkNothingBeside(request)
            self.request = try Problem.catching { () throws(RenderingError) in
                let raw = try Permalink.request(in: token[...], limit: limits.permalinkBytes)
                return try RequestReader.read(raw, limits: limits)
            }
            negotiation = try Negotiation(
                extension: fileExtension, requested: nil, accept: nil)
            isPermanent = true
        }
        wantsGzip =
            negotiation.format.isText
            && AcceptEncoding.acceptsGzip(request.fields.combined("Accept-Encoding"))
        let (canonical, format) = (self.request.canonical, negotiation.format.name)
        key = RenderKey(request: canonical, format: format, fonts: fonts.catalog.number)
        tag = Digest.of([canonical, format, Release.version, fonts.fingerprint]).text
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
