import Dispatch
import Glibc
import Synchronization

/// Lines on their way to standard error: whoever logs never waits for whoever reads.
final class LogLines: Sendable {
    private struct State: Sendable {
        var bytes: [UInt8] = []
        var isScheduled = false
        var dropped = 0
    }

    static let standardError = LogLines()

    private let state = Mutex(State())
    private let queue = DispatchQueue(label: "titlecard.log")

    /// Bytes that may wait; lines beyond them are dropped and counted.
    private static let mostBytes = 1 << 20
    /// How long lines wait for others that are written with them.
    private static let delay = DispatchTimeInterval.milliseconds(5)

    /// Appends a line with its end.
    func append(_ line: [UInt8]) {
        let isIdle = state.withLock { state in
            guard state.bytes.count + line.count <= Self.mostBytes else {
                state.dropped += 1
                return false
            }
            state.bytes += line
            defer { state.isScheduled = true }
            return !state.isScheduled
        }
        if isIdle { queue.asyncAfter(deadline: .now() + Self.delay) { [self] in flush() } }
    }

    /// Writes what waits.
    func finish() {
        queue.sync { flush() }
    }

    private func flush() {
        let (bytes, dropped) = state.withLock { state in
            defer { state = State() }
            return (state.bytes, state.dropped)
        }
        _ = StandardStreams.write(bytes, descriptor: 2)
        if dropped > 0 { StandardStreams.complain(#"{"message":"\#(dropped) lines dropped"}"#) }
    }

    static func secondsSince1970() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
