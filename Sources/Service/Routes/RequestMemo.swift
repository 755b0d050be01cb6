import HTTP
import Rendering
import Synchronization

/// The requests that came before, checked, so that the same ones need not be read again.
///
/// Only of GET and HEAD, where the target and two fields say everything.
final class RequestMemo: Sendable {
    private struct Key: Hashable, Sendable {
        let target: String
        let accept: String?
        let acceptsGzip: Bool
    }

    private let requests = Mutex(LeastRecentlyUsed<Key, NegotiatedRequest>())

    /// Bytes of memory that all may take, about.
    private let capacity: Int

    /// A small part of the cache's memory; none of none.
    init(cacheCapacity: Int) {
        capacity = cacheCapacity / 16
    }

    /// Returns a checked request, which `read` reads where it is not known.
    func request(
        _ request: HTTP.Request, fonts: FontReading,
        _ read: () throws(Problem) -> NegotiatedRequest
    ) throws(Problem) -> NegotiatedRequest {
        guard request.method != .post else { return try read() }
        let key = Key(
            target: request.target, accept: request.fields.combined("Accept"),
            acceptsGzip: AcceptEncoding.acceptsGzip(request.fields.combined("Accept-Encoding")))
        if let known = requests.withLock({ $0.use(key) }), known.resolved.fonts === fonts {
            return known
        }
        let negotiated = try read()
        // The checked request is some times as large as what it was read from.
        let cost = 8 * (key.target.utf8.count + (key.accept?.utf8.count ?? 0)) + 4096
        // Freed here, when the lock is open again.
        _ = requests.withLock { requests in
            requests.insert(negotiated, for: key, cost: cost)
            return requests.shrink(to: capacity)
        }
        return negotiated
    }
}
