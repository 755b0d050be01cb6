import HeapModule

/// One deadline for each slot, for as many slots as there are connections.
///
/// Setting one costs a store in the common case: when its deadline moves to a later time, a slot's
/// entry in the heap stays too early, and is corrected when it comes up. So a keep-alive connection
/// costs one heap operation per time-out instead of one per request.
struct Deadlines: Sendable {
    /// A time past all others: no deadline.
    static let never = Int64.max

    private struct Entry: Comparable, Sendable {
        var time: Int64
        var slot: Int

        static func < (left: Entry, right: Entry) -> Bool { left.time < right.time }
    }

    /// The deadline of each slot.
    private var deadlines: [Int64] = []
    /// The earliest time at which the heap holds each slot.
    private var queued: [Int64] = []
    private var heap = Heap<Entry>()

    /// The earliest time at which a deadline may have passed, or `never`.
    var next: Int64 { heap.min?.time ?? Self.never }

    /// Sets a slot's deadline, in nanoseconds of the server's clock, or takes it away by `never`.
    ///
    /// O(1), and O(log n) when the deadline moves to an earlier time.
    mutating func set(_ slot: Int, to time: Int64) {
        while deadlines.count <= slot {
            deadlines.append(Self.never)
            queued.append(Self.never)
        }
        deadlines[slot] = time
        guard time < queued[slot] else { return }
        queued[slot] = time
        heap.insert(Entry(time: time, slot: slot))
    }

    /// Removes and returns one slot whose deadline has passed; nil when there is no other.
    mutating func popExpired(now: Int64) -> Int? {
        while let first = heap.min, first.time <= now {
            heap.removeMin()
            let slot = first.slot
            // The heap may hold a slot more than once; only its earliest entry counts.
            guard queued[slot] == first.time else { continue }
            queued[slot] = Self.never
            guard deadlines[slot] > now else {
                deadlines[slot] = Self.never
                return slot
            }
            if deadlines[slot] != Self.never { set(slot, to: deadlines[slot]) }
        }
        return nil
    }
}
