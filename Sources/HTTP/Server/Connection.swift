/// One client's connection: a state machine that is driven by readiness, responses and deadlines.
///
/// Used on its loop's queue only. A request is parsed only after the response before it is on its
/// way, so that responses keep the order of pipelined requests.
final class Connection {
    private enum Phase {
        /// A request may come, or is coming.
        case receiving
        /// The handler owes a response.
        case handling
        /// A part of a response is on its way, and the next piece is asked for when it is sent.
        case streaming(StreamedBody)
        /// The source of a response's body owes a piece.
        case awaiting(StreamedBody)
        /// The last response is on its way.
        case finishing
        /// Everything is sent and the sending direction shut; bytes that the client still sends are
        /// read and dropped, because closing with unread input would destroy the response on its
        /// way (RFC 9112, 9.6).
        case lingering(bytesLeft: Int)
        case closed
    }

    /// The purpose of the connection's deadline.
    private enum Wait {
        case idle
        case head
        case body
        case write
        case linger
    }

    /// The use of a connection, by which it is kept or closed.
    enum Use {
        /// It has brought no request.
        case unused
        case idle
        case busy
    }

    /// The readiness that the event loop watches a new socket for.
    static let firstReadiness: Readiness = [.read, .halfClosed]

    /// The connection's identity among the connections of its loop.
    let id: ConnectionID
    /// The client whose connection it is; nil for a proxy.
    let client: PeerID?
    /// The instant at which it began or brought its last request.
    private(set) var lastActivity: Int64
    /// The bytes that it holds, as they were counted last.
    private(set) var countedBytes = 0

    private let loop: ConnectionLoop
    private let socket: Socket
    /// The readiness that the event loop watches the socket for.
    private var watched = Connection.firstReadiness
    private var phase = Phase.receiving
    private var parser: RequestParser
    private var output = OutputBuffer()
    /// The bytes that were sent of all responses together.
    private var sentBytes = 0
    private var observed = ObservedResponses()
    /// Bytes that were read after the request in progress; at most one read.
    private var unparsed: [UInt8] = []
    private var requestCount = 0
    /// The form in which the response to the present request is to be sent.
    private var framing = ResponseFraming()
    /// The promise of a response that did not come at once, as long as somebody may fulfill it.
    private weak var promise: Promise<Response>?
    /// The body that is being made.
    private var stream: StreamedBody?
    /// True once the client has shut its sending side, or has gone without a word.
    private var isHalfClosed = false
    /// The bytes of the present response that were sent before it was known.
    private var probedBytes = 0
    /// True once a piece of the present response's content was begun before it was known.
    private var isContentProbed = false
    private var pace = WritePace()
    /// The purpose of the deadline that is set; nil makes `updateDeadline` set one anew.
    private var wait: Wait?

    /// Begins with a socket that is watched for reading.
    init(
        _ socket: consuming Socket, id: ConnectionID, remoteAddress: String, client: PeerID?,
        now: Int64, loop: ConnectionLoop
    ) {
        self.socket = socket
        self.id = id
        self.client = client
        lastActivity = now
        self.loop = loop
        parser = RequestParser(limits: loop.limits, remoteAddress: remoteAddress)
        updateDeadline()
    }

    /// True if the connection is at its end and waits to be dropped, which closes the socket.
    var isClosed: Bool {
        if case .closed = phase { true } else { false }
    }

    var use: Use {
        guard case .receiving = phase, output.isEmpty else { return .busy }
        if requestCount == 0 { return .unused }
        return parser.progress == .idle ? .idle : .busy
    }

    /// Ends the connection at once.
    func cut() {
        // The bytes that the client has not taken are lost; an orderly end would look like the
        // answer's.
        if !output.isEmpty { socket.resetWhenClosed() }
        phase = .closed
    }

    // MARK: Events

