import CProcess
import Glibc

/// Answers connections that no worker takes, all with the same 503.
///
/// The bytes of clients are read and dropped, so that closing a connection does not take the answer
/// away from its client.
struct UnavailableResponder {
    /// A connection that has its answer.
    private struct Connection {
        let descriptor: Int32
        /// The instant at which it is closed in any case, in nanoseconds.
        let deadline: UInt64
        /// The bytes that are still taken from its client.
        var rest = 65_536
    }

    /// The connections that may be open at a time; others wait in the kernel.
    static let maximumConnections = 256
    /// The connections that are taken from each socket before the supervisor sees to its other duties.
    private static let batch = 16
    /// Descriptors that are left for these.
    private static let reserve = 32
    /// The nanoseconds for which a client may go on sending.
    private static let linger: UInt64 = 1_000_000_000
    /// The nanoseconds until the next attempt where the system has no descriptor or memory.
    private static let pause: UInt64 = 100_000_000
    /// The bytes that each read counts for at least, or sending bytes one by one would keep it busy.
    private static let leastRead = 1024

    private static let answer = Array(
        """
        HTTP/1.1 503 Service Unavailable\r
        Content-Length: 0\r
        Retry-After: 1\r
        Connection: close\r
        \r

        """.utf8)

    /// In the order of their deadlines.
    private var connections: [Connection] = []
    /// The connections that there are descriptors for.
    private var room = maximumConnections
    /// The instant until which accepting pauses, in nanoseconds.
    private var resumption: UInt64 = 0
    /// The connections that were answered since `takeCount`.
    private var count = 0

    /// The next instant after one at which `proceed` has something to do, in nanoseconds.
    func deadline(after now: UInt64) -> UInt64? {
        [connections.first?.deadline, resumption > now ? resumption : nil].compactMap { $0 }.min()
    }

    /// Returns the descriptors to poll.
    ///
    /// - Parameters:
    ///   - listeners: The sockets whose connections no worker takes.
    ///   - now: The present instant, in nanoseconds.
    /// - Returns: The descriptors.
    func descriptors(accepting listeners: [Int32], now: UInt64) -> [Int32] {
        connections.map { $0.descriptor } + (canAccept(now) ? listeners : [])
    }

    /// Returns the number of connections that were answered since the last time.
    mutating func takeCount() -> Int {
        defer { count = 0 }
        return count
    }

    private func canAccept(_ now: UInt64) -> Bool {
        connections.count < room && resumption <= now
    }

    /// Answers and closes connections.
    ///
    /// - Parameters:
    ///   - ready: The descriptors that can be read.
    ///   - listeners: The sockets whose connections no worker takes.
    ///   - now: The present instant, in nanoseconds.
    mutating func proceed(_ ready: Set<Int32>, accepting listeners: [Int32], now: UInt64) {
        drain(ready, now)
        var waiting = listeners.filter { ready.contains($0) }
        if connections.isEmpty, !waiting.isEmpty {
            let free = DescriptorLimit.room(upTo: Self.maximumConnections + Self.reserve)
            room = max(free - Self.reserve, 1)
        }
        for _ in 0..<Self.batch {
            waiting = waiting.filter { canAccept(now) && accept(from: $0, now) }
        }
    }

    /// Takes a connection and answers it.
    ///
    /// - Returns: False if no other can be taken from there.
    private mutating func accept(from listener: Int32, _ now: UInt64) -> Bool {
        let flags = SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue
        let descriptor = accept4(listener, nil, nil, Int32(flags))
        guard descriptor >= 0 else {
            switch errno {
            case EAGAIN: return false
            case ECONNABORTED, EINTR, EPROTO: return true
            default:
                resumption = now + Self.pause
                return false
            }
        }
        let sent = Self.answer.withUnsafeBytes {
            send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT))
        }
        guard sent == Self.answer.count, shutdown(descriptor, Int32(SHUT_WR)) == 0 else {
            close(descriptor)
            return true
        }
        count += 1
        connections.append(Connection(descriptor: descriptor, deadline: now + Self.linger))
        return true
    }

    /// Takes the bytes of clients, and closes connections that are over.
    private mutating func drain(_ ready: Set<Int32>, _ now: UInt64) {
        for index in connections.indices where ready.contains(connections[index].descriptor) {
            let count = withUnsafeTemporaryAllocation(byteCount: 16_384, alignment: 1) {
                recv(
                    connections[index].descriptor, $0.baseAddress, $0.count, Int32(MSG_DONTWAIT))
            }
            if count > 0 {
                connections[index].rest -= max(count, Self.leastRead)
            } else if count == 0 || errno != EAGAIN && errno != EINTR {
                connections[index].rest = 0
            }
        }
        connections.removeAll { connection in
            guard connection.rest <= 0 || connection.deadline <= now else { return false }
            close(connection.descriptor)
            return true
        }
    }
}
