import Synchronization

/// Whether a server has been told to shut down; handed to the server and to whoever must know, such
/// as the handler that answers `/health`.
package final class DrainSignal: Sendable {
    private let flag = Atomic(false)

    /// Makes a signal that is not given yet.
    package init() {}

    /// True from the call of `Server.shutdown()` on.
    package var isDraining: Bool { flag.load(ordering: .acquiring) }

    /// Gives the signal; true the first time.
    func give() -> Bool { !flag.exchange(true, ordering: .acquiringAndReleasing) }
}
