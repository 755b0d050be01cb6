import Glibc

/// One event loop with its listeners and connections.
///
/// `@unchecked Sendable`: everything in it is used on the one queue that calls `run`, but the mailbox,
/// which is made for other threads.
final class ConnectionLoop: @unchecked Sendable {
    private enum Stage {
        case serving
        /// Shutdown has begun, connections are still taken.
        case delaying(until: Int64)
        /// Nothing is taken any more; what is open ends.
        case closing(until: Int64)
    }

    let mailbox: Mailbox

    private let events: any EventLoop
    private let context: LoopContext
    private let statistics: ServerStatistics
    private var acceptor: Acceptor
    private var table = ConnectionTable()
    private var ready: [ReadyEvent] = []
    private var stage = Stage.serving

    init(
        events: any EventLoop, listeners: [Listener], statistics: ServerStatistics,
        limits: ServerLimits, handler: any Handler, time: TimeSource
    ) throws(ServerError) {
        self.events = events
        self.statistics = statistics
        mailbox = Mailbox(waking: events)
        context = LoopContext(
            limits: limits, handler: handler, events: events, mailbox: mailbox, time: time)
        acceptor = try Acceptor(
            listeners, events: events, statistics: statistics,
            maximumConnections: limits.maximumConnections, pause: context.timeouts.acceptPause)
    }

    /// Serves until the server has shut down; blocks its queue.
    func run() {
        while !isFinished {
            events.wait(timeout: timeout, into: &ready)
            context.tick()
            for event in ready { handle(event) }
            for message in mailbox.takeAll() { handle(message) }
            handleDeadlines()
        }
        for connection in table.all { drop(connection) }
        mailbox.close()
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

    private func handle(_ message: Mailbox.Message) {
        switch message {
        case .response(let response, let id):
            guard let connection = table[id] else {
                message.discard()
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
            stage = .delaying(until: context.now + context.timeouts.drainDelay)
        }
    }

    // MARK: Deadlines

    /// The time in milliseconds until something has to be done, rounded up; -1 for ever.
    private var timeout: Int32 {
        let next = min(context.deadlines.next, acceptor.resumption, stageEnd)
        guard next != Deadlines.never else { return -1 }
        let milliseconds = (next - context.now + 999_999) / 1_000_000
        return Int32(clamping: max(milliseconds, 0))
    }

    private var stageEnd: Int64 {
        switch stage {
        case .serving: Deadlines.never
        case .delaying(let end), .closing(let end): end
        }
    }

    private func handleDeadlines() {
        while let slot = context.deadlines.popExpired(now: context.now) {
            guard let connection = table[slot: slot] else { continue }
            connection.handleDeadline()
            dropIfClosed(connection)
        }
        if acceptor.resume(now: context.now) { acceptAll() }
        if case .delaying(let end) = stage, end <= context.now { beginClosing() }
    }

    // MARK: Accepting

    private func acceptAll() {
        acceptor.acceptAll(now: context.now, add)
    }

    private func add(_ socket: consuming Socket, from remoteAddress: String) {
        let id = table.nextID()
        guard events.watch(socket.descriptor, for: .read, token: id.token) else {
            statistics.endConnection()
            return
        }
        table.insert(
            Connection(socket, id: id, remoteAddress: remoteAddress, context: context))
    }

    // MARK: Ending

    private var isFinished: Bool {
        guard case .closing(let end) = stage else { return false }
        return table.count == 0 || end <= context.now
    }

    private func beginClosing() {
        stage = .closing(until: context.now + context.timeouts.drain)
        acceptor.finish(now: context.now, add)
        context.isClosing = true
        for connection in table.all {
            connection.handleShutdown()
            dropIfClosed(connection)
        }
    }

    private func dropIfClosed(_ connection: Connection) {
        guard connection.isClosed else { return }
        drop(connection)
        acceptor.noteRoom(now: context.now)
    }

    private func drop(_ connection: Connection) {
        connection.abandon()
        context.deadlines.set(connection.id.slot, to: Deadlines.never)
        table.remove(connection)
        statistics.endConnection()
    }
}

/// The state that the connections of one loop share; used on the loop's queue only.
final class LoopContext {
    let limits: ServerLimits
    let timeouts: Timeouts
    let handler: any Handler
    let events: any EventLoop
    let mailbox: Mailbox
    /// The memory that every read fills before it is parsed.
    let readBuffer: UnsafeMutableRawBufferPointer
    var deadlines = Deadlines()
    /// The present turn's time in nanoseconds of the monotonic clock.
    private(set) var now: Int64
    /// The time at this moment, which on a busy machine is later than the turn's.
    var exactNow: Int64 { time.monotonic() }
    /// The `Date` line of the present second.
    private(set) var date = DateField()
    /// True if connections end after the response that they are waiting for.
    var isClosing = false

    private let time: TimeSource

    init(
        limits: ServerLimits, handler: any Handler, events: any EventLoop, mailbox: Mailbox,
        time: TimeSource
    ) {
        self.limits = limits
        timeouts = Timeouts(limits)
        self.handler = handler
        self.events = events
        self.mailbox = mailbox
        self.time = time
        readBuffer = .allocate(byteCount: max(limits.readBytes, 1), alignment: 16)
        now = time.monotonic()
    }

    deinit { readBuffer.deallocate() }

    /// Reads the clocks, once for all events that came together.
    func tick() {
        now = time.monotonic()
        date.update(seconds: time.wall())
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

    /// All connections; O(n).
    var all: [Connection] { connections.compactMap { $0 } }
}
