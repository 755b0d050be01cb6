/// One client's connection: a state machine that is driven by readiness, answers and deadlines.
///
/// Used on its loop's queue only. A request is parsed only after the answer before it is on its
/// way, so that answers keep the order of pipelined requests.
final class Connection {
    private enum Phase {
        /// A request may come, or is coming.
        case receiving
        /// The handler owes an answer.
        case handling
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

    private let socket: Socket
    private let context: LoopContext
    private var phase = Phase.receiving
    private var parser: RequestParser
    private var output = OutputBuffer()
    /// What was read behind the request that is being answered; at most one read.
    private var unparsed: [UInt8] = []
    private var watched: Readiness = .read
    private var wait: Wait?
    private var requestCount = 0
    private var framing = ResponseFraming()

    /// Begins with a socket that is watched for reading.
    init(
        _ socket: consuming Socket, ticket: Ticket, remoteAddress: String, context: LoopContext
    ) {
        self.socket = socket
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
        guard case .handling = phase else { return }
        let failure = ProtocolFailure(.internalServerError, "the request was left unanswered")
        answer(response ?? context.handler.response(to: failure))
        settle()
    }

    /// Goes on after its deadline has passed.
    func handleDeadline() {
        let ended = wait
        wait = nil
        switch ended {
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

    /// Ends the connection if it is idle, because the server shuts down.
    ///
    /// One that never brought a request may still bring one for a little while; on any other the
    /// request that may already have arrived is served.
    func handleShutdown() {
        guard isQuiet else { return }
        guard requestCount > 0 else {
            let grace = min(context.timeouts.drainGrace, context.timeouts.idle)
            context.deadlines.set(ticket.slot, to: context.now + grace)
            return
        }
        read()
        if isQuiet { phase = .closed }
        settle()
    }

    private var isQuiet: Bool {
        guard case .receiving = phase else { return false }
        return parser.progress == .idle && unparsed.isEmpty && output.isEmpty
    }

    // MARK: Reading

    private func read() {
        switch phase {
        case .receiving where output.isEmpty: receive()
        case .lingering(let bytesLeft): drop(upTo: bytesLeft)
        // Back-pressure: what the client sends waits in the kernel.
        default: watch(for: watched.subtracting(.read))
        }
    }

    private func receive() {
        switch socket.receive(into: context.readBuffer) {
        case .bytes(let count):
            let bytes = UnsafeRawBufferPointer(rebasing: context.readBuffer[..<count])
            process(bytes.bindMemory(to: UInt8.self).span)
        case .nothing:
            break
        case .finished, .failed:
            phase = .closed
        }
    }

    private func drop(upTo bytesLeft: Int) {
        switch socket.receive(into: context.readBuffer) {
        case .bytes(let count) where count <= bytesLeft:
            phase = .lingering(bytesLeft: bytesLeft - count)
        case .nothing:
            break
        case .bytes, .finished, .failed:
            phase = .closed
        }
    }

    /// Parses and answers one request after another; keeps what must wait.
    private func process(_ input: Span<UInt8>) {
        var position = 0
        while case .receiving = phase, position < input.count, hasRoom() {
            do throws(ProtocolFailure) {
                switch try parser.parse(input, from: &position) {
                case .request(let request): begin(request)
                case .continueExpected where position == input.count:
                    output.append("HTTP/1.1 100 Continue\r\n\r\n")
                // The content is coming already (RFC 9110, 10.1.1).
                case .continueExpected, nil: break
                }
            } catch {
                fail(error)
            }
        }
        switch phase {
        case .receiving, .handling: unparsed.append(input, position..<input.count)
        case .finishing, .lingering, .closed: break
        }
    }

    private func hasRoom() -> Bool {
        if output.isFull { flush() }
        return !output.isFull
    }

    // MARK: Answering

    private func begin(_ request: Request) {
        requestCount += 1
        wait = nil
        framing = ResponseFraming(
            isHead: request.method == .head, version: request.version,
            keepsAlive: request.keepsAlive
                && requestCount < context.limits.requestsPerConnection)
        let exchange = Exchange(receiver: context.mailbox, ticket: ticket)
        context.handler.handle(request, Responder(exchange))
        if let response = exchange.finishHandling() {
            answer(response)
        } else {
            phase = .handling
        }
    }

    private func answer(_ response: Response) {
        if context.isClosing || response.fields.list("Connection", contains: "close") {
            framing.keepsAlive = false
        }
        ResponseWriter.write(response, framing, date: context.date.line, to: &output)
        phase = framing.keepsAlive ? .receiving : .finishing
    }

    private func fail(_ failure: ProtocolFailure) {
        framing = ResponseFraming(isHead: parser.isHead, keepsAlive: false)
        answer(context.handler.response(to: failure))
    }

    private func flush() {
        while !output.isEmpty {
            switch output.withUnsentBytes({ socket.send($0, $1) }) {
            case .bytes(let count):
                output.advance(by: count)
                // The client takes something: its time begins again.
                wait = nil
            case .nothing:
                return
            case .failed:
                phase = .closed
                return
            }
        }
    }

    // MARK: After each event

    /// Sends what there is, goes on with what waited for that, and says what to wait for next.
    private func settle() {
        flush()
        while case .receiving = phase, output.isEmpty, !unparsed.isEmpty {
            let input = unparsed
            unparsed = []
            process(input.span)
            flush()
        }
        if case .finishing = phase, output.isEmpty {
            socket.finishWriting()
            phase = .lingering(bytesLeft: context.limits.lingerBytes)
        }
        updateWatch()
        updateDeadline()
    }

    private func updateWatch() {
        guard output.isEmpty else {
            watch(for: watched.union(.write))
            return
        }
        switch phase {
        case .receiving, .lingering: watch(for: .read)
        // Not worth a system call: `read` takes care when bytes do come.
        case .handling: watch(for: watched.subtracting(.write))
        case .finishing, .closed: break
        }
    }

    private func watch(for readiness: Readiness) {
        guard readiness != watched, !isClosed else { return }
        watched = readiness
        context.events.change(socket.descriptor, to: readiness, token: ticket.token)
    }

    private func updateDeadline() {
        let next = nextWait
        guard next?.wait != wait || next == nil else { return }
        wait = next?.wait
        let time = next.map { context.now + $0.timeout } ?? Deadlines.never
        context.deadlines.set(ticket.slot, to: time)
    }

    /// What the connection waits for, and for how many nanoseconds; nil when it is not its client
    /// that it waits for.
    private var nextWait: (wait: Wait, timeout: Int64)? {
        let timeouts = context.timeouts
        if !output.isEmpty, !isClosed { return (.write, timeouts.write) }
        switch phase {
        case .receiving:
            switch parser.progress {
            case .idle: return (.idle, timeouts.idle)
            case .head: return (.head, timeouts.head)
            case .content: return (.body, timeouts.body)
            }
        case .lingering: return (.linger, timeouts.linger)
        case .handling, .finishing, .closed: return nil
        }
    }
}
