import CPango
import Glibc
import Raster
import Synchronization

/// Notices failures that the libraries below do not return to whoever calls them.
///
/// Belongs to one thread, from `init` to `check`.
struct LibraryWatch {
    private let messages: Int

    /// Begins to watch.
    ///
    /// - Throws: `LibraryFault.memory` if there is hardly room for a layout.
    init() throws(LibraryFault) {
        messages = GLibMessages.count
        try Self.checkMemory()
    }

    /// - Throws: `LibraryFault.warning` if a library has warned since, `LibraryFault.memory` if memory has
    ///   run short.
    func check() throws(LibraryFault) {
        if GLibMessages.count != messages, let message = GLibMessages.takeOwn() {
            throw .warning(message)
        }
        try Self.checkMemory()
    }

    /// Bytes, more than a layout takes, so that no allocation in it fails.
    private static let room = 32 << 20

    /// Throws if memory is short, which HarfBuzz does not report.
    ///
    /// - Throws: `LibraryFault.memory`.
    static func checkMemory() throws(LibraryFault) {
        guard isMemoryBounded else { return }
        let start = mmap(
            nil, room, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)
        guard start != MAP_FAILED else { throw .memory }
        munmap(start, room)
    }

    /// True if the process may be refused memory at all, instead of being ended.
    private static let isMemoryBounded: Bool = {
        [RLIMIT_AS, RLIMIT_DATA].contains { resource in
            var limit = rlimit()
            return getrlimit(__rlimit_resource_t(resource.rawValue), &limit) == 0
                && limit.rlim_cur != rlim_t.max
        }
    }()
}

/// The log of GLib, GObject and Pango, which is all that they say of many failures.
enum GLibMessages {
    private static let total = Atomic(0)
    /// The last message of each thread that has not been taken.
    private static let untaken = Mutex<[UInt: String]>([:])

    /// The number of messages since the process began to listen.
    static var count: Int {
        _ = isListening
        return total.load(ordering: .relaxed)
    }

    /// Removes and returns the last message of this thread, if there is one.
    static func takeOwn() -> String? {
        untaken.withLock { $0.removeValue(forKey: thread) }
    }

    private static var thread: UInt { UInt(pthread_self()) }

    /// Takes the place of GLib's own handler, which would write users' texts to standard error.
    private static let isListening: Bool = {
        g_log_set_default_handler(
            { domain, level, message, _ in
                guard level.rawValue & G_LOG_LEVEL_ERROR.rawValue == 0 else {
                    _ = write(2, "GLib-ERROR: ", 12)
                    if let message { _ = write(2, message, strlen(message)) }
                    _ = write(2, "\n", 1)
                    // GLib would trap, and loop forever where Swift's crash reporter resumes it.
                    abort()
                }
                let grave = G_LOG_LEVEL_CRITICAL.rawValue | G_LOG_LEVEL_WARNING.rawValue
                guard level.rawValue & grave != 0 else { return }
                GLibMessages.note(
                    domain.map { String(cString: $0) } ?? "GLib",
                    message.map { String(cString: $0) } ?? "")
            }, nil)
        return true
    }()

    private static func note(_ domain: String, _ message: String) {
        // Texts of users come after these.
        let safe = message.prefix { !".,;:='\"".contains($0) }
        untaken.withLock { $0[thread] = "\(domain): \(safe)" }
        total.wrappingAdd(1, ordering: .relaxed)
    }
}
