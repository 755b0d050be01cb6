/// What one client, and all of them together, may take from the server.
///
/// Every field can be set by itself: `var limits = ServerLimits(); limits.bodyBytes = 1024`.
package struct ServerLimits: Equatable, Sendable {
    // MARK: Connections

    /// Connections open at once over all loops; at the limit accepting pauses. Default 10,000.
    package var maximumConnections = 10_000
    /// Requests answered on one connection before it is closed. Default 10,000.
    package var requestsPerConnection = 10_000
    /// Connections that wait in the kernel to be accepted, per listener. Default 1,024.
    package var backlog: Int32 = 1024

    // MARK: Sizes

    /// Bytes of a request's method; longer ones get 501. Default 32.
    package var methodBytes = 32
    /// Bytes of the request target; longer ones get 414. Default 8,192.
    package var targetBytes = 8192
    /// Bytes of request line and fields together, and again of the trailers; more get 431.
    /// Default 32,768.
    package var headBytes = 32_768
    /// Fields of a request, and again of the trailers; more get 431. Default 100.
    package var fieldCount = 100
    /// Empty lines before a request that are passed over (RFC 9112, 2.2). Default 4.
    package var leadingEmptyLines = 4
    /// Bytes of a request's content; more get 413. Default 65,536.
    package var bodyBytes = 65_536
    /// Bytes of all chunk extensions of one request; more get 400. Default 1,024.
    package var chunkExtensionBytes = 1024
    /// Bytes taken from a connection in one read, and so the most that is kept of what a client
    /// sends before its last request is answered. Default 16,384.
    package var readBytes = 16_384

    // MARK: Times

    /// From the first byte of a request to the end of its head; then 408. Default 10 s.
    package var headTimeout: Duration = .seconds(10)
    /// From the end of the head to the end of the content; then 408. Default 20 s.
    package var bodyTimeout: Duration = .seconds(20)
    /// Without a request, after connecting or after an answer; then the connection is closed.
    /// Default 60 s.
    package var idleTimeout: Duration = .seconds(60)
    /// Without the client taking anything more of an answer; then the connection is reset.
    /// Default 30 s.
    package var writeTimeout: Duration = .seconds(30)
    /// How long the rest of a client's bytes is read and dropped after the last answer, so that
    /// the answer arrives. Default 2 s.
    package var lingerTimeout: Duration = .seconds(2)
    /// How many bytes of it. Default 16 MiB.
    package var lingerBytes = 16_777_216
    /// How long accepting pauses when descriptors or connections have run out, unless a connection
    /// of the same loop ends before. Default 50 ms.
    package var acceptPause: Duration = .milliseconds(50)

    // MARK: Shutdown

    /// From `shutdown()` to the end of accepting, for load balancers to notice. Default 0 s.
    package var drainDelay: Duration = .zero
    /// From the end of accepting until the connections that are still open are cut. Default 30 s.
    package var drainTimeout: Duration = .seconds(30)
    /// How long a connection without a request may still bring one after accepting has ended, since
    /// one may be on its way. Default 1 s.
    package var drainGrace: Duration = .seconds(1)

    /// The defaults.
    package init() {}

    /// Bytes of the longest target that a request without any field can have.
    package var longestTarget: Int {
        min(targetBytes, headBytes - "GET  HTTP/1.1\r\n\r\n".utf8.count)
    }
}
