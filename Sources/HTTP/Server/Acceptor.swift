import Glibc

/// The part of a loop that accepts connections.
///
/// When there is no room for another connection, idle connections of a client that holds more than
/// a quarter of all are closed, connections without a request first. If there are none, or no
/// descriptor is left, accepting pauses and the connections wait in the kernel. The connection that
/// found no room is kept until it finds some or another one comes.
struct Acceptor: ~Copyable {
    /// The actions of a loop for its acceptor.
    struct Actions {
        /// Returns the client of a peer; nil if its connections do not belong to one client.
        let client: (SocketAddress) -> PeerID?
        /// Closes a connection to make room for one of a client; returns false if there is none.
        let makeRoom: (_ newcomer: PeerID?) -> Bool
        /// Takes over a connection, which is counted already.
        let take: (consuming Socket, _ from: SocketAddress, _ client: PeerID?) -> Void
    }

    /// A connection that found no room.
    private struct Waiting: ~Copyable {
        let socket: Socket
        let address: SocketAddress
        let client: PeerID?
    }

    private let events: any EventLoop
    private let statistics: ServerStatistics
    private let maximumConnections: Int
    private let pause: Int64
    private var listeners: [Listener]
    private var waiting: Waiting?
    /// The instant at which to try to accept again; `never` while accepting is not paused.
    private(set) var resumption = Deadlines.never

    /// Begins to watch listeners, each under its number as a token.
    ///
    /// - Parameters:
    ///   - listeners: The loop's own, or shared with other loops.
    ///   - events: The loop.
    ///   - statistics: Counts the connections of all loops.
    ///   - maximumConnections: The connections that may be open over all loops.
    ///   - pause: The length of a pause in accepting, in nanoseconds.
    /// - Throws: `ServerError.system` when the system has no room for another watch.
    init(
        _ listeners: [Listener], events: any EventLoop, statistics: ServerStatistics,
        maximumConnections: Int, pause: Int64
    ) throws(ServerError) {
        self.listeners = listeners
        self.events = events
        self.statistics = statistics
        self.maximumConnections = maximumConnections
        self.pause = pause
        guard watchAll() else { throw .system(call: "epoll_ctl", code: errno) }
    }

    /// Takes all connections that wait, as long as there is room for them.
    mutating func acceptAll(now: Int64, _ actions: Actions) {
        if let kept = waiting.take() {
            admit(kept.socket, kept.address, kept.client, now: now, actions)
        }
        for listener in listeners {
            while resumption == Deadlines.never {
                switch listener.accept() {
                case .connection(let socket, let address):
                    admit(socket, address, actions.client(address), now: now, actions)
                    continue
                case .vanished: continue
                case .exhausted: pause(now: now)
                case .nothing: break
                }
                break
            }
        }
    }

    private mutating func admit(
        _ socket: consuming Socket, _ address: SocketAddress, _ client: PeerID?, now: Int64,
        _ actions: Actions
    ) {
        var isCounted = statistics.beginConnection(of: client, maximum: maximumConnections)
        if !isCounted, actions.makeRoom(client) {
            isCounted = statistics.beginConnection(of: client, maximum: maximumConnections)
        }
        if isCounted {
            actions.take(socket, address, client)
        } else {
            if let longest = waiting.take() { Self.refuse(longest.socket) }
            waiting = Waiting(socket: socket, address: address, client: client)
            pause(now: now)
        }
    }

    /// Says that there is no room; the connection is closed without having been read.
    private static func refuse(_ socket: borrowing Socket) {
        _ = socket.send(
            """
            HTTP/1.1 503 Service Unavailable\r
            Content-Type: application/problem+json\r
            Content-Length: 107\r
            Cache-Control: no-store\r
            Retry-After: 1\r
            Connection: close\r
            \r
            {"type":"about:blank","title":"Too many connections are open \
            (--max-connections)","status":503,"errors":[]}
            """)
        socket.finishWriting()
    }

    /// Notes that a connection has ended, so that there is room for another.
    mutating func noteRoom(now: Int64) {
        if resumption != Deadlines.never { resumption = now }
    }

    /// Watches the listeners again, if it is time; returns true if connections may wait there.
    mutating func resume(now: Int64) -> Bool {
        guard resumption <= now else { return false }
        resumption = Deadlines.never
        if !watchAll() { pause(now: now) }
        return true
    }

    /// Takes the connections that wait, because the kernel has accepted them and closing a listener
    /// would reset them; then closes the listeners, or leaves a shared one to its other owners.
    mutating func finish(now: Int64, _ actions: Actions) {
        resumption = Deadlines.never
        acceptAll(now: now, actions)
        resumption = Deadlines.never
        if let kept = waiting.take() { Self.refuse(kept.socket) }
        unwatchAll()
        listeners = []
    }

    private mutating func pause(now: Int64) {
        resumption = now + pause
        unwatchAll()
    }

    private func watchAll() -> Bool {
        for (index, listener) in listeners.enumerated() {
            guard events.watch(listener: listener, token: UInt64(index)) else { return false }
        }
        return true
    }

    private func unwatchAll() {
        for listener in listeners { events.unwatch(listener.descriptor) }
    }
}

extension EventLoop {
    fileprivate func watch(listener: Listener, token: UInt64) -> Bool {
        if listener.isShared { return watchShared(listener.descriptor, token: token) }
        return watch(listener.descriptor, for: .read, token: token)
    }
}
