import Synchronization

/// What a server counts while it runs; handed to it, and to whoever shows the figures.
package final class ServerStatistics: Sendable {
    private let open = Atomic(0)
    private let accepted = Atomic(0)

    /// Makes statistics of a server that has not begun.
    package init() {}

    /// Connections that are open.
    package var openConnections: Int { open.load(ordering: .relaxed) }

    /// Connections that were accepted since the start.
    package var acceptedConnections: Int { accepted.load(ordering: .relaxed) }

    /// Counts a connection if fewer than `maximum` are open.
    ///
    /// - Returns: whether it was counted.
    func begin(unless maximum: Int) -> Bool {
        guard open.wrappingAdd(1, ordering: .relaxed).newValue <= maximum else {
            end()
            return false
        }
        accepted.wrappingAdd(1, ordering: .relaxed)
        return true
    }

    /// Counts the end of a connection.
    func end() {
        open.wrappingSubtract(1, ordering: .relaxed)
    }
}
