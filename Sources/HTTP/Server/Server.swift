import Dispatch
import Synchronization

/// An HTTP/1.1 server: a number of event loops, each on a serial queue of its own with its own
/// listening sockets.
package final class Server: Sendable {
    private struct State: Sendable {
        var isStarted = false
        var loops: [ConnectionLoop] = []
        var addresses: [SocketAddress] = []
    }

    private let place: ListeningPlace
    private let loopCount: Int
    private let limits: ServerLimits
    private let time: TimeSource
    private let drain: DrainSignal
    private let handler: any Handler
    private let capacity: ConnectionCapacity
    private let state = Mutex(State())
    private let running = DispatchGroup()

    /// Describes a server; nothing is opened yet.
    ///
    /// - Parameters:
    ///   - place: where to listen.
    ///   - loops: at least 1; as many as there are cores serve best.
    ///   - limits: what clients may take.
    ///   - time: the clocks.
    ///   - drain: is given by `shutdown()`.
    ///   - statistics: are kept up to date.
    ///   - handler: answers the requests.
    package init(
        on place: ListeningPlace, loops: Int, limits: ServerLimits = ServerLimits(),
        time: TimeSource = .system, drain: DrainSignal = DrainSignal(),
        statistics: ServerStatistics = ServerStatistics(), handler: any Handler
    ) {
        self.place = place
        loopCount = max(loops, 1)
        self.limits = limits
        self.time = time
        self.drain = drain
        self.handler = handler
        capacity = ConnectionCapacity(maximum: limits.maximumConnections, statistics)
    }

    /// Describes a server on a host; nothing is opened yet.
    package convenience init(
        host: String, port: UInt16, loops: Int, limits: ServerLimits = ServerLimits(),
        time: TimeSource = .system, drain: DrainSignal = DrainSignal(),
        statistics: ServerStatistics = ServerStatistics(), handler: any Handler
    ) {
        self.init(
            on: .host(host, port: port), loops: loops, limits: limits, time: time, drain: drain,
            statistics: statistics, handler: handler)
    }

    /// Binds, listens and begins to serve; returns at once. A server starts once.
    package func start() throws(ServerError) {
        let isFirst = state.withLock { state in
            defer { state.isStarted = true }
            return !state.isStarted
        }
        guard isFirst else { throw .alreadyStarted }
        let groups = try Listening.open(place, loops: loopCount, backlog: limits.backlog)
        let loops = try (0..<loopCount).map { index throws(ServerError) in
            try ConnectionLoop(
                events: try EpollLoop(), listeners: groups.map { $0[index] }, capacity: capacity,
                limits: limits, handler: handler, time: time)
        }
        state.withLock { state in
            state.loops = loops
            state.addresses = groups.compactMap { $0.first?.address }
        }
        for (index, loop) in loops.enumerated() {
            DispatchQueue(label: "http.loop.\(index)").async(group: running) { loop.run() }
        }
        if drain.isDraining { postShutdown() }
    }

    /// The addresses that the server listens on, as `host:port` or `unix:path`; empty before it has
    /// started.
    package var addresses: [String] {
        state.withLock { $0.addresses.map { $0.description } }
    }

    /// The port that the server listens on; nil before it has started, and 0 of a Unix socket.
    package var boundPort: UInt16? {
        state.withLock { $0.addresses.first?.port }
    }

    /// The number of open connections.
    package var connectionCount: Int { capacity.count }

    /// Whether `shutdown()` was called.
    package var isDraining: Bool { drain.isDraining }

    /// Begins to shut down gracefully; returns at once, may be called again and from any thread.
    ///
    /// After `drainDelay` no more connections are taken and idle ones are closed; requests in flight
    /// are answered with `Connection: close`, within `drainTimeout`.
    package func shutdown() {
        if drain.give() { postShutdown() }
    }

    /// Blocks the calling thread until the server has stopped; returns at once before `start()`.
    package func wait() {
        running.wait()
    }

    private func postShutdown() {
        for loop in state.withLock({ $0.loops }) { loop.mailbox.post(.shutdown) }
    }
}
