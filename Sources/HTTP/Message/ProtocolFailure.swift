/// A fault that the server finds by itself, before or instead of a handler's answer.
///
/// The connection is closed after the answer, because where the next request begins is unknown.
package struct ProtocolFailure: Error, Equatable, Sendable {
    /// 400, 408, 413, 414, 417, 431, 500, 501 or 505.
    package let status: Status
    /// What was wrong, as a sentence without its full stop, for the person who sent the request.
    package let message: String

    /// Makes a failure.
    package init(_ status: Status, _ message: String) {
        self.status = status
        self.message = message
    }
}
