import Synchronization

/// How much memory long files may hold while they wait for their clients.
package final class StreamBudget: Sendable {
    /// Bytes.
    private let capacity: Int
    private let taken = Atomic(0)

    package init(capacity: Int) {
        self.capacity = capacity
    }

    /// Takes memory for a file until the share goes away; nil where too little is left.
    ///
    /// The first file always has some, however large it is: its size has a limit of its own.
    package func take(_ bytes: Int) -> Share? {
        let (before, after) = taken.wrappingAdd(bytes, ordering: .relaxed)
        guard before == 0 || after <= capacity else {
            taken.wrappingSubtract(bytes, ordering: .relaxed)
            return nil
        }
        return Share(self, bytes)
    }

    /// Some of the memory, which is given back with the last reference.
    package final class Share: Sendable {
        private let budget: StreamBudget
        private let bytes: Int

        fileprivate init(_ budget: StreamBudget, _ bytes: Int) {
            self.budget = budget
            self.bytes = bytes
        }

        deinit { budget.taken.wrappingSubtract(bytes, ordering: .relaxed) }
    }
}
