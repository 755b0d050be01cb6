import Bytes
import Encoders
import HTTP
import Rendering

/// The part of an HTTP request that names a rendering.
enum RenderingSource: Sendable {
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

    /// The format that the path names.
    var fileExtension: FormatCatalog.Entry? {
        switch self {
        case .parameters(let format): format
        case .permalink(_, let format), .countdown(_, let format): format
        case .typing, .message: nil
        }
    }

    /// The format of a request that names none; nil where that is negotiated.
    var usualFormat: FormatCatalog.Entry? {
        if case .message(_, let format) = self { format } else { nil }
    }

    /// The `Cache-Control` field where it is not the operator's.
    var cacheControl: String? {
        switch self {
        case .parameters, .typing, .message: nil
        case .countdown: "public, max-age=1"
        case .permalink(let path, _):
            path.revision == Renderer.revision
                ? "public, max-age=31536000, immutable" : "public, max-age=3600"
        }
    }

    /// Returns the source that a request names, if it means the same at any time; nil if the
    /// request names no rendering, or a countdown.
    static func lasting(of request: HTTP.Request, _ formats: FormatCatalog) -> RenderingSource? {
        if TypingQuery.isMeant(by: request) { return .typing }
        let path = request.path
        if path.isSame(as: "/render") { return .parameters(extension: nil) }
        if path.begins(with: RoutePath.permalink) {
            return .permalink(behind: path.dropping(first: RoutePath.permalink.utf8.count), formats)
        }
        guard path.begins(with: "/render.") else { return nil }
        let fileExtension = ByteString(String(path.dropping(first: 8)))
        return formats[fileExtension: fileExtension].map { .parameters(extension: $0) }
    }

    /// Returns the source that a path behind `/r/` names; nil if it is no permalink.
    static func permalink(behind prefix: Substring, _ formats: FormatCatalog) -> RenderingSource? {
        guard let path = Permalink.Path(prefix),
            let format = formats[fileExtension: ByteString(path.fileExtension)]
        else { return nil }
        return .permalink(path, extension: format)
    }
}
