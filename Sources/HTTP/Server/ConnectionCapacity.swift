import Synchronization

/// How many connections are open over all loops, and how many may be.
final class ConnectionCapacity: Sendable {
    private let maximum: Int
    private let taken = Atomic(0)

    init(maximum: Int) {
        self.maximum = maximum
    }

    /// The number of open connections.
    var count: Int { taken.load(ordering: .relaxed) }

    /// Takes room for one connection; false where there is none.
    func take() -> Bool {
        guard taken.wrappingAdd(1, ordering: .relaxed).newValue <= maximum else {
            giveBack()
            return false
        }
        return true
    }

    /// Gives the room of one connection back.
    func giveBack() {
        taken.wrappingSubtract(1, ordering: .relaxed)
    }
}
