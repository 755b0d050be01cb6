/// A response as a handler makes it.
///
/// The server adds `Date`, `Content-Length` or `Transfer-Encoding`, and `Connection`, and leaves the
/// body out where the request or the status forbids one. Framing fields that a handler sets are not
/// sent, but `Connection: close` is obeyed.
package struct Response: Sendable {
    /// The content of a response.
    package enum Body: Sendable {
        case empty
        /// The whole content. The array is shared, never copied, where it is large.
        case bytes([UInt8])
        /// Content of a length that is not known yet, made while it is sent.
        case stream(any BodySource)

    }

    package var status: Status
    package var fields: Fields
    package var body: Body
    /// Learns how much of the response was sent.
    package var observer: (any ResponseObserver)?

    /// Makes a response.
    package init(status: Status = .ok, fields: Fields = Fields(), body: Body = .empty) {
        self.status = status
        self.fields = fields
        self.body = body
    }

    /// Tells source and observer that the response is not wanted.
    func discard() {
        if case .stream(let source) = body { source.cancel() }
        observer?.responseEnded(contentBytes: 0, isComplete: false)
    }
}

/// Learns how much of a response was sent.
///
/// To use one, conform a class, and set it as `observer` of the response.
package protocol ResponseObserver: AnyObject, Sendable {
    /// Called once for each response, on any thread, as soon as all of it is with the system or the
    /// rest will not be sent.
    ///
    /// - Parameters:
    ///   - contentBytes: The bytes of content that the system has taken.
    ///   - isComplete: True if that is all of the content.
    func responseEnded(contentBytes: Int, isComplete: Bool)
}

/// A response's status code with its reason phrase (RFC 9110, 15).
package struct Status: Hashable, Sendable {
    /// The three digits, 100…599.
    package let code: Int
    /// The phrase that the status line carries for people to read; never used to decide.
    package let reason: String

    init(_ code: Int, _ reason: String) {
        self.code = code
        self.reason = reason
    }

    /// True of a fault of the client or the server.
    package var isError: Bool { code >= 400 }

    /// True if a response with this status never has a body (RFC 9110, 6.4.1).
    package var forbidsBody: Bool {
        code < 200 || code == 204 || code == 304
    }

    package static func == (left: Status, right: Status) -> Bool {
        left.code == right.code
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(code)
    }

    package static let ok = Status(200, "OK")
    package static let accepted = Status(202, "Accepted")
    package static let noContent = Status(204, "No Content")
    package static let partialContent = Status(206, "Partial Content")
    package static let notModified = Status(304, "Not Modified")
    package static let permanentRedirect = Status(308, "Permanent Redirect")
    package static let badRequest = Status(400, "Bad Request")
    package static let forbidden = Status(403, "Forbidden")
    package static let notFound = Status(404, "Not Found")
    package static let methodNotAllowed = Status(405, "Method Not Allowed")
    package static let notAcceptable = Status(406, "Not Acceptable")
    package static let requestTimeout = Status(408, "Request Timeout")
    package static let lengthRequired = Status(411, "Length Required")
    package static let contentTooLarge = Status(413, "Content Too Large")
    package static let uriTooLong = Status(414, "URI Too Long")
    package static let unsupportedMediaType = Status(415, "Unsupported Media Type")
    package static let rangeNotSatisfiable = Status(416, "Range Not Satisfiable")
    package static let expectationFailed = Status(417, "Expectation Failed")
    package static let unprocessableContent = Status(422, "Unprocessable Content")
    package static let tooManyRequests = Status(429, "Too Many Requests")
    package static let requestHeaderFieldsTooLarge = Status(431, "Request Header Fields Too Large")
    package static let internalServerError = Status(500, "Internal Server Error")
    package static let notImplemented = Status(501, "Not Implemented")
    package static let serviceUnavailable = Status(503, "Service Unavailable")
    package static let httpVersionNotSupported = Status(505, "HTTP Version Not Supported")
}

/// A fault that the server finds by itself, before or instead of a handler's response.
///
/// The connection is closed after the response, because where the next request begins is unknown.
package struct ProtocolFailure: Error, Equatable, Sendable {
    /// 400, 408, 413, 414, 417, 431, 500, 501 or 505.
    package let status: Status
    /// The fault as a sentence without its full stop, for the person who sent the request.
    package let message: String

    /// Makes a failure.
    package init(_ status: Status, _ message: String) {
        self.status = status
        self.message = message
    }
}

/// Content that is made while it is sent, piece by piece.
///
/// To add one, conform a class and respond with `.stream(source)`. Everything is called on an event
/// loop and must not block: a source whose pieces take time makes them on another thread. At any
/// time one piece at most is asked for, so the content that a client has not taken is bounded by
/// one piece.
package protocol BodySource: AnyObject, Sendable {
    /// Asks for the next piece, when the client has room for it.
    ///
    /// - Parameter deliver: Called by the source exactly once, from any thread, at once or later; a
    ///   source that releases it without a call has failed.
    func nextPiece(_ deliver: @escaping @Sendable (BodyPiece) -> Void)

    /// Learns that the client has gone, or that the rest is not wanted (HEAD, 304 and the like): no
    /// piece will be asked for any more, and a piece that is being made will be dropped.
    ///
    /// Called at most once, and not after `.end` or `.failed` was delivered. Without any piece
    /// asked for, it may be called on the thread that sent the response.
    func cancel()
}

/// A delivery of a source of content.
package enum BodyPiece: Sendable {
    /// Some more of the content; may be empty.
    case bytes([UInt8])
    /// The content was complete.
    case end
    /// The rest cannot be made; the client is shown that its content is incomplete.
    case failed

    /// True if no other piece follows.
    var isLast: Bool {
        switch self {
        case .bytes: false
        case .end, .failed: true
        }
    }
}
