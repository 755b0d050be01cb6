import Synchronization

/// Messages from other threads to an event loop.
final class Mailbox: Sendable {
    /// A message to the loop.
    enum Message: Sendable {
        /// The response to a request that was waiting for it; nil when it will never come.
        case response(Response?, ConnectionID)
        /// The piece of a body that its connection has asked for.
        case piece(BodyPiece, ConnectionID)
        /// The server shuts down.
        case shutdown

        /// Ends the work that the message announces, because the connection that it is for has gone.
        func discard() {
            if case .response(let response, _) = self { response?.body.discard() }
        }
    }

    /// Nil once nobody takes messages out any more.
    private let messages = Mutex<[Message]?>([])
    private let loop: any EventLoop

    /// Makes the mailbox of a loop.
    init(waking loop: any EventLoop) {
        self.loop = loop
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

    /// Discards all messages, present and future, because the loop has ended.
    func close() {
        let rest = messages.withLock { messages in
            defer { messages = nil }
            return messages ?? []
        }
        for message in rest { message.discard() }
    }
}
