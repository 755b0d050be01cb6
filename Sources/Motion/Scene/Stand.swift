/// The time in which the finished text of a scene stands.
package struct Stand {
    /// Seconds after which all that moves is as before, and how often they fit.
    package struct Period {
        package let seconds: Double
        package let count: Int
    }

    /// The reason for which a scene has no such time.
    package enum Absence: Error {
        case endlessLoop
        /// Some text leaves before another one has arrived.
        case turns
        /// The text stands for less than the seconds after which all that moves is as before; the
        /// seconds are those of each motion.
        case longPeriod([Double])
    }

    /// The instant at which the last text has arrived, and cursors that disappear are gone.
    package private(set) var start: Instant
    /// The instant from which the text leaves, or the end of the cycle.
    package let end: Instant
    /// True if the text leaves.
    package let leaves: Bool
    /// Nil if nothing moves.
    package private(set) var period: Period?

    /// Seconds by which the rounding of instants may shorten a time.
    private static let tolerance = 2 / Instant.perSecond

    /// - Throws: `Absence` where no one time is that of all texts.
    package init(of scene: Scene) throws(Absence) {
        guard scene.loop != .infinite else { throw .endlessLoop }
        let arrival = scene.blocks.map(\.entrance.upperBound).max() ?? .zero
        let leaving = scene.blocks.compactMap(\.exit?.lowerBound).min()
        if let leaving, leaving < arrival { throw .turns }
        (start, end, leaves) = (arrival, leaving ?? scene.duration, leaving != nil)
        var periods = blinks(of: scene)
        var moving = end.seconds - arrival.seconds
        if let seconds = scene.emphasisPeriod, seconds > 0, moving > 0 {
            // A run that is the only one may have no pause after it.
            let own = min(seconds, moving)
            moving = own * ((moving + Self.tolerance) / own).rounded(.down)
            periods.append(own)
        }
        if let motion = scene.paintMotion {
            periods.append(scene.duration.seconds / Double(max(motion.count, 1)))
        }
        guard let longest = periods.max(), longest > 0 else { return }
        let room = arrival.seconds + moving - start.seconds + Self.tolerance
        guard let seconds = Self.common(periods, from: longest, to: room) else {
            throw .longPeriod(periods)
        }
        period = Period(seconds: seconds, count: Int(room / seconds))
    }

    /// Returns the seconds of a blink of each cursor that blinks, and lets the text stand once the
    /// others no longer change.
    private mutating func blinks(of scene: Scene) -> [Double] {
        var periods: [Double] = []
        let arrival = start
        for node in scene.nodes where node.role == .cursor {
            let changes = scene.tracks[node.track].opacity.changes.map(\.upperBound)
                .filter { arrival.ticks < $0 && $0 < end.ticks }
            guard let last = changes.last else { continue }
            let half = changes.count > 1 ? changes[1] - changes[0] : end.ticks
            if changes.count == 1 || last + half + 2 < end.ticks {
                start = max(start, Instant(ticks: last))
            } else {
                periods.append(2 * Instant(ticks: half).seconds)
            }
        }
        return periods
    }

    /// Returns the least multiple of the longest of some periods that is one of each; nil if it is
    /// longer than `most`.
    private static func common(
        _ periods: [Double], from longest: Double, to most: Double
    ) -> Double? {
        guard longest <= most else { return nil }
        let multiples = (1...Int(most / longest)).lazy.map { Double($0) * longest }
        return multiples.first { seconds in
            periods.allSatisfy { period in
                abs(seconds - period * (seconds / period).rounded()) <= tolerance
            }
        }
    }
}
