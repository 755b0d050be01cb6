import Synchronization

/// Which request of which connection an answer belongs to.
struct Ticket: Equatable, Sendable {
    /// The connection's place in its loop's table.
    var slot: Int
    /// Tells connections apart that had the same place one after another.
    var generation: UInt32
}

/// Where answers go that come after the handler has returned.
protocol AnswerReceiver: Sendable {
    /// Takes an answer on the thread that sent it; nil when nobody will ever answer.
    func receive(_ answer: Response?, for ticket: Ticket)
}

/// One request's wait for its answer, shared between the loop and whoever holds the `Responder`.
final class Exchange: Sendable {
    private enum State: Sendable {
        /// The handler runs; an answer now is fetched by the loop itself.
        case handling
        case answeredWhileHandling(Response)
        /// The handler has returned; an answer now is sent to the receiver.
        case waiting
        case answered
    }

    private let state: Mutex<State>
    private let abandoned = Atomic(false)
    private let receiver: any AnswerReceiver
    private let ticket: Ticket

    /// Begins the exchange of a live request, before its handler is called.
    init(receiver: any AnswerReceiver, ticket: Ticket) {
        state = Mutex(.handling)
        self.receiver = receiver
        self.ticket = ticket
    }

    /// Makes an exchange without a connection.
    init(answer: @escaping @Sendable (Response) -> Void) {
        state = Mutex(.waiting)
        receiver = ClosureReceiver(answer: answer)
        ticket = Ticket(slot: 0, generation: 0)
    }

    deinit {
        let isUnanswered = state.withLock { state in
            if case .waiting = state { true } else { false }
        }
        if isUnanswered { receiver.receive(nil, for: ticket) }
    }

    /// Takes the first answer; false for every later one.
    func answer(_ response: Response) -> Bool {
        enum Step { case kept, deliver, refused }
        let step: Step = state.withLock { state in
            switch state {
            case .handling:
                state = .answeredWhileHandling(response)
                return .kept
            case .waiting:
                state = .answered
                return .deliver
            case .answeredWhileHandling, .answered:
                return .refused
            }
        }
        switch step {
        case .kept: break
        case .deliver: receiver.receive(response, for: ticket)
        case .refused: response.body.discard()
        }
        return step != .refused
    }

    /// Whether the client has gone.
    var isAbandoned: Bool { abandoned.load(ordering: .relaxed) }

    /// Notes that the client has gone while it waited for the answer.
    func abandon() {
        abandoned.store(true, ordering: .relaxed)
    }

    /// Ends the handler's part: the answer that it gave, or nil when one will come later.
    func finishHandling() -> Response? {
        state.withLock { state in
            guard case .answeredWhileHandling(let response) = state else {
                state = .waiting
                return nil
            }
            state = .answered
            return response
        }
    }
}

private struct ClosureReceiver: AnswerReceiver {
    let answer: @Sendable (Response) -> Void

    func receive(_ answer: Response?, for ticket: Ticket) {
        self.answer(answer ?? Response(status: .internalServerError))
    }
}
