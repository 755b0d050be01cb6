/// An answer as a handler makes it.
///
/// The server adds `Date`, `Content-Length` or `Transfer-Encoding`, and `Connection`, and leaves the
/// body out where the request or the status forbids one. Framing fields that a handler sets are not sent, but
/// `Connection: close` is obeyed.
package struct Response: Sendable {
    /// The content of a response.
    package enum Body: Sendable {
        case empty
        /// The whole content at hand. The array is shared, never copied, where it is large.
        case bytes([UInt8])
        /// Content of a length that is not known yet, made while it is sent.
        case stream(any BodySource)

        /// Tells a source that its content is not wanted.
        func discard() {
            if case .stream(let source) = self { source.cancel() }
        }
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
