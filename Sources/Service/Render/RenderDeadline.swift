import HTTP

/// How long the render threads may spend on one request.
struct RenderDeadline: Sendable {
    private let clock: TimeSource
    /// Nanoseconds of the clock; nil while the rendering rests.
    private var end: Int64?
    /// Nanoseconds that are left while it rests.
    private var left: Int64

    /// Begins to run.
    init(_ duration: Duration, clock: TimeSource) {
        self.clock = clock
        let (seconds, attoseconds) = duration.components
        left = seconds * 1_000_000_000 + attoseconds / 1_000_000_000
        run()
    }

    /// The time runs, also while the rendering waits for a thread.
    mutating func run() {
        guard end == nil else { return }
        end = clock.monotonic() + left
    }

    /// The time stands still: it is the client that is waited for.
    mutating func rest() {
        guard let end else { return }
        left = end - clock.monotonic()
        self.end = nil
    }

    var isOver: Bool {
        guard let end else { return left <= 0 }
        return clock.monotonic() >= end
    }
}
