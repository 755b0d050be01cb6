import Bytes
package import Encoders
package import Motion
package import Rendering

/// A line of a list of files: the path of a file, and the request for it.
///
/// It is a JSON object, which is a request with `output`; or a path with a query; or a path, white
/// space, and a URL of Titlecard or readme-typing-svg. Its first character tells which.
package struct ListLine: Sendable {
    package enum Source: Sendable {
        case parameters(RawRequest)
        /// The path and query of a URL.
        case target(String)
    }

    package let path: OutputPath
    package let source: Source
    /// The digest that stands for all of its bytes.
    package let digest: Digest

    /// Reads a line without the line break at its end.
    ///
    /// - Returns: Nil for a blank line, and for a comment, which begins with `#`.
    /// - Throws: The faults that make the line's meaning unknown.
    package init?(_ bytes: [UInt8]) throws(RenderingError) {
        // Some editors put a byte order mark before the first line.
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let content = bytes.starts(with: mark) ? bytes.dropFirst(mark.count) : bytes[...]
        guard let text = String(validating: content, as: UTF8.self) else {
            throw .invalid("line", "is not UTF-8")
        }
        let line = text.trimming(Self.isSpace)
        switch line.utf8.first {
        case nil, UInt8(ascii: "#"): return nil
        case UInt8(ascii: "{"): (path, source) = try Self.object(Array(line.utf8))
        default: (path, source) = try Self.words(line)
        }
        digest = Digest([bytes])
    }

    private static func object(
        _ json: [UInt8]
    ) throws(RenderingError) -> (OutputPath, Source) {
        var raw = try RawRequest(json: json, named: "line")
        guard let output = raw.values.removeValue(forKey: "output") else {
            throw .invalid("output", "is required")
        }
        guard case .string(let path) = output else {
            throw .invalid("output", "must be a string; got \(output.description)")
        }
        return (try self.path(path), .parameters(raw))
    }

    private static func words(
        _ text: Substring
    ) throws(RenderingError) -> (OutputPath, Source) {
        let end = text.utf8.firstIndex { $0 == UInt8(ascii: "?") || isSpace($0) }
        guard let end else {
            throw .invalid(
                "line", "must be a JSON object, a path with a query, or a path and a URL")
        }
        let path = try path(String(text[..<end]))
        if text.utf8[end] == UInt8(ascii: "?") {
            let query = Array(text.utf8[end...].dropFirst())
            return (path, .parameters(try RawRequest(form: query)))
        }
        return (path, .target(try target(of: text[end...].trimming(isSpace))))
    }

    private static func path(_ text: String) throws(RenderingError) -> OutputPath {
        do {
            return try OutputPath(text)
        } catch {
            throw .invalid([error])
        }
    }

    /// Returns the path and query of a URL, as it stands in HTML too.
    private static func target(of url: Substring) throws(RenderingError) -> String {
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

    /// Returns the format of the file: a requested one, or else the format of the path's extension.
    ///
    /// - Throws: A fault if there is none, or two.
    package func format(
        _ requested: FormatCatalog.Entry?, _ formats: FormatCatalog
    ) throws(RenderingError) -> FormatCatalog.Entry {
        let named = formats.entry(ofFile: path.name.text)
        guard let format = requested ?? named else {
            throw .invalid(
                "output",
                "must end in one of \(formats.extensionList) where there is no format; "
                    + "got \"\(path.text)\"" + formats.question(forFile: path.name.text))
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
