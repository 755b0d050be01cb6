import Glibc

/// The part of a loop that accepts connections.
///
/// When there is no room for another connection, or no descriptor, accepting pauses and the
/// connections wait in the kernel.
struct Acceptor {
    private let events: any EventLoop
    private let statistics: ServerStatistics
    private let maximumConnections: Int
    private let pause: Int64
    private var listeners: [Listener]
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
    ///
    /// - Parameters:
    ///   - now: The loop's time.
    ///   - take: Takes over a connection, which is counted already.
    mutating func acceptAll(now: Int64, _ take: (consuming Socket, _ from: String) -> Void) {
        for listener in listeners {
            while resumption == Deadlines.never {
                guard statistics.beginConnection(maximum: maximumConnections) else {
                    pause(now: now)
                    return
                }
                switch listener.accept() {
                case .connection(let socket, let remoteAddress):
                    take(socket, remoteAddress)
                    continue
                case .vanished:
                    statistics.endConnection()
                    continue
                case .exhausted:
                    pause(now: now)
                case .nothing:
                    break
                }
                statistics.endConnection()
                break
            }
        }
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
    mutating func finish(now: Int64, _ take: (consuming Socket, _ from: String) -> Void) {
        resumption = Deadlines.never
        acceptAll(now: now, take)
        resumption = Deadlines.never
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
