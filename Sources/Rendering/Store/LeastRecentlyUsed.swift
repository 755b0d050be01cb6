/// Values by key in the order of their last use; every operation is O(1).
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
    private var places: [Key: Int] = [:]
    private var newest = none
    private var oldest = none
    /// The sum of all costs.
    package private(set) var cost = 0

    private static var none: Int { -1 }

    package init() {}

    package var count: Int { places.count }

    /// A key's value, which is the newest from now on.
    package mutating func use(_ key: Key) -> Value? {
        guard let place = places[key], let node = nodes[place] else { return nil }
        if place != newest {
            unlink(node)
            linkNewest(place)
        }
        return node.value
    }

    /// A key's value, which stays as old as it is.
    package func peek(_ key: Key) -> Value? {
        places[key].flatMap { nodes[$0]?.value }
    }

    /// Sets a key's value, which is the newest.
    package mutating func insert(_ value: Value, for key: Key, cost: Int) {
        remove(key)
        let node = Node(key: key, value: value, cost: cost, newer: Self.none, older: Self.none)
        let place: Int
        if let reused = free.popLast() {
            place = reused
            nodes[place] = node
        } else {
            place = nodes.count
            nodes.append(node)
        }
        places[key] = place
        self.cost += cost
        linkNewest(place)
    }

    /// Removes the oldest values until all together cost no more than a capacity.
    ///
    /// - Returns: What was removed, so that it need not be freed under a lock.
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
        guard let place = places.removeValue(forKey: key), let node = nodes[place] else {
            return nil
        }
        unlink(node)
        cost -= node.cost
        nodes[place] = nil
        free.append(place)
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

    private mutating func linkNewest(_ place: Int) {
        nodes[place]?.newer = Self.none
        nodes[place]?.older = newest
        if newest != Self.none { nodes[newest]?.newer = place }
        newest = place
        if oldest == Self.none { oldest = place }
    }
}
