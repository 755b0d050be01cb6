import Glibc

/// The priority of the thread that one is on, which can be lowered only: raising it takes a privilege.
final class ThreadPriority {
    /// The niceness of long work: beside work of the usual niceness it gets a tenth of a processor.
    private static let lowNiceness: Int32 = 10

    private(set) var isLow = false

    func lower() {
        guard !isLow else { return }
        isLow = true
        // On Linux, of the calling thread. Where it fails, the thread keeps its priority.
        setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, Self.lowNiceness)
    }

    /// To be called before another thread begins, of the usual priority.
    func reset() { isLow = false }
}
