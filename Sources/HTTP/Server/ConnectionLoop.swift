import Synchronization

/// One event loop with its listeners and connections.
///
/// `@unchecked Sendable`: every variable is used on the one queue that calls `run`. Other threads
/// leave messages, by `post`.
final class ConnectionLoop: @unchecked Sendable {
    /// A message from another thread.
    enum Message: Sendable {
        /// The response to a request that was waiting for it; nil when it will never come.
        case response(Response?, ConnectionID)
        /// The piece of a body that its connection has asked for.
        case piece(BodyPiece, ConnectionID)
        /// The server shuts down.
        case shutdown
        /// A function that the loop calls in its turn.
        case visit(@Sendable () -> Void)
    }

    private enum Stage {
        case serving
        /// Shutdown has begun, connections are still taken.
        case delaying(until: Int64)
        /// Nothing is taken any more; open connections end.
        case closing(until: Int64)
    }

    let limits: ServerLimits
    let timeouts: Timeouts
    let handler: any Handler
    let events: any EventLoop
    /// The memory that every read fills before it is parsed.
    let readBuffer: UnsafeMutableRawBufferPointer
    /// The deadline of each connection's slot.
    var deadlines = Deadlines()
    /// The `Date` line of the present second.
    private(set) var date = DateField()

    private let time: TimeSource
    private let statistics: ServerStatistics
    /// Nil once the loop has ended and no longer reads messages.
    private let messages = Mutex<[Message]?>([])
    private var acceptor: Acceptor
    private var table = ConnectionTable()
    private var ready: [ReadyEvent] = []
    private var stage = Stage.serving
    /// The present turn's time in nanoseconds of the monotonic clock.
    private var now: Int64

    init(
        events: any EventLoop, listeners: [Listener], statistics: ServerStatistics,
        limits: ServerLimits, handler: any Handler, time: TimeSource
    ) throws(ServerError) {
        self.events = events
        self.statistics = statistics
        self.limits = limits
        timeouts = Timeouts(limits)
        self.handler = handler
        self.time = time
        acceptor = try Acceptor(
            listeners, events: events, statistics: statistics,
            maximumConnections: limits.maximumConnections, pause: timeouts.acceptPause)
        readBuffer = .allocate(byteCount: max(limits.readBytes, 1), alignment: 16)
        now = time.monotonic()
    }

    deinit { readBuffer.deallocate() }

    /// The present turn's time.
    var turn: Int64 { now }

    /// The time at this moment, which on a busy machine is later than the turn's.
    var exactNow: Int64 { time.monotonic() }

    /// True if connections end after the response that they are waiting for.
    var isClosing: Bool {
        if case .closing = stage { true } else { false }
    }

    /// Serves until the server has shut down; blocks its queue.
    func run() {
        while !isFinished {
            events.wait(timeout: timeout, into: &ready)
            tick()
            for event in ready { handle(event) }
            for message in takeMessages() { handle(message) }
            handleDeadlines()
        }
        for connection in table.all { drop(connection) }
        let rest = messages.withLock { messages in
            defer { messages = nil }
            return messages ?? []
        }
        for message in rest { discard(message) }
    }

    /// Reads the clocks, once for all events that came together.
    private func tick() {
        now = time.monotonic()
        date.update(seconds: time.wall())
    }

    private func handle(_ event: ReadyEvent) {
        guard let id = ConnectionID(token: event.token) else {
            acceptAll()
            return
        }
        guard let connection = table[id] else { return }
        connection.handle(event.readiness)
        dropIfClosed(connection)
    }

    // MARK: Messages

    /// Leaves a message, from any thread; the loop is woken for the first only.
    func post(_ message: Message) {
        let countBefore = messages.withLock { messages in
            defer { messages?.append(message) }
            return messages?.count
        }
        switch countBefore {
        case 0: events.wake()
        case nil: discard(message)
        default: break
        }
    }

    private func takeMessages() -> [Message] {
        messages.withLock { messages in
            guard let all = messages, !all.isEmpty else { return [] }
            messages = []
            return all
        }
    }

