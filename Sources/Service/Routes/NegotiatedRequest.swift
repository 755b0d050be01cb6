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
    /// The part of an HTTP request that names a rendering.
    enum Source: Sendable {
        /// The query or the body; the path may name the format.
        case parameters(extension: FormatCatalog.Entry?)
        /// The path.
        case permalink(Permalink.Path, extension: FormatCatalog.Entry)
        /// The query, in the language of readme-typing-svg.
        case typing
        /// The query, of a countdown from an instant on, in seconds since 1970, UTC; the path names the
        /// format.
        case countdown(from: Int64, extension: FormatCatalog.Entry)
        /// Parameters within a message in the body; a format that counts if they name none.
        case message(RawRequest, format: FormatCatalog.Entry)

        /// True for parameters as `--only-presets` restricts them.
        var isPlain: Bool {
            switch self {
            case .parameters, .countdown, .message: true
            case .permalink, .typing: false
            }
        }

        static let permalinkPrefix = "/r/"

        /// Returns the source that a request names, if it means the same at any time; nil if the
        /// request names no rendering, or a countdown.
        static func lasting(of request: HTTP.Request, _ formats: FormatCatalog) -> Source? {
            if TypingQuery.isMeant(by: request) { return .typing }
            let path = request.path
            if path.isSame(as: "/render") { return .parameters(extension: nil) }
            if path.begins(with: permalinkPrefix) {
                return .permalink(behind: path.dropping(first: permalinkPrefix.utf8.count), formats)
            }
            guard path.begins(with: "/render.") else { return nil }
            let fileExtension = ByteString(String(path.dropping(first: 8)))
            return formats[fileExtension: fileExtension].map { .parameters(extension: $0) }
        }

        /// Returns the source that a path behind `/r/` names; nil if it is no permalink.
        static func permalink(behind prefix: Substring, _ formats: FormatCatalog) -> Source? {
            guard let path = Permalink.Path(prefix),
                let format = formats[fileExtension: ByteString(path.fileExtension)]
            else { return nil }
            return .permalink(path, extension: format)
        }
    }

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

    /// The `Vary` field; nil if no field of requests makes a difference.
    var vary: String? {
        switch (negotiation.dependsOnAccept, format.isText) {
        case (true, true): "Accept, Accept-Encoding"
        case (true, false): "Accept"
        case (false, true): "Accept-Encoding"
        case (false, false): nil
        }
    }

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

    /// - Throws: All faults of the request; a missing or wrong signature comes first.
    convenience init(
        _ request: HTTP.Request, source: Source, _ resources: RouteResources
    ) throws(Problem) {
        let checked = try CheckedRequest(request, source: source, settings: resources.settings)
        try self.init(request, checked, fonts: resources.fonts)
    }
}

/// A request for a rendering that is valid and permitted, before it has fonts.
struct CheckedRequest {
    let permission: Permission
    let request: RenderRequest
    let negotiation: Negotiation
    /// The `Cache-Control` field.
    let cacheControl: String

    /// - Parameters:
    ///   - request: The request.
    ///   - source: The source that the request names.
    ///   - typingFormat: The format of lines that are typed, if their query names none; nil for the
    ///     format of readme-typing-svg.
    ///   - settings: The settings of the service.
    /// - Throws: All faults of the request; a missing or wrong signature comes first.
    init(
        _ request: HTTP.Request, source: NegotiatedRequest.Source,
        typedAs typingFormat: FormatCatalog.Entry? = nil, settings: borrowing ServiceSettings
    ) throws(Problem) {
        permission = try Permission(of: request, for: source, settings: settings)
        switch source {
        case .parameters:
            self.request = try Self.read(RequestDecoder.decode(request), permission, settings)
        case .message(let raw, _):
            self.request = try Self.read(raw, permission, settings)
        case .countdown(let now, _):
            let countdown = try Countdown(try RequestDecoder.decode(request), permission)
            self.request = try countdown.request(
                at: now, schema: settings.rendering.schema, limits: settings.rendering.limits)
        case .permalink(let path, _):
            self.request = try Self.open(path, of: request, settings)
        case .typing:
            self.request = try Self.readTyping(request, as: typingFormat, settings)
        }
        negotiation = try Negotiation(
            extension: source.fileExtension, requested: self.request.format ?? source.usualFormat,
            accept: request.fields.combined("Accept"), formats: settings.rendering.schema.formats)
        cacheControl = source.cacheControl ?? settings.cacheControl
    }

    /// Reads the parameters of a request, as far as a client has the permission for them.
    static func read(
        _ raw: RawRequest, _ permission: Permission?, _ settings: borrowing ServiceSettings
    ) throws(Problem) -> RenderRequest {
        try permission?.check(raw)
        let (limits, schema) = (settings.rendering.limits, settings.rendering.schema)
        return try Problem.catching { () throws(RenderingError) in
            try RequestReader.read(raw, schema: schema, limits: limits)
        }
    }

    /// Returns the request in the token of a permalink.
    private static func open(
        _ path: Permalink.Path, of request: HTTP.Request, _ settings: borrowing ServiceSettings
    ) throws(Problem) -> RenderRequest {
        guard path.revision <= Renderer.revision else { throw .newerRevision(path.revision) }
        try RequestDecoder.checkQuery(
            of: request, isEmpty: "a permalink takes no other parameters")
        let (limits, schema) = (settings.rendering.limits, settings.rendering.schema)
        return try Problem.catching { () throws(RenderingError) in
            let raw = try Permalink.request(
                in: path.token, of: path.revision, limit: limits.permalinkBytes)
            return try RequestReader.read(raw, schema: schema, limits: limits)
        }
    }

    /// Returns the request of a query in the language of readme-typing-svg, in a format if it names
    /// none.
    private static func readTyping(
        _ request: HTTP.Request, as format: FormatCatalog.Entry?,
        _ settings: borrowing ServiceSettings
    ) throws(Problem) -> RenderRequest {
        var values = try TypingQuery.values(in: request.query ?? "")
        if let format, values["format"] == nil { values["format"] = format.name }
        let (limits, schema) = (settings.rendering.limits, settings.rendering.schema)
        return try Problem.catching { () throws(RenderingError) in
            let typing = try TypingRequest(values, schema: schema)
            return try typing.renderRequest(
                at: TypingQuery.target(with: typing.canonical), limits: limits)
        }
    }
}

extension NegotiatedRequest.Source {
    /// The format that the path names.
    var fileExtension: FormatCatalog.Entry? {
        switch self {
        case .parameters(let format): format
        case .permalink(_, let format), .countdown(_, let format): format
        case .typing, .message: nil
        }
    }

    /// The format of a request that names none; nil where that is negotiated.
    fileprivate var usualFormat: FormatCatalog.Entry? {
        if case .message(_, let format) = self { format } else { nil }
    }

    /// The `Cache-Control` field where it is not the operator's.
    fileprivate var cacheControl: String? {
        switch self {
        case .parameters, .typing, .message: nil
        case .countdown: "public, max-age=1"
        case .permalink(let path, _):
            path.revision == Renderer.revision
                ? "public, max-age=31536000, immutable" : "public, max-age=3600"
        }
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
