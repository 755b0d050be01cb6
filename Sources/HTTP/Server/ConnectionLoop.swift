import Glibc

/// One event loop with its listeners and connections.
///
/// `@unchecked` because everything in it is used on the one queue that calls `run`, but the mailbox,
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
    private let capacity: ConnectionCapacity
    private var acceptor: Acceptor
    private var table = ConnectionTable()
    private var ready: [ReadyEvent] = []
    private var stage = Stage.serving

    init(
        events: any EventLoop, listeners: [Listener], capacity: ConnectionCapacity,
        limits: ServerLimits, handler: any Handler, time: TimeSource
    ) throws(ServerError) {
        self.events = events
        self.capacity = capacity
        mailbox = Mailbox(waking: events)
        context = LoopContext(
            limits: limits, handler: handler, events: events, mailbox: mailbox, time: time)
        acceptor = try Acceptor(
            listeners, events: events, capacity: capacity, pause: context.timeouts.acceptPause)
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
        guard let ticket = Ticket(token: event.token) else {
            acceptAll()
            return
        }
        guard let connection = table[ticket] else { return }
        connection.handle(event.readiness)
        dropIfClosed(connection)
    }

    private func handle(_ message: Mailbox.Message) {
        switch message {
        case .answer(let response, let ticket):
            guard let connection = table[ticket] else {
                message.discard()
                return
            }
            connection.handle(answer: response)
            dropIfClosed(connection)
        case .piece(let piece, let ticket):
            guard let connection = table[ticket] else { return }
            connection.handle(piece: piece)
            dropIfClosed(connection)
        case .shutdown:
            guard case .serving = stage else { return }
            stage = .delaying(until: context.now + context.timeouts.drainDelay)
        }
    }

    // MARK: Deadlines

    /// Milliseconds until something has to be done, rounded up; -1 for ever.
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
        let ticket = table.nextTicket()
        guard events.watch(socket.descriptor, for: .read, token: ticket.token) else {
            capacity.giveBack()
            return
        }
        table.insert(
            Connection(socket, ticket: ticket, remoteAddress: remoteAddress, context: context))
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
        context.deadlines.set(connection.ticket.slot, to: Deadlines.never)
        table.remove(connection)
        capacity.giveBack()
    }
}
