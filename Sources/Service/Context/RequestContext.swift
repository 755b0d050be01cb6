import Bytes
import Encoders
import HTTP
import Motion
import Rendering

/// The fields, counters and log of all responses.
final class ResponsePolicy: Sendable {
    /// Fields of every response.
    private let common: Fields
    /// Further fields of a response that has some for scripts.
    private let exposed: Fields
    private let metrics: Metrics
    private let clock: TimeSource
    private let ids = RequestIDs()
    private let log: RequestLog?
    /// The address of the service, for problems; empty where only paths are known.
    fileprivate let service: String
    /// True if answers that no shared cache may store say how long they took.
    private let tellsTimes: Bool

    static let svgPolicy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
    /// Lets pages of all sites show a picture, also pages that isolate themselves.
    static let anywhere: Fields = ["Cross-Origin-Resource-Policy": "cross-origin"]
    private static let fieldsForScripts: [FieldName] = ["ETag", "Retry-After", "Titlecard-Key"]

    init(_ settings: ServiceSettings, metrics: Metrics, log: RequestLog?) {
        var (common, exposed): (Fields, Fields) = (["X-Content-Type-Options": "nosniff"], [:])
        if let allowOrigin = settings.allowOrigin {
            common.add("Access-Control-Allow-Origin", allowOrigin)
            exposed.add(
                "Access-Control-Expose-Headers",
                "Content-Disposition, Content-Location, ETag, Retry-After, Server-Timing, Titlecard-Duration, Titlecard-Fitted, "
                    + "Titlecard-Key, Titlecard-Location, Titlecard-Warnings, X-Request-Id")
        }
        self.common = common
        self.exposed = exposed
        self.metrics = metrics
        self.log = log
        clock = settings.clock
        service = settings.publicURL?.text ?? ""
        tellsTimes = settings.tellsTimes
    }

    /// Returns the context of a request.
    func context(
        of request: HTTP.Request, route: RouteName, responder: Responder
    ) -> RequestContext {
        RequestContext(
            request, id: ids.id(of: request), route: route, start: clock.monotonic(),
            responder: responder, policy: self)
    }

    /// Returns the response to malformed bytes, and counts and logs it.
    func response(to failure: ProtocolFailure, from address: String) -> Response {
        metrics.countResponse(.malformed, status: failure.status.code)
        let id = ids.id(of: nil)
        var response = completed(response(to: Problem(failure), for: nil), id)
        response.observer = ResponseEnd(
            key: Metrics.ResponseKey(route: .malformed, rendering: .none),
            start: clock.monotonic(), line: log?.line(of: failure, id, from: address),
            policy: self)
        return response
    }

    /// Returns a problem as JSON, or as a picture for an `<img>`.
    func response(to problem: Problem, for request: HTTP.Request?) -> Response {
        var response = Response(status: problem.status)
        if let seconds = problem.retryAfter { response.fields["Retry-After"] = "\(seconds)" }
        if problem.status == .notAcceptable {
            response.fields["Vary"] = NegotiatedRequest.varyOfNegotiation
        }
        if let request, problem.isDrawn || ErrorCard.isWanted(by: request) {
            response.fields["Content-Type"] = SVGFormat.mediaType
            response.fields["Content-Security-Policy"] = Self.svgPolicy
            response.fields.add(Self.anywhere)
            response.body = .bytes(ErrorCard.bytes(of: problem))
        } else {
            response.fields["Content-Type"] = Problem.mediaType
            response.body = .bytes(problem.json(of: service).line)
        }
        return response
    }

    /// Returns a response with the common fields. An error is never kept, whoever made it.
    fileprivate func completed(_ response: Response, _ id: String) -> Response {
        var response = response
        if response.status.isError {
            response.fields["Cache-Control"] = "no-store"
            response.fields["ETag"] = nil
        }
        let isForScripts = Self.fieldsForScripts.contains { response.fields[$0] != nil }
        response.fields.add(common)
        response.fields.add(RequestIDs.field, id)
        if isForScripts { response.fields.add(exposed) }
        return response
    }

