/// One client's connection: a state machine that is driven by readiness, answers and deadlines.
///
/// Used on its loop's queue only. A request is parsed only after the answer before it is on its
/// way, so that answers keep the order of pipelined requests.
final class Connection {
    enum Phase {
        /// A request may come, or is coming.
        case receiving
        /// The handler owes an answer.
        case handling
        /// A part of an answer is on its way, and the next piece is asked for when it is sent.
        case streaming(StreamedBody)
        /// The source of an answer's body owes a piece.
        case awaiting(StreamedBody)
        /// The last answer is on its way.
        case finishing
        /// Everything is sent and the sending direction shut; what the client still sends is read
        /// and dropped, because closing with unread input would destroy the answer on its way
        /// (RFC 9112, 9.6).
        case lingering(bytesLeft: Int)
        case closed
    }

    /// What the connection's deadline is for.
    private enum Wait {
        case idle
        case head
        case body
        case write
        case linger
    }

    let ticket: Ticket

    let context: LoopContext
    var socket: WatchedSocket
    var phase = Phase.receiving
    var parser: RequestParser
    var output = OutputBuffer()
    /// What was read behind the request that is being answered; at most one read.
    var unparsed: [UInt8] = []
    var requestCount = 0
    /// How the answer to the present request is to be sent.
    var framing = ResponseFraming()
    /// The wait for an answer that did not come at once, as long as somebody may give it.
    weak var exchange: Exchange?
    /// The body that is being made.
    var stream: StreamedBody?
    /// What the deadline that is set is for; nil makes `updateDeadline` set one anew.
    private var wait: Wait?

    /// Begins with a socket that is watched for reading.
    init(
        _ socket: consuming Socket, ticket: Ticket, remoteAddress: String, context: LoopContext
    ) {
        self.socket = WatchedSocket(socket, events: context.events, token: ticket.token)
        self.ticket = ticket
        self.context = context
        parser = RequestParser(limits: context.limits, remoteAddress: remoteAddress)
        updateDeadline()
    }

    /// Whether it is at its end and waits to be dropped, which closes the socket.
    var isClosed: Bool {
        if case .closed = phase { true } else { false }
    }

    // MARK: Events

    /// Goes on after its descriptor became ready.
    func handle(_ readiness: Readiness) {
        guard !readiness.contains(.gone) else {
            phase = .closed
            return
        }
        if readiness.contains(.read) { read() }
        settle()
    }

    /// Goes on after the answer to its request has come; nil when it never will.
    func handle(answer response: Response?) {
        guard case .handling = phase else {
            response?.body.discard()
            return
        }
        let failure = ProtocolFailure(.internalServerError, "the request was left unanswered")
        answer(response ?? context.handler.response(to: failure))
        settle()
    }

    /// Goes on after its deadline has passed.
    func handleDeadline() {
        switch wait {
        case .head:
            fail(ProtocolFailure(.requestTimeout, "the head did not arrive in time"))
        case .body:
            fail(ProtocolFailure(.requestTimeout, "the body did not arrive in time"))
        case .write:
            socket.resetWhenClosed()
            phase = .closed
        case .idle, .linger:
            phase = .closed
        case nil:
            break
        }
        settle()
    }

    /// Gives the connection a last little while if it is idle, because the server shuts down: a
    /// request may be on its way, and only an answer can tell its client not to send another.
    func handleShutdown() {
        guard case .idle? = wait else { return }
        restartDeadline()
        settle()
    }

    // MARK: After each event

    /// Steps after which other connections have a turn.
    private static let stepsInARow = 16

    /// Sends what there is, goes on with what waited for that, and says what to wait for next.
    func settle() {
        flush()
        var stepsLeft = Self.stepsInARow
        while output.isEmpty, canGoOn, stepsLeft > 0 {
            goOn()
            flush()
            stepsLeft -= 1
        }
        if case .finishing = phase, output.isEmpty {
            socket.finishWriting()
            phase = .lingering(bytesLeft: context.limits.lingerBytes)
        }
        updateWatch()
        updateDeadline()
    }

    /// Whether something waits until everything before it is sent.
    private var canGoOn: Bool {
        switch phase {
        case .receiving: !unparsed.isEmpty
        case .streaming: true
        case .handling, .awaiting, .finishing, .lingering, .closed: false
        }
    }

    /// Whether the client has to take something first, or this connection's turn to come again.
    private var waitsToWrite: Bool { !output.isEmpty || canGoOn }

    private func goOn() {
        if case .streaming = phase {
            continueStream()
        } else {
            let input = unparsed
            unparsed = []
            process(input.span)
        }
    }

    /// Sends as much as the client takes, whose time begins again when it takes something.
    func flush() {
        switch socket.flush(&output) {
        case .some: wait = nil
        case .nothing: break
        case .failed: phase = .closed
        }
    }

    private func updateWatch() {
        switch phase {
        case .closed: break
        case _ where waitsToWrite: socket.watch(alsoFor: .write)
        case .receiving, .lingering: socket.watch(for: .read)
        // Reading stays on, since `read` takes care when bytes do come, which is seldom.
        case .handling, .streaming, .awaiting, .finishing: socket.watch(exceptFor: .write)
        }
    }

    private func updateDeadline() {
        let next = nextWait
        guard next?.wait != wait || next == nil else { return }
        wait = next?.wait
        // A deadline must not have passed already when a long turn ends.
        let time = next.map { context.exactNow + $0.timeout } ?? Deadlines.never
        context.deadlines.set(ticket.slot, to: time)
    }

    /// What the connection waits for, and for how many nanoseconds; nil when it is not its client
    /// that it waits for.
    private var nextWait: (wait: Wait, timeout: Int64)? {
        let timeouts = context.timeouts
        switch (phase, parser.progress) {
        case (.closed, _): return nil
        case _ where waitsToWrite: return (.write, timeouts.write)
        case (.handling, _), (.streaming, _), (.awaiting, _), (.finishing, _): return nil
        case (.lingering, _): return (.linger, timeouts.linger)
        case (.receiving, .idle):
            let last = context.isClosing ? timeouts.drainGrace : .max
            return (.idle, min(timeouts.idle, last))
        case (.receiving, .head): return (.head, timeouts.head)
        case (.receiving, .content): return (.body, timeouts.body)
        }
    }

    /// Makes the next deadline count from now, although it may be of the same kind as this one.
    func restartDeadline() { wait = nil }
}
