import HTTP
import Synchronization

/// The number of requests that one address may send.
package struct RateLimit: Equatable, Sendable {
    /// Requests a second in the long run.
    package var perSecond: Double
    /// Requests at once after a rest.
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
        /// Nanoseconds of the clock.
        var filled: Int64
    }

    private let limit: RateLimit
    private let clock: TimeSource
    private let buckets = Mutex<[IPAddress: Bucket]>([:])

    /// Addresses that are remembered; beyond them full buckets are forgotten, which changes
    /// nothing, and all where that helps little.
    private static let mostBuckets = 100_000
    private static let longestWait = 3600.0

    init(_ limit: RateLimit, clock: TimeSource) {
        self.limit = limit
        self.clock = clock
    }

    /// Takes a token for one request.
    ///
    /// - Returns: Nil where there was one; else the seconds until there is.
    func take(for address: IPAddress) -> Int? {
        let now = clock.monotonic()
        return buckets.withLock { buckets in
            if buckets.count >= Self.mostBuckets, buckets[address.client] == nil {
                buckets = buckets.filter { tokens(in: $0.value, now) < limit.burst }
                if buckets.count > Self.mostBuckets / 2 { buckets = [:] }
            }
            var bucket = buckets[address.client] ?? Bucket(tokens: limit.burst, filled: now)
            bucket.tokens = tokens(in: bucket, now)
            bucket.filled = now
            let isWelcome = bucket.tokens >= 1
            if isWelcome { bucket.tokens -= 1 }
            buckets[address.client] = bucket
            if isWelcome { return nil }
            let wait = ((1 - bucket.tokens) / limit.perSecond).rounded(.up)
            return Int(min(wait, Self.longestWait))
        }
    }

    private func tokens(in bucket: Bucket, _ now: Int64) -> Double {
        min(
            bucket.tokens + Double(now - bucket.filled) / 1e9 * limit.perSecond, limit.burst)
    }
}
