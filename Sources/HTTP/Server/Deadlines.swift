/// One deadline a slot, for as many slots as there are connections.
///
/// Setting one costs a store in the common case: a slot's entry in the heap is left too early when
/// its deadline moves to a later time, and corrected when it comes up. So a keep-alive connection
/// costs one heap operation a time-out instead of one a request.
struct Deadlines: Sendable {
    /// A time past all others: no deadline.
    static let never = Int64.max

    private struct Entry: Sendable {
        var time: Int64
        var slot: Int
    }

    /// The deadline of each slot.
    private var deadlines: [Int64] = []
    /// The earliest time at which the heap holds each slot.
    private var queued: [Int64] = []
    private var heap: [Entry] = []

    /// The earliest time at which a deadline may have passed, or `never`.
    var next: Int64 { heap.first?.time ?? Self.never }

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
        push(Entry(time: time, slot: slot))
    }

    /// Removes and returns one slot whose deadline has passed; nil when there is no other.
    mutating func popExpired(now: Int64) -> Int? {
        while let first = heap.first, first.time <= now {
            pop()
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

    private mutating func push(_ entry: Entry) {
        heap.append(entry)
        var child = heap.count - 1
        while child > 0 {
            let parent = (child - 1) / 2
            guard heap[child].time < heap[parent].time else { return }
            heap.swapAt(child, parent)
            child = parent
        }
    }

    private mutating func pop() {
        heap.swapAt(0, heap.count - 1)
        heap.removeLast()
        var parent = 0
        while true {
            let children = [2 * parent + 1, 2 * parent + 2].filter { $0 < heap.count }
            guard let child = children.min(by: { heap[$0].time < heap[$1].time }),
                heap[child].time < heap[parent].time
            else { return }
            heap.swapAt(child, parent)
            parent = child
        }
    }
}
