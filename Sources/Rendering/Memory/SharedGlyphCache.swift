import Bytes
import CMalloc
import Motion
package import Raster
import Synchronization

/// Shapes and pictures of glyphs for all render threads.
///
/// The size in bytes is limited; the least recently used values are evicted.
package final class SharedGlyphCache: GlyphCache {
    package struct Metrics: Sendable {
        package var entries = 0
        package var bytes = 0
        package var evictions = 0
    }

    private struct State: Sendable {
        var values = LeastRecentlyUsed<GlyphKey, GlyphValue>()
        var fonts: [ByteString: Int] = [:]
        var lastFont = 0
        var evictions = 0
        /// Bytes that were released since memory was last returned to the system.
        var released = 0
    }

    /// Bytes of all values together.
    package let capacity: Int
    private let budget: MemoryBudget
    private let state = Mutex(State())

    /// The number of fonts that have numbers; a variable font counts once for each instance.
    private static let maximumFonts = 4096
    /// The number of released bytes after which memory is returned to the system; the allocator
    /// keeps it for the thread that freed it.
    private static let releaseLimit = 16 << 20
    /// The approximate number of bytes of a key with its entry in the list.
    private static let entryBytes = 256
    /// The divisor of the capacity that stays in use while nothing is rendered.
    private static let idleDivisor = 16

    /// - Parameters:
    ///   - capacity: The most bytes that are kept; 0 keeps nothing.
    ///   - budget: The budget that they are taken from.
    package init(capacity: Int, budget: MemoryBudget = MemoryBudget()) {
        self.capacity = capacity
        self.budget = budget
    }

    package var metrics: Metrics {
        state.withLock { state in
            Metrics(
                entries: state.values.count, bytes: state.values.cost, evictions: state.evictions)
        }
    }

    package func value(for key: GlyphKey) -> GlyphValue? {
        state.withLock { $0.values.use(key) }
    }

    package func keep(_ value: GlyphValue, for key: GlyphKey) {
        let cost = Self.entryBytes + key.outlyingBytes + value.cost
        // One entry must not push out all others.
        guard cost <= capacity / 8 else { return }
        shrink(to: capacity) { $0.insert(value, for: key, cost: cost) }
    }

    package func number(ofFont identity: String) -> Int {
        state.withLock { state in
            if let number = state.fonts[ByteString(identity)] { return number }
            if state.fonts.count >= Self.maximumFonts { state.fonts = [:] }
            // A number is never given out again, so that glyphs kept under an old one are never
            // taken for another font's.
            state.lastFont += 1
            state.fonts[ByteString(identity)] = state.lastFont
            return state.lastFont
        }
    }

    /// Releases values that were not used lately, when nothing was rendered for a while.
    package func rest() {
        shrink(to: capacity / Self.idleDivisor) { _ in }
    }

    /// Releases values that take a number of bytes, since the memory is needed.
    func shrink(by bytes: Int) {
        shrink(to: max(metrics.bytes - bytes, 0)) { _ in }
    }

    /// Makes a change and evicts the oldest values.
    private func shrink(
        to capacity: Int, after change: (inout LeastRecentlyUsed<GlyphKey, GlyphValue>) -> Void
    ) {
        if release(to: capacity, after: change) { malloc_trim(0) }
    }

    /// - Returns: True if memory is to be returned to the system.
    private func release(
        to capacity: Int, after change: (inout LeastRecentlyUsed<GlyphKey, GlyphValue>) -> Void
    ) -> Bool {
        // Freed at the end, when the lock is open again.
        let (_, isMuch) = state.withLock { state in
            change(&state.values)
            let before = state.values.cost
            let removed = state.values.shrink(
                to: budget.allowed(for: .glyphs, wanted: min(capacity, before)))
            budget.set(.glyphs, to: state.values.cost)
            state.evictions += removed.count
            state.released += before - state.values.cost
            let isMuch = state.released >= Self.releaseLimit
            if isMuch { state.released = 0 }
            return (removed, isMuch)
        }
        return isMuch
    }
}

extension GlyphValue {
    /// The approximate number of bytes in memory.
    fileprivate var cost: Int {
        switch self {
        case .outline(let outline): outline.commands.count + 4 * outline.coordinates.count + 224
        case .bytes(let bytes): bytes.count + 64
        }
    }
}
