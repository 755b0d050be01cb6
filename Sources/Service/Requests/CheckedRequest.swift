import Bytes
import Encoders
import HTTP
import Rendering

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
        _ request: HTTP.Request, source: RenderingSource,
        typedAs typingFormat: FormatCatalog.Entry? = nil, settings: borrowing ServiceSettings
    ) throws(Problem) {
        permission = try Permission(of: request, for: source, settings: settings)
        switch source {
        case .parameters(let format):
            var raw = try RequestDecoder.decode(request)
            raw.pathFormat = format?.name
            self.request = try Self.read(raw, permission, settings)
        case .message(var raw, let format):
            raw.pathFormat = format.name
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
        let usual = source.cacheControl ?? settings.cacheControl
        cacheControl =
            permission.expiry.map { CacheControl.field(usual, until: $0, settings.clock.wall()) }
            ?? usual
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
