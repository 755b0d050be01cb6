import Encoders
import HTTP

/// Where every answer passes on its way out: it gets what all answers carry, and is counted and
/// logged.
struct AnswerDesk: Sendable {
    private let allowOrigin: String?
    private let metrics: Metrics
    private let log: RequestLog?

    init(allowOrigin: String?, _ metrics: Metrics, _ log: RequestLog?) {
        self.allowOrigin = allowOrigin
        self.metrics = metrics
        self.log = log
    }

    /// The way back for the answer of a route.
    ///
    /// `path` is what may be logged of the request's.
    func reply(
        to request: HTTP.Request, _ route: String, path: String, _ responder: Responder
    ) -> Reply {
        let start = log?.now ?? 0
        let send: @Sendable (Response, String?) -> Void = { response, cache in
            var response = finished(response)
            count(&response, request, route, path: path, from: start, cache: cache)
            responder.send(response)
        }
        return Reply(
            request: request, isAbandoned: { responder.isAbandoned }, send: send,
            fail: { send(self.response(to: $0, for: request), nil) })
    }

    func response(to failure: ProtocolFailure) -> Response {
        metrics.answered("malformed", status: failure.status.code)
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

    /// What every answer carries.
    private func finished(_ response: Response) -> Response {
        var response = response
        response.fields["X-Content-Type-Options"] = "nosniff"
        if let origin = allowOrigin {
            response.fields["Access-Control-Allow-Origin"] = origin
            if response.fields["ETag"] != nil {
                response.fields["Access-Control-Expose-Headers"] =
                    "Content-Location, ETag, Titlecard-Duration"
            }
        }
        return response
    }

    private func count(
        _ response: inout Response, _ request: HTTP.Request, _ route: String, path: String,
        from start: Int64, cache: String?
    ) {
        let status = response.status.code
        metrics.answered(route, status: status)
        let end: @Sendable (Int, Bool) -> Void = { [metrics, log] bytes, isComplete in
            metrics.sent(bytes: bytes)
            log?.write(
                request, route, path: path, status: status, bytes: bytes, from: start,
                cache: cache, isComplete: isComplete)
        }
        switch response.body {
        case .empty: end(0, true)
        case .bytes(let bytes): end(request.method == .head ? 0 : bytes.count, true)
        case .stream where request.method == .head: end(0, true)
        case .stream(let source): response.body = .stream(MeteredSource(source, onEnd: end))
        }
    }
}
