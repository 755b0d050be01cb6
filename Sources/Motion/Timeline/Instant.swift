/// A moment of the cycle, counted from its start in tenths of a millisecond.
///
/// Every format works with these instants, which is why they agree (EFFECTS.md, *Instants*).
package struct Instant: Hashable, Comparable, Sendable {
    package static let perSecond = 10_000.0
    package static let zero = Instant(ticks: 0)

    /// Tenths of a millisecond.
    package var ticks: Int

    package var seconds: Double { Double(ticks) / Self.perSecond }

    package init(ticks: Int) {
        self.ticks = ticks
    }

    /// The nearest instant; halves go up.
    ///
    /// - Parameter seconds: Finite and far inside `Int`'s range: requests are limited before.
    package init(seconds: Double) {
        ticks = Int((seconds * Self.perSecond).rounded())
    }

    package static func < (one: Instant, other: Instant) -> Bool {
        one.ticks < other.ticks
    }
}
