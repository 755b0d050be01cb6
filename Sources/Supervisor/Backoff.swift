/// The time for which a worker that dies soon each time stays down.
struct Backoff {
    /// The nanoseconds for which a worker serves in a life that is not short.
    private static let longLife: UInt64 = 250_000_000
    /// The short lives in a row after which delays begin.
    private static let allowance = 12
    private static let (firstDelay, lastDelay): (UInt64, UInt64) = (100_000_000, 5_000_000_000)

    /// The short lives since the last long one.
    private var shortLives = 0

    /// Notes the end of a life.
    ///
    /// The time that a start takes does not count: workers that die while they start would never be
    /// waited for where that takes long.
    ///
    /// - Parameter service: The nanoseconds for which the worker has served.
    /// - Returns: The nanoseconds until the next one is to be started: none at first, then 0.1 s, doubled
    ///   with each short life, at most 5 s.
    mutating func delay(after service: UInt64) -> UInt64 {
        shortLives = service < Self.longLife ? shortLives + 1 : 0
        let doublings = shortLives - Self.allowance - 1
        guard doublings >= 0 else { return 0 }
        return min(Self.firstDelay << UInt64(min(doublings, 6)), Self.lastDelay)
    }
}
