import Motion
import Synchronization

/// Whether renderings succeed; `/health` reports it.
package final class RenderHealth: Sendable {
    /// Read for every rendering, so without a lock.
    private let isFailing = Atomic(false)
    private let faults = Mutex<[LibraryFault]>([])

    /// Different faults that are remembered.
    private static let maximumFaults = 8

    package init() {}

    /// The reasons why renderings fail, in the order in which they came up; empty where the last one
    /// succeeded.
    package var reasons: [String] {
        guard isFailing.load(ordering: .acquiring) else { return [] }
        return faults.withLock { $0.map(\.description) }
    }

    /// Notes a rendering that a library made fail.
    func noteFailure(_ fault: LibraryFault) {
        faults.withLock { faults in
            if faults.count < Self.maximumFaults, !faults.contains(fault) { faults.append(fault) }
            isFailing.store(true, ordering: .releasing)
        }
    }

    /// Notes a rendering that succeeded.
    func noteSuccess() {
        guard isFailing.load(ordering: .relaxed) else { return }
        faults.withLock { faults in
            faults = []
            isFailing.store(false, ordering: .releasing)
        }
    }
}
