/// The responses of a connection that are not sent to their end and have an observer.
struct ObservedResponses {
    /// In the order of the responses.
    private var responses: [ObservedResponse] = []
    /// True if the latest response has an observer.
    private var isObserved = false

    /// Takes the response that is sent next, if it has an observer.
    mutating func begin(_ response: Response) {
        isObserved = response.observer != nil
        if let observer = response.observer {
            responses.append(ObservedResponse(observer: observer))
        }
    }

    /// Notes content of the latest response that was put into the output.
    ///
    /// - Parameters:
    ///   - count: The bytes of content.
    ///   - end: The number of bytes that the connection has sent when it has sent these.
    ///   - isComplete: True for the last part, false if the rest cannot be made, and nil if more is
    ///     to come.
    mutating func add(_ count: Int, upTo end: Int, isComplete: Bool?) {
        guard isObserved, !responses.isEmpty else { return }
        responses[responses.count - 1].add(count, upTo: end, isComplete: isComplete)
    }

    /// Tells the observers of the responses that are sent to their end.
    mutating func tell(sentBytes: Int) {
        guard !responses.isEmpty else { return }
        let count = responses.prefix { $0.isOver(sentBytes: sentBytes) }.count
        for response in responses.prefix(count) { response.end(sentBytes: sentBytes) }
        responses.removeFirst(count)
    }

    /// Tells all observers, because nothing more is sent.
    mutating func endAll(sentBytes: Int) {
        for response in responses { response.end(sentBytes: sentBytes) }
        responses = []
    }
}

/// A response whose observer waits for its end.
private struct ObservedResponse {
    let observer: any ResponseObserver
    /// The bytes of content that were put into the output.
    private var contentBytes = 0
    /// The number of bytes that the connection has sent when it has sent these.
    private var end = 0
    /// True if the content is whole, false if its rest cannot be made; nil while more is to come.
    private var isComplete: Bool?

    /// Begins without content.
    init(observer: any ResponseObserver) {
        self.observer = observer
    }

    mutating func add(_ count: Int, upTo end: Int, isComplete: Bool?) {
        contentBytes += count
        self.end = end
        self.isComplete = isComplete
    }

    func isOver(sentBytes: Int) -> Bool { isComplete != nil && sentBytes >= end }

    /// Tells the observer how many bytes of content were sent.
    func end(sentBytes: Int) {
        // The end of a streamed piece's chunk may be counted too.
        let unsent = max(end - sentBytes, 0)
        observer.responseEnded(
            contentBytes: max(contentBytes - unsent, 0),
            isComplete: isComplete == true && unsent == 0)
    }
}
