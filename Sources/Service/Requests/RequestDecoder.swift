import Bytes
import HTTP
import Lists
import Motion
import Rendering

/// Reads the query and body of an HTTP request as names and values.
enum RequestDecoder {
    /// Returns the request in the query, or in the body and the query together.
    static func decode(_ request: HTTP.Request) throws(Problem) -> RawRequest {
        var raw = RawRequest()
        if request.method == .post { raw = try body(of: request) }
        if let query = request.query, !query.isEmpty {
            raw.add(try form(query))
        }
        return raw
    }

    // MARK: Bodies

    /// The media types of bodies, for messages.
    private static let mediaTypes =
        "application/json, text/plain, application/x-www-form-urlencoded, application/x-asciicast, or "
        + captionTypes.map(\.text).joined(separator: ", ")

    /// The media types of files of captions.
    static let captionTypes: [ByteString] = [
        "text/vtt", "application/x-subrip", "text/x-ass",
        "application/ttml+xml", "application/vnd.titlecard.captions+json",
    ]

    private static func body(of request: HTTP.Request) throws(Problem) -> RawRequest {
        guard let type = request.fields["Content-Type"] else {
            try checkCoding(of: request)
            guard !request.body.isEmpty || request.query == nil else { return RawRequest() }
            throw .unsupportedMediaType("no Content-Type; send \(mediaTypes)")
        }
        let media = try mediaType(type, of: request)
        switch media {
        case "application/json": return try object(request.body)
        case "text/plain": return try plain(request.body)
        case "application/x-asciicast": return try recording(request)
        case "application/x-www-form-urlencoded":
            if request.body.first == UInt8(ascii: "{") {
                throw .malformed(
                    "looks like JSON but its Content-Type says form; "
                        + "send Content-Type: application/json")
            }
            return try Problem.catching { () throws(RenderingError) in
                try RawRequest(form: request.body)
            }
        case let type? where captionTypes.contains(type):
            return try Problem.catching { () throws(RenderingError) in
                try RawRequest(captions: request.body)
            }
        default:
            throw .unsupportedMediaType(
                "Content-Type \(type.shortened(to: 80)) is not read; send \(mediaTypes)")
        }
    }

    private static func object(_ body: [UInt8]) throws(Problem) -> RawRequest {
        let spaces = " \t\r\n".utf8
        guard body.contains(where: { !spaces.contains($0) }) else {
            throw .malformed("is empty; send a JSON object such as {\"text\": \"Hello\"}")
        }
        do {
            return try RawRequest(json: body)
        } catch {
            if isForm(body) {
                throw .malformed(
                    "looks like a form but its Content-Type says JSON; "
                        + "send Content-Type: application/x-www-form-urlencoded")
            }
            throw Problem(error)
        }
    }

    /// Returns true if a body begins like a form, with the name of a field.
    private static func isForm(_ body: [UInt8]) -> Bool {
        let name = body.prefix { $0.isASCIILetterOrDigit || "-_.%".utf8.contains($0) }
        return !name.isEmpty && body.dropFirst(name.count).first == UInt8(ascii: "=")
    }

    /// Checks that the body of a request says that it is of one of some media types.
    ///
    /// - Throws: 415.
    static func checkBody(
        of request: HTTP.Request, isOneOf types: [ByteString]
    ) throws(Problem) {
        let type = request.fields["Content-Type"] ?? ""
        guard let sent = try mediaType(type, of: request), types.contains(sent) else {
            throw .unsupportedMediaType(
                "must be \(types.map(\.text).joined(separator: " or ")); "
                    + "got \"\(type.shortened(to: 80))\"")
        }
    }

    private static func checkCoding(of request: HTTP.Request) throws(Problem) {
        guard request.fields["Content-Encoding"] == nil else {
            throw Problem(
                .unsupportedMediaType, "Unsupported content coding", "Content-Encoding",
                "must not be set; send the body as it is")
        }
    }

    /// Returns the media type of a body without its parameters, in small letters; nil if it is empty.
    ///
    /// - Throws: 415 if the body has a content coding, or is not UTF-8.
    private static func mediaType(
        _ type: String, of request: HTTP.Request
    ) throws(Problem) -> ByteString? {
        try checkCoding(of: request)
        let parts = type.lowercasedASCII.pieces(separatedBy: ";", omittingEmpty: true).map { part in
            ByteString(part.pieces(separatedBy: " ").joined().pieces(separatedBy: "\"").joined())
        }
        for part in parts.dropFirst() where part.text.begins(with: "charset=") {
            guard part == "charset=utf-8" || part == "charset=us-ascii" else {
                throw .unsupportedMediaType(
                    "the body must be UTF-8; Content-Type says \(part.text)")
            }
        }
        return parts.first
    }

    private static func plain(_ body: [UInt8]) throws(Problem) -> RawRequest {
        guard var text = String(validating: body, as: UTF8.self) else {
            throw .malformed("is not UTF-8")
        }
        // The line break that editors and `echo` put at the end of a file is not part of the text.
        if text.ends(with: "\r\n") {
            text = String(text.dropping(last: 2))
        } else if text.ends(with: "\n") {
            text = String(text.dropping(last: 1))
        }
        return RawRequest(texts: [.string(text)])
    }

    /// Reads a recording of a terminal, which has a preset and its prompt, or a language, of its own
    /// unless the query names others.
    private static func recording(_ request: HTTP.Request) throws(Problem) -> RawRequest {
        let text = try Problem.catching { () throws(RenderingError) in
            try Asciicast.text(of: request.body)
        }
        let given = try form(request.query ?? "").values
        var raw = RawRequest(texts: [.string(text)])
        if given["preset"] == nil {
            raw.values["preset"] = .string(Asciicast.preset)
            let hasOther = given["prompt"] != nil || given["effect"] != nil
            if !hasOther, let prompt = Asciicast.prompt(of: text) {
                raw.values["prompt"] = .string(prompt)
            }
        } else if given["codeLanguage"] == nil {
            raw.values["codeLanguage"] = .string(Asciicast.language)
        }
        return raw
    }

    // MARK: Queries and forms

    /// Checks that the query of a request has nothing but a signature.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - message: The fault of any other parameter.
    /// - Throws: 400 with each.
    static func checkQuery(
        of request: HTTP.Request, isEmpty message: String
    ) throws(Problem) {
        guard let query = request.query, !query.isEmpty else { return }
        let raw = try form(query)
        var faults = raw.faults
        for name in (raw.values.keys + (raw.texts.isEmpty ? [] : ["text"])).sorted() {
            faults.add(name.text, message)
        }
        try Problem.catching(faults.check)
    }

    private static func form(_ query: String) throws(Problem) -> RawRequest {
        try Problem.catching { () throws(RenderingError) in
            try RawRequest(form: Array(query.utf8))
        }
    }
}
