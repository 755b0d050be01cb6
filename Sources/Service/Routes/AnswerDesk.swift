import Encoders
import HTTP

/// Where every answer passes on its way out: it gets what all answers carry, and is counted and
/// logged.
final class AnswerDesk: Sendable {
    /// What every answer carries.
    private let common: Fields
    /// What an answer with an entity tag carries besides.
    private let exposed: Fields
    private let metrics: Metrics
    private let log: RequestLog?

    init(allowOrigin: String?, _ metrics: Metrics, _ log: RequestLog?) {
        var (common, exposed): (Fields, Fields) = (["X-Content-Type-Options": "nosniff"], [:])
        if let allowOrigin {
            common.add("Access-Control-Allow-Origin", allowOrigin)
            exposed.add(
                "Access-Control-Expose-Headers", "Content-Location, ETag, Titlecard-Duration")
        }
        self.common = common
        self.exposed = exposed
        self.metrics = metrics
        self.log = log
    }

    /// The way back for the answer of a route.
    func reply(
        to request: HTTP.Request, _ route: RouteName, _ responder: Responder
    ) -> Reply {
        Reply(request, route, start: log?.now ?? 0, responder, self)
    }

    func response(to failure: ProtocolFailure) -> Response {
        metrics.answered(.malformed, status: failure.status.code)
        return finished(response(to: Problem(failure), for: nil))
    }

    /// An error as JSON, or as a picture for those who want one.
    func response(to problem: Problem, for request: HTTP.Request?) -> Response {
        var response = Response(status: problem.status)
        response.fields["Cache-Control"] = "no-store"
        if let seconds = problem.retryAfter { response.fields["Retry-After"] = "\(seconds)" }
        if let request, ErrorCard.isWanted(by: request) {
            response.fields["Content-Type"] = SVGFormat.mediaType
            response.fields["Content-Security-Policy"] = RenderingAnswers.svgPolicy
            response.body = .bytes(ErrorCard.bytes(of: problem))
        } else {
            response.fields["Content-Type"] = "application/problem+json"
            response.body = .bytes(problem.json.bytes)
        }
        return response
    }

    /// An answer as it leaves, counted and logged.
    func finished(_ response: Response, for reply: Reply, cache: String?) -> Response {
        var response = finished(response)
        let status = response.status.code
        metrics.answered(reply.route, status: status)
        let end: @Sendable (Int, Bool) -> Void = { [metrics, log] bytes, isComplete in
            metrics.sent(bytes: bytes)
            log?.write(reply, status: status, bytes: bytes, cache: cache, isComplete: isComplete)
        }
        switch response.body {
        case .empty: end(0, true)
        case .bytes(let bytes): end(reply.request.method == .head ? 0 : bytes.count, true)
        case .stream where reply.request.method == .head: end(0, true)
        case .stream(let source): response.body = .stream(MeteredSource(source, onEnd: end))
        }
        return response
    }

    private func finished(_ response: Response) -> Response {
        var response = response
        let hasTag = response.fields["ETag"] != nil
        response.fields.add(common)
        if hasTag { response.fields.add(exposed) }
        return response
    }
}
