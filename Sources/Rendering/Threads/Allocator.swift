import CMalloc
import Glibc

/// The settings of the system's allocator.
package enum Allocator {
    /// Makes freed memory go back to the system; to be called before threads are started.
    ///
    /// The allocator keeps freed memory in arenas, which threads share, and takes ever larger
    /// blocks from them by default once one of that size was freed. While memory of an arena is
    /// returned, the threads that use it wait, event loops too, for tens of milliseconds where
    /// there are four; more arenas keep more.
    package static func configure() {
        mallopt(M_ARENA_MAX, 6)
        mallopt(M_MMAP_THRESHOLD, 2 << 20)
        mallopt(M_TRIM_THRESHOLD, trimThreshold)
    }

    /// The bytes at an arena's end that are kept for the next allocations.
    private static let trimThreshold: Int32 = 4 << 20

    /// Returns free memory to the system, for a thread that has nothing to do.
    ///
    /// `malloc_trim` leaves the ends of all arenas but the first. The end of the thread's own arena
    /// is examined when a block of 64 KiB or more is freed.
    static func returnFreeMemory() {
        malloc_trim(0)
        mallopt(M_TRIM_THRESHOLD, 0)
        release(malloc(128 << 10))
        mallopt(M_TRIM_THRESHOLD, trimThreshold)
    }

    /// A call of its own: a block that is allocated and freed in one function may be left out.
    @inline(never)
    private static func release(_ block: UnsafeMutableRawPointer?) {
        free(block)
    }
}
