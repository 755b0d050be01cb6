import Glibc

/// Tells a person at a terminal how far a rendering is, once it has taken a second.
struct ProgressBar {
    private let isShown = isatty(2) == 1
    private let start = Self.now
    private var lastDrawn = 0.0

    private static let width = 32
    /// Seconds until it appears, and between two drawings.
    private static let patience = 1.0
    private static let pause = 0.1

    /// - Parameter progress: 0…1.
    mutating func update(_ progress: Double) {
        let now = Self.now
        guard isShown, now - start > Self.patience, now - lastDrawn > Self.pause else { return }
        lastDrawn = now
        let filled = Int(progress * Double(Self.width))
        let bar = String(repeating: "━", count: filled)
        let rest = String(repeating: "┄", count: Self.width - filled)
        StandardStreams.complain("\r\(bar)\(rest) \(Int(progress * 100)) %", end: "")
    }

    /// Wipes the bar away.
    func finish() {
        if lastDrawn > 0 { StandardStreams.complain("\r\u{1B}[K", end: "") }
    }

    /// Seconds of a clock that only goes forward.
    private static var now: Double {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
