import Rendering
import Synchronization

/// Finished renderings in memory, bounded by bytes; those that were not asked for longest go.
final class RenderCache: Sendable {
    struct Figures: Sendable {
        var hits = 0
        var misses = 0
        var evictions = 0
        var entries = 0
        var bytes = 0
    }

    private struct State: Sendable {
        var renderings = LeastRecentlyUsed<RenderKey, Rendering>()
        var figures = Figures()
    }

    /// Bytes of all renderings together.
    let capacity: Int
    private let state = Mutex(State())

    /// - Parameter capacity: 0 keeps nothing.
    init(capacity: Int) {
        self.capacity = capacity
    }

    var figures: Figures {
        state.withLock { state in
            var figures = state.figures
            figures.entries = state.renderings.count
            figures.bytes = state.renderings.cost
            return figures
        }
    }

    /// The largest rendering that is kept: a few must not push out all others.
    var largestEntry: Int { capacity / 8 }

    /// A rendering that was kept; asking counts.
    func rendering(for key: RenderKey) -> Rendering? {
        state.withLock { state in
            let rendering = state.renderings.use(key)
            if rendering == nil { state.figures.misses += 1 } else { state.figures.hits += 1 }
            return rendering
        }
    }

    /// A rendering that was kept; looking neither counts nor makes it newer.
    func peek(_ key: RenderKey) -> Rendering? {
        state.withLock { $0.renderings.peek(key) }
    }

    /// Lets go of everything.
    func removeAll() {
        // Freed here, when the lock is open again.
        _ = state.withLock { state in
            defer { state.renderings = LeastRecentlyUsed() }
            return state.renderings
        }
    }

    /// Keeps a rendering, or counts one anew that has grown.
    func keep(_ rendering: Rendering, for key: RenderKey) {
        let cost = rendering.cost + key.request.utf8.count
        guard cost <= largestEntry else { return }
        // Freed here, when the lock is open again.
        _ = state.withLock { state in
            state.renderings.insert(rendering, for: key, cost: cost)
            let removed = state.renderings.shrink(to: capacity)
            state.figures.evictions += removed.count
            return removed
        }
    }
}
