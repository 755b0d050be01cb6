import HTTP

/// The way back for one answer.
struct Reply: Sendable {
    let request: HTTP.Request
    /// Whether the client has gone.
    let isAbandoned: @Sendable () -> Bool
    let fail: @Sendable (Problem) -> Void
    private let answer: @Sendable (Response, _ cache: String?) -> Void

    init(
        request: HTTP.Request, isAbandoned: @escaping @Sendable () -> Bool,
        send answer: @escaping @Sendable (Response, _ cache: String?) -> Void,
        fail: @escaping @Sendable (Problem) -> Void
    ) {
        self.request = request
        self.isAbandoned = isAbandoned
        self.answer = answer
        self.fail = fail
    }

    /// Sends the answer; of a rendering with a word on whether the cache had it.
    func send(_ response: Response, cache: String? = nil) {
        answer(response, cache)
    }
}
