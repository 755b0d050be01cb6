/// A response's status code with its reason phrase (RFC 9110, 15).
package struct Status: Hashable, Sendable {
    /// The three digits, 100…599.
    package let code: Int
    /// The phrase that the status line carries for people to read; never used to decide.
    package let reason: String

    private init(_ code: Int, _ reason: String) {
        self.code = code
        self.reason = reason
    }

    /// The status of a code; one that is not listed here gets an empty reason.
    package init(code: Int) {
        precondition((100...599).contains(code), "a status code has three digits")
        self = Self.listed.first { $0.code == code } ?? Status(code, "")
    }

    /// Whether a response with this status never has a body (RFC 9110, 6.4.1).
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
    package static let noContent = Status(204, "No Content")
    package static let movedPermanently = Status(301, "Moved Permanently")
    package static let found = Status(302, "Found")
    package static let notModified = Status(304, "Not Modified")
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
    package static let expectationFailed = Status(417, "Expectation Failed")
    package static let unprocessableContent = Status(422, "Unprocessable Content")
    package static let tooManyRequests = Status(429, "Too Many Requests")
    package static let requestHeaderFieldsTooLarge = Status(431, "Request Header Fields Too Large")
    package static let internalServerError = Status(500, "Internal Server Error")
    package static let notImplemented = Status(501, "Not Implemented")
    package static let serviceUnavailable = Status(503, "Service Unavailable")
    package static let httpVersionNotSupported = Status(505, "HTTP Version Not Supported")

    private static let listed: [Status] = [
        .ok, .noContent, .movedPermanently, .found, .notModified, .badRequest, .forbidden,
        .notFound, .methodNotAllowed, .notAcceptable, .requestTimeout, .lengthRequired,
        .contentTooLarge, .uriTooLong, .unsupportedMediaType, .expectationFailed,
        .unprocessableContent, .tooManyRequests, .requestHeaderFieldsTooLarge,
        .internalServerError, .notImplemented, .serviceUnavailable, .httpVersionNotSupported,
    ]
}
