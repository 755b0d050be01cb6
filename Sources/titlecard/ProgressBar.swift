import Glibc
import Rendering

/// A bar on a terminal that shows the progress of work that takes more than a second.
struct ProgressBar {
    private let isShown = isatty(2) == 1
    private let start = Self.now
    private var lastDrawn = 0.0

    private static let width = 32
    /// Seconds until it appears, and between two drawings.
    private static let delay = 1.0
    private static let interval = 0.1

    /// Draws the bar.
    ///
    /// - Parameters:
    ///   - progress: The completed share, 0…1; nil if it is unknown.
    ///   - note: The text behind the bar.
    mutating func update(_ progress: Double?, note: String = "") {
        let now = Self.now
        guard isShown, now - start > Self.delay, now - lastDrawn > Self.interval else { return }
        lastDrawn = now
        var parts: [String] = []
        if let progress {
            // A file that still grows may have more bytes by now than at first.
            let progress = min(max(progress, 0), 1)
            let filled = Int(progress * Double(Self.width))
            let bar = String(repeating: "━", count: filled)
            let rest = String(repeating: "┄", count: Self.width - filled)
            parts.append("\(bar)\(rest) \(Int(progress * 100)) %")
        }
        if !note.isEmpty { parts.append(note) }
        Self.draw(parts.joined(separator: "  "))
    }

    /// Removes the bar; the next update draws it again.
    mutating func clear() {
        if lastDrawn > 0 { Self.draw("") }
        lastDrawn = 0
    }

    /// Puts a text in place of the terminal's line.
    private static func draw(_ text: String) {
        _ = StandardStreams.write(Array("\r\u{1B}[K\(text)".utf8), descriptor: 2)
    }

    /// Seconds of the monotonic clock.
    private static var now: Double { Double(nanoseconds(of: CLOCK_MONOTONIC)) / 1e9 }
}
