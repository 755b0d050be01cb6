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
    private var listeners: [Listener]
    private var table = ConnectionTable()
    private var ready: [ReadyEvent] = []
    private var stage = Stage.serving
    /// When to try to accept again; `never` while accepting is not paused.
    private var acceptAgain = Deadlines.never

    init(
        events: any EventLoop, listeners: [Listener], capacity: ConnectionCapacity,
        limits: ServerLimits, handler: any Handler, time: TimeSource
    ) throws(ServerError) {
        self.events = events
        self.listeners = listeners
        self.capacity = capacity
        mailbox = Mailbox(waking: events)
        context = LoopContext(
            limits: limits, handler: handler, events: events, mailbox: mailbox, time: time)
        for (index, listener) in listeners.enumerated() {
            let isWatched = events.watch(listener.descriptor, for: .read, token: UInt64(index))
            guard isWatched else { throw .system(call: "epoll_ctl", code: errno) }
        }
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
        let next = min(context.deadlines.next, acceptAgain, stageEnd)
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
        if acceptAgain <= context.now { resumeAccepting() }
        if case .delaying(let end) = stage, end <= context.now { beginClosing() }
    }

    // MARK: Accepting

    private func acceptAll() {
        for listener in listeners {
            while acceptAgain == Deadlines.never, acceptOne(from: listener) {}
        }
    }

    /// Takes one connection; false when none waits or there is no room for it.
    private func acceptOne(from listener: Listener) -> Bool {
        guard capacity.take() else {
            pauseAccepting()
            return false
        }
        switch listener.accept() {
        case .connection(let socket, let remoteAddress):
            add(socket, remoteAddress: remoteAddress)
            return true
        case .vanished:
            capacity.giveBack()
            return true
        case .exhausted:
            capacity.giveBack()
            pauseAccepting()
            return false
        case .nothing:
            capacity.giveBack()
            return false
        }
    }

    private func add(_ socket: consuming Socket, remoteAddress: String) {
        let ticket = table.nextTicket()
        guard events.watch(socket.descriptor, for: .read, token: ticket.token) else {
            capacity.giveBack()
            return
        }
        table.insert(
            Connection(socket, ticket: ticket, remoteAddress: remoteAddress, context: context))
    }

    private func pauseAccepting() {
        acceptAgain = context.now + context.timeouts.acceptPause
        watchListeners(for: [])
    }

    private func resumeAccepting() {
        acceptAgain = Deadlines.never
        watchListeners(for: .read)
        acceptAll()
    }

    private func watchListeners(for readiness: Readiness) {
        for (index, listener) in listeners.enumerated() {
            events.change(listener.descriptor, to: readiness, token: UInt64(index))
        }
    }

    // MARK: Ending

    private var isFinished: Bool {
        guard case .closing(let end) = stage else { return false }
        return table.count == 0 || end <= context.now
    }

    private func beginClosing() {
        stage = .closing(until: context.now + context.timeouts.drain)
        // The kernel has accepted what waits here; closing the listener would reset it.
        acceptAgain = Deadlines.never
        acceptAll()
        acceptAgain = Deadlines.never
        listeners = []
        context.isClosing = true
        for connection in table.all {
            connection.handleShutdown()
            dropIfClosed(connection)
        }
    }

    private func dropIfClosed(_ connection: Connection) {
        guard connection.isClosed else { return }
        drop(connection)
        if acceptAgain != Deadlines.never { acceptAgain = context.now }
    }

    private func drop(_ connection: Connection) {
        connection.abandon()
        context.deadlines.set(connection.ticket.slot, to: Deadlines.never)
        table.remove(connection)
        capacity.giveBack()
    }
}