    /// Counts a response that begins, and returns it with the common fields and an observer.
    fileprivate func begun(
        _ response: Response, to context: RequestContext, rendering: RenderingLabels
    ) -> Response {
        let status = response.status.code
        metrics.countResponse(context.route, status: status)
        var response = completed(response, context.id)
        if tellsTimes { addTimes(to: &response, since: context.start, rendering) }
        response.observer = ResponseEnd(
            key: Metrics.ResponseKey(route: context.route, rendering: rendering),
            start: context.start,
            line: log?.line(
                of: context.request, context.id, context.route, status: status,
                cache: rendering.logged),
            policy: self)
        return response
    }

    /// Adds how long an answer has taken until its head is sent (Server Timing), unless shared caches may store it:
    /// they would repeat it.
    private func addTimes(
        to response: inout Response, since start: Int64, _ rendering: RenderingLabels
    ) {
        let field = response.fields["Cache-Control"] ?? ""
        let directives = field.lowercasedASCII.pieces(separatedBy: ",").map(\.trimmingSpaces)
        // What stands in quotes is no directive.
        guard !field.utf8.contains(UInt8(ascii: "\"")),
            directives.contains(where: { $0.isSame(as: "no-store") || $0.isSame(as: "private") })
        else { return }
        let milliseconds = Double((clock.monotonic() - start) / 1000) / 1000
        let cache = rendering.logged.map { "cache;desc=\($0), " } ?? ""
        response.fields["Server-Timing"] = "\(cache)total;dur=\(NumberText.of(milliseconds))"
    }

    /// Counts why a request is refused, and logs it where another program is the reason.
    fileprivate func count(_ problem: Problem) {
        guard let refusal = problem.refusal else { return }
        metrics.count(refusal)
        if refusal == .videoEncoder { log?.warn(problem) }
    }

    /// Counts and logs a rendering that is a part of an answer, whose bytes the answer counts.
    fileprivate func countPart(
        of context: RequestContext, _ problem: Problem?, _ rendering: RenderingLabels, bytes: Int,
        since start: Int64
    ) {
        if let problem { count(problem) }
        let status = (problem?.status ?? .ok).code
        let nanoseconds = clock.monotonic() - start
        metrics.countResponse(.batchLine, status: status)
        metrics.countEnd(
            Metrics.ResponseKey(route: .batchLine, rendering: rendering), bytes: 0,
            nanoseconds: nanoseconds)
        guard
            let line = log?.line(
                of: context.request, context.id, context.route, status: status,
                cache: rendering.logged)
        else {
            return
        }
        log?.write(line, bytes: bytes, nanoseconds: nanoseconds, isComplete: true)
    }

    fileprivate func end(_ response: ResponseEnd, contentBytes: Int, isComplete: Bool) {
        let nanoseconds = clock.monotonic() - response.start
        metrics.countEnd(
            response.key, bytes: contentBytes, nanoseconds: isComplete ? nanoseconds : nil)
        if let line = response.line {
            log?.write(
                line, bytes: contentBytes, nanoseconds: nanoseconds, isComplete: isComplete)
        }
    }
}

/// The observer of a response, by which it is counted and logged once it has ended.
///
/// It does not hold the request, whose body may be large, while a slow client reads the response.
private final class ResponseEnd: ResponseObserver {
    let key: Metrics.ResponseKey
    /// The instant, in nanoseconds of the clock, at which the request came.
    let start: Int64
    /// Nil if the response is not logged.
    let line: RequestLog.Line?
    private let policy: ResponsePolicy

    init(
        key: Metrics.ResponseKey, start: Int64, line: RequestLog.Line?, policy: ResponsePolicy
    ) {
        self.key = key
        self.start = start
        self.line = line
        self.policy = policy
    }

