import HTTP

/// The way back for one answer.
///
/// A class, because it is handed from place to place with the whole request in it.
final class Reply: Sendable {
    let request: HTTP.Request
    let route: RouteName
    /// When the request came, in nanoseconds of the clock.
    let start: Int64
    private let desk: AnswerDesk
    private let responder: Responder

    init(
        _ request: HTTP.Request, _ route: RouteName, start: Int64, _ responder: Responder,
        _ desk: AnswerDesk
    ) {
        self.request = request
        self.route = route
        self.start = start
        self.responder = responder
        self.desk = desk
    }

    /// Whether the client has gone.
    var isAbandoned: Bool { responder.isAbandoned }

    /// Sends the answer; of a rendering with a word on whether the cache had it.
    func send(_ response: Response, cache: String? = nil) {
        responder.send(desk.finished(response, for: self, cache: cache))
    }

    /// Sends what is wrong.
    func fail(_ problem: Problem) {
        send(desk.response(to: problem, for: request))
    }
}
