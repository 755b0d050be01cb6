import Bytes
import HTTP
import Logging
import Synchronization

/// The log of requests, a line for each response.
///
/// Users' texts are in queries, bodies and permalinks, so none of these is logged. An unknown path may
/// be a query without its `?`, so it is not logged either.
struct RequestLog: Sendable {
    private let logger: Logger
    private let clock: TimeSource
    private let ids: RequestIDs
    private let loggedPath: @Sendable (_ path: String) -> String

    /// - Parameters:
    ///   - logger: The logger of the lines.
    ///   - clock: The clock of the durations.
    ///   - loggedPath: Returns the part of a path that may be logged.
    init(
        _ logger: Logger, clock: TimeSource,
        loggedPath: @escaping @Sendable (_ path: String) -> String
    ) {
        self.logger = logger
        self.clock = clock
        self.loggedPath = loggedPath
        ids = RequestIDs()
    }

    /// Nanoseconds of the clock.
    var now: Int64 { clock.monotonic() }

    /// A line without what is known at the end of a response.
    struct Line: Sendable {
        fileprivate let level: Logger.Level
        /// The instant, in nanoseconds of the clock, at which the request came.
        fileprivate let start: Int64
        fileprivate let metadata: Logger.Metadata
    }

    /// Returns the line of a response that begins; nil if it is not logged.
    func line(of context: RequestContext, status: Int, cache: String?) -> Line? {
        // Monitoring requests come every few seconds.
        let level: Logger.Level =
            context.route == .health || context.route == .metrics ? .debug : .info
        guard logger.logLevel <= level else { return nil }
        let request = context.request
        var metadata: Logger.Metadata = [
            "method": .string(request.method.rawValue), "path": .string(loggedPath(request.path)),
            "status": .stringConvertible(status), "id": .string(ids.id(of: request)),
        ]
        if let cache { metadata.updateValue(.string(cache), forKey: "cache") }
        return Line(level: level, start: context.start, metadata: metadata)
    }

    /// Logs a response at its end; it is complete if the system has taken all of it.
    func write(_ line: Line, bytes: Int, isComplete: Bool) {
        var metadata = line.metadata
        let microseconds = (now - line.start) / 1000
        metadata.updateValue(.stringConvertible(bytes), forKey: "bytes")
        metadata.updateValue(.stringConvertible(Double(microseconds) / 1000), forKey: "ms")
        if !isComplete { metadata.updateValue("true", forKey: "aborted") }
        logger.log(level: line.level, "request", metadata: metadata)
    }
}

/// The identifiers of requests, by which the lines of several servers are linked.
private final class RequestIDs: Sendable {
    private let process = String(UInt32.random(in: 0...UInt32.max), radix: 36)
    private let count = Atomic(0)

    /// Returns the client's `X-Request-Id` if it is plain, or else a new identifier.
    func id(of request: HTTP.Request) -> String {
        if let given = request.fields["X-Request-Id"], (1...64).contains(given.utf8.count),
            given.utf8.allSatisfy({ $0.isASCIILetterOrDigit || "-._".utf8.contains($0) })
        {
            return given
        }
        return "\(process)-\(count.wrappingAdd(1, ordering: .relaxed).newValue)"
    }
}
