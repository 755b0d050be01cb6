/// The seconds that one cycle may take.
package struct CycleLength: Equatable, Sendable {
    /// The fewest: a shorter cycle stands longer; nil for any.
    package var least: Double?
    /// The most: a longer cycle plays faster; nil for any.
    package var most: Double?
    /// A number of which the length is a multiple; nil for any length.
    package var step: Double?

    /// Steps that rounding may add or take away.
    private static let tolerance = 1e-6

    package init(least: Double? = nil, most: Double? = nil, step: Double? = nil) {
        (self.least, self.most, self.step) = (least, most, step)
    }

    /// True if there is a length that is all of this.
    package var isPossible: Bool {
        let shortest = least ?? step ?? 0
        return seconds(for: shortest) >= shortest
    }

    /// Returns the length of a cycle that would take so many seconds: the next one above, or else
    /// the longest.
    package func seconds(for own: Double) -> Double {
        var seconds = max(own, least ?? own)
        var longest = most ?? .infinity
        if let step {
            seconds = (seconds / step - Self.tolerance).rounded(.up) * step
            longest = (longest / step + Self.tolerance).rounded(.down) * step
        }
        return min(seconds, longest)
    }
}
