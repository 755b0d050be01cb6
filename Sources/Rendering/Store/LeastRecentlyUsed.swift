/// Values by key in the order of their last use; every operation is O(1).
package struct LeastRecentlyUsed<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private struct Entry: Sendable {
        let key: Key
        let value: Value
        let cost: Int
    }

    /// The neighbours of an entry in the order of use, by index; apart from the entries, so that
    /// nothing else is touched when one is used.
    private struct Link: Sendable {
        var newer = none
        var older = none
    }

    /// Nil where an entry was removed.
    private var entries: [Entry?] = []
    private var links: [Link] = []
    private var freeIndices: [Int] = []
    private var indices: [Key: Int] = [:]
    private var newest = none
    private var oldest = none
    /// The sum of all costs.
    package private(set) var cost = 0

    private static var none: Int { -1 }

    package init() {}

    package var count: Int { indices.count }

    /// Returns a key's value, which becomes the newest.
    package mutating func use(_ key: Key) -> Value? {
        guard let index = indices[key] else { return nil }
        if index != newest {
            unlink(index)
            linkNewest(index)
        }
        return entries[index]?.value
    }

    /// Sets a key's value, which becomes the newest.
    package mutating func insert(_ value: Value, for key: Key, cost: Int) {
        let entry = Entry(key: key, value: value, cost: cost)
        let index: Int
        if let reused = freeIndices.popLast() {
            index = reused
            entries[index] = entry
        } else {
            index = entries.count
            entries.append(entry)
            links.append(Link())
        }
        if let replaced = indices.updateValue(index, forKey: key) { removeEntry(at: replaced) }
        self.cost += cost
        linkNewest(index)
    }

    /// Removes the oldest values until all together cost no more than a capacity.
    ///
    /// - Returns: The values that were removed, so that they need not be freed under a lock.
    package mutating func shrink(to capacity: Int) -> [Value] {
        var removed: [Value] = []
        while cost > capacity, oldest != Self.none, let entry = entries[oldest] {
            indices[entry.key] = nil
            removeEntry(at: oldest)
            removed.append(entry.value)
        }
        return removed
    }

    private mutating func removeEntry(at index: Int) {
        unlink(index)
        cost -= entries[index]?.cost ?? 0
        entries[index] = nil
        freeIndices.append(index)
    }

    private mutating func unlink(_ index: Int) {
        let link = links[index]
        if link.newer == Self.none {
            newest = link.older
        } else {
            links[link.newer].older = link.older
        }
        if link.older == Self.none {
            oldest = link.newer
        } else {
            links[link.older].newer = link.newer
        }
    }

    private mutating func linkNewest(_ index: Int) {
        links[index] = Link(newer: Self.none, older: newest)
        if newest != Self.none { links[newest].newer = index }
        newest = index
        if oldest == Self.none { oldest = index }
    }
}
