import Encoders
import HTTP
import Motion
import Rendering
import Synchronization

/// The fields, counters and log of all responses.
final class ResponsePolicy: Sendable {
    /// Fields of every response.
    private let common: Fields
    /// Further fields of a response with an entity tag.
    private let exposed: Fields
    private let metrics: Metrics
    private let log: RequestLog?

    static let svgPolicy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"

    init(allowOrigin: String?, metrics: Metrics, log: RequestLog?) {
        var (common, exposed): (Fields, Fields) = (["X-Content-Type-Options": "nosniff"], [:])
        if let allowOrigin {
            common.add("Access-Control-Allow-Origin", allowOrigin)
            exposed.add(
                "Access-Control-Expose-Headers",
                "Content-Location, ETag, Titlecard-Duration, Titlecard-Warnings")
        }
        self.common = common
        self.exposed = exposed
        self.metrics = metrics
        self.log = log
    }

    /// Returns the context of a request.
    func context(
        of request: HTTP.Request, route: RouteName, responder: Responder
    ) -> RequestContext {
        RequestContext(
            request, route: route, start: log?.now ?? 0, responder: responder, policy: self)
    }

    /// Returns the response to malformed bytes, and counts it.
    func response(to failure: ProtocolFailure) -> Response {
        metrics.countResponse(.malformed, status: failure.status.code)
        return completed(response(to: Problem(failure), for: nil))
    }

    /// Returns a problem as JSON, or as a picture for an `<img>`.
    func response(to problem: Problem, for request: HTTP.Request?) -> Response {
        var response = Response(status: problem.status)
        response.fields["Cache-Control"] = "no-store"
        if let seconds = problem.retryAfter { response.fields["Retry-After"] = "\(seconds)" }
        if let request, problem.isDrawn || ErrorCard.isWanted(by: request) {
            response.fields["Content-Type"] = SVGFormat.mediaType
            response.fields["Content-Security-Policy"] = Self.svgPolicy
            response.body = .bytes(ErrorCard.bytes(of: problem))
        } else {
            response.fields["Content-Type"] = "application/problem+json"
            response.body = .bytes(problem.json.bytes)
        }
        return response
    }

    /// Returns a response with the common fields.
    fileprivate func completed(_ response: Response) -> Response {
        var response = response
        let hasTag = response.fields["ETag"] != nil
        response.fields.add(common)
        if hasTag { response.fields.add(exposed) }
        return response
    }

    fileprivate func begin(_ context: RequestContext, status: Int) {
        metrics.countResponse(context.route, status: status)
    }

    fileprivate func end(
        _ context: RequestContext, status: Int, cache: String?, bytes: Int, isComplete: Bool
    ) {
        metrics.countSent(bytes: bytes)
        log?.write(context, status: status, bytes: bytes, cache: cache, isComplete: isComplete)
    }
}

/// The name of a route in metrics and logs.
enum RouteName: String, Sendable {
    case render
    case permalink
    case typing
    case embed
    case effects
    case formats
    case fonts
    case presets
    case openapi
    case health
    case metrics
    /// Files of the preview page, and unknown paths.
    case other
    /// Bytes that are not a request.
    case malformed
}

/// A request with its route and its responder.
///
/// A class, because a copy of the request for each thread would be expensive.
final class RequestContext: Sendable {
    let request: HTTP.Request
    let route: RouteName
    /// The instant, in nanoseconds of the clock, at which the request came.
    let start: Int64
    private let policy: ResponsePolicy
    private let responder: Responder

    fileprivate init(
        _ request: HTTP.Request, route: RouteName, start: Int64, responder: Responder,
        policy: ResponsePolicy
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
    ///   - response: The response without the common fields.
    ///   - cache: The log's word for a rendering that was kept or not.
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
    ///   - response: The response without content and common fields.
    ///   - stream: The content; nil if only the head is needed.
    ///   - cache: The log's word for a rendering that was kept or not.
    func send(_ response: Response, stream: RenderedStream?, cache: String?) {
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

    /// Sends a problem.
    func fail(_ problem: Problem) {
        send(policy.response(to: problem, for: request))
    }

    /// Sends 405 with the methods that a path allows.
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

/// The body of a rendering that is sent while it is made.
///
/// `onEnd` is called once with the number of bytes sent. Of two ends the first counts, as when the
/// client disconnects while another thread delivers the last piece. Content that is freed without an
/// end was not complete.
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

/// Empty content without a length, for the response to HEAD.
private final class NoContent: BodySource {
    func nextPiece(_ deliver: @escaping @Sendable (BodyPiece) -> Void) { deliver(.end) }
    func cancel() {}
}
