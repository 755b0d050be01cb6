import Glibc

/// The clocks that a server reads, handed in so that tests may turn them.
package struct TimeSource: Sendable {
    /// Nanoseconds of a clock that never jumps.
    package let monotonic: @Sendable () -> Int64
    /// Whole seconds since 1970, UTC, for `Date`.
    package let wall: @Sendable () -> Int64

    /// Makes a pair of clocks.
    package init(
        monotonic: @escaping @Sendable () -> Int64, wall: @escaping @Sendable () -> Int64
    ) {
        self.monotonic = monotonic
        self.wall = wall
    }

    /// The system's clocks.
    package static let system = TimeSource(
        monotonic: {
            var time = timespec()
            clock_gettime(CLOCK_MONOTONIC, &time)
            return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
        },
        wall: {
            var time = timespec()
            clock_gettime(CLOCK_REALTIME_COARSE, &time)
            return Int64(time.tv_sec)
        }
    )
}
