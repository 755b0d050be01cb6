/// Counters and sizes of the renderings that are kept.
package struct StoreMetrics: Equatable, Sendable {
    /// Requests that found a kept rendering.
    package var hits = 0
    /// Requests that found none.
    package var misses = 0
    /// Renderings that were evicted.
    package var evictions = 0
    /// Renderings that are kept.
    package var entries = 0
    /// Bytes that they take.
    package var bytes = 0
}

/// The renderings that are kept, within the bytes that they may take.
///
/// Transitions return the files that they remove, so that these are not freed under the store's lock.
struct KeptRenderings: Sendable {
    private let limits: RenderingStore.Limits
    private var files = LeastRecentlyUsed<RenderKey, RenderedFile>()
    /// The keys in `files` of renderings that are soon out of date, from the oldest.
    private var passing: [RenderKey] = []
    private var counters = StoreMetrics()

    init(_ limits: RenderingStore.Limits) {
        self.limits = limits
    }

    var metrics: StoreMetrics {
        var metrics = counters
        metrics.entries = files.count
        metrics.bytes = files.cost
        return metrics
    }

    /// Returns a rendering for a request.
    mutating func use(_ key: RenderKey) -> RenderedFile? {
        let file = files.use(key)
        if file == nil { counters.misses += 1 } else { counters.hits += 1 }
        return file
    }

    /// Keeps a file, unless it is too large.
    mutating func insert(_ file: RenderedFile, for key: RenderKey) -> [RenderedFile] {
        let cost = file.cost + key.cost
        guard cost <= limits.largestEntry else { return [] }
        files.insert(file, for: key, cost: cost)
        let dropped = key.isLasting ? nil : dropPassing(before: key)
        let wanted = min(files.cost, limits.keptBytes)
        return (dropped.map { [$0] } ?? [])
            + shrink(to: limits.budget.allowed(for: .cache, wanted: wanted))
    }

    /// Removes all but some of the newest renderings that are soon out of date, so that they push out no
    /// others.
    private mutating func dropPassing(before key: RenderKey) -> RenderedFile? {
        passing.removeAll { $0 == key }
        passing.append(key)
        guard passing.count > limits.mostPassing else { return nil }
        return files.remove(passing.removeFirst())
    }

    /// Gives way to a reservation that the budget has no room for.
    mutating func makeRoom(for bytes: Int) -> [RenderedFile] {
        let missing = bytes - limits.budget.free(for: bytes)
        return missing > 0 ? shrink(to: max(files.cost - missing, 0)) : []
    }

    /// Removes the oldest until all together have a size.
    private mutating func shrink(to bytes: Int) -> [RenderedFile] {
        let removed = files.shrink(to: bytes)
        counters.evictions += removed.count
        limits.budget.set(.cache, to: files.cost)
        return removed
    }

    mutating func removeAll() -> [any Sendable] {
        let removed = files
        files = LeastRecentlyUsed()
        limits.budget.set(.cache, to: 0)
        return [removed]
    }
}
