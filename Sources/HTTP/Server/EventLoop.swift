import CEpoll
import Glibc

/// The operations that a descriptor is ready for, or is watched for.
struct Readiness: OptionSet, Sendable {
    let rawValue: UInt8

    static let read = Readiness(rawValue: 1)
    static let write = Readiness(rawValue: 2)
    /// Both directions are shut or the connection has failed; always watched for.
    static let gone = Readiness(rawValue: 4)
    /// The peer sends no more, or has gone without a word.
    static let halfClosed = Readiness(rawValue: 8)
}

/// One descriptor's readiness, with the token under which it is watched.
struct ReadyEvent: Sendable {
    var token: UInt64
    var readiness: Readiness
}

/// A facility of the system for waiting for many descriptors at once.
///
/// To add one, such as kqueue's, conform a class and make it in `Server.start`. Readiness is level
/// triggered: it is told again and again until it is used or no longer watched for. Everything but
/// `wake` is called on the loop's own queue only.
protocol EventLoop: AnyObject, Sendable {
    /// Begins to watch a descriptor; closing it ends that.
    ///
    /// - Returns: False when the system has no room for another.
    func watch(_ descriptor: Int32, for readiness: Readiness, token: UInt64) -> Bool

    /// Begins to watch a listening descriptor that other loops watch too, for reading: at least
    /// one of them is told of each event, but not every one.
    ///
    /// - Returns: False when the system has no room for another.
    func watchShared(_ descriptor: Int32, token: UInt64) -> Bool

    /// Changes the readiness for which a descriptor that is not shared is watched.
    func change(_ descriptor: Int32, to readiness: Readiness, token: UInt64)

    /// Ceases to watch a descriptor that stays open.
    func unwatch(_ descriptor: Int32)

    /// Waits for events, a call of `wake` or the end of a time, and replaces the list by the events
    /// that there are, of which there may be none.
    ///
    /// - Parameters:
    ///   - timeout: Milliseconds; negative for no end.
    ///   - events: The list.
    func wait(timeout: Int32, into events: inout [ReadyEvent])

    /// Makes the present or next `wait` return at once; from any thread.
    func wake()
}

/// The event loop of Linux (epoll(7)).
///
/// `@unchecked Sendable` because of the buffer of events, which only `wait` touches, on one queue.
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
            | (readiness.contains(.halfClosed) ? EPOLLRDHUP.rawValue : 0)
    }

    private static func readiness(_ events: UInt32) -> Readiness {
        var readiness: Readiness = []
        if events & EPOLLIN.rawValue != 0 { readiness.insert(.read) }
        if events & EPOLLOUT.rawValue != 0 { readiness.insert(.write) }
        if events & EPOLLRDHUP.rawValue != 0 { readiness.insert(.halfClosed) }
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
