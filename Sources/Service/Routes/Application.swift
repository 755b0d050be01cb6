import Encoders
package import HTTP
import Motion
package import Typesetting

/// The service: which path is answered by what.
package final class Application: Handler {
    private enum Route: Sendable {
        case render(RenderRoute.Source)
        case permalink
        case document(Document)
        case health
    }

    private let settings: ServiceSettings
    private let pool: RenderPool
    private let render: RenderRoute
    private let router: Router<Route>
    private let files: StaticFiles
    private let drain: DrainSignal

    /// The catalogue holds the fonts that are installed, the signal tells whether shutdown has begun.
    ///
    /// - Throws: When the public directory cannot be read.
    package init(
        settings: ServiceSettings, catalog: FontCatalog, drain: DrainSignal
    ) throws(StaticFilesError) {
        self.settings = settings
        self.drain = drain
        let pool = RenderPool(
            workers: settings.workers, queueLength: settings.renderQueue, catalog: catalog)
        self.pool = pool
        render = RenderRoute(
            pipeline: RenderPipeline(limits: settings.limits), settings: settings, pool: pool,
            fingerprint: catalog.fingerprint)
        files = try settings.publicDirectory.map(StaticFiles.init(directory:)) ?? StaticFiles()
        router = Self.routes(catalog)
    }

    /// Lets renderings in flight finish and ends the render threads.
    package func stop() {
        pool.stop()
    }

    private static func routes(_ catalog: FontCatalog) -> Router<Route> {
        var router = Router<Route>()
        for method in [Method.get, .post] {
            router.add(method, "/render", .render(.parameters(extension: nil)))
            for format in FormatCatalog.all {
                let source = RenderRoute.Source.parameters(extension: format)
                router.add(method, "/render.\(format.fileExtension)", .render(source))
            }
        }
        router.add(.get, prefix: "/r/", .permalink)
        router.add(.get, "/effects", .document(Document(EffectsDocument.node)))
        router.add(.get, "/fonts", .document(Document(FontsDocument.node(catalog))))
        router.add(.get, "/openapi.json", .document(Document(OpenAPIDocument.node)))
        router.add(.get, "/health", .health)
        return router
    }

    // MARK: Handler

    package func handle(_ request: HTTP.Request, _ responder: Responder) {
        if request.method == .options { return send(options(request), request, responder) }
        switch router.match(request.method, request.path) {
        case .found(let route, let rest): answer(route, rest, request, responder)
        case .methodNotAllowed(let allow): send(notAllowed(allow), request, responder)
        case .notFound: send(file(request), request, responder)
        }
    }

    package func response(to failure: ProtocolFailure) -> Response {
        finished(problem(Problem(failure)), for: nil)
    }

    private func answer(
        _ route: Route, _ rest: Substring, _ request: HTTP.Request, _ responder: Responder
    ) {
        switch route {
        case .health: send(health(), request, responder)
        case .document(let document): send(document.response(to: request), request, responder)
        case .render(let source):
            guard request.method != .post || request.declaresContent else {
                return send(problem(.lengthRequired, request), request, responder)
            }
            enqueue(source, request, responder)
        case .permalink:
            guard let dot = rest.lastIndex(of: "."),
                let format = FormatCatalog.format(
                    withExtension: String(rest[rest.index(after: dot)...]))
            else { return send(problem(.notFound, request), request, responder) }
            let token = String(rest[..<dot])
            enqueue(.permalink(token: token, extension: format), request, responder)
        }
    }

    private func enqueue(
        _ source: RenderRoute.Source, _ request: HTTP.Request, _ responder: Responder
    ) {
        let isQueued = pool.submit { [self] worker in
            guard !responder.isAbandoned else { return }
            let response: Response
            do throws(Problem) {
                response = try render.response(to: request, from: source, on: worker)
            } catch {
                response = problem(error, request)
            }
            send(response, request, responder)
        }
        if !isQueued {
            send(problem(drain.isDraining ? .draining : .busy, request), request, responder)
        }
    }

    private func send(_ response: Response, _ request: HTTP.Request, _ responder: Responder) {
        responder.send(finished(response, for: request))
    }

    /// What every answer carries.
    private func finished(_ response: Response, for request: HTTP.Request?) -> Response {
        var response = response
        response.fields["X-Content-Type-Options"] = "nosniff"
        if let origin = settings.allowOrigin {
            response.fields["Access-Control-Allow-Origin"] = origin
            if response.fields["ETag"] != nil {
                response.fields["Access-Control-Expose-Headers"] =
                    "Content-Location, ETag, Titlecard-Duration"
            }
        }
        return response
    }

    // MARK: Small answers

    private func health() -> Response {
        let status = drain.isDraining ? "draining" : "ok"
        return Response(
            status: drain.isDraining ? .serviceUnavailable : .ok,
            fields: ["Content-Type": "application/json", "Cache-Control": "no-store"],
            body: .bytes(JSONNode.object([("status", .string(status))]).bytes))
    }

    private func file(_ request: HTTP.Request) -> Response {
        guard let file = files.file(at: request.path) else { return problem(.notFound, request) }
        guard request.method == .get || request.method == .head else {
            return notAllowed([.get, .head])
        }
        return file.response(to: request)
    }

    private func notAllowed(_ methods: [Method]) -> Response {
        let allow = (methods + [.options]).map(\.rawValue).joined(separator: ", ")
        var response = problem(
            Problem(
                .methodNotAllowed, "Method not allowed",
                faults: [ParameterFault(parameter: "method", message: "must be one of \(allow)")]))
        response.fields["Allow"] = allow
        return response
    }

    /// A CORS preflight, or a question for the methods.
    private func options(_ request: HTTP.Request) -> Response {
        var allow: [Method] = []
        for method in [Method.get, .head, .post] {
            if case .found = router.match(method, request.path) { allow.append(method) }
        }
        let isKnown = !allow.isEmpty || request.path == "*" || files.file(at: request.path) != nil
        guard isKnown else { return problem(.notFound, request) }
        if allow.isEmpty { allow = [.get, .head] }
        let methods = (allow + [.options]).map(\.rawValue).joined(separator: ", ")
        var response = Response(status: .noContent, fields: ["Allow": methods])
        if request.fields["Origin"] != nil, settings.allowOrigin != nil {
            response.fields["Access-Control-Allow-Methods"] = methods
            response.fields["Access-Control-Allow-Headers"] = "Content-Type, If-None-Match"
            response.fields["Access-Control-Max-Age"] = "86400"
        }
        return response
    }

    // MARK: Errors

    private func problem(_ problem: Problem, _ request: HTTP.Request? = nil) -> Response {
        var response = Response(status: problem.status)
        response.fields["Cache-Control"] = "no-store"
        if let seconds = problem.retryAfter { response.fields["Retry-After"] = "\(seconds)" }
        if let request, ErrorCard.isWanted(by: request) {
            response.fields["Content-Type"] = SVGFormat.mediaType
            response.fields["Content-Security-Policy"] = RenderRoute.svgPolicy
            response.body = .bytes(ErrorCard.bytes(of: problem))
        } else {
            response.fields["Content-Type"] = "application/problem+json"
            response.body = .bytes(problem.json.bytes)
        }
        return response
    }
}
