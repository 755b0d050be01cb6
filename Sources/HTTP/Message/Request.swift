import Bytes

/// The version of HTTP/1 that a request speaks; a later minor version counts as 1.1.
package enum Version: Hashable, Sendable {
    case http10
    case http11
}

/// One complete request, its body included.
package struct Request: Sendable {
    package var method: Method
    /// The request target exactly as it was received.
    package var target: String
    /// The target's path, still percent-encoded; `*` for `OPTIONS *`.
    package var path: String
    /// The part of the target after its first `?`, still percent-encoded; nil without a `?`.
    package var query: String?
    package var version: Version
    package var fields: Fields
    /// The content, with the chunked coding removed; trailers are dropped.
    package var body: [UInt8]
    /// The numeric address of the peer without its port, an IPv4 address in dotted form even where
    /// it came through an IPv6 socket; `unix:` for every peer of a Unix socket.
    package var remoteAddress: String

    /// Makes a request by hand; path and query are taken from the target, which is in origin form,
    /// such as `/render?text=Hi`, or `*`.
    package init(
        method: Method = .get,
        target: String = "/",
        version: Version = .http11,
        fields: Fields = Fields(),
        body: [UInt8] = [],
        remoteAddress: String = "127.0.0.1"
    ) {
        let path = target.utf8.prefix { $0 != ASCII.questionMark }
        self.method = method
        self.target = target
        self.path = String(Substring(path))
        self.query =
            path.endIndex == target.endIndex
            ? nil : String(Substring(target.utf8[path.endIndex...].dropFirst()))
        self.version = version
        self.fields = fields
        self.body = body
        self.remoteAddress = remoteAddress
    }

    /// True if the request says that it carries content, be it empty.
    ///
    /// A request without has none (RFC 9112, 6.3), and a service that needs it may respond with 411.
    package var declaresContent: Bool {
        fields.contains("Content-Length") || fields.contains("Transfer-Encoding")
    }
}

/// A request method: any token, compared with case (RFC 9110, 9.1).
package struct Method: Hashable, Sendable {
    private let name: ByteString

    /// Wraps a method's name, which must be a token.
    package init(_ rawValue: String) {
        name = ByteString(rawValue)
    }

    /// The method as it stands in the request line, such as `GET`.
    package var rawValue: String { name.text }

    init(bytes: ArraySlice<UInt8>) {
        self.init(String(decoding: bytes, as: UTF8.self))
    }

    package static let get = Method("GET")
    package static let head = Method("HEAD")
    package static let post = Method("POST")
    package static let put = Method("PUT")
    package static let options = Method("OPTIONS")
    package static let connect = Method("CONNECT")
}
