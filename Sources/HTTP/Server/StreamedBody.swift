import Synchronization

/// A response's content that is being made while it is sent.
///
/// Asked and cancelled on its loop's queue only; its end may be told from any thread.
final class StreamedBody: Sendable {
    /// True if each piece is a chunk; else the connection's end is the content's.
    let isChunked: Bool

    private let source: any BodySource
    /// True once nothing more is wanted or to come: the last piece was delivered, or the source was
    /// cancelled, whichever was first.
    private let isOver = Atomic(false)

    /// Takes the content that is to be sent after a response's head; nil where there is none, or
    /// none that is streamed.
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

    /// Asks for the next piece.
    ///
    /// - Returns: The piece if it is there at once, or nil when it will come to the loop as a message.
    func nextPiece(to loop: ConnectionLoop, for id: ConnectionID) -> BodyPiece? {
        let promise = Promise<BodyPiece>()
        source.nextPiece { piece in
            // Before the loop can know, which would cancel a source that has ended.
            if piece.isLast { self.end() }
            guard promise.fulfill(piece) else {
                preconditionFailure("a piece was delivered twice")
            }
        }
        return promise.value { piece in
            if piece == nil { self.end() }
            loop.post(.piece(piece ?? .failed, id))
        }
    }

    /// Tells the source that nothing more is wanted, unless it has delivered its last piece.
    func cancel() {
        guard end() else { return }
        source.cancel()
    }

    /// Notes that nothing more is to come; false when that was known.
    @discardableResult
    private func end() -> Bool {
        !isOver.exchange(true, ordering: .acquiringAndReleasing)
    }
}

extension Response {
    /// The bytes of content that a response has which is not streamed.
    var contentCount: Int {
        guard case .bytes(let bytes) = body, !status.forbidsBody else { return 0 }
        return bytes.count
    }
}