    private func handle(_ message: Message) {
        switch message {
        case .response(let response, let id):
            guard let connection = table[id] else {
                discard(message)
                return
            }
            connection.handle(response: response)
            dropIfClosed(connection)
        case .piece(let piece, let id):
            guard let connection = table[id] else { return }
            connection.handle(piece: piece)
            dropIfClosed(connection)
        case .shutdown:
            guard case .serving = stage else { return }
            stage = .delaying(until: now + timeouts.drainDelay)
        case .visit(let visitor): visitor()
        }
    }

    /// Ends the work that a message announces, because the connection that it is for, or the loop, has
    /// gone.
    private func discard(_ message: Message) {
        switch message {
        case .response(let response, _): response?.discard()
        case .visit(let visitor): visitor()
        case .piece, .shutdown: break
        }
    }

    // MARK: Deadlines

    /// The next time at which something has to be done.
    private var nextInstant: Int64 {
        let stageEnd =
            switch stage {
            case .serving: Deadlines.never
            case .delaying(let end), .closing(let end): end
            }
        return min(deadlines.next, acceptor.resumption, stageEnd)
    }

    /// The time in milliseconds until then, rounded up; -1 for no end.
    private var timeout: Int32 {
        let next = nextInstant
        guard next != Deadlines.never else { return -1 }
        let milliseconds = (next - now + 999_999) / 1_000_000
        return Int32(clamping: max(milliseconds, 0))
    }

    private func handleDeadlines() {
        while let slot = deadlines.popExpired(now: now) {
            guard let connection = table[slot: slot] else { continue }
            connection.handleDeadline()
            dropIfClosed(connection)
        }
        if acceptor.resume(now: now) { acceptAll() }
        if case .delaying(let end) = stage, end <= now { beginClosing() }
    }

    // MARK: Accepting

    private func acceptAll() {
        acceptor.acceptAll(now: now, actions)
    }

    private var actions: Acceptor.Actions {
        Acceptor.Actions(client: client, makeRoom: makeRoom, take: add)
    }

    private func client(of address: SocketAddress) -> PeerID? {
        guard let client = address.client else { return nil }
        return handler.isOneClient(address.host) ? client : nil
    }

    private func add(
        _ socket: consuming Socket, from address: SocketAddress, of client: PeerID?
    ) {
        let id = table.nextID()
        guard events.watch(socket.descriptor, for: Connection.firstReadiness, token: id.token)
        else {
            statistics.endConnection(of: client)
            return
        }
        table.insert(
            Connection(
                socket, id: id, remoteAddress: address.host, client: client, now: now, loop: self))
    }

    // MARK: Shares

    /// The number of connections among which the one to close is chosen.
    private static let candidates = 64

    /// Closes a connection of a client that holds more than its share.
    ///
    /// A client's own new connection displaces only connections that have brought no request, or
    /// none for a second.
    private func makeRoom(for newcomer: PeerID?) -> Bool {
        let share = ClientShares.share(of: limits.maximumConnections)
        let victim = best { connection in
            guard let client = connection.client, statistics.shares.connections(of: client) > share
            else { return nil }
            let age = now - connection.lastActivity
            switch connection.use {
            case .unused: return (3, age)
            case .idle where age >= 1_000_000_000: return (2, age)
            case .idle where client != newcomer: return (1, age)
            case .busy where client != newcomer: return (0, age)
            case .idle, .busy: return nil
            }
        }
        guard let victim else { return false }
        displace(victim)
        return true
    }

    /// Counts a change of the bytes that a connection holds; if all connections hold too much, the
    /// connection with the most bytes of a client that holds more than its share is closed.
    func change(_ connection: Connection, by bytes: Int) {
        let all = statistics.shares.change(connection.client, by: bytes)
        guard bytes > 0, all > limits.bufferBytes else { return }
        let share = ClientShares.share(of: limits.bufferBytes)
        let victim = best { other in
            guard other.countedBytes > 0, let client = other.client,
                statistics.shares.bytes(of: client) > share
            else { return nil }
            return (0, Int64(other.countedBytes))
        }
        if let victim, victim !== connection {
            displace(victim)
        } else {
            connection.cut()
            statistics.countDisplaced()
        }
    }

