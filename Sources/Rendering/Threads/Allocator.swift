import CMalloc

/// The settings of the system's allocator.
package enum Allocator {
    /// Makes freed memory go back to the system; to be called before threads are started.
    ///
    /// The allocator keeps what is freed in an arena for each thread by default, and takes ever larger
    /// blocks from arenas once one of that size was freed.
    package static func configure() {
        mallopt(M_ARENA_MAX, 4)
        mallopt(M_MMAP_THRESHOLD, 2 << 20)
        mallopt(M_TRIM_THRESHOLD, 4 << 20)
    }
}
