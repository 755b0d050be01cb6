/// An answer as a handler makes it.
///
/// The server adds `Date`, `Content-Length` and `Connection`, and leaves the body out where the
/// request or the status forbids one. Framing fields that a handler sets are not sent, but
/// `Connection: close` is obeyed.
package struct Response: Sendable {
    /// The content of a response.
    package enum Body: Sendable {
        case empty
        /// The whole content at hand. The array is shared, never copied, where it is large.
        case bytes([UInt8])
    }

    package var status: Status
    package var fields: Fields
    package var body: Body

    /// Makes a response.
    package init(status: Status = .ok, fields: Fields = Fields(), body: Body = .empty) {
        self.status = status
        self.fields = fields
        self.body = body
    }
}
