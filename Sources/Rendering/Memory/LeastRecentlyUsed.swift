/// Values by key in the order of their last use; every operation is O(1).
///
/// Public, because a `package` type is never specialized in another module.
public struct LeastRecentlyUsed<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    @usableFromInline struct Entry: Sendable {
        @usableFromInline let key: Key
        @usableFromInline let value: Value
        @usableFromInline let cost: Int

        @inlinable init(key: Key, value: Value, cost: Int) {
            (self.key, self.value, self.cost) = (key, value, cost)
        }
    }

    /// The neighbours of an entry in the order of use, by index; apart from the entries, so that
    /// nothing else is touched when one is used.
    @usableFromInline struct Link: Sendable {
        @usableFromInline var newer: Int
        @usableFromInline var older: Int

        @inlinable init(newer: Int = none, older: Int = none) {
            (self.newer, self.older) = (newer, older)
        }
    }

    /// Nil where an entry was removed.
    @usableFromInline var entries: [Entry?] = []
    @usableFromInline var links: [Link] = []
    @usableFromInline var freeIndices: [Int] = []
    @usableFromInline var indices: [Key: Int] = [:]
    @usableFromInline var newest = none
    @usableFromInline var oldest = none
    @usableFromInline var total = 0

    @inlinable static var none: Int { -1 }

    @inlinable public init() {}

    /// The sum of all costs.
    @inlinable public var cost: Int { total }

    @inlinable public var count: Int { indices.count }

    /// Returns a key's value, which becomes the newest.
    @inlinable
    public mutating func use(_ key: Key) -> Value? {
        guard let index = indices[key] else { return nil }
        if index != newest {
            unlink(index)
            linkNewest(index)
        }
        return entries[index]?.value
    }

    /// Sets a key's value, which becomes the newest.
    @inlinable
    public mutating func insert(_ value: Value, for key: Key, cost: Int) {
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
        total += cost
        linkNewest(index)
    }

    /// Removes a key's value.
    ///
    /// - Returns: The value; nil if there was none.
    @inlinable
    public mutating func remove(_ key: Key) -> Value? {
        guard let index = indices.removeValue(forKey: key) else { return nil }
        let value = entries[index]?.value
        removeEntry(at: index)
        return value
    }

    /// Removes the oldest values until all together cost no more than a capacity.
    ///
    /// - Returns: The values that were removed, so that they need not be freed under a lock.
    @inlinable
    public mutating func shrink(to capacity: Int) -> [Value] {
        var removed: [Value] = []
        while total > capacity, oldest != Self.none, let entry = entries[oldest] {
            indices[entry.key] = nil
            removeEntry(at: oldest)
            removed.append(entry.value)
        }
        return removed
    }

    @inlinable
    mutating func removeEntry(at index: Int) {
        unlink(index)
        total -= entries[index]?.cost ?? 0
        entries[index] = nil
        freeIndices.append(index)
    }

    @inlinable
    mutating func unlink(_ index: Int) {
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

    @inlinable
    mutating func linkNewest(_ index: Int) {
        links[index] = Link(newer: Self.none, older: newest)
        if newest != Self.none { links[newest].newer = index }
        newest = index
        if oldest == Self.none { oldest = index }
    }
}
