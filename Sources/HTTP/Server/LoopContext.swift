/// What the connections of one loop share; used on the loop's queue only.
final class LoopContext {
    let limits: ServerLimits
    let timeouts: Timeouts
    let handler: any Handler
    let events: any EventLoop
    let mailbox: Mailbox
    /// Where every read lands before it is parsed.
    let readBuffer: UnsafeMutableRawBufferPointer
    var deadlines = Deadlines()
    /// The present turn's time in nanoseconds of the monotonic clock.
    private(set) var now: Int64
    /// The very time, which on a busy machine is later than the turn's.
    var exactNow: Int64 { time.monotonic() }
    /// The `Date` line of the present second.
    private(set) var date = DateField()
    /// Whether connections end after the answer that they are waiting for.
    var isClosing = false

    private let time: TimeSource

    init(
        limits: ServerLimits, handler: any Handler, events: any EventLoop, mailbox: Mailbox,
        time: TimeSource
    ) {
        self.limits = limits
        timeouts = Timeouts(limits)
        self.handler = handler
        self.events = events
        self.mailbox = mailbox
        self.time = time
        readBuffer = .allocate(byteCount: max(limits.readBytes, 1), alignment: 16)
        now = time.monotonic()
    }

    deinit { readBuffer.deallocate() }

    /// Reads the clocks, once for all events that came together.
    func tick() {
        now = time.monotonic()
        date.update(seconds: time.wall())
    }
}

/// The time-outs of `ServerLimits` in nanoseconds.
struct Timeouts: Sendable {
    let head: Int64
    let body: Int64
    let idle: Int64
    let write: Int64
    let linger: Int64
    let acceptPause: Int64
    let drainDelay: Int64
    let drain: Int64
    let drainGrace: Int64

    init(_ limits: ServerLimits) {
        head = Self.nanoseconds(limits.headTimeout)
        body = Self.nanoseconds(limits.bodyTimeout)
        idle = Self.nanoseconds(limits.idleTimeout)
        write = Self.nanoseconds(limits.writeTimeout)
        linger = Self.nanoseconds(limits.lingerTimeout)
        acceptPause = Self.nanoseconds(limits.acceptPause)
        drainDelay = Self.nanoseconds(limits.drainDelay)
        drain = Self.nanoseconds(limits.drainTimeout)
        drainGrace = Self.nanoseconds(limits.drainGrace)
    }

    /// At most ten years, so that adding it to the clock cannot overflow.
    private static func nanoseconds(_ duration: Duration) -> Int64 {
        let (seconds, attoseconds) = min(max(duration, .zero), .seconds(315_360_000)).components
        return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
    }
}