    /// Returns the connection of the highest rank, among as many as can be examined in one turn.
    private func best(_ rank: (Connection) -> (Int, Int64)?) -> Connection? {
        var best: (connection: Connection, rank: (Int, Int64))?
        for connection in table.next(Self.candidates) where !connection.isClosed {
            guard let rank = rank(connection) else { continue }
            if let known = best, known.rank >= rank { continue }
            best = (connection, rank)
        }
        return best?.connection
    }

    private func displace(_ connection: Connection) {
        connection.cut()
        statistics.countDisplaced()
        drop(connection)
    }

    // MARK: Ending

    private var isFinished: Bool {
        guard case .closing(let end) = stage else { return false }
        return table.count == 0 || end <= now
    }

    private func beginClosing() {
        stage = .closing(until: now + timeouts.drain)
        acceptor.finish(now: now, actions)
        for connection in table.all {
            connection.handleShutdown()
            dropIfClosed(connection)
        }
    }

    private func dropIfClosed(_ connection: Connection) {
        guard connection.isClosed else { return }
        drop(connection)
        acceptor.noteRoom(now: now)
    }

    private func drop(_ connection: Connection) {
        connection.abandon()
        deadlines.set(connection.id.slot, to: Deadlines.never)
        table.remove(connection)
        if connection.countedBytes > 0 {
            _ = statistics.shares.change(connection.client, by: -connection.countedBytes)
        }
        statistics.endConnection(of: connection.client)
    }
}

/// The identity of a connection among all that one loop ever has.
struct ConnectionID: Equatable, Sendable {
    /// The connection's index in its loop's table.
    let slot: Int
    /// Tells connections apart that had the same slot one after another; at least 1.
    let generation: UInt32

    /// Makes an id.
    init(slot: Int, generation: UInt32) {
        self.slot = slot
        self.generation = generation
    }

    /// Reads the id from an event loop's token; nil for the token of a listener.
    init?(token: UInt64) {
        guard token >> 32 != 0 else { return nil }
        slot = Int(UInt32(truncatingIfNeeded: token))
        generation = UInt32(truncatingIfNeeded: token >> 32)
    }

    /// The id as an event loop's token.
    var token: UInt64 { UInt64(generation) << 32 | UInt64(UInt32(truncatingIfNeeded: slot)) }
}

/// The connections of one loop, found by id.
private struct ConnectionTable {
    private var connections: [Connection?] = []
    private var generations: [UInt32] = []
    private var free: [Int] = []
    /// The slot that was visited last in a round.
    private var hand = 0

    /// The number of connections.
    private(set) var count = 0

    /// Returns the id that the next connection must carry.
    mutating func nextID() -> ConnectionID {
        if free.isEmpty {
            free.append(connections.count)
            connections.append(nil)
            generations.append(0)
        }
        let slot = free[free.count - 1]
        // 0 stays reserved for the tokens of listeners.
        generations[slot] = generations[slot] == .max ? 1 : generations[slot] + 1
        return ConnectionID(slot: slot, generation: generations[slot])
    }

    /// Adds a connection that carries the id returned last.
    mutating func insert(_ connection: Connection) {
        free.removeLast()
        connections[connection.id.slot] = connection
        count += 1
    }

    /// The connection of an id, if it is still there.
    subscript(_ id: ConnectionID) -> Connection? {
        guard connections.indices.contains(id.slot),
            generations[id.slot] == id.generation
        else { return nil }
        return connections[id.slot]
    }

    /// The connection in a slot.
    subscript(slot slot: Int) -> Connection? {
        connections.indices.contains(slot) ? connections[slot] : nil
    }

    /// Removes a connection.
    mutating func remove(_ connection: Connection) {
        connections[connection.id.slot] = nil
        free.append(connection.id.slot)
        count -= 1
    }

    /// Returns the next connections in a round over all slots.
    mutating func next(_ count: Int) -> [Connection] {
        var found: [Connection] = []
        for _ in 0..<min(count, connections.count) {
            hand = hand + 1 < connections.count ? hand + 1 : 0
            if let connection = connections[hand] { found.append(connection) }
        }
        return found
    }

    /// All connections; O(n).
    var all: [Connection] { connections.compactMap { $0 } }
}
