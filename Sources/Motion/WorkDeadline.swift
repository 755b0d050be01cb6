/// The instant at which the work for a rendering ends, finished or not.
///
/// Layout, tracks, and encoders check it between steps of at most a few milliseconds. A deadline
/// belongs to one render thread.
package final class WorkDeadline {
    /// Returns true once the work may not go on; nil while it has no end.
    ///
    /// The function reads a clock, or knows that nobody waits for the work any longer.
    package var isPassed: (() -> Bool)?
    private var checks = 0

    package init() {}

    /// Checks the clock.
    ///
    /// - Parameter stride: The number of calls of which one checks, for little work between two
    ///   calls.
    /// - Returns: True when the work may not go on.
    package func hasPassed(every stride: Int) -> Bool {
        checks &+= 1
        return checks % stride == 0 && hasPassed
    }
}

extension WorkDeadline {
    /// True once the work may not go on: its results up to then are not used.
    package var hasPassed: Bool { isPassed?() ?? false }
}
