import CEpoll
import Glibc

/// Linux' epoll.
///
/// `@unchecked` because of the buffer of events, which only `wait` touches, on one queue.
final class EpollLoop: EventLoop, @unchecked Sendable {
    private static let wakeToken = UInt64.max

    private let epoll: Descriptor
    private let wakeup: Descriptor
    private var buffer = [epoll_event](repeating: epoll_event(), count: 256)

    /// Makes a loop that watches nothing yet.
    init() throws(ServerError) {
        epoll = try Descriptor("epoll_create1", epoll_create1(Int32(EPOLL_CLOEXEC)))
        wakeup = try Descriptor(
            "eventfd", eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK)))
        // Edge-triggered: each write wakes once, and the counter need not be read back.
        let events = EPOLLIN.rawValue | EPOLLET.rawValue
        guard control(EPOLL_CTL_ADD, wakeup.number, events, Self.wakeToken) else {
            throw .system(call: "epoll_ctl", code: errno)
        }
    }

    func watch(_ descriptor: Int32, for readiness: Readiness, token: UInt64) -> Bool {
        control(EPOLL_CTL_ADD, descriptor, Self.events(readiness), token)
    }

    func watchShared(_ descriptor: Int32, token: UInt64) -> Bool {
        control(
            EPOLL_CTL_ADD, descriptor, EPOLLIN.rawValue | EPOLLEXCLUSIVE.rawValue, token)
    }

    func unwatch(_ descriptor: Int32) {
        _ = control(EPOLL_CTL_DEL, descriptor, 0, 0)
    }

    func change(_ descriptor: Int32, to readiness: Readiness, token: UInt64) {
        _ = control(EPOLL_CTL_MOD, descriptor, Self.events(readiness), token)
    }

    func wait(timeout: Int32, into events: inout [ReadyEvent]) {
        events.removeAll(keepingCapacity: true)
        let count = epoll_wait(epoll.number, &buffer, Int32(buffer.count), timeout)
        // Below 0 is an interruption by a signal.
        for event in buffer.prefix(Int(max(count, 0))) where event.data.u64 != Self.wakeToken {
            events.append(
                ReadyEvent(token: event.data.u64, readiness: Self.readiness(event.events)))
        }
    }

    func wake() {
        eventfd_write(wakeup.number, 1)
    }

    private func control(
        _ operation: Int32, _ descriptor: Int32, _ events: UInt32, _ token: UInt64
    ) -> Bool {
        var event = epoll_event()
        event.events = events
        event.data.u64 = token
        return epoll_ctl(epoll.number, operation, descriptor, &event) == 0
    }

    private static func events(_ readiness: Readiness) -> UInt32 {
        (readiness.contains(.read) ? EPOLLIN.rawValue : 0)
            | (readiness.contains(.write) ? EPOLLOUT.rawValue : 0)
    }

    private static func readiness(_ events: UInt32) -> Readiness {
        var readiness: Readiness = []
        if events & EPOLLIN.rawValue != 0 { readiness.insert(.read) }
        if events & EPOLLOUT.rawValue != 0 { readiness.insert(.write) }
        if events & (EPOLLERR.rawValue | EPOLLHUP.rawValue) != 0 { readiness.insert(.gone) }
        return readiness
    }
}

/// A descriptor that is closed with its owner.
private struct Descriptor: ~Copyable {
    let number: Int32

    init(_ call: String, _ number: Int32) throws(ServerError) {
        guard number >= 0 else { throw .system(call: call, code: errno) }
        self.number = number
    }

    deinit { close(number) }
}
