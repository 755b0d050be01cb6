/// How many connections may be open over all loops.
final class ConnectionCapacity: Sendable {
    private let maximum: Int
    private let statistics: ServerStatistics

    init(maximum: Int, _ statistics: ServerStatistics) {
        self.maximum = maximum
        self.statistics = statistics
    }

    /// The number of open connections.
    var count: Int { statistics.openConnections }

    /// Takes room for one connection; false where there is none.
    func take() -> Bool { statistics.begin(unless: maximum) }

    /// Gives the room of one connection back.
    func giveBack() { statistics.end() }
}
