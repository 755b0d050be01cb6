import Glibc

/// The resources that one client, and all of them together, may take from the server.
///
/// Every field can be set by itself: `var limits = ServerLimits(); limits.bodyBytes = 1024`.
package struct ServerLimits: Equatable, Sendable {
    // MARK: Connections

    /// Connections open at once over all loops; at the limit accepting pauses. Default 10,000.
    package var maximumConnections = 10_000
    /// Requests handled on one connection before it is closed. Default 10,000.
    package var requestsPerConnection = 10_000
    /// Bytes that all connections together may hold of requests that are coming and answers that
    /// their clients have not taken. Default 64 MiB.
    package var bufferBytes = 67_108_864
    /// Connections that wait in the kernel to be accepted, per listener. Default 1,024.
    package var backlog: Int32 = 1024

    // MARK: Sizes

    /// Bytes of a request's method; longer ones get 501. Default 32.
    package var methodBytes = 32
    /// Bytes of the request target; longer ones get 414. Default 8,192.
    package var targetBytes = 8192
    /// The paths whose queries may hold UTF-8 that is not percent-encoded. Default none.
    package var rawQueryPaths: [String] = []
    /// Bytes of request line and fields together, and again of the trailers; more get 431.
    /// Default 32,768.
    package var headBytes = 32_768
    /// Fields of a request, and again of the trailers; more get 431. Default 100.
    package var fieldCount = 100
    /// Empty lines before a request that are skipped (RFC 9112, 2.2). Default 4.
    package var leadingEmptyLines = 4
    /// Bytes of a request's content; more get 413. Default 65,536.
    package var bodyBytes = 65_536
    /// The option that has set `bodyBytes`, for messages; nil for none.
    var bodyOption: String?
    /// A path whose requests may have more content. Default none.
    package var longContent: LongContent?
    /// The limit on content of some media types, on any other path. Default none.
    package var mediaLimit: MediaLimit?
    /// Bytes of all chunk extensions of one request; more get 400. Default 1,024.
    package var chunkExtensionBytes = 1024
    /// Bytes taken from a connection in one read, and so the most that is kept of the
    /// requests that a client sends ahead. Default 16,384.
    package var readBytes = 16_384

    // MARK: Times

    /// The time from the first byte of a request to the end of its head; then 408. Default 10 s.
    package var headTimeout: Duration = .seconds(10)
    /// The time from the end of the head to the end of the content; then 408. Default 20 s.
    package var bodyTimeout: Duration = .seconds(20)
    /// The time without a request, after connecting or after a response; then the connection is
    /// closed. Default 60 s.
    package var idleTimeout: Duration = .seconds(60)
    /// The time in which a client has to take a response at the lowest rate at least; then the
    /// connection is reset. Default 30 s.
    package var writeTimeout: Duration = .seconds(30)
    /// The lowest rate at which clients may take responses, in bytes a second. Default 16 KiB.
    package var writeRate = 16_384
    /// The time for which the rest of a client's bytes is read and dropped after the last response,
    /// so that the response arrives. Default 2 s.
    package var lingerTimeout: Duration = .seconds(2)
    /// Bytes that are read and dropped then. Default 16 MiB.
    package var lingerBytes = 16_777_216
    /// The pause in accepting when descriptors or connections have run out, unless a connection of
    /// the same loop ends before. Default 50 ms.
    package var acceptPause: Duration = .milliseconds(50)

    // MARK: Shutdown

    /// The time from `shutdown()` to the end of accepting, for load balancers to notice.
    /// Default 0 s.
    package var drainDelay: Duration = .zero
    /// The time from the end of accepting until the connections that are still open are cut.
    /// Default 30 s.
    package var drainTimeout: Duration = .seconds(30)
    /// The time for which a connection without a request may still bring one after accepting has
    /// ended, since one may be on its way. Default 1 s.
    package var drainGrace: Duration = .seconds(1)

    /// Makes the defaults.
    package init() {}

    /// The length, in bytes, of the longest target that a request without any field can have.
    package var longestTarget: Int {
        min(targetBytes, headBytes - "GET  HTTP/1.1\r\n\r\n".utf8.count)
    }
}

