/// A service that responds to requests; given to a server together with its limits.
///
/// To add a service, conform a type and hand it to `Server`. Both functions are called on event
/// loops, on several at once, and must not block: work that takes time goes to other threads, which
/// respond through the `Responder`.
package protocol Handler: Sendable {
    /// Responds to a request, at once or later.
    ///
    /// A response that is sent before this returns goes out without a change of thread.
    func handle(_ request: Request, _ responder: Responder)

    /// Returns the response to a fault that the server found, so that all error bodies look the
    /// same.
    ///
    /// - Parameters:
    ///   - failure: The fault.
    ///   - address: The peer, as `Request.remoteAddress` has it.
    /// - Returns: The response.
    func response(to failure: ProtocolFailure, from address: String) -> Response

    /// Returns true if all connections of a peer, by its address as `Request.remoteAddress` has it,
    /// are one client's; false for proxies.
    func isOneClient(_ address: String) -> Bool
}

extension Handler {
    package func isOneClient(_ address: String) -> Bool { true }
}

/// The path back for the response to one request; usable once, from any thread.
///
/// When the last copy goes away without a response, the client gets a 500.
package struct Responder: Sendable {
    private let promise: Promise<Response>

    init(_ promise: Promise<Response>) {
        self.promise = promise
    }

    /// Makes a responder that is not connected to a client, for tests and in-process use.
    ///
    /// - Parameter receive: Called once, on the thread of the sender; with a bare 500 when the
    ///   responder is dropped.
    package init(receive: @escaping @Sendable (Response) -> Void) {
        promise = Promise()
        _ = promise.value { receive($0 ?? Response(status: .internalServerError)) }
    }

    /// Sends the response. The first one counts, so that a deadline and a worker may race.
    ///
    /// - Returns: False when there was one already, and this one is dropped.
    @discardableResult
    package func send(_ response: Response) -> Bool {
        let isFirst = promise.fulfill(response)
        if !isFirst { response.discard() }
        return isFirst
    }

    /// True if the client has gone without waiting for the response, so that work for it may stop;
    /// false once it was sent. Cheap, from any thread.
    ///
    /// A client that has merely shut its sending side still waits (RFC 9112, 9.6); a client that
    /// closes quietly cannot be told from it until something is sent.
    package var isAbandoned: Bool { promise.isAbandoned }
}
