import Bytes
package import Encoders
import HTTP
import Motion
package import Rendering

/// A line of a list of files: the path of a file, and the request for it.
///
/// It is a JSON object, which is a request with `output`; or a path with a query; or a path, white
/// space, and a URL of Titlecard or readme-typing-svg. Its first character tells which.
package struct BatchLine: Sendable {
    private enum Source: Sendable {
        case parameters(RawRequest)
        /// The path and query of a URL.
        case target(String)
    }

    package let path: OutputPath
    private let source: Source

    /// Reads a line without the line break at its end.
    ///
    /// - Returns: Nil for a blank line, and for a comment, which begins with `#`.
    /// - Throws: The faults that make the line's meaning unknown.
    package init?(_ bytes: [UInt8]) throws(Problem) {
        // Some editors put a byte order mark before the first line.
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let content = bytes.starts(with: mark) ? bytes.dropFirst(mark.count) : bytes[...]
        guard let text = String(validating: content, as: UTF8.self) else {
            throw Problem(line: "is not UTF-8")
        }
        let line = text.trimming(Self.isSpace)
        switch line.utf8.first {
        case nil, UInt8(ascii: "#"): return nil
        case UInt8(ascii: "{"): try self.init(json: Array(line.utf8))
        default: try self.init(text: line)
        }
    }

    private init(json: [UInt8]) throws(Problem) {
        var raw = try Problem.catching { () throws(RenderingError) in
            try RawRequest(json: json, named: "line")
        }
        guard let output = raw.values.removeValue(forKey: "output") else {
            throw Problem(output: "is required")
        }
        guard case .string(let path) = output else {
            throw Problem(output: "must be a string; got \(output.description)")
        }
        self.path = try Self.path(path)
        source = .parameters(raw)
    }

    private init(text: Substring) throws(Problem) {
        let end = text.utf8.firstIndex { $0 == UInt8(ascii: "?") || Self.isSpace($0) }
        guard let end else {
            throw Problem(line: "must be a JSON object, a path with a query, or a path and a URL")
        }
        path = try Self.path(String(text[..<end]))
        if text.utf8[end] == UInt8(ascii: "?") {
            source = .parameters(try RequestDecoder.form(Array(text.utf8[end...].dropFirst())))
        } else {
            source = .target(try Self.target(of: text[end...].trimming(Self.isSpace)))
        }
    }

    private static func path(_ text: String) throws(Problem) -> OutputPath {
        do {
            return try OutputPath(text)
        } catch {
            throw .invalid([error])
        }
    }

    /// Returns the path and query of a URL, as it stands in HTML too.
    private static func target(of url: Substring) throws(Problem) -> String {
        let url = url.pieces(separatedBy: "#").first ?? url
        var target = url
        if let scheme = ["https://", "http://"].first(where: { url.begins(with: $0) }) {
            let rest = url.dropping(first: scheme.utf8.count)
            target = Substring(
                rest.utf8.drop { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") })
            if !target.begins(with: "/") { target = "/" + target }
        }
        guard target.begins(with: "/"), !target.utf8.contains(where: isSpace) else {
            throw .invalid("url", "must begin with https://, http:// or / and have no spaces")
        }
        return target.pieces(separatedBy: "&amp;").joined(separator: "&")
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") || byte == UInt8(ascii: "\r")
    }

    // MARK: The request

    /// Checks the request, and chooses the format: its own, or else the format of the path's
    /// extension.
    ///
    /// - Parameters:
    ///   - settings: The limits and the parameters, effects, presets and formats.
    ///   - permission: The permission of the sender of the line; nil for everything.
    /// - Returns: The request with its format.
    /// - Throws: All faults of the request.
    package func request(
        _ settings: borrowing ServiceSettings, by permission: Permission? = nil
    ) throws(Problem) -> BatchRequest {
        let schema = settings.rendering.schema
        switch source {
        case .parameters(let raw):
            try permission?.check(raw)
            let request = try Problem.catching { () throws(RenderingError) in
                try RequestReader.read(raw, schema: schema, limits: settings.rendering.limits)
            }
            return BatchRequest(request: request, format: try format(request.format, schema))
        case .target(let target):
            return try request(at: target, settings)
        }
    }

    private func request(
        at target: String, _ settings: borrowing ServiceSettings
    ) throws(Problem) -> BatchRequest {
        let schema = settings.rendering.schema
        let request = HTTP.Request(target: target)
        guard let source = NegotiatedRequest.Source.lasting(of: request, schema.formats) else {
            throw .invalid(
                "url", "is not the address of a picture; got \"\(request.path.shortened(to: 60))\"")
        }
        var requested: FormatCatalog.Entry?
        switch source {
        case .parameters(let format): requested = format
        case .permalink(_, let format), .countdown(_, let format), .message(_, let format):
            requested = format
        case .typing:
            // The path decides where the query leaves it open.
            let values = try TypingQuery.values(in: request.query ?? "")
            if values["format"] == nil { requested = try format(nil, schema) }
        }
        let checked = try CheckedRequest(
            request, source: source, typedAs: requested, settings: settings)
        let format = try format(requested ?? checked.request.format, schema)
        return BatchRequest(request: checked.request, format: format)
    }

    /// Returns the format of the file.
    ///
    /// - Throws: A fault if there is none, or two.
    private func format(
        _ requested: FormatCatalog.Entry?, _ schema: RequestSchema
    ) throws(Problem) -> FormatCatalog.Entry {
        let formats = schema.formats
        let named = formats.entry(ofFile: path.name.text)
        guard let format = requested ?? named else {
            throw Problem(
                output: "must end in one of \(formats.extensionList) where there is no format; "
                    + "got \"\(path.text)\"")
        }
        if let named, !named.name.isSame(as: format.name) {
            throw .invalid(
                "format",
                "must match the file's name, which ends in .\(named.type.fileExtension); "
                    + "got \"\(format.name)\"")
        }
        return format
    }
}

/// A checked request with the format of its file.
package struct BatchRequest: Sendable {
    package let request: RenderRequest
    package let format: FormatCatalog.Entry
}

extension Problem {
    /// The fault of a whole line.
    package init(line message: String) { self = .invalid("line", message) }

    /// The fault of a path.
    init(output message: String) { self = .invalid("output", message) }
}
