/// The instant at which the work for a rendering ends, finished or not.
///
/// Layout, tracks, and encoders call `check` between steps of at most a few milliseconds. Belongs
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
    /// - Throws: `DeadlinePassed` when the work may not go on.
    package func check(every stride: Int = 1) throws(DeadlinePassed) {
        checks &+= 1
        guard checks % stride == 0, let isPassed, isPassed() else { return }
        throw DeadlinePassed()
    }
}

extension WorkDeadline {
    /// True once the work may not go on: what it has made by then is not used.
    package var hasPassed: Bool { isPassed?() ?? false }
}

/// The work for a rendering may not go on.
package struct DeadlinePassed: Error, Equatable, Sendable {
    package init() {}
}
