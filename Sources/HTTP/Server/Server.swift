import Dispatch
import Glibc
import Synchronization

/// An HTTP/1.1 server: a number of event loops, each on a serial queue of its own with its own
/// listening sockets.
package final class Server: Sendable {
    private struct State: Sendable {
        var isStarted = false
        var loops: [ConnectionLoop] = []
        var addresses: [SocketAddress] = []
    }

    private let address: BindAddress
    private let loopCount: Int
    private let limits: ServerLimits
    private let time: TimeSource
    private let drain: DrainSignal
    private let handler: any Handler
    private let statistics: ServerStatistics
    private let state = Mutex(State())
    private let running = DispatchGroup()

    /// Describes a server; nothing is opened yet.
    ///
    /// - Parameters:
    ///   - address: The address to listen on.
    ///   - loops: The number of event loops, at least 1; as many as there are cores serve best.
    ///   - limits: The resources that clients may take.
    ///   - time: The clocks.
    ///   - drain: Set by `shutdown()`.
    ///   - statistics: Kept up to date while the server runs.
    ///   - handler: Responds to the requests.
    package init(
        on address: BindAddress, loops: Int, limits: ServerLimits = ServerLimits(),
        time: TimeSource = .system, drain: DrainSignal = DrainSignal(),
        statistics: ServerStatistics = ServerStatistics(), handler: any Handler
    ) {
        self.address = address
        loopCount = max(loops, 1)
        self.limits = limits
        self.time = time
        self.drain = drain
        self.handler = handler
        self.statistics = statistics
    }

    /// Binds, listens and begins to serve; returns at once. A server starts once.
    package func start() throws(ServerError) {
        let isFirst = state.withLock { state in
            defer { state.isStarted = true }
            return !state.isStarted
        }
        guard isFirst else { throw .alreadyStarted }
        let groups = try address.open(loops: loopCount, backlog: limits.backlog)
        let loops = try (0..<loopCount).map { index throws(ServerError) in
            try ConnectionLoop(
                events: try EpollLoop(), listeners: groups.map { $0[index] },
                statistics: statistics, limits: limits, handler: handler, time: time)
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

    /// The port that the server listens on; nil before it has started, and 0 for a Unix socket.
    package var boundPort: UInt16? {
        state.withLock { $0.addresses.first?.port }
    }

    /// The number of open connections.
    package var connectionCount: Int { statistics.openConnections }

    /// True once `shutdown()` was called.
    package var isDraining: Bool { drain.isDraining }

    /// Begins to shut down gracefully; returns at once, may be called again and from any thread.
    ///
    /// After `drainDelay` no more connections are taken and idle ones are closed; requests in
    /// progress get responses with `Connection: close`, within `drainTimeout`.
    package func shutdown() {
        if drain.set() { postShutdown() }
    }

    /// Calls a function once every event loop has had a turn, one after another; returns at once.
    ///
    /// It is never called while a loop hangs.
    package func visitLoops(then end: @escaping @Sendable () -> Void) {
        Self.visit(state.withLock { $0.loops }, from: 0, then: end)
    }

    private static func visit(
        _ loops: [ConnectionLoop], from index: Int, then end: @escaping @Sendable () -> Void
    ) {
        guard index < loops.count else { return end() }
        loops[index].post(.visit { visit(loops, from: index + 1, then: end) })
    }

    /// Blocks the calling thread until the server has stopped; returns at once before `start()`.
    package func wait() {
        running.wait()
    }

    private func postShutdown() {
        for loop in state.withLock({ $0.loops }) { loop.post(.shutdown) }
    }
}

/// A flag that is set when a server begins to shut down; shared by the server and every part that
/// must know, such as the handler of `/health`.
package final class DrainSignal: Sendable {
    private let flag = Atomic(false)

    /// Makes a flag that is not set.
    package init() {}

    /// True from the call of `Server.shutdown()` on.
    package var isDraining: Bool { flag.load(ordering: .acquiring) }

    /// Sets the flag; returns true the first time.
    func set() -> Bool { !flag.exchange(true, ordering: .acquiringAndReleasing) }
}

/// The counts of a server while it runs; shared by the server and the parts that report them.
package final class ServerStatistics: Sendable {
    private let open = Atomic(0)
    private let accepted = Atomic(0)
    private let refused = Atomic(0)
    let shares = ClientShares()

    /// Makes statistics of a server that has not begun.
    package init() {}

    /// The number of open connections.
    package var openConnections: Int { open.load(ordering: .relaxed) }

    /// The number of connections that were closed because their client had more than its share.
    package var displacedConnections: Int { refused.load(ordering: .relaxed) }

    /// Bytes that connections hold of requests and answers.
    package var bufferBytes: Int { shares.bytes }

    /// The number of connections that were accepted since the start.
    package var acceptedConnections: Int { accepted.load(ordering: .relaxed) }

    /// Counts a connection if fewer than `maximum` are open.
    ///
    /// - Returns: True if it was counted.
    func beginConnection(of client: PeerID?, maximum: Int) -> Bool {
        guard open.wrappingAdd(1, ordering: .relaxed).newValue <= maximum else {
            open.wrappingSubtract(1, ordering: .relaxed)
            return false
        }
        accepted.wrappingAdd(1, ordering: .relaxed)
        shares.beginConnection(of: client)
        return true
    }

    /// Counts the end of a connection.
    func endConnection(of client: PeerID?) {
        open.wrappingSubtract(1, ordering: .relaxed)
        shares.endConnection(of: client)
    }

    /// Counts a connection that was closed for the sake of others.
    func countDisplaced() { refused.wrappingAdd(1, ordering: .relaxed) }
}

/// The clocks that a server reads, a parameter so that tests may set them.
package struct TimeSource: Sendable {
    /// Returns nanoseconds of a clock that never jumps.
    package let monotonic: @Sendable () -> Int64
    /// Returns whole seconds since 1970, UTC, for `Date`.
    package let wall: @Sendable () -> Int64

    /// Makes a pair of clocks.
    package init(
        monotonic: @escaping @Sendable () -> Int64, wall: @escaping @Sendable () -> Int64
    ) {
        self.monotonic = monotonic
        self.wall = wall
    }

    /// The system's clocks.
    package static let system = TimeSource(
        monotonic: {
            var time = timespec()
            clock_gettime(CLOCK_MONOTONIC, &time)
            return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
        },
        wall: {
            var time = timespec()
            clock_gettime(CLOCK_REALTIME_COARSE, &time)
            return Int64(time.tv_sec)
        }
    )
}

/// A reason for which a server could not start.
package enum ServerError: Error, Equatable, Sendable {
    /// The host name or address is unknown; the reason is the resolver's.
    case cannotResolve(host: String, reason: String)
    /// Another socket listens on this address.
    case addressInUse(address: String)
    /// The address belongs to no interface of this machine.
    case addressNotAvailable(address: String)
    /// The port is reserved for privileged processes.
    case permissionDenied(address: String)
    /// An inherited descriptor is not a listening stream socket.
    case notAListener(descriptor: Int32)
    /// A variable of the environment that concerns sockets is malformed.
    case badVariable(String, value: String)
    /// Any other failure of a system call.
    case system(call: String, code: Int32)
    /// `start()` was called before.
    case alreadyStarted
}

extension ServerError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .cannotResolve(let host, let reason): "cannot resolve \"\(host)\": \(reason)"
        case .addressInUse(let address): "\(address) is in use by another process"
        case .addressNotAvailable(let address): "\(address) is not an address of this machine"
        case .permissionDenied(let address): "no permission to listen on \(address)"
        case .notAListener(let descriptor):
            "descriptor \(descriptor) is not a listening stream socket"
        case .badVariable(let name, let value):
            "\(name) has a value that is not understood: \"\(value)\""
        case .system(let call, let code): "\(call) failed: \(String(cString: strerror(code)))"
        case .alreadyStarted: "the server has already been started"
        }
    }
}

extension ServerError {
    /// Returns the failure of a call that concerns an address.
    static func system(call: String, address: String, code: Int32) -> ServerError {
        switch code {
        case EADDRINUSE: .addressInUse(address: address)
        case EADDRNOTAVAIL: .addressNotAvailable(address: address)
        case EACCES, EPERM: .permissionDenied(address: address)
        default: .system(call: call, code: code)
        }
    }
}
