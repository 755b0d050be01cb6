/// Content that is made while it is sent, piece by piece.
///
/// To add one, conform a class and answer with `.stream(source)`. Everything is called on an event
/// loop and must not block: a source whose pieces take time makes them on another thread. At any
/// time one piece at most is asked for, so what a client has not taken is bounded by one piece.
package protocol BodySource: AnyObject, Sendable {
    /// Asks for the next piece, when the client has room for it.
    ///
    /// - Parameter deliver: to be called exactly once, from any thread, at once or later; a source
    ///   that lets go of it without has failed.
    func nextPiece(_ deliver: @escaping @Sendable (BodyPiece) -> Void)

    /// The client has gone, or the rest is not wanted (HEAD, 304 and the like): no piece will be
    /// asked for any more, and one that is being made will be dropped.
    ///
    /// Called at most once, and not after `.end` or `.failed` was delivered. Without any piece
    /// asked for, it may be called on the thread that gave the answer.
    func cancel()
}

/// What a source of content delivers.
package enum BodyPiece: Sendable {
    /// Some more of the content; may be empty.
    case bytes([UInt8])
    /// The content was complete.
    case end
    /// The rest cannot be made; the client is shown that its content is incomplete.
    case failed

    /// Whether no other piece follows.
    var isLast: Bool {
        switch self {
        case .bytes: false
        case .end, .failed: true
        }
    }
}