    /// Goes on after its descriptor became ready.
    func handle(_ readiness: Readiness) {
        guard !readiness.contains(.gone) else {
            phase = .closed
            return
        }
        if readiness.contains(.halfClosed) { isHalfClosed = true }
        if readiness.contains(.read) { read() }
        settle()
    }

    /// Goes on after the response to its request has come; nil when it never will.
    func handle(response: Response?) {
        guard case .handling = phase else {
            response?.discard()
            return
        }
        let failure = ProtocolFailure(.internalServerError, "the request was left unanswered")
        respond(with: response ?? self.response(to: failure))
        settle()
    }

    /// Goes on after the piece that it waited for has come.
    func handle(piece: BodyPiece) {
        guard case .awaiting(let body) = phase else { return }
        send(piece, of: body)
        settle()
    }

    /// Goes on after its deadline has passed.
    func handleDeadline() {
        switch wait {
        case .head:
            fail(ProtocolFailure(.requestTimeout, "the head did not arrive in time"))
        case .body:
            fail(ProtocolFailure(.requestTimeout, "the body did not arrive in time"))
        case .write where pace.takenBytes >= loop.timeouts.writeBytes:
            (pace, wait) = (WritePace(), nil)
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
    /// request may be on its way, and only a response can tell its client not to send another.
    func handleShutdown() {
        guard case .idle? = wait else { return }
        restartDeadline()
        settle()
    }

    /// Tells everything that works for this connection that it has gone.
    func abandon() {
        promise?.abandon()
        stream?.cancel()
        observed.endAll(sentBytes: sentBytes)
    }

    // MARK: From bytes to requests

    /// Takes the bytes that have come, as far as the phase has a use for them.
    private func read() {
        switch phase {
        case .receiving where output.isEmpty && unparsed.isEmpty: receive()
        case .lingering(let bytesLeft): drop(upTo: bytesLeft)
        // Back-pressure: further bytes wait in the kernel.
        default: watch(for: watched.subtracting(.read))
        }
    }

    private func receive() {
        switch socket.receive(into: loop.readBuffer) {
        case .bytes(let count):
            let bytes = UnsafeRawBufferPointer(rebasing: loop.readBuffer[..<count])
            process(bytes.bindMemory(to: UInt8.self).span)
        case .nothing:
            break
        case .finished, .failed:
            phase = .closed
        }
    }

    private func drop(upTo bytesLeft: Int) {
        switch socket.receive(into: loop.readBuffer) {
        case .bytes(let count) where count <= bytesLeft:
            phase = .lingering(bytesLeft: bytesLeft - count)
        case .nothing:
            break
        case .bytes, .finished, .failed:
            phase = .closed
        }
    }

    /// Parses and handles one request after another; keeps the bytes that must wait.
    private func process(_ input: Span<UInt8>) {
        var position = 0
        while case .receiving = phase, position < input.count, hasRoom() {
            do throws(ProtocolFailure) {
                switch try parser.parse(input, from: &position) {
                case .request(let request): begin(request)
                // Not when the content is coming already (RFC 9110, 10.1.1).
                case .continueExpected where position == input.count:
                    output.append("HTTP/1.1 100 Continue\r\n\r\n")
                case .continueExpected, nil: break
                }
            } catch {
                fail(error)
            }
        }
        switch phase {
        case .receiving, .handling, .streaming, .awaiting:
            unparsed.append(input, position..<input.count)
        case .finishing, .lingering, .closed: break
        }
    }

    private func hasRoom() -> Bool {
        if output.isFull { flush() }
        return !output.isFull
    }

    /// Hands a request to the handler, and sends the response if it is given at once.
    private func begin(_ request: Request) {
        requestCount += 1
        lastActivity = loop.turn
        restartDeadline()
        framing = ResponseFraming(
            isHead: request.method == .head, version: request.version,
            keepsAlive: request.keepsAlive
                && requestCount < loop.limits.requestsPerConnection)
        let promise = Promise<Response>()
        loop.handler.handle(request, Responder(promise))
        let response = promise.value { [loop, id] in
            loop.post(.response($0, id))
        }
        if let response {
            respond(with: response)
        } else {
            phase = .handling
            self.promise = promise
        }
    }

    // MARK: From responses to bytes

    /// Puts a response on its way.
    private func respond(with response: Response) {
        promise = nil
        if loop.isClosing || response.fields.list("Connection", contains: "close") {
            framing.keepsAlive = false
        }
        stream = StreamedBody(of: response, framing)
        if let stream, !stream.isChunked { framing.keepsAlive = false }
        ResponseWriter.write(response, framing, date: loop.date.line, to: &output)
        if probedBytes > 0 {
            output.advance(by: probedBytes)
            probedBytes = 0
        }
        isContentProbed = false
        observed.begin(response)
        if let stream {
            phase = .streaming(stream)
            continueStream()
        } else {
            noteContent(framing.isHead ? 0 : response.contentCount, isComplete: true)
            phase = framing.keepsAlive ? .receiving : .finishing
        }
    }

    /// Responds to bytes that cannot be a request, and to nothing after them.
    private func fail(_ failure: ProtocolFailure) {
        framing = ResponseFraming(isHead: parser.isHead, keepsAlive: false)
        respond(with: response(to: failure))
    }

    private func response(to failure: ProtocolFailure) -> Response {
        loop.handler.response(to: failure, from: parser.remoteAddress)
    }

    /// Pieces that come at once are taken in groups, between which other connections have a turn.
    private static let piecesInARow = 16

    /// Asks for pieces while there is room for them, until one has to be waited for.
    private func continueStream() {
        for _ in 0..<Self.piecesInARow {
            guard case .streaming(let body) = phase, !output.isFull else { return }
            phase = .awaiting(body)
            guard let piece = body.nextPiece(to: loop, for: id) else { return }
            send(piece, of: body)
        }
    }

    /// Puts a piece of a body on its way.
    private func send(_ piece: BodyPiece, of body: StreamedBody) {
        if piece.isLast { stream = nil }
        switch piece {
        case .bytes(let bytes):
            ResponseWriter.write(piece: bytes, isChunked: body.isChunked, to: &output)
            noteContent(bytes.count)
            phase = .streaming(body)
        case .end:
            if body.isChunked { ResponseWriter.writeLastChunk(to: &output) }
            noteContent(0, isComplete: true)
            phase = framing.keepsAlive ? .receiving : .finishing
        case .failed where body.isChunked:
            // The last chunk is missing, which tells the client (RFC 9112, 8).
            noteContent(0, isComplete: false)
            phase = .finishing
        case .failed:
            // A graceful end would look like the content's.
            socket.resetWhenClosed()
            phase = .closed
        }
    }

    /// Notes content of the latest response that was put into the output; see `ObservedResponses.add`.
    private func noteContent(_ count: Int, isComplete: Bool? = nil) {
        observed.add(count, upTo: sentBytes + output.unsentCount, isComplete: isComplete)
    }

    /// Sends as much as the client takes.
    private func flush() {
        while !output.isEmpty {
            switch output.withUnsentBytes({ socket.send($0) }) {
            case .bytes(let count):
                output.advance(by: count)
                pace.takenBytes += count
                sentBytes += count
            case .nothing:
                return
            case .failed:
                phase = .closed
                return
            }
        }
    }

    // MARK: After each event

    /// Steps after which other connections have a turn.
    private static let stepsInARow = 16

    /// Sends the output, goes on with work that waited for that, and determines the next event to
    /// wait for.
    private func settle() {
        flush()
        var stepsLeft = Self.stepsInARow
        while output.isEmpty, canGoOn, stepsLeft > 0 {
            goOn()
            flush()
            stepsLeft -= 1
        }
        if case .finishing = phase, output.isEmpty {
            socket.finishWriting()
            phase = .lingering(bytesLeft: loop.limits.lingerBytes)
        }
        observed.tell(sentBytes: sentBytes)
        probe()
        updateWatch()
        updateDeadline()
        countBytes()
    }

    /// Sends bytes that come next in any case to a client that may have gone: if it has, the system
    /// says so, and the work for it can end.
    ///
    /// All responses have the same first bytes, and a chunk's size may begin with a zero (RFC 9112, 7.1).
    private func probe() {
        guard isHalfClosed, output.isEmpty else { return }
        switch phase {
        case .handling where probedBytes == 0:
            if case .bytes(let count) = socket.send("HTTP/1.1 ") { probedBytes = count }
        case .awaiting(let body) where body.isChunked && !isContentProbed:
            if case .bytes = socket.send("0") { isContentProbed = true }
        default: break
        }
    }

    /// The change of the bytes that are held from which it is counted.
    private static let countedChange = 4096

    private func countBytes() {
        let held = unparsed.count + output.heldBytes + parser.heldBytes
        let change = held - countedBytes
        guard change.magnitude >= Self.countedChange || held == 0 && change < 0 else { return }
        countedBytes = held
        loop.change(self, by: change)
    }

    /// True if work waits until everything before it is sent.
    private var canGoOn: Bool {
        switch phase {
        case .receiving: !unparsed.isEmpty
        case .streaming: true
        case .handling, .awaiting, .finishing, .lingering, .closed: false
        }
    }

    /// True if the client has to take something first, or this connection has to wait for its turn.
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

    private func updateWatch() {
        switch phase {
        case .closed: break
        case _ where waitsToWrite: watch(for: watched.union(.write))
        case .receiving, .lingering: watch(for: watched.union(.read).subtracting(.write))
        // Reading stays on, since `read` takes care when bytes do come, which is seldom.
        case .handling, .streaming, .awaiting, .finishing:
            watch(for: watched.subtracting(.write))
        }
    }

    /// Watches only for this readiness; costs a system call only if it changes.
    private func watch(for readiness: Readiness) {
        let readiness = isHalfClosed ? readiness.subtracting(.halfClosed) : readiness
        guard readiness != watched else { return }
        watched = readiness
        loop.events.change(socket.descriptor, to: readiness, token: id.token)
    }

    private func updateDeadline() {
        let next = nextWait
        guard next?.wait != wait || next == nil else { return }
        noteWriteWait()
        wait = next?.wait
        guard let next else {
            loop.deadlines.set(id.slot, to: Deadlines.never)
            return
        }
        // A deadline must not have passed already when a long turn ends.
        let now = loop.exactNow
        let waited = next.wait == .write ? pace.begin(at: now) : 0
        loop.deadlines.set(id.slot, to: now + max(next.timeout - waited, 0))
    }

    /// The next wait for the client and its length in nanoseconds; nil when it is not the client
    /// that is waited for.
    private var nextWait: (wait: Wait, timeout: Int64)? {
        let timeouts = loop.timeouts
        switch (phase, parser.progress) {
        case (.closed, _): return nil
        case _ where waitsToWrite: return (.write, timeouts.write)
        case (.handling, _), (.streaming, _), (.awaiting, _), (.finishing, _): return nil
        case (.lingering, _): return (.linger, timeouts.linger)
        case (.receiving, .idle):
            let last = loop.isClosing ? timeouts.drainGrace : .max
            return (.idle, min(timeouts.idle, last))
        case (.receiving, .head): return (.head, timeouts.head)
        case (.receiving, .content): return (.body, timeouts.body)
        }
    }

    /// Makes the next deadline count from now, although it may be of the same kind as this one.
    private func restartDeadline() {
        noteWriteWait()
        wait = nil
    }

    /// Counts the time for which the client was waited for.
    private func noteWriteWait() {
        if case .write? = wait { pace.pause(at: loop.exactNow) }
    }
}
