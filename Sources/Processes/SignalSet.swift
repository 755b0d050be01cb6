package import Glibc

/// A set of signals.
package struct SignalSet {
    private var set = sigset_t()

    package init(_ numbers: [Int32]) {
        sigemptyset(&set)
        for number in numbers { sigaddset(&set, number) }
    }

    /// The set of all signals.
    static var all: SignalSet {
        var all = SignalSet([])
        sigfillset(&all.set)
        return all
    }

    /// Blocks the signals for this thread, and for the threads that it starts.
    package func block() { withPointer { _ = pthread_sigmask(SIG_BLOCK, $0, nil) } }

    /// Lets the signals through to this thread.
    package func unblock() { withPointer { _ = pthread_sigmask(SIG_UNBLOCK, $0, nil) } }

    package func withPointer<Result>(_ body: (UnsafePointer<sigset_t>) -> Result) -> Result {
        withUnsafePointer(to: set, body)
    }
}
