/// A request method: any token, compared with case (RFC 9110, 9.1).
package struct Method: Hashable, Sendable {
    /// The method as it stands in the request line, such as `GET`.
    package let rawValue: String

    /// Wraps a method's name, which must be a token.
    package init(_ rawValue: String) {
        self.rawValue = rawValue
    }

    init(bytes: ArraySlice<UInt8>) {
        self.init(String(decoding: bytes, as: UTF8.self))
    }

    package static let get = Method("GET")
    package static let head = Method("HEAD")
    package static let post = Method("POST")
    package static let put = Method("PUT")
    package static let patch = Method("PATCH")
    package static let delete = Method("DELETE")
    package static let options = Method("OPTIONS")
    package static let connect = Method("CONNECT")
    package static let trace = Method("TRACE")
}
