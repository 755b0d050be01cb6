/// The instant at which the work for a rendering ends, finished or not.
///
/// Layout, tracks, and encoders check it between steps of at most a few milliseconds. Belongs
/// to one render thread.
package final class WorkDeadline {
    /// Returns true once the work may not go on; nil while it has no end.
    ///
    /// It reads a clock, or knows that nobody waits for the work any more.
    package var isPassed: (() -> Bool)?
    private var checks = 0

    package init() {}

    /// Checks the clock.
    ///
    /// - Parameter stride: The number of calls of which one checks, where little is done between
    ///   two calls.
    /// - Returns: True when the work may not go on.
    package func hasPassed(every stride: Int) -> Bool {
        checks &+= 1
        return checks % stride == 0 && hasPassed
    }
}

extension WorkDeadline {
    /// True once the work may not go on: what it has made by then is not used.
    package var hasPassed: Bool { isPassed?() ?? false }
}