/// The limit on the content of requests for one path, in place of `ServerLimits.bodyBytes`.
package struct LongContent: Equatable, Sendable {
    package let path: String
    package let bytes: Int

    package init(path: String, bytes: Int) {
        (self.path, self.bytes) = (path, bytes)
    }
}

/// The limit on the content of requests of some media types, in place of `ServerLimits.bodyBytes`.
package struct MediaLimit: Equatable, Sendable {
    /// In small letters, without parameters.
    package let mediaTypes: [String]
    package let bytes: Int
    /// The option that has set the limit, for messages.
    package let option: String

    package init(mediaTypes: [String], bytes: Int, option: String) {
        (self.mediaTypes, self.bytes, self.option) = (mediaTypes, bytes, option)
    }

    /// Returns true if a field `Content-Type` names one of the types.
    func matches(_ field: ArraySlice<UInt8>) -> Bool {
        let type = ASCII.trimmed(field.prefix { $0 != UInt8(ascii: ";") })
        return mediaTypes.contains { ASCII.equalIgnoringCase(type, $0.utf8) }
    }
}

/// The time-outs of `ServerLimits` in nanoseconds.
struct Timeouts: Sendable {
    let head: Int64
    let body: Int64
    let idle: Int64
    let write: Int64
    /// Bytes that a client has to take in the time of `write`.
    let writeBytes: Int
    let linger: Int64
    let acceptPause: Int64
    let drainDelay: Int64
    let drain: Int64
    let drainGrace: Int64

    init(_ limits: ServerLimits) {
        head = Self.nanoseconds(limits.headTimeout)
        body = Self.nanoseconds(limits.bodyTimeout)
        idle = Self.nanoseconds(limits.idleTimeout)
        write = Self.nanoseconds(limits.writeTimeout)
        writeBytes = max(Int(Double(limits.writeRate) * Double(write) / 1e9), 1)
        linger = Self.nanoseconds(limits.lingerTimeout)
        acceptPause = Self.nanoseconds(limits.acceptPause)
        drainDelay = Self.nanoseconds(limits.drainDelay)
        drain = Self.nanoseconds(limits.drainTimeout)
        drainGrace = Self.nanoseconds(limits.drainGrace)
    }

    /// At most ten years, so that adding it to the clock cannot overflow.
    private static func nanoseconds(_ duration: Duration) -> Int64 {
        let (seconds, attoseconds) = min(max(duration, .zero), .seconds(315_360_000)).components
        return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
    }
}

/// The limit of descriptors that the process may have open, each connection taking one.
package enum DescriptorLimit {
    /// Raises the soft limit to the hard one, for servers of many connections.
    package static func raise() {
        var limit = current
        guard limit.rlim_cur < limit.rlim_max else { return }
        limit.rlim_cur = limit.rlim_max
        _ = setrlimit(resource, &limit)
    }

    /// The number of descriptors that this process may have open.
    package static var soft: Int { Int(clamping: current.rlim_cur) }

    /// Counts the descriptors that are left for connections.
    ///
    /// - Parameter reserve: Descriptors to be left for everything else that is opened from now on.
    /// - Returns: The number of them; 0 or less when there are too few.
    package static func room(reserve: Int) -> Int {
        soft - open - reserve
    }

    private static var resource: __rlimit_resource_t {
        __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    }

    private static var current: rlimit {
        var limit = rlimit()
        // It fails for no resource that exists.
        _ = getrlimit(resource, &limit)
        return limit
    }

    /// The number of descriptors that are open now, of the first thousand.
    private static var open: Int {
        let highest = Int32(clamping: min(current.rlim_cur, 1024))
        return (0..<highest).count { fcntl($0, F_GETFD) != -1 }
    }
}
