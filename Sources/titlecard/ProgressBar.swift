import Encoders
import Glibc
import Rendering
import Synchronization

/// A bar on a terminal that shows the progress of work that takes more than a second.
///
/// A class, because the terminal has one. Its mutex guards its state: a signal removes the bar on
/// another thread.
final class ProgressBar: Sendable {
    private struct State {
        /// When the work began, and the present one of several attempts.
        var start = ProgressBar.now
        var attemptStart = ProgressBar.now
        var attempt = 1
        /// The share at the last update.
        var share = 0.0
        /// 0 while nothing is drawn.
        var lastDrawn = 0.0
        /// True once nothing is to be drawn any more.
        var isOver = false

        mutating func clear() {
            if lastDrawn > 0 { ProgressBar.write("") }
            lastDrawn = 0
        }
    }

    private let isShown: Bool
    private let state = Mutex(State())

    private static let width = 24
    /// Seconds until it appears, and between two drawings.
    private static let delay = 1.0
    private static let interval = 0.1

    /// - Parameter isQuiet: True for a bar that is never drawn.
    init(isQuiet: Bool) {
        isShown = !isQuiet && isatty(2) == 1
    }

    /// Begins with new work.
    func begin() {
        state.withLock { state in
            let isOver = state.isOver
            state = State()
            state.isOver = isOver
        }
    }

    /// Draws the bar.
    ///
    /// - Parameters:
    ///   - share: The completed share, 0…1; nil if it is unknown.
    ///   - note: The text behind the bar.
    func update(_ share: Double?, note: String = "") {
        state.withLock { draw(share, note: { _ in note }, &$0) }
    }

    /// Draws the bar for a file, with its frames, how many are made in a second, and the time left.
    ///
    /// A file that has to fit its limit is made several times, each from the beginning.
    func update(_ file: StreamedFile) { update(file.progress, of: file.frameCount) }

    /// Draws the bar for a share of so many frames, in the same way.
    func update(_ share: Double, of count: Int) {
        state.withLock { state in
            if share < state.share {
                state.attempt += 1
                state.attemptStart = Self.now
            }
            state.share = share
            let (start, attempt) = (state.attemptStart, state.attempt)
            draw(share, note: { Self.note(share, of: count, start, until: $0, attempt) }, &state)
        }
    }

    /// Removes the bar; the next update draws it again.
    func clear() {
        state.withLock { $0.clear() }
    }

    /// Removes the bar for good.
    func end() {
        state.withLock { state in
            state.clear()
            state.isOver = true
        }
    }

    private func draw(_ share: Double?, note: (_ now: Double) -> String, _ state: inout State) {
        let now = Self.now
        guard isShown, !state.isOver, now - state.start > Self.delay,
            now - state.lastDrawn > Self.interval
        else { return }
        state.lastDrawn = now
        var parts: [String] = []
        if let share {
            // A file that still grows may have more bytes by now than at first.
            let share = min(max(share, 0), 1)
            let filled = Int(share * Double(Self.width))
            let bar = String(repeating: "━", count: filled)
            let rest = String(repeating: "┄", count: Self.width - filled)
            parts.append("\(bar)\(rest) \(Int(share * 100)) %")
        }
        let note = note(now)
        if !note.isEmpty { parts.append(note) }
        Self.write(parts.joined(separator: "  "))
    }

    /// Returns the text behind the bar for a file.
    private static func note(
        _ share: Double, of count: Int, _ start: Double, until now: Double, _ attempt: Int
    ) -> String {
        let (done, seconds) = (share * Double(count), max(now - start, 0.001))
        var parts = ["\(Int(done))/\(count) frames", "\(Int((done / seconds).rounded())) fps"]
        if share > 0 {
            // More than a day is as good as a day.
            let left = Int(min(seconds * (1 - share) / share, 86_400).rounded(.up))
            let padded = left % 60 < 10 ? "0\(left % 60)" : "\(left % 60)"
            parts.append("\(left / 60):\(padded) left")
        }
        if attempt > 1 { parts.append("attempt \(attempt)") }
        return parts.joined(separator: ", ")
    }

    /// Puts a text in place of the terminal's line, as far as it has columns.
    private static func write(_ text: String) {
        var size = winsize()
        let isKnown = ioctl(2, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 1
        let line = isKnown ? String(text.prefix(Int(size.ws_col) - 1)) : text
        _ = StandardStreams.write(Array("\r\u{1B}[K\(line)".utf8), descriptor: 2)
    }

    /// Seconds of the monotonic clock.
    private static var now: Double { Double(nanoseconds(of: CLOCK_MONOTONIC)) / 1e9 }
}
