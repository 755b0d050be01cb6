/// What answers requests; the one thing that a server is given besides its limits.
///
/// To add a service, conform a type and hand it to `Server`. Both functions are called on event
/// loops, on several at once, and must not block: work that takes time goes to other threads, which
/// answer through the `Responder`.
package protocol Handler: Sendable {
    /// Answers a request, at once or later.
    ///
    /// An answer that was sent before this returns goes out without a change of thread.
    func handle(_ request: Request, _ responder: Responder)

    /// Renders the answer to a fault that the server found, so that all error bodies look the same.
    func response(to failure: ProtocolFailure) -> Response
}
