import Synchronization

/// A response's content that is being made while it is sent.
///
/// Asked and cancelled on its loop's queue only; its end may be told from any thread.
final class StreamedBody: Sendable {
    /// Whether each piece is a chunk; else the connection's end is the content's.
    let isChunked: Bool

    private let source: any BodySource
    /// Whether nothing more is wanted or to come: the last piece was delivered, or the source was
    /// cancelled, whichever was first.
    private let isOver = Atomic(false)

    /// The body that is to be sent behind a response's head; nil where none is, or none that is
    /// streamed.
    ///
    /// A source whose content is left out is cancelled.
    init?(of response: Response, _ framing: ResponseFraming) {
        guard case .stream(let source) = response.body else { return nil }
        guard !framing.isHead, !response.status.forbidsBody else {
            source.cancel()
            return nil
        }
        self.source = source
        isChunked = framing.version == .http11
    }

    /// Asks for the next piece: the piece if it is there at once, or nil when it will come to the
    /// mailbox.
    func nextPiece(to mailbox: Mailbox, for ticket: Ticket) -> BodyPiece? {
        let request = PieceRequest(body: self, mailbox: mailbox, ticket: ticket)
        source.nextPiece { request.deliver($0) }
        return request.finishAsking()
    }

    /// Tells the source that nothing more is wanted, unless it has delivered its last piece.
    func cancel() {
        guard end() else { return }
        source.cancel()
    }

    /// Notes that nothing more is to come; false when that was known.
    @discardableResult
    fileprivate func end() -> Bool {
        !isOver.exchange(true, ordering: .acquiringAndReleasing)
    }
}

/// The wait for one piece, shared between the loop and whoever makes it.
private final class PieceRequest: Sendable {
    private enum State: Sendable {
        /// The source is being asked; a piece now is fetched by the loop itself.
        case asking
        case deliveredWhileAsking(BodyPiece)
        /// The source has been asked; a piece now goes to the mailbox.
        case waiting
        case delivered
    }

    private let state = Mutex(State.asking)
    private let body: StreamedBody
    private let mailbox: Mailbox
    private let ticket: Ticket

    init(body: StreamedBody, mailbox: Mailbox, ticket: Ticket) {
        self.body = body
        self.mailbox = mailbox
        self.ticket = ticket
    }

    deinit {
        let isForgotten = state.withLock { state in
            if case .waiting = state { true } else { false }
        }
        guard isForgotten else { return }
        body.end()
        mailbox.post(.piece(.failed, ticket))
    }

    func deliver(_ piece: BodyPiece) {
        let isAwaited: Bool = state.withLock { state in
            switch state {
            case .asking:
                state = .deliveredWhileAsking(piece)
                return false
            case .waiting:
                state = .delivered
                return true
            case .deliveredWhileAsking, .delivered:
                preconditionFailure("a piece was delivered twice")
            }
        }
        if piece.isLast { body.end() }
        if isAwaited { mailbox.post(.piece(piece, ticket)) }
    }

    /// Ends the asking: the piece that came at once, or nil when it will come later.
    func finishAsking() -> BodyPiece? {
        state.withLock { state in
            guard case .deliveredWhileAsking(let piece) = state else {
                state = .waiting
                return nil
            }
            state = .delivered
            return piece
        }
    }
}
