import Synchronization

/// The requests that wait until it is known which videos there are.
///
/// ffmpeg takes longer to describe itself than a service to start. Until it has, requests for videos
/// and for documents that list formats wait, and all others are answered.
final class PendingFormats: Sendable {
    private enum State {
        case waiting([RequestContext])
        case known(answer: @Sendable (RequestContext) -> Void)
    }

    private let state = Mutex(State.waiting([]))

    /// Has a request wait, or answered at once if the formats are known by now.
    func hold(_ context: RequestContext) {
        let answer = state.withLock { state -> (@Sendable (RequestContext) -> Void)? in
            switch state {
            case .known(let answer): return answer
            case .waiting(let contexts):
                state = .waiting(contexts + [context])
                return nil
            }
        }
        answer?(context)
    }

    /// Ends all waiting.
    ///
    /// - Parameter answer: Answers a request by the formats that there are.
    func end(_ answer: @escaping @Sendable (RequestContext) -> Void) {
        let contexts = state.withLock { state -> [RequestContext] in
            defer { state = .known(answer: answer) }
            guard case .waiting(let contexts) = state else { return [] }
            return contexts
        }
        for context in contexts { answer(context) }
    }
}
