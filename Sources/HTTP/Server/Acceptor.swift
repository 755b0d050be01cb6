import Glibc

/// The taking of connections by one loop: its listeners, and whether they are watched.
///
/// Where there is no room for another connection, be it for want of descriptors, accepting pauses
/// and the connections wait in the kernel.
struct Acceptor {
    private let events: any EventLoop
    private let capacity: ConnectionCapacity
    private let pause: Int64
    private var listeners: [Listener]
    /// When to try to accept again; `never` while accepting is not paused.
    private(set) var resumption = Deadlines.never

    /// Begins to watch listeners, each under its number as a token.
    ///
    /// - Parameters:
    ///   - listeners: its own, or shared with other loops.
    ///   - events: the loop.
    ///   - capacity: counts the connections of all loops.
    ///   - pause: how long accepting pauses, in nanoseconds.
    /// - Throws: `ServerError.system` when the system has no room for another watch.
    init(
        _ listeners: [Listener], events: any EventLoop, capacity: ConnectionCapacity, pause: Int64
    ) throws(ServerError) {
        self.listeners = listeners
        self.events = events
        self.capacity = capacity
        self.pause = pause
        guard watchAll() else { throw .system(call: "epoll_ctl", code: errno) }
    }

    /// Takes all connections that wait, as long as there is room for them.
    ///
    /// - Parameters:
    ///   - now: the loop's time.
    ///   - take: keeps a connection and its place in the capacity.
    mutating func acceptAll(now: Int64, _ take: (consuming Socket, _ from: String) -> Void) {
        for listener in listeners {
            while resumption == Deadlines.never {
                guard capacity.take() else {
                    pause(now: now)
                    return
                }
                switch listener.accept() {
                case .connection(let socket, let remoteAddress):
                    take(socket, remoteAddress)
                    continue
                case .vanished:
                    capacity.giveBack()
                    continue
                case .exhausted:
                    pause(now: now)
                case .nothing:
                    break
                }
                capacity.giveBack()
                break
            }
        }
    }

    /// Notes that a connection has ended, so that there is room for another.
    mutating func noteRoom(now: Int64) {
        if resumption != Deadlines.never { resumption = now }
    }

    /// Watches the listeners again, if it is time; whether connections may wait there.
    mutating func resume(now: Int64) -> Bool {
        guard resumption <= now else { return false }
        resumption = Deadlines.never
        if !watchAll() { pause(now: now) }
        return true
    }

    /// Takes what waits, because the kernel has accepted it and closing a listener would reset it;
    /// then closes the listeners, or leaves a shared one to its other owners.
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
