import Bytes
import Encoders
import HTTP
import Motion
import Rendering
import Synchronization

/// A checked request for a rendering, with the properties of its response that need no rendering.
///
/// A class, because the memo shares it; it is immutable except for the cached head.
final class NegotiatedRequest: Sendable {
    /// The part of an HTTP request that names a rendering.
    enum Source: Sendable {
        /// The query or the body; the path may name the format.
        case parameters(extension: FormatCatalog.Entry?)
        /// The path; the token's JSON if it is known already.
        case permalink(Permalink.Path, json: [UInt8]? = nil, extension: FormatCatalog.Entry)
        /// The query, in the language of readme-typing-svg.
        case typing

        /// True for parameters as `--only-presets` restricts them.
        var isPlain: Bool { if case .parameters = self { true } else { false } }
    }

    let resolved: ResolvedRequest
    let negotiation: Negotiation
    /// The `Cache-Control` field.
    let cacheControl: String
    let wantsGzip: Bool
    /// The permission that the server gave.
    let permission: Permission
    /// The stem of the entity tags, without quotes.
    private let tag: String
    private let cachedHead = Mutex<Fields?>(nil)

    /// The release, and the revision, which is raised before a release gets its number.
    private static let release = "\(Release.version)/\(Renderer.revision)"

    var format: any OutputFormat.Type { negotiation.format.type }

    /// Returns the entity tag of the plain or the compressed rendering.
    func entityTag(isGzip: Bool) -> String {
        isGzip ? "\"\(tag)-gzip\"" : "\"\(tag)\""
    }

    /// Returns the head of the response with the rendering; `make` is called the first time.
    func head(_ make: () -> Fields) -> Fields {
        cachedHead.withLock { cached in
            let fields = cached ?? make()
            cached = fields
            return fields
        }
    }

    /// - Throws: All faults of the request; a missing or wrong signature comes first.
    init(
        _ request: HTTP.Request, source: Source,
        settings: borrowing ServiceSettings, fonts: FontReading
    ) throws(Problem) {
        let (limits, schema) = (settings.rendering.limits, settings.rendering.schema)
        permission = try Permission(of: request, for: source, settings: settings)
        let checked: RenderRequest
        switch source {
        case .parameters(let fileExtension):
            let raw = try RequestDecoder.decode(request)
            try permission.check(raw)
            checked = try Problem.catching { () throws(RenderingError) in
                try RequestReader.read(raw, schema: schema, limits: limits)
            }
            negotiation = try Negotiation(
                extension: fileExtension, requested: checked.format,
                accept: request.fields.combined("Accept"), formats: schema.formats)
            cacheControl = settings.cacheControl
        case .permalink(let path, let json, let fileExtension):
            guard path.revision <= Renderer.revision else { throw .newerRevision(path.revision) }
            try Self.checkQueryOfPermalink(request)
            checked = try Problem.catching { () throws(RenderingError) in
                let raw =
                    if let json { try Permalink.request(json: json) } else {
                        try Permalink.request(in: path.token, limit: limits.permalinkBytes)
                    }
                return try RequestReader.read(raw, schema: schema, limits: limits)
            }
            negotiation = try Negotiation(
                extension: fileExtension, requested: nil, accept: nil, formats: schema.formats)
            cacheControl =
                path.revision == Renderer.revision
                ? "public, max-age=31536000, immutable" : "public, max-age=3600"
        case .typing:
            let values = try TypingQuery.values(in: request.query ?? "")
            checked = try Problem.catching { () throws(RenderingError) in
                let typing = try TypingRequest(values, schema: schema)
                return try typing.renderRequest(
                    at: TypingQuery.target(with: typing.canonical), limits: limits)
            }
            negotiation = try Negotiation(
                extension: nil, requested: checked.format, accept: nil, formats: schema.formats)
            cacheControl = settings.cacheControl
        }
        let format = negotiation.format
        resolved = try Problem.catching { () throws(RenderingError) in
            try ResolvedRequest(checked, as: format, fonts: fonts)
        }
        wantsGzip =
            format.type.isText
            && AcceptEncoding.acceptsGzip(request.fields.combined("Accept-Encoding"))
        tag =
            Digest(
                [checked.canonical, format.name, Self.release, fonts.fingerprint]
                    + checked.effectSources
            ).text
    }

    /// Checks that the query of a permalink has nothing but a signature.
    private static func checkQueryOfPermalink(_ request: HTTP.Request) throws(Problem) {
        guard let query = request.query, !query.isEmpty else { return }
        let names = try RequestDecoder.form(Array(query.utf8))
        var faults = FaultList()
        for name in (names.values.keys + (names.texts.isEmpty ? [] : ["text"])).sorted() {
            faults.add(name.text, "a permalink takes no other parameters")
        }
        try Problem.catching(faults.check)
    }
}

/// The choice of a format by the path's extension, the request's `format`, the `Accept` field, or the
/// default, in this order.
struct Negotiation {
    let format: FormatCatalog.Entry
    /// True if the `Accept` field made the choice, so that `Vary` names it.
    let dependsOnAccept: Bool

    /// - Throws: 406 if `Accept` allows no format.
    init(
        extension fileExtension: FormatCatalog.Entry?, requested: FormatCatalog.Entry?,
        accept: String?, formats: FormatCatalog
    ) throws(Problem) {
        if let format = fileExtension ?? requested {
            (self.format, dependsOnAccept) = (format, false)
            return
        }
        let field = AcceptField(accept)
        var best: (format: FormatCatalog.Entry, quality: Double)?
        for format in formats.entries where format.type.isNegotiable {
            let quality = field.quality(of: format.type.mediaType)
            if quality > best?.quality ?? 0 { best = (format, quality) }
        }
        guard let best else { throw .notAcceptable(formats) }
        (format, dependsOnAccept) = (best.format, true)
    }
}
