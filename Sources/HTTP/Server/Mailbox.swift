import Synchronization

/// What other threads have to tell a loop.
final class Mailbox: AnswerReceiver {
    /// A message to the loop.
    enum Message: Sendable {
        /// The answer to a request that was waiting for it; nil when it will never come.
        case answer(Response?, Ticket)
        /// The server shuts down.
        case shutdown
    }

    private let messages = Mutex<[Message]>([])
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
        let isFirst = messages.withLock { messages in
            messages.append(message)
            return messages.count == 1
        }
        if isFirst { loop.wake() }
    }

    /// Takes everything out.
    func takeAll() -> [Message] {
        messages.withLock { messages in
            guard !messages.isEmpty else { return [] }
            let all = messages
            messages = []
            return all
        }
    }
}
