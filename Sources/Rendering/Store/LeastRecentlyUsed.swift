/// Values by key in the order of their last use; every operation is O(1).
///
/// Written by hand, for in an ordered dictionary a removal from the front is O(n).
package struct LeastRecentlyUsed<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private struct Node: Sendable {
        let key: Key
        var value: Value
        var cost: Int
        var newer: Int
        var older: Int
    }

    /// Nodes of a doubly linked list; nil where one was removed.
    private var nodes: [Node?] = []
    private var free: [Int] = []
    private var indices: [Key: Int] = [:]
    private var newest = none
    private var oldest = none
    /// The sum of all costs.
    package private(set) var cost = 0

    private static var none: Int { -1 }

    package init() {}

    package var count: Int { indices.count }

    /// Returns a key's value, which is the newest from now on.
    package mutating func use(_ key: Key) -> Value? {
        guard let index = indices[key], let node = nodes[index] else { return nil }
        if index != newest {
            unlink(node)
            linkNewest(index)
        }
        return node.value
    }

    /// Sets a key's value, which is the newest.
    package mutating func insert(_ value: Value, for key: Key, cost: Int) {
        remove(key)
        let node = Node(key: key, value: value, cost: cost, newer: Self.none, older: Self.none)
        let index: Int
        if let reused = free.popLast() {
            index = reused
            nodes[index] = node
        } else {
            index = nodes.count
            nodes.append(node)
        }
        indices[key] = index
        self.cost += cost
        linkNewest(index)
    }

    /// Removes the oldest values until all together cost no more than a capacity.
    ///
    /// - Returns: The values that were removed, so that they need not be freed under a lock.
    package mutating func shrink(to capacity: Int) -> [Value] {
        var removed: [Value] = []
        while cost > capacity, oldest != Self.none, let key = nodes[oldest]?.key,
            let value = remove(key)
        {
            removed.append(value)
        }
        return removed
    }

    @discardableResult
    private mutating func remove(_ key: Key) -> Value? {
        guard let index = indices.removeValue(forKey: key), let node = nodes[index] else {
            return nil
        }
        unlink(node)
        cost -= node.cost
        nodes[index] = nil
        free.append(index)
        return node.value
    }

    private mutating func unlink(_ node: Node) {
        if node.newer == Self.none {
            newest = node.older
        } else {
            nodes[node.newer]?.older = node.older
        }
        if node.older == Self.none {
            oldest = node.newer
        } else {
            nodes[node.older]?.newer = node.newer
        }
    }

    private mutating func linkNewest(_ index: Int) {
        nodes[index]?.newer = Self.none
        nodes[index]?.older = newest
        if newest != Self.none { nodes[newest]?.newer = index }
        newest = index
        if oldest == Self.none { oldest = index }
    }
}
