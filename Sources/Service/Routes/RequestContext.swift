import Encoders
import HTTP
import Motion
import Rendering
import Synchronization

/// The fields that every response carries, with the counters and the log of all.
final class ResponsePolicy: Sendable {
    /// Fields of every response.
    private let common: Fields
    /// Fields of a response with an entity tag besides.
    private let exposed: Fields
    private let metrics: Metrics
    private let log: RequestLog?

    static let svgPolicy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"

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

    /// Begins the context of a request that has a route.
    func context(
        of request: HTTP.Request, _ route: RouteName, _ responder: Responder
    ) -> RequestContext {
        RequestContext(request, route, start: log?.now ?? 0, responder, self)
    }

    /// Returns the response to what is no request, which is counted.
    func response(to failure: ProtocolFailure) -> Response {
        metrics.answered(.malformed, status: failure.status.code)
        return completed(response(to: Problem(failure), for: nil))
    }

    /// Returns an error as JSON, or as a picture for those who want one.
    func response(to problem: Problem, for request: HTTP.Request?) -> Response {
        var response = Response(status: problem.status)
        response.fields["Cache-Control"] = "no-store"
        if let seconds = problem.retryAfter { response.fields["Retry-After"] = "\(seconds)" }
        if let request, ErrorCard.isWanted(by: request) {
            response.fields["Content-Type"] = SVGFormat.mediaType
            response.fields["Content-Security-Policy"] = Self.svgPolicy
            response.body = .bytes(ErrorCard.bytes(of: problem))
        } else {
            response.fields["Content-Type"] = "application/problem+json"
            response.body = .bytes(problem.json.bytes)
        }
        return response
    }

    /// Returns a response with what all carry.
    fileprivate func completed(_ response: Response) -> Response {
        var response = response
        let hasTag = response.fields["ETag"] != nil
        response.fields.add(common)
        if hasTag { response.fields.add(exposed) }
        return response
    }

    fileprivate func begin(_ context: RequestContext, status: Int) {
        metrics.answered(context.route, status: status)
    }

    fileprivate func end(
        _ context: RequestContext, status: Int, cache: String?, bytes: Int, isComplete: Bool
    ) {
        metrics.sent(bytes: bytes)
        log?.write(context, status: status, bytes: bytes, cache: cache, isComplete: isComplete)
    }
}

/// A route as metrics and logs call it.
enum RouteName: String, Sendable {
    case render
    case permalink
    case effects
    case formats
    case fonts
    case openapi
    case health
    case metrics
    /// Files of the preview page, and what is not there.
    case other
    /// Bytes that are no request.
    case malformed
}

/// A request with its route and the way back for its response.
///
/// A class, because it is handed from thread to thread with the whole request in it.
final class RequestContext: Sendable {
    let request: HTTP.Request
    let route: RouteName
    /// The instant at which the request came, in nanoseconds of the clock.
    let start: Int64
    private let policy: ResponsePolicy
    private let responder: Responder

    fileprivate init(
        _ request: HTTP.Request, _ route: RouteName, start: Int64, _ responder: Responder,
        _ policy: ResponsePolicy
    ) {
        self.request = request
        self.route = route
        self.start = start
        self.responder = responder
        self.policy = policy
    }

    /// True if the client has gone.
    var isAbandoned: Bool { responder.isAbandoned }

    /// Sends a response.
    ///
    /// - Parameters:
    ///   - response: Without what all carry.
    ///   - cache: Of a rendering a word for the log on whether it was at hand.
    func send(_ response: Response, cache: String? = nil) {
        let (isHead, status) = (request.method == .head, response.status.code)
        policy.begin(self, status: status)
        var bytes = 0
        if !isHead, case .bytes(let content) = response.body { bytes = content.count }
        policy.end(self, status: status, cache: cache, bytes: bytes, isComplete: true)
        responder.send(policy.completed(response))
    }

    /// Sends a response whose content is made while it is sent.
    ///
    /// - Parameters:
    ///   - response: Without content, and without what all carry.
    ///   - stream: The content; nil where only the head is wanted.
    ///   - cache: A word for the log on whether the rendering was at hand.
    func send(_ response: Response, _ stream: RenderedStream?, cache: String?) {
        let status = response.status.code
        policy.begin(self, status: status)
        var response = policy.completed(response)
        if let stream, request.method != .head {
            let body = StreamedContent(stream) { [self] bytes, isComplete in
                policy.end(
                    self, status: status, cache: cache, bytes: bytes, isComplete: isComplete)
            }
            response.body = .stream(body)
        } else {
            policy.end(self, status: status, cache: cache, bytes: 0, isComplete: true)
            stream?.cancel()
            response.body = .stream(NoContent())
        }
        responder.send(response)
    }

    /// Sends what is wrong.
    func fail(_ problem: Problem) {
        send(policy.response(to: problem, for: request))
    }

    /// Sends that a method is none of those that a path takes.
    func refuseMethod(allowing methods: [Method]) {
        let allow = (methods + [.options]).map(\.rawValue).joined(separator: ", ")
        let problem = Problem(
            .methodNotAllowed, "Method not allowed",
            faults: [ParameterFault(parameter: "method", message: "must be one of \(allow)")])
        var response = policy.response(to: problem, for: request)
        response.fields["Allow"] = allow
        send(response)
    }
}

/// A rendering that is sent while it is made, of which it is told once, in the end, how much was
/// sent.
///
/// The end may come twice, as when the client goes while another thread delivers the last piece:
/// the first one counts. Content that is let go of without an end was not complete.
final class StreamedContent: BodySource {
    private let stream: RenderedStream
    private let bytes = Atomic(0)
    private let isOver = Atomic(false)
    private let onEnd: @Sendable (_ bytes: Int, _ isComplete: Bool) -> Void

    init(
        _ stream: RenderedStream,
        onEnd: @escaping @Sendable (_ bytes: Int, _ isComplete: Bool) -> Void
    ) {
        self.stream = stream
        self.onEnd = onEnd
    }

    deinit {
        end(isComplete: false)
    }

    func nextPiece(_ deliver: @escaping @Sendable (BodyPiece) -> Void) {
        stream.nextPiece { [self] piece in
            switch piece {
            case .bytes(let content):
                bytes.wrappingAdd(content.count, ordering: .relaxed)
                deliver(.bytes(content))
            case .end:
                end(isComplete: true)
                deliver(.end)
            case .failed:
                end(isComplete: false)
                deliver(.failed)
            }
        }
    }

    func cancel() {
        stream.cancel()
        end(isComplete: false)
    }

    private func end(isComplete: Bool) {
        guard !isOver.exchange(true, ordering: .acquiringAndReleasing) else { return }
        onEnd(bytes.load(ordering: .relaxed), isComplete)
    }
}

/// Content of which only the absence of a length is wanted.
private final class NoContent: BodySource {
    func nextPiece(_ deliver: @escaping @Sendable (BodyPiece) -> Void) { deliver(.end) }
    func cancel() {}
}
