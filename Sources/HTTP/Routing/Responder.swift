/// The way back for the answer to one request; usable once, from any thread.
///
/// When the last copy goes away without an answer, the client gets a 500.
package struct Responder: Sendable {
    private let exchange: Exchange

    init(_ exchange: Exchange) {
        self.exchange = exchange
    }

    /// Makes a responder that is not connected to a client, for tests and in-process use.
    ///
    /// - Parameter answer: called once, on the thread of the sender; with a bare 500 when the
    ///   responder is dropped.
    package init(answer: @escaping @Sendable (Response) -> Void) {
        exchange = Exchange(answer: answer)
    }

    /// Sends the answer. The first one counts, so that a deadline and a worker may race.
    ///
    /// - Returns: false when there was one already, and this one is dropped.
    @discardableResult
    package func send(_ response: Response) -> Bool {
        exchange.answer(response)
    }

    /// Whether the client has gone without waiting for the answer, so that work for it may stop;
    /// false once it was answered. Cheap, from any thread.
    ///
    /// A client that has merely shut its sending side still waits (RFC 9112, 9.6); one that closes
    /// quietly cannot be told from it until something is sent.
    package var isAbandoned: Bool { exchange.isAbandoned }
}
