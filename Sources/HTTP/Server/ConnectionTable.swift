/// The connections of one loop, found by ticket.
struct ConnectionTable {
    private var connections: [Connection?] = []
    private var generations: [UInt32] = []
    private var free: [Int] = []

    /// The number of connections.
    private(set) var count = 0

    /// The ticket that the next connection must carry.
    mutating func nextTicket() -> Ticket {
        if free.isEmpty {
            free.append(connections.count)
            connections.append(nil)
            generations.append(0)
        }
        let slot = free[free.count - 1]
        // 0 stays reserved for tokens that are no tickets.
        generations[slot] = generations[slot] == .max ? 1 : generations[slot] + 1
        return Ticket(slot: slot, generation: generations[slot])
    }

    /// Adds a connection that carries the ticket given out last.
    mutating func insert(_ connection: Connection) {
        free.removeLast()
        connections[connection.ticket.slot] = connection
        count += 1
    }

    /// The connection that a ticket was given to, if it is still there.
    subscript(_ ticket: Ticket) -> Connection? {
        guard connections.indices.contains(ticket.slot),
            generations[ticket.slot] == ticket.generation
        else { return nil }
        return connections[ticket.slot]
    }

    /// The connection in a slot.
    subscript(slot slot: Int) -> Connection? {
        connections.indices.contains(slot) ? connections[slot] : nil
    }

    /// Removes a connection.
    mutating func remove(_ connection: Connection) {
        connections[connection.ticket.slot] = nil
        free.append(connection.ticket.slot)
        count -= 1
    }

    /// All connections; O(n).
    var all: [Connection] { connections.compactMap { $0 } }
}

extension Ticket {
    /// The ticket as an event loop's token.
    var token: UInt64 { UInt64(generation) << 32 | UInt64(UInt32(truncatingIfNeeded: slot)) }

    /// The ticket of a token; nil for the token of a listener.
    init?(token: UInt64) {
        guard token >> 32 != 0 else { return nil }
        self.init(
            slot: Int(UInt32(truncatingIfNeeded: token)),
            generation: UInt32(truncatingIfNeeded: token >> 32))
    }
}
