import Synchronization

/// What other threads have to tell a loop.
final class Mailbox: AnswerReceiver {
    /// A message to the loop.
    enum Message: Sendable {
        /// The answer to a request that was waiting for it; nil when it will never come.
        case answer(Response?, Ticket)
        /// The piece of a body that its connection has asked for.
        case piece(BodyPiece, Ticket)
        /// The server shuts down.
        case shutdown
    }

    /// Nil once nobody takes messages out any more.
    private let messages = Mutex<[Message]?>([])
    private let loop: any EventLoop

    /// Makes the mailbox of a loop.
    init(waking loop: any EventLoop) {
        self.loop = loop
    }

    func receive(_ answer: Response?, for ticket: Ticket) {
        post(.answer(answer, ticket))
    }

    /// Leaves a message; the loop is woken for the first only.
    func post(_ message: Message) {
        let countBefore = messages.withLock { messages in
            defer { messages?.append(message) }
            return messages?.count
        }
        switch countBefore {
        case 0: loop.wake()
        case nil: message.discard()
        default: break
        }
    }

    /// Takes everything out.
    func takeAll() -> [Message] {
        messages.withLock { messages in
            guard let all = messages, !all.isEmpty else { return [] }
            messages = []
            return all
        }
    }

    /// Discards what is there and whatever will come, because the loop has ended.
    func close() {
        let rest = messages.withLock { messages in
            defer { messages = nil }
            return messages ?? []
        }
        for message in rest { message.discard() }
    }
}

extension Mailbox.Message {
    /// Ends what the message brought, because the connection that it is for has gone.
    func discard() {
        if case .answer(let response, _) = self { response?.body.discard() }
    }
}
