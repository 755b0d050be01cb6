import Bytes
package import Encoders
package import HTTP
package import Logging
package import Raster
import Rendering
import Synchronization
package import Typesetting

/// The service: the routes and their responses.
package final class Application: Handler {
    /// The routes of the configuration in use.
    private let current: CurrentRoutes
    /// The formats that there are, nil while they are not known; guards each change of `current`.
    private let formats: Mutex<FormatCatalog?>
    private let files: StaticFiles
    let policy: ResponsePolicy

    /// The paths whose queries may hold UTF-8 that is not percent-encoded.
    package static let rawQueryPaths = ["/", RoutePath.typing].flatMap {
        [$0, RoutePath.canonical + $0]
    }

    /// Returns the path whose requests may have more content than others; nil if there is none.
    package static func longContent(_ settings: ServiceSettings) -> LongContent? {
        guard settings.takesBatches else { return nil }
        return LongContent(path: RoutePath.batch, bytes: settings.batch.bodyBytes)
    }

    /// Returns the limit on files of captions as bodies.
    package static func mediaLimit(_ settings: ServiceSettings) -> MediaLimit {
        MediaLimit(
            mediaTypes: RequestDecoder.captionTypes.map(\.text),
            bytes: settings.rendering.limits.captionBytes, option: "max-caption-bytes")
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
        formats = Mutex(settings.expectsFormats ? nil : settings.rendering.schema.formats)
        let files =
            try settings.publicDirectory.map(StaticFiles.init(directory:)) ?? StaticFiles()
        self.files = files
        let metrics = Metrics(start: settings.clock.wall())
        let renderer = try Renderer(
            settings.rendering, catalog: catalog, now: settings.clock.monotonic
        ) { format, nanoseconds in
            metrics.countRendering(format, nanoseconds: nanoseconds)
        }
        let document = MetricsDocument(
            metrics: metrics, renderer: renderer, statistics: statistics,
            sum: metricsSum, descriptors: DescriptorCount(settings.clock))
        let current = CurrentRoutes(
            RouteTable(RouteResources(settings, renderer, drain, document)))
        self.current = current
        policy = ResponsePolicy(
            settings, metrics: metrics,
            log: logger.map { logger in
                let proxies = settings.logsClients ? settings.trustedProxies : nil
                return RequestLog(logger, trusting: proxies) {
                    current.value.loggedPath($0, files)
                }
            })
    }

    /// The metrics of this process.
    package var metricsText: String { metrics.text }
    var metrics: MetricsDocument { current.value.resources.metrics }

    /// Calls a function on a thread that reads requests, once it has had the locks of the renderer.
    ///
    /// It is never called while all those threads hang, or a lock is held for good.
    package func visitReaders(then end: @escaping @Sendable () -> Void) {
        let resources = current.value.resources
        resources.readers.visit {
            resources.renderer.visitLocks()
            end()
        }
    }

    /// Ends all work and the render threads.
    ///
    /// - Returns: False if some threads have not ended within two seconds.
    @discardableResult
    package func stop() -> Bool {
        current.value.resources.renderer.stop()
    }

    /// Replaces the whole configuration at once.
    ///
    /// It tries the fonts first, which takes a while. Requests that were read before keep the old
    /// configuration. All kept renderings are removed.
    ///
    /// - Throws: The fault of the fonts; the old configuration then stays in use.
    package func use(_ configuration: ServiceConfiguration) throws(LibraryFault) {
        let resources = current.value.resources
        let fonts = try resources.renderer.tried(configuration.fonts)
        formats.withLock { formats in
            current.value = RouteTable(
                RouteResources(
                    current.value.resources, configuration, fonts: fonts, formats: formats))
        }
        resources.renderer.use(fonts)
        resources.memo.removeAll()
    }

    /// Tells which formats there are, and answers the requests that have waited for this.
    package func use(_ known: FormatCatalog) {
        let pending = formats.withLock { formats in
            formats = known
            let old = current.value.resources
            current.value = RouteTable(
                RouteResources(old, old.configuration, fonts: old.fonts, formats: known))
            return old.pendingFormats
        }
        pending?.end { [self] context in
            let routes = current.value
            respond(to: context, match(context.request, routes), file: nil, routes)
        }
    }

    // MARK: Handler

    package func isOneClient(_ address: String) -> Bool {
        let proxies = current.value.resources.settings.trustedProxies
        return IPAddress(address).map { !proxies.contain($0) } ?? false
    }

    package func handle(_ request: HTTP.Request, _ responder: Responder) {
        let routes = current.value
        let match = match(request, routes)
        let name = if case .found(let route, _) = match { route.name } else { RouteName.other }
        let context = policy.context(of: request, route: name, responder: responder)
        let file: DeferredDocument? =
            if case .notFound = match { files.file(at: request.path) } else { nil }
        // The parser cannot tell the two meanings of this path apart, which depend on the query.
        if !TypingQuery.isMeant(by: request), request.path.isSame(as: "/"),
            request.target.utf8.contains(where: { $0 >= 0x80 })
        {
            return context.fail(.targetNotASCII)
        }
        // Files do not count: a page loads many at once, and each comes from memory.
        if file == nil, let wait = wait(of: request, name, routes.resources) {
            return context.fail(.tooManyRequests(retryAfter: wait))
        }
        if request.method == .options { return respondToOptions(context, routes) }
        respond(to: context, match, file: file, routes)
    }

    private func match(_ request: HTTP.Request, _ routes: RouteTable) -> Router<Route>.Match {
        let isTyping = TypingQuery.isMeant(by: request)
        return routes.match(request.method, isTyping ? RoutePath.typing : request.path)
    }

    /// Responds by a route, with a file where there is none, or with an error.
    private func respond(
        to context: RequestContext, _ match: Router<Route>.Match, file: DeferredDocument?,
        _ routes: RouteTable
    ) {
        let request = context.request
        switch match {
        case .found(let route, let rest):
            guard request.method != .post || request.declaresContent else {
                return context.fail(.lengthRequired)
            }
            if route.name.dependsOnFormats, let pending = routes.resources.pendingFormats {
                return pending.hold(context)
            }
            route.respond(context, rest)
        case .methodNotAllowed(let allow): context.refuseMethod(allowing: allow)
        case .notFound:
            if let file { return send(file, context, routes) }
            // Links of its document are relative to the folder.
            if request.method == .get || request.method == .head,
                files.hasFolder(at: request.path)
            {
                let location = request.path + "/"
                return context.send(
                    Response(status: .permanentRedirect, fields: ["Location": location]))
            }
            context.fail(.notFound(at: request.path, routes.formats))
        }
    }

    package func response(to failure: ProtocolFailure, from address: String) -> Response {
        policy.response(to: failure, from: address)
    }

    /// A cache looks up what addresses mean for each that it has not seen lately, of pictures too that it
    /// has kept.
    private static let lookupCost = 0.1

    /// Returns the seconds for which an address has to wait; nil for none.
    ///
    /// Health and metrics have no limit.
    private func wait(
        of request: HTTP.Request, _ route: RouteName, _ resources: RouteResources
    ) -> Int? {
        guard let limiter = resources.limiter, route != .health, route != .metrics,
            let address = ClientAddress.of(
                request, trusting: resources.settings.trustedProxies)
        else { return nil }
        return limiter.take(route == .canonical ? Self.lookupCost : 1, for: address)
    }

    // MARK: Responses

    private func send(
        _ file: DeferredDocument, _ context: RequestContext, _ routes: RouteTable
    ) {
        guard context.request.method == .get || context.request.method == .head else {
            return context.refuseMethod(allowing: [.get, .head])
        }
        context.send(file, madeOn: routes.resources.readers)
    }

    /// Responds to OPTIONS, which a CORS preflight uses too.
    private func respondToOptions(_ context: RequestContext, _ routes: RouteTable) {
        let request = context.request
        var allow: [Method] = []
        for method in [Method.get, .head, .post] {
            if case .found = routes.match(method, request.path) { allow.append(method) }
        }
        let isKnown =
            !allow.isEmpty || request.path.isSame(as: "*") || files.file(at: request.path) != nil
        guard isKnown else { return context.fail(.notFound) }
        if allow.isEmpty { allow = [.get, .head] }
        let methods = (allow + [.options]).map(\.rawValue).joined(separator: ", ")
        var response = Response(status: .noContent, fields: ["Allow": methods])
        if request.fields["Origin"] != nil, routes.resources.settings.allowOrigin != nil {
            response.fields["Access-Control-Allow-Methods"] = methods
            let fields = request.path.isSame(as: RoutePath.mcp) ? ", " + MCPRoute.fields : ""
            response.fields["Access-Control-Allow-Headers"] =
                "Content-Type, If-None-Match" + fields
            response.fields["Access-Control-Max-Age"] = "86400"
        }
        context.send(response)
    }
}
