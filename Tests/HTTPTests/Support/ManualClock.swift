import Synchronization

@testable import HTTP

/// A clock that a test advances.
final class ManualClock: Sendable {
    private let nanoseconds = Mutex<Int64>(1)

    func advance(seconds: Int64) {
        nanoseconds.withLock { $0 += seconds * 1_000_000_000 }
    }

    var source: TimeSource {
        TimeSource(monotonic: { self.nanoseconds.withLock { $0 } }, wall: { 0 })
    }
}
