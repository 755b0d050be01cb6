import Encoders
package import HTTP
package import Logging
package import Motion
import Rendering
import Synchronization
package import Typesetting

/// The service: which path is answered by what.
package final class Application: Handler {
    private enum Route: Sendable {
        case render(AskedRendering.Source)
        case permalink
        case document(Document, RouteName)
        case fonts
        case health
        case metrics

        var name: RouteName {
            switch self {
            case .render: .render
            case .permalink: .permalink
            case .document(_, let name): name
            case .fonts: .fonts
            case .health: .health
            case .metrics: .metrics
            }
        }
    }

    private let settings: ServiceSettings
    private let pool: RenderPool
    private let fonts: CurrentFonts
    /// The answer of `/fonts`.
    private let fontsDocument: Mutex<Document>
    private let cache: RenderCache
    private let glyphs: SharedGlyphCache
    private let health = RenderHealth()
    /// Whether a sample is being rendered to see whether renderings succeed again.
    private let isTrying = Atomic(false)
    private let render: RenderRoute
    private let router: Router<Route>
    private let files: StaticFiles
    private let drain: DrainSignal
    private let limiter: RateLimiter?
    private let desk: AnswerDesk
    private let figures: Figures

    /// The catalogue holds the fonts that are installed, the signal tells whether shutdown has
    /// begun, the statistics what the server counts.
    ///
    /// - Throws: `StaticFilesError` when the public directory cannot be read, `LibraryFault` when
    ///   nothing can be rendered.
    package init(
        settings: ServiceSettings, catalog: FontCatalog, drain: DrainSignal,
        statistics: ServerStatistics = ServerStatistics(), logger: Logger? = nil
    ) throws {
        self.settings = settings
        self.drain = drain
        let files =
            try settings.publicDirectory.map(StaticFiles.init(directory:)) ?? StaticFiles()
        fonts = CurrentFonts(FontReading(catalog))
        fontsDocument = Mutex(try Document(FontsDocument.node(catalog)))
        glyphs = SharedGlyphCache(capacity: settings.glyphCacheBytes)
        pool = try RenderPool(
            workers: settings.workers, queueLength: settings.renderQueue,
            makeWorker: { [glyphs, health] () throws(LibraryFault) in
                try RenderWorker(catalog: catalog, cache: glyphs, health: health)
            }, rest: { [glyphs] in glyphs.rest() })
        let metrics = Metrics()
        cache = RenderCache(capacity: settings.cacheBytes)
        render = try RenderRoute(settings, fonts, pool, cache, metrics, drain)
        let router = try Self.routes(allowsPost: settings.allowsPost)
        self.files = files
        self.router = router
        limiter = settings.rateLimit.map { RateLimiter($0, clock: settings.clock) }
        desk = AnswerDesk(
            allowOrigin: settings.allowOrigin, metrics,
            logger.map { logger in
                RequestLog(logger, clock: settings.clock) { Self.known($0, router, files) }
            })
        figures = Figures(
            metrics: metrics, cache: cache, glyphs: glyphs, pool: pool, statistics: statistics,
            workers: settings.workers, queue: settings.renderQueue)
    }

    /// Lets renderings in flight finish and ends the render threads.
    package func stop() {
        pool.stop()
    }

    /// Reads the installed fonts anew, for requests that come from now on; takes a while.
    ///
    /// Renderings in flight keep theirs. What is kept of earlier renderings goes.
    ///
    /// - Throws: What is wrong with the fonts; those in use stay then.
    package func reloadFonts() throws(LibraryFault) {
        let reading = FontReading(try FontCatalog())
        let document = try Document(FontsDocument.node(reading.catalog))
        // A sample shows whether they can be opened.
        _ = try RenderWorker(catalog: reading.catalog, cache: glyphs, health: health)
        fonts.replace(with: reading)
        fontsDocument.withLock { $0 = document }
        cache.removeAll()
    }

    private static func routes(allowsPost: Bool) throws(LibraryFault) -> Router<Route> {
        var router = Router<Route>()
        for method in allowsPost ? [Method.get, .post] : [.get] {
            router.add(method, "/render", .render(.parameters(extension: nil)))
            for format in FormatCatalog.all {
                let source = AskedRendering.Source.parameters(extension: format)
                router.add(method, "/render.\(format.fileExtension)", .render(source))
            }
        }
        router.add(.get, prefix: "/r/", .permalink)
        let documents: [(path: String, JSONNode, RouteName)] = [
            ("/effects", EffectsDocument.node, .effects),
            ("/openapi.json", OpenAPIDocument.node, .openapi),
        ]
        for (path, node, name) in documents {
            router.add(.get, path, .document(try Document(node), name))
        }
        router.add(.get, "/fonts", .fonts)
        router.add(.get, "/health", .health)
        router.add(.get, "/metrics", .metrics)
        return router
    }

    // MARK: Handler

    package func handle(_ request: HTTP.Request, _ responder: Responder) {
        let match = router.match(request.method, request.path)
        let name = if case .found(let route, _) = match { route.name } else { RouteName.other }
        let reply = desk.reply(to: request, name, responder)
        let file: Document? =
            if case .notFound = match { files.file(at: request.path) } else { nil }
        // A page loads many files at once, and each is answered from memory: none counts.
        if file == nil, let wait = wait(of: request, name) {
            return reply.fail(.tooManyRequests(retryAfter: wait))
        }
        if request.method == .options { return reply.send(options(request)) }
        switch match {
        case .found(let route, let rest): answer(route, rest, reply)
        case .methodNotAllowed(let allow): reply.send(notAllowed(allow, request))
        case .notFound:
            guard let file else { return reply.fail(.notFound) }
            send(file, reply)
        }
    }

    package func response(to failure: ProtocolFailure) -> Response {
        desk.response(to: failure)
    }

    private func answer(_ route: Route, _ rest: Substring, _ reply: Reply) {
        switch route {
        case .health: reply.send(healthResponse())
        case .metrics: reply.send(figures.response)
        case .fonts: reply.send(fontsDocument.withLock { $0 }.response(to: reply.request))
        case .document(let document, _): reply.send(document.response(to: reply.request))
        case .render(let source):
            guard reply.request.method != .post || reply.request.declaresContent else {
                return reply.fail(.lengthRequired)
            }
            render.answer(source, reply)
        case .permalink:
            guard let dot = rest.lastIndex(of: "."),
                let format = FormatCatalog.format(
                    withExtension: String(rest[rest.index(after: dot)...]))
            else { return reply.fail(.notFound) }
            render.answer(.permalink(token: String(rest[..<dot]), extension: format), reply)
        }
    }

    /// Seconds for which an address that asks too often has to wait; those who watch over the
    /// service never have to.
    private func wait(of request: HTTP.Request, _ route: RouteName) -> Int? {
        guard let limiter, route != .health, route != .metrics,
            let address = IPAddress(
                ClientAddress.of(request, trusting: settings.trustedProxies))
        else { return nil }
        return limiter.take(for: address)
    }

    /// What may be logged of a path: all of one that is ours, of a permalink only what it is.
    private static func known(
        _ path: String, _ router: Router<Route>, _ files: StaticFiles
    ) -> String {
        if path.hasPrefix("/r/") {
            let format = FormatCatalog.all.first { path.hasSuffix("." + $0.fileExtension) }
            return "/r/…" + (format.map { "." + $0.fileExtension } ?? "")
        }
        if case .notFound = router.match(.get, path), files.file(at: path) == nil { return "…" }
        return path
    }

    // MARK: Small answers

    private func healthResponse() -> Response {
        if drain.isDraining { return Self.isDraining }
        let reasons = health.reasons
        guard !reasons.isEmpty else { return Self.isWell }
        // Whoever is told so may send nobody to render until all is well.
        tryAgain()
        let body = JSONNode.object([
            ("status", .string("failing")), ("reasons", .array(reasons.map { .string($0) })),
        ])
        return Response(
            status: .serviceUnavailable, fields: Self.isWell.fields, body: .bytes(body.bytes))
    }

    /// Renders a sample, unless one is on its way.
    private func tryAgain() {
        let isFree = isTrying.compareExchange(
            expected: false, desired: true, ordering: .acquiringAndReleasing
        ).exchanged
        guard isFree else { return }
        let isQueued = pool.submit { [self] worker in
            defer { isTrying.store(false, ordering: .releasing) }
            worker.use(fonts.current.catalog)
            _ = try? worker.attempt { () throws(RenderingError) in
                do throws(LibraryFault) {
                    try worker.warmUp()
                } catch {
                    throw .library(error)
                }
            }
        }
        if !isQueued { isTrying.store(false, ordering: .releasing) }
    }

    private static let isWell = Response(
        fields: ["Content-Type": "application/json", "Cache-Control": "no-store"],
        body: .bytes(Array(#"{"status":"ok"}"#.utf8)))
    private static let isDraining = Response(
        status: .serviceUnavailable, fields: isWell.fields,
        body: .bytes(Array(#"{"status":"draining"}"#.utf8)))

    private func send(_ file: Document, _ reply: Reply) {
        guard reply.request.method == .get || reply.request.method == .head else {
            return reply.send(notAllowed([.get, .head], reply.request))
        }
        reply.send(file.response(to: reply.request))
    }

    private func notAllowed(_ methods: [Method], _ request: HTTP.Request) -> Response {
        let allow = (methods + [.options]).map(\.rawValue).joined(separator: ", ")
        var response = desk.response(
            to: Problem(
                .methodNotAllowed, "Method not allowed",
                faults: [ParameterFault(parameter: "method", message: "must be one of \(allow)")]),
            for: request)
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
        guard isKnown else { return desk.response(to: .notFound, for: request) }
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
}
