import CMalloc
import Glibc
import Synchronization

/// Measures the memory of the process now and then, so that the budget knows the memory that
/// libraries and the allocator keep, which cannot be counted.
final class MemoryWatch: Sendable {
    /// Nanoseconds between two measurements.
    private static let interval: Int64 = 50_000_000
    /// Nanoseconds between two attempts to give memory back.
    private static let reliefInterval: Int64 = 2_000_000_000
    /// Bytes beyond the expected bytes of the program before memory is given back if little is
    /// left: render threads open their fonts anew after it.
    private static let tolerance = 32 << 20

    private let budget: MemoryBudget
    private let expectedBytes: Int
    private let nextLook = Atomic<Int64>(0)
    private let nextRelief = Atomic<Int64>(0)
    private let reliefCount = Atomic(0)
    private let isRelieving = Atomic(false)
    private let isTrimmed = Atomic(true)

    /// - Parameters:
    ///   - budget: Gets the bytes of the program.
    ///   - expectedBytes: The least bytes of the program, with the bytes that render threads may
    ///     take without asking.
    init(_ budget: MemoryBudget, expectedBytes: Int) {
        self.budget = budget
        self.expectedBytes = expectedBytes
        budget.set(.program, to: expectedBytes)
    }

    /// A number that rises when render threads are to free the memory that libraries keep for them.
    var reliefs: Int { reliefCount.load(ordering: .relaxed) }

    /// Measures, unless it was done a moment before.
    ///
    /// - Parameter now: The nanoseconds of a monotonic clock.
    func look(now: Int64) {
        guard Self.isDue(nextLook, now, after: Self.interval) else { return }
        let bytes = budget.measure(resident: ProcessMemory.resident, program: expectedBytes)
        guard bytes > expectedBytes + Self.tolerance, budget.free < budget.capacity / 4,
            Self.isDue(nextRelief, now, after: Self.reliefInterval)
        else { return }
        isTrimmed.store(false, ordering: .relaxed)
        reliefCount.wrappingAdd(1, ordering: .relaxed)
    }

    /// Lets a render thread free the memory that libraries keep for it, unless another thread is at
    /// it, and returns unused memory to the system once after each time that `reliefs` is raised.
    ///
    /// It takes tens of milliseconds and belongs to no rendering: the other threads go on meanwhile.
    ///
    /// - Returns: False if another thread is at it.
    func relieve(_ free: () -> Void) -> Bool {
        guard !isRelieving.exchange(true, ordering: .acquiring) else { return false }
        defer { isRelieving.store(false, ordering: .releasing) }
        free()
        if !isTrimmed.exchange(true, ordering: .relaxed) { malloc_trim(0) }
        return true
    }

    /// Returns true for one of the callers that ask when something is due.
    private static func isDue(
        _ instant: borrowing Atomic<Int64>, _ now: Int64, after interval: Int64
    ) -> Bool {
        let due = instant.load(ordering: .relaxed)
        return now >= due
            && instant.compareExchange(
                expected: due, desired: now + interval, ordering: .relaxed
            ).exchanged
    }
}

/// The memory of this process as the system sees it.
package enum ProcessMemory {
    /// Bytes that are in memory; 0 if the system does not tell.
    package static var resident: Int { bytes(ofField: 1) }

    /// Bytes of addresses that only the process writes to, in memory or not: the bytes that
    /// `RLIMIT_DATA` limits, and the stack; 0 if the system does not tell.
    static var writable: Int { bytes(ofField: 5) }

    /// Returns a number of proc(5)'s `statm`.
    private static func bytes(ofField field: Int) -> Int {
        let descriptor = open("/proc/self/statm", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return 0 }
        defer { close(descriptor) }
        let pages = withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 256) { buffer in
            let text = buffer.prefix(max(read(descriptor, buffer.baseAddress, buffer.count), 0))
            let fields = text.split(separator: UInt8(ascii: " "))
            guard fields.count > field else { return 0 }
            return fields[field].reduce(0) { 10 &* $0 &+ Int($1) &- 48 }
        }
        return pages * sysconf(Int32(_SC_PAGESIZE))
    }
}
