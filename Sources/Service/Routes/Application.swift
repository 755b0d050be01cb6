import Bytes
import Encoders
package import HTTP
package import Logging
package import Raster
import Rendering
import Synchronization
package import Typesetting

/// The service: the routes and their responses.
package final class Application: Handler {
    private enum Route: Sendable {
        case render(NegotiatedRequest.Source)
        case permalink
        case embed
        case element
        case canonical
        case batch
        case mcp
        case document(CatalogDocument, RouteName)
        case fonts
        case health
        case metrics

        var name: RouteName {
            switch self {
            case .render(.typing): .typing
            case .render: .render
            case .permalink: .permalink
            case .embed: .embed
            case .element: .element
            case .canonical: .canonical
            case .batch: .batch
            case .mcp: .mcp
            case .document(_, let name): name
            case .fonts: .fonts
            case .health: .health
            case .metrics: .metrics
            }
        }
    }

    private let settings: ServiceSettings
    private let renderer: Renderer
    /// The content of `/fonts`.
    private let fonts: Mutex<CatalogDocument>
    private let readers: RequestReaders
    private let render: RenderRoute
    private let embed: EmbedRoute
    private let element: ElementRoute
    private let canonical: CanonicalRoute
    private let batch: BatchRoute
    private let mcp: MCPRoute
    private let router: Router<Route>
    private let files: StaticFiles
    private let drain: DrainSignal
    private let limiter: RateLimiter?
    private let policy: ResponsePolicy
    private let metrics: MetricsDocument

    /// The paths whose queries may hold UTF-8 that is not percent-encoded.
    package static let rawQueryPaths = ["/", TypingQuery.path].flatMap {
        [$0, CanonicalRoute.prefix + $0]
    }

    /// Returns the path whose requests may have more content than others; nil if there is none.
    package static func longContent(_ settings: ServiceSettings) -> LongContent? {
        guard settings.takesBatches else { return nil }
        return LongContent(path: BatchRoute.path, bytes: settings.batch.bodyBytes)
    }

    /// Makes the service and starts its render threads.
    ///
    /// - Parameters:
    ///   - settings: The operator's settings.
    ///   - catalog: The installed fonts.
    ///   - drain: The signal that shutdown has begun.
    ///   - statistics: The server's counters.
    ///   - logger: The log of requests, if there is one.
    ///   - metricsSum: Adds the metrics of other processes; nil if there are none.
    /// - Throws: `StaticFilesError` if the public directory cannot be read, `LibraryFault` if nothing
    ///   can be rendered.
    package init(
        settings: ServiceSettings, catalog: FontCatalog, drain: DrainSignal,
        statistics: ServerStatistics = ServerStatistics(), logger: Logger? = nil,
        metricsSum: MetricsAddition? = nil
    ) throws {
        self.settings = settings
        self.drain = drain
        let files =
            try settings.publicDirectory.map(StaticFiles.init(directory:)) ?? StaticFiles()
        fonts = Mutex(Self.fonts(of: catalog))
        let metrics = Metrics(start: settings.clock.wall())
        renderer = try Renderer(
            settings.rendering, catalog: catalog, now: settings.clock.monotonic
        ) { format, nanoseconds in
            metrics.countRendering(format, nanoseconds: nanoseconds)
        }
        readers = RequestReaders()
        render = RenderRoute(
            settings: settings, renderer: renderer, readers: readers, drain: drain)
        embed = EmbedRoute(
            settings: settings, renderer: renderer, readers: readers, drain: drain)
        element = ElementRoute(
            settings: settings, renderer: renderer, readers: readers, drain: drain)
        canonical = CanonicalRoute(settings: settings, renderer: renderer, readers: readers)
        mcp = MCPRoute(settings: settings, renderer: renderer, readers: readers, drain: drain)
        let router = Self.routes(settings)
        self.files = files
        self.router = router
        limiter = settings.rateLimit.map { RateLimiter($0, clock: settings.clock) }
        batch = BatchRoute(
            settings: settings, renderer: renderer, readers: readers, drain: drain,
            limiter: limiter)
        policy = ResponsePolicy(
            allowOrigin: settings.allowOrigin, metrics: metrics, clock: settings.clock,
            log: logger.map { logger in
                RequestLog(logger) {
                    Self.loggedPath(
                        $0, router: router, files: files,
                        formats: settings.rendering.schema.formats)
                }
            })
        self.metrics = MetricsDocument(
            metrics: metrics, renderer: renderer, statistics: statistics,
            sum: metricsSum, descriptors: DescriptorCount(settings.clock))
    }

    /// The metrics of this process.
    package var metricsText: String { metrics.text }

    /// Ends all work and the render threads.
    ///
    /// - Returns: False if some threads have not ended within two seconds.
    @discardableResult
    package func stop() -> Bool {
        renderer.stop()
    }

    /// Reads the installed fonts again, which takes a while.
    ///
    /// Renderings that have begun keep their fonts. All kept renderings are removed.
    ///
    /// - Throws: The fault of the new fonts; the old ones then stay in use.
    package func reloadFonts() throws(LibraryFault) {
        let reading = try renderer.readFonts()
        renderer.use(reading)
        let document = Self.fonts(of: reading.catalog)
        fonts.withLock { $0 = document }
    }

    /// Returns the content of `/fonts`, which is made from the files as they are when it is first
    /// asked for.
    private static func fonts(of catalog: FontCatalog) -> CatalogDocument {
        CatalogDocument(
            json: DeferredDocument { () throws(LibraryFault) in
                try Document(CatalogDocuments.fonts(catalog), dependsOnAccept: true)
            },
            page: DeferredDocument { () throws(LibraryFault) in
                try Document(page: CatalogPage.fonts(catalog))
            })
    }

    private static func routes(_ settings: ServiceSettings) -> Router<Route> {
        let schema = settings.rendering.schema
        var router = Router<Route>()
        for method in settings.allowsPost ? [Method.get, .post] : [.get] {
            router.add(method, "/render", .render(.parameters(extension: nil)))
            router.add(method, "/embed", .embed)
            router.add(method, ElementRoute.path, .element)
            for format in schema.formats.entries {
                let source = NegotiatedRequest.Source.parameters(extension: format)
                for fileExtension in format.fileExtensions {
                    router.add(method, "/render.\(fileExtension)", .render(source))
                }
            }
        }
        for format in schema.formats.entries {
            for fileExtension in format.fileExtensions {
                router.add(
                    .get, "\(Countdown.path).\(fileExtension)",
                    .render(.countdown(extension: format)))
            }
        }
        if settings.takesBatches {
            router.add(.post, BatchRoute.path, .batch)
        }
        router.add(.get, prefix: "/r/", .permalink)
        router.add(.get, CanonicalRoute.prefix, .canonical)
        router.add(.get, prefix: CanonicalRoute.prefix + "/", .canonical)
        router.add(.get, TypingQuery.path, .render(.typing))
        if settings.answersMCP, settings.allowsPost { router.add(.post, MCPRoute.path, .mcp) }
        let taken = settings.onlyPresets ? Permission.parameters : nil
        // Pictures of a server that restricts who may ask for them are not for everybody.
        let hasPictures = taken == nil && settings.signer == nil
        let documents:
            [(
                path: String, RouteName, node: @Sendable () -> JSONNode,
                page: (@Sendable () -> [UInt8])?
            )] = [
                (
                    "/effects", .effects, { CatalogDocuments.effects(schema.effects) },
                    { CatalogPage.effects(schema.effects, hasPictures: hasPictures) }
                ),
                ("/formats", .formats, { CatalogDocuments.formats(schema.formats) }, nil),
                (
                    "/presets", .presets, { CatalogDocuments.presets(schema.presets) },
                    { CatalogPage.presets(schema.presets, hasPictures: hasPictures) }
                ),
                ("/targets", .targets, { CatalogDocuments.targets(schema.targets) }, nil),
                (
                    "/parameters", .parameters,
                    { CatalogDocuments.parameters(schema, taken: taken) }, nil
                ),
                ("/pictures", .pictures, { CatalogDocuments.pictures(schema.pictures) }, nil),
                ("/openapi.json", .openapi, { OpenAPIDocument(settings).node }, nil),
            ]
        for (path, name, node, page) in documents {
            let json = DeferredDocument { () throws(LibraryFault) in
                try Document(node(), dependsOnAccept: page != nil)
            }
            let page = page.map { page in
                DeferredDocument { () throws(LibraryFault) in try Document(page: page()) }
            }
            router.add(.get, path, .document(CatalogDocument(json: json, page: page), name))
        }
        let types = DeferredDocument { () throws(LibraryFault) in
            let types = TypeScriptDocument(schemas: OpenAPIDocument(settings).schemas)
            return try Document(
                bytes: Array(types.text.utf8), mediaType: "text/plain; charset=utf-8",
                isText: true, cacheControl: "public, max-age=300", policy: nil)
        }
        router.add(.get, "/titlecard.d.ts", .document(CatalogDocument(json: types), .openapi))
        router.add(.get, "/fonts", .fonts)
        router.add(.get, "/health", .health)
        router.add(.get, "/metrics", .metrics)
        return router
    }

    // MARK: Handler

    package func isOneClient(_ address: String) -> Bool {
        IPAddress(address).map { !settings.trustedProxies.contain($0) } ?? false
    }

    package func handle(_ request: HTTP.Request, _ responder: Responder) {
        let isTyping = TypingQuery.isMeant(by: request)
        let match = router.match(request.method, isTyping ? TypingQuery.path : request.path)
        let name = if case .found(let route, _) = match { route.name } else { RouteName.other }
        let context = policy.context(of: request, route: name, responder: responder)
        let file: DeferredDocument? =
            if case .notFound = match { files.file(at: request.path) } else { nil }
        // The parser cannot tell for which of them the query is: that path has two meanings.
        if !isTyping, request.path.isSame(as: "/"),
            request.target.utf8.contains(where: { $0 >= 0x80 })
        {
            return context.fail(.targetNotASCII)
        }
        // Files do not count: a page loads many at once, and each comes from memory.
        if file == nil, let wait = wait(of: request, name) {
            return context.fail(.tooManyRequests(retryAfter: wait))
        }
        if request.method == .options { return respondToOptions(context) }
        switch match {
        case .found(let route, let rest): respond(to: route, rest: rest, context: context)
        case .methodNotAllowed(let allow): context.refuseMethod(allowing: allow)
        case .notFound:
            if let file { return sendFile(file, context) }
            // Links of its document are relative to the folder.
            if request.method == .get || request.method == .head,
                files.hasFolder(at: request.path)
            {
                let location = request.path + "/"
                return context.send(
                    Response(status: .permanentRedirect, fields: ["Location": location]))
            }
            context.fail(.notFound(at: request.path, settings.rendering.schema.formats))
        }
    }

    package func response(to failure: ProtocolFailure) -> Response {
        policy.response(to: failure)
    }

    private func respond(to route: Route, rest: Substring, context: RequestContext) {
        let isWithoutLength = context.request.method == .post && !context.request.declaresContent
        switch route {
        case .health: context.send(healthResponse())
        case .metrics: respondWithMetrics(context)
        case .fonts: send(fonts.withLock { $0 }.document(for: context.request), context)
        case .document(let document, _): send(document.document(for: context.request), context)
        case .render where isWithoutLength, .embed where isWithoutLength,
            .element where isWithoutLength, .batch where isWithoutLength,
            .mcp where isWithoutLength:
            context.fail(.lengthRequired)
        case .render(let source): render.respond(to: source, context: context)
        case .embed: embed.respond(context)
        case .element: element.respond(context)
        case .batch: batch.respond(context)
        case .mcp: mcp.respond(context)
        case .canonical:
            // A query alone is signed as it was sent.
            guard let subject = CanonicalRoute.subject(of: context.request) else {
                return canonical.respond(
                    to: .parameters(extension: nil), of: context.request, context: context)
            }
            guard
                let source = Self.source(
                    of: subject, router, settings.rendering.schema.formats)
            else { return context.fail(.notFound) }
            canonical.respond(to: source, of: subject, context: context)
        case .permalink:
            guard
                let source = NegotiatedRequest.Source.permalink(
                    behind: rest, settings.rendering.schema.formats)
            else {
                return context.fail(
                    .notFound(at: context.request.path, settings.rendering.schema.formats))
            }
            render.respond(to: source, context: context)
        }
    }

    /// Returns the part of a request that names a rendering; nil if its path names none.
    static func source(
        of request: HTTP.Request, _ settings: ServiceSettings
    ) -> NegotiatedRequest.Source? {
        source(of: request, routes(settings), settings.rendering.schema.formats)
    }

    private static func source(
        of request: HTTP.Request, _ router: Router<Route>, _ formats: FormatCatalog
    ) -> NegotiatedRequest.Source? {
        if TypingQuery.isMeant(by: request) { return .typing }
        guard case .found(let route, let rest) = router.match(.get, request.path) else {
            return nil
        }
        switch route {
        // What it means depends on the clock.
        case .render(.countdown): return nil
        case .render(let source): return source
        case .permalink: return .permalink(behind: rest, formats)
        default: return nil
        }
    }

    /// Sends the counters; the system's figures, which take longer with each connection, are at
    /// most a second old, and are read on another thread.
    private func respondWithMetrics(_ context: RequestContext) {
        readers.submit(for: context) { [metrics] in metrics.respond { context.send($0) } }
    }

    /// Returns the seconds for which an address has to wait; nil for none.
    ///
    /// Health and metrics have no limit.
    private func wait(of request: HTTP.Request, _ route: RouteName) -> Int? {
        guard let limiter, route != .health, route != .metrics,
            let address = ClientAddress.of(request, trusting: settings.trustedProxies)
        else { return nil }
        return limiter.take(for: address)
    }

    /// Returns the part of a path that may be logged: a known path whole, of a permalink only its
    /// extension.
    private static func loggedPath(
        _ path: String, router: Router<Route>, files: StaticFiles, formats: FormatCatalog
    ) -> String {
        if path.begins(with: "/r/") {
            return "/r/…" + (formats.entry(ofFile: path).map { "." + $0.type.fileExtension } ?? "")
        }
        if path.begins(with: CanonicalRoute.prefix + "/") { return CanonicalRoute.prefix + "/…" }
        if case .notFound = router.match(.get, path), files.file(at: path) == nil { return "…" }
        return path
    }

    // MARK: Responses

    private func healthResponse() -> Response {
        if drain.isDraining { return Self.draining }
        let reasons = renderer.failures
        guard !reasons.isEmpty else { return Self.healthy }
        // A load balancer may send no requests until the response is 200.
        renderer.trySample()
        let body: JSONNode = ["status": "failing", "reasons": .array(reasons.map { .string($0) })]
        return Response(
            status: .serviceUnavailable, fields: Self.healthy.fields, body: .bytes(body.bytes))
    }

    private static let healthy = Response(
        fields: ["Content-Type": "application/json", "Cache-Control": "no-store"],
        body: .bytes(Array(#"{"status":"ok"}"#.utf8)))
    private static let draining = Response(
        status: .serviceUnavailable, fields: healthy.fields,
        body: .bytes(Array(#"{"status":"draining"}"#.utf8)))

    private func sendFile(_ file: DeferredDocument, _ context: RequestContext) {
        guard context.request.method == .get || context.request.method == .head else {
            return context.refuseMethod(allowing: [.get, .head])
        }
        send(file, context)
    }

    /// Sends a document; one that has yet to be made is made on another thread.
    private func send(_ document: DeferredDocument, _ context: RequestContext) {
        if let made = document.made { return context.send(made.response(to: context.request)) }
        readers.submit(for: context) {
            do throws(LibraryFault) {
                context.send(try document.document().response(to: context.request))
            } catch {
                context.fail(Problem(.library(error)))
            }
        }
    }

    /// Responds to OPTIONS, which a CORS preflight uses too.
    private func respondToOptions(_ context: RequestContext) {
        let request = context.request
        var allow: [Method] = []
        for method in [Method.get, .head, .post] {
            if case .found = router.match(method, request.path) { allow.append(method) }
        }
        let isKnown =
            !allow.isEmpty || request.path.isSame(as: "*") || files.file(at: request.path) != nil
        guard isKnown else { return context.fail(.notFound) }
        if allow.isEmpty { allow = [.get, .head] }
        let methods = (allow + [.options]).map(\.rawValue).joined(separator: ", ")
        var response = Response(status: .noContent, fields: ["Allow": methods])
        if request.fields["Origin"] != nil, settings.allowOrigin != nil {
            response.fields["Access-Control-Allow-Methods"] = methods
            let fields = request.path.isSame(as: MCPRoute.path) ? ", " + MCPRoute.fields : ""
            response.fields["Access-Control-Allow-Headers"] =
                "Content-Type, If-None-Match" + fields
            response.fields["Access-Control-Max-Age"] = "86400"
        }
        context.send(response)
    }
}
