import Bytes
import HTTP
import Logging
import Motion
import Synchronization

/// The log of requests, a line for each response.
///
/// Users' texts are in queries, bodies and permalinks, so none of these is logged. An unknown path may
/// be a query without its `?`, so it is not logged either.
struct RequestLog: Sendable {
    private let logger: Logger
    /// The proxies that say whose request it is; nil if no line says it.
    private let proxies: AddressRanges?
    private let loggedPath: @Sendable (_ path: String) -> String

    /// - Parameters:
    ///   - logger: The logger of the lines.
    ///   - proxies: The trusted proxies, if lines have the networks of clients.
    ///   - loggedPath: Returns the part of a path that may be logged.
    init(
        _ logger: Logger, trusting proxies: AddressRanges? = nil,
        loggedPath: @escaping @Sendable (_ path: String) -> String
    ) {
        self.logger = logger
        self.proxies = proxies
        self.loggedPath = loggedPath
    }

    /// A line without the values that are known at the end of a response.
    struct Line: Sendable {
        fileprivate let level: Logger.Level
        fileprivate let metadata: Logger.Metadata
    }

    /// Returns the line of a response that begins; nil if it is not logged.
    func line(
        of request: HTTP.Request, _ id: String, _ route: RouteName, status: Int, cache: String?
    ) -> Line? {
        // Monitoring requests come every few seconds.
        let level: Logger.Level = route == .health || route == .metrics ? .debug : .info
        guard logger.logLevel <= level else { return nil }
        var metadata: Logger.Metadata = [
            "method": .string(request.method.rawValue), "path": .string(loggedPath(request.path)),
            "status": .stringConvertible(status), "id": .string(id),
        ]
        if let proxies, let client = ClientAddress.of(request, trusting: proxies) {
            metadata.updateValue(.string(client.network), forKey: "client")
        }
        if let cache { metadata.updateValue(.string(cache), forKey: "cache") }
        if let trace = TraceContext(request.fields["traceparent"]) {
            metadata.updateValue(.string(trace.traceID), forKey: "trace")
            metadata.updateValue(.string(trace.parentID), forKey: "parent")
        }
        return Line(level: level, metadata: metadata)
    }

    /// Returns the line of the response to bytes that are no request.
    func line(of failure: ProtocolFailure, _ id: String, from address: String) -> Line? {
        guard logger.logLevel <= .info else { return nil }
        var metadata: Logger.Metadata = [
            "status": .stringConvertible(failure.status.code), "id": .string(id),
            "reason": .string(failure.message),
        ]
        // What a proxy sends may be anybody's.
        if let proxies, let peer = IPAddress(address), !proxies.contain(peer) {
            metadata.updateValue(.string(peer.network), forKey: "client")
        }
        return Line(level: .info, metadata: metadata)
    }

    /// Logs what happened to a program that this program runs.
    func warn(_ problem: Problem) {
        let events = problem.faults.map(\.message).joined(separator: "; ")
        logger.warning("\(problem.title): \(events)")
    }

    /// Logs a response at its end; it is complete if the system has taken all of it.
    func write(_ line: Line, bytes: Int, nanoseconds: Int64, isComplete: Bool) {
        var metadata = line.metadata
        let microseconds = nanoseconds / 1000
        metadata.updateValue(.stringConvertible(bytes), forKey: "bytes")
        metadata.updateValue(.stringConvertible(Double(microseconds) / 1000), forKey: "ms")
        if !isComplete { metadata.updateValue("true", forKey: "aborted") }
        logger.log(level: line.level, "request", metadata: metadata)
    }
}

/// The identifiers of requests, by which the lines of several servers are linked.
final class RequestIDs: Sendable {
    /// At most seven digits, so that an identifier of a process's first billions of requests is a string
    /// without memory of its own.
    private let process = Array(String(UInt32.random(in: 0...UInt32.max), radix: 36).utf8)
    private let count = Atomic<UInt64>(0)

    static let field: FieldName = "X-Request-Id"

    /// Returns the client's `X-Request-Id` if it is plain, or else a new identifier.
    func id(of request: HTTP.Request?) -> String {
        if let given = request?.fields[Self.field], (1...64).contains(given.utf8.count),
            given.utf8.allSatisfy({ $0.isASCIILetterOrDigit || "-._".utf8.contains($0) })
        {
            return given
        }
        return next()
    }

    /// Returns the number of the process, and that of the request, its last digit first.
    private func next() -> String {
        let number = count.wrappingAdd(1, ordering: .relaxed).newValue
        var (digits, power) = (1, UInt64(36))
        while power <= number, digits < 12 { (digits, power) = (digits + 1, power * 36) }
        return String(unsafeUninitializedCapacity: process.count + 1 + digits) { bytes in
            var (end, rest) = (bytes.update(fromContentsOf: process), number)
            bytes[end] = UInt8(ascii: "-")
            for _ in 0..<digits {
                end += 1
                bytes[end] = Self.digits[Int(rest % 36)]
                rest /= 36
            }
            return end + 1
        }
    }

    private static let digits = Array("0123456789abcdefghijklmnopqrstuvwxyz".utf8)
}

/// The trace that a request is a part of (W3C Trace Context, section 3.2).
private struct TraceContext {
    /// 32 hexadecimal digits.
    let traceID: String
    /// The identifier of the span that asks, 16 hexadecimal digits.
    let parentID: String

    /// Reads `traceparent`; later versions may have more parts.
    ///
    /// - Returns: Nil if there is none, or an invalid one.
    init?(_ field: String?) {
        guard let parts = field?.pieces(separatedBy: "-"), parts.count >= 4,
            Self.isNumber(parts[0], digits: 2), !parts[0].isSame(as: "ff"),
            parts.count == 4 || !parts[0].isSame(as: "00"),
            Self.isNumber(parts[1], digits: 32), Self.isNumber(parts[2], digits: 16),
            Self.isNumber(parts[3], digits: 2),
            [parts[1], parts[2]].allSatisfy({ $0.utf8.contains { $0 != UInt8(ascii: "0") } })
        else { return nil }
        (traceID, parentID) = (String(parts[1]), String(parts[2]))
    }

    /// True of so many lower-case hexadecimal digits.
    private static func isNumber(_ text: Substring, digits: Int) -> Bool {
        text.utf8.count == digits && text.utf8.allSatisfy { "0123456789abcdef".utf8.contains($0) }
    }
}
