import HTTP
import Logging
import Synchronization

/// One line in the log for each answer. Texts of users stand in queries, bodies and permalinks, so
/// none of these is logged, nor any path that is not ours: it may be a query that lacks its `?`.
struct RequestLog: Sendable {
    private let logger: Logger
    private let clock: TimeSource
    private let ids: RequestIDs
    private let known: @Sendable (_ path: String) -> String

    /// - Parameters:
    ///   - logger: takes the lines.
    ///   - clock: measures the time that an answer took.
    ///   - known: what may be logged of a path: nothing that can be a text of a user.
    init(
        _ logger: Logger, clock: TimeSource,
        known: @escaping @Sendable (_ path: String) -> String
    ) {
        self.logger = logger
        self.clock = clock
        self.known = known
        ids = RequestIDs()
    }

    /// Nanoseconds of the clock.
    var now: Int64 { clock.monotonic() }

    /// An answer, by now; complete when the client was handed all of it.
    func write(_ context: RequestContext, status: Int, bytes: Int, cache: String?, isComplete: Bool)
    {
        // What is asked every few seconds by machines says nothing.
        let level: Logger.Level =
            context.route == .health || context.route == .metrics ? .debug : .info
        guard logger.logLevel <= level else { return }
        let request = context.request
        let microseconds = (now - context.start) / 1000
        var metadata: Logger.Metadata = [
            "method": .string(request.method.rawValue), "path": .string(known(request.path)),
            "status": .stringConvertible(status), "bytes": .stringConvertible(bytes),
            "ms": .stringConvertible(Double(microseconds) / 1000),
            "id": .string(ids.id(of: request)),
        ]
        if let cache { metadata["cache"] = .string(cache) }
        if !isComplete { metadata["aborted"] = "true" }
        logger.log(level: level, "request", metadata: metadata)
    }
}

/// Names of requests that link the lines of several servers.
private final class RequestIDs: Sendable {
    private let process = String(UInt32.random(in: 0...UInt32.max), radix: 36)
    private let count = Atomic(0)

    /// The client's own `X-Request-Id` if it is plain, else one of ours.
    func id(of request: HTTP.Request) -> String {
        if let given = request.fields["X-Request-Id"], (1...64).contains(given.utf8.count),
            given.utf8.allSatisfy(Self.isPlain)
        {
            return given
        }
        return "\(process)-\(count.wrappingAdd(1, ordering: .relaxed).newValue)"
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F: true
        default: false
        }
    }
}
