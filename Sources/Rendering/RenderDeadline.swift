/// How long the render threads may spend on one request.
package struct RenderDeadline: Sendable {
    private let now: @Sendable () -> Int64
    /// Nanoseconds of the clock; nil while the rendering rests.
    private var end: Int64?
    /// Nanoseconds that are left while it rests.
    private var left: Int64

    /// Begins to run.
    package init(_ duration: Duration, now: @escaping @Sendable () -> Int64) {
        self.now = now
        let (seconds, attoseconds) = duration.components
        left = seconds * 1_000_000_000 + attoseconds / 1_000_000_000
        run()
    }

    /// The time runs, also while the rendering waits for a thread.
    mutating func run() {
        guard end == nil else { return }
        end = now() + left
    }

    /// The time stands still: it is the client that is waited for.
    mutating func rest() {
        guard let end else { return }
        left = end - now()
        self.end = nil
    }

    package var isOver: Bool {
        guard let end else { return left <= 0 }
        return now() >= end
    }
}