    func responseEnded(contentBytes: Int, isComplete: Bool) {
        policy.end(self, contentBytes: contentBytes, isComplete: isComplete)
    }
}

/// A request with its route and its responder.
///
/// A class, because a copy of the request for each thread would be expensive.
final class RequestContext: Sendable {
    let request: HTTP.Request
    /// The identifier in the log and in the answer.
    let id: String
    let route: RouteName
    /// The instant, in nanoseconds of the clock, at which the request came.
    let start: Int64
    private let policy: ResponsePolicy
    private let responder: Responder

    fileprivate init(
        _ request: HTTP.Request, id: String, route: RouteName, start: Int64,
        responder: Responder, policy: ResponsePolicy
    ) {
        self.request = request
        self.id = id
        self.route = route
        self.start = start
        self.responder = responder
        self.policy = policy
    }

    /// True if the client has gone.
    var isAbandoned: Bool { responder.isAbandoned }

    /// Returns a problem as the service writes it.
    func json(of problem: Problem) -> JSONNode { problem.json(of: policy.service) }

    /// Sends a response.
    ///
    /// - Parameters:
    ///   - response: The response without the common fields.
    ///   - rendering: The labels by which it is counted if it has a rendering.
    func send(_ response: Response, rendering: RenderingLabels = .none) {
        responder.send(policy.begun(response, to: self, rendering: rendering))
    }

    /// Sends a response whose content is made while it is sent.
    ///
    /// - Parameters:
    ///   - response: The response without content and common fields.
    ///   - stream: The content; nil if only the head is needed.
    ///   - rendering: The labels by which it is counted.
    func send(_ response: Response, stream: RenderedStream?, rendering: RenderingLabels) {
        var response = response
        if let stream, request.method != .head {
            response.body = .stream(StreamedContent(stream))
        } else {
            stream?.cancel()
            response.body = .stream(NoContent())
        }
        send(response, rendering: rendering)
    }

    /// Sends a problem, with fields of its status.
    func fail(_ problem: Problem, adding fields: Fields = [:]) {
        var response = policy.response(to: problem, for: request)
        response.fields.add(fields)
        fail(problem, with: response)
    }

    /// Sends a response that tells a problem in a form of its own.
    func fail(_ problem: Problem, with response: Response) {
        policy.count(problem)
        send(response)
    }

    /// Counts and logs one of several renderings for the request.
    ///
    /// - Parameters:
    ///   - problem: The reason why there is none.
    ///   - rendering: The labels by which it is counted.
    ///   - bytes: The bytes of the file.
    ///   - start: The instant, in nanoseconds of the clock, at which it began.
    func countPart(
        _ problem: Problem?, rendering: RenderingLabels, bytes: Int, since start: Int64
    ) {
        policy.countPart(of: self, problem, rendering, bytes: bytes, since: start)
    }

    /// Sends 405 with the methods that a path allows.
    func refuseMethod(allowing methods: [Method]) {
        let allow = (methods + [.options]).map(\.rawValue).joined(separator: ", ")
        let problem = Problem(
            .methodNotAllowed, "Method not allowed", "method", "must be one of \(allow)")
        fail(problem, adding: ["Allow": allow])
    }
}

/// The body of a rendering that is sent while it is made.
private final class StreamedContent: BodySource {
    private let stream: RenderedStream

    init(_ stream: RenderedStream) {
        self.stream = stream
    }

    func nextPiece(_ deliver: @escaping @Sendable (BodyPiece) -> Void) {
        stream.nextPiece { piece in
            switch piece {
            case .bytes(let content): deliver(.bytes(content))
            case .end: deliver(.end)
            case .failed: deliver(.failed)
            }
        }
    }

    func cancel() {
        stream.cancel()
    }
}

/// Empty content without a length, for the response to HEAD.
private final class NoContent: BodySource {
    func nextPiece(_ deliver: @escaping @Sendable (BodyPiece) -> Void) { deliver(.end) }
    func cancel() {}
}
