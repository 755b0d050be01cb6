import Bytes
import HTTP
import Rendering
import Synchronization
import Typesetting

/// A cache of checked requests.
///
/// It holds only small requests with GET and HEAD, which the target, two fields and the configuration
/// determine; with a countdown, the second does too. A permission that a configuration gave counts for that
/// one only.
final class RequestMemo: Sendable {
    struct Key: Hashable, Sendable {
        private let target: ByteString
        private let accept: ByteString?
        private let acceptsGzip: Bool
        /// The number of the configuration's reading of the fonts: each configuration has one of its own.
        private let fonts: Int
        /// The second for which a countdown was read; nil for a request that means the same at any
        /// time.
        private let second: Int64?

        /// The bytes of a target and of an `Accept` field that may be kept.
        private static let mostBytes = 2048

        /// Makes the key of a request; nil if the request is not kept.
        init?(
            _ request: HTTP.Request, of source: RenderingSource,
            _ resources: RouteResources
        ) {
            guard request.method != .post else { return nil }
            target = ByteString(request.target)
            accept = request.fields.combined("Accept").map { ByteString($0) }
            acceptsGzip = AcceptEncoding.acceptsGzip(request.fields.combined("Accept-Encoding"))
            fonts = resources.fonts.catalog.number
            second = if case .countdown(let now, _) = source { now } else { nil }
            guard byteCount <= Self.mostBytes else { return nil }
        }

        var byteCount: Int { target.utf8.count + (accept?.utf8.count ?? 0) }
    }

    private let requests = Mutex(LeastRecentlyUsed<Key, NegotiatedRequest>())

    /// The bytes of a canonical request that is kept.
    private static let mostBytes = 8192

    /// Bytes of memory.
    private let capacity: Int
    private let budget: MemoryBudget

    /// Makes a memo with a small part of the cache's capacity.
    init(cacheCapacity: Int, budget: MemoryBudget) {
        capacity = cacheCapacity / 16
        self.budget = budget
    }

    /// Returns the checked request of a key, if it is kept.
    func request(_ key: Key) -> NegotiatedRequest? {
        requests.withLock { $0.use(key) }
    }

    /// Keeps a checked request, unless it takes more memory than it had bytes when it was sent.
    func keep(_ request: NegotiatedRequest, for key: Key) {
        let canonicalBytes = request.resolved.request.canonical.utf8.count
        guard canonicalBytes <= Self.mostBytes else { return }
        // The types of a checked request take 4 KB. Its texts stand in it in several forms: as
        // written, as typeset, in the canonical request, in the key, and in the address.
        let cost = 4096 + 16 * canonicalBytes + 2 * key.byteCount
        // Requests for which there is no room any more are freed outside of the lock.
        _ = requests.withLock { requests in
            requests.insert(request, for: key, cost: cost)
            let removed = requests.shrink(
                to: budget.allowed(for: .requests, wanted: min(requests.cost, capacity)))
            budget.set(.requests, to: requests.cost)
            return removed
        }
    }

    /// Forgets all requests.
    func removeAll() {
        _ = requests.withLock { requests in
            let removed = requests.shrink(to: 0)
            budget.set(.requests, to: requests.cost)
            return removed
        }
    }
}
