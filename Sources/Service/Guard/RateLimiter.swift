import HTTP
import Synchronization

/// The limit on the requests of one address.
package struct RateLimit: Equatable, Sendable {
    /// The average number of requests a second.
    package var perSecond: Double
    /// The number of requests that may come at once after a pause.
    package var burst: Double

    package init(perSecond: Double, burst: Double) {
        self.perSecond = perSecond
        self.burst = burst
    }
}

/// A token bucket for each address.
final class RateLimiter: Sendable {
    private struct Bucket: Sendable {
        var tokens: Double
        /// The instant of the last refill, in nanoseconds of the clock.
        var filled: Int64
    }

    private let limit: RateLimit
    private let clock: TimeSource
    private let buckets = Mutex<[IPAddress: Bucket]>([:])

    /// The number of buckets; beyond it full ones are removed, which has no effect on limits, and all
    /// if most are not full.
    private static let maximumBuckets = 100_000
    private static let maximumWait = 3600.0

    init(_ limit: RateLimit, clock: TimeSource) {
        self.limit = limit
        self.clock = clock
    }

    /// Takes tokens for one request.
    ///
    /// - Parameters:
    ///   - cost: The tokens; most requests cost one.
    ///   - address: The address that asks.
    /// - Returns: Nil if there were as many, otherwise the seconds until there are.
    func take(_ cost: Double = 1, for address: IPAddress) -> Int? {
        let now = clock.monotonic()
        return buckets.withLock { buckets in
            if buckets.count >= Self.maximumBuckets, buckets[address.client] == nil {
                buckets = buckets.filter { tokens(in: $0.value, now) < limit.burst }
                if buckets.count > Self.maximumBuckets / 2 { buckets = [:] }
            }
            var bucket = buckets[address.client] ?? Bucket(tokens: limit.burst, filled: now)
            bucket.tokens = tokens(in: bucket, now)
            bucket.filled = now
            let isAllowed = bucket.tokens >= cost
            if isAllowed { bucket.tokens -= cost }
            buckets[address.client] = bucket
            if isAllowed { return nil }
            let wait = ((cost - bucket.tokens) / limit.perSecond).rounded(.up)
            return Int(min(wait, Self.maximumWait))
        }
    }

    private func tokens(in bucket: Bucket, _ now: Int64) -> Double {
        min(
            bucket.tokens + Double(now - bucket.filled) / 1e9 * limit.perSecond, limit.burst)
    }
}
