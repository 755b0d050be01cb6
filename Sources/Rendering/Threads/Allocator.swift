import CMalloc

/// The settings of the system's allocator.
package enum Allocator {
    /// Makes freed memory go back to the system; to be called before threads are started.
    ///
    /// The allocator keeps what is freed in arenas, which threads share, and takes ever larger blocks
    /// from them by default once one of that size was freed. While memory of an arena is returned, the
    /// threads that use it wait, event loops too, for tens of milliseconds where there are four; more
    /// arenas keep more.
    package static func configure() {
        mallopt(M_ARENA_MAX, 6)
        mallopt(M_MMAP_THRESHOLD, 2 << 20)
        mallopt(M_TRIM_THRESHOLD, 4 << 20)
    }
}
