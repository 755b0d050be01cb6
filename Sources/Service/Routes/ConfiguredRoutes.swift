import Bytes
import Encoders
import HTTP
import Raster
package import Rendering
import Synchronization
package import Typesetting

/// The settings that an operator may change while the service runs; a reload replaces all of them
/// at once.
package struct ServiceConfiguration: Sendable {
    /// The parameters of requests, with the operator's effects, presets and pictures.
    package let schema: RequestSchema
    /// The keys that URLs are signed with; nil where they need no signature.
    package let signer: URLSigner?
    package let fonts: FontCatalog

    package init(schema: RequestSchema, signer: URLSigner?, fonts: FontCatalog) {
        self.schema = schema
        self.signer = signer
        self.fonts = fonts
    }
}

/// The handlers of one configuration.
///
/// A request is checked, permitted and answered by the configuration that was in use when it came.
final class ConfiguredRoutes: Sendable {
    let table: RouteTable
    let resources: RouteResources
    private let render: RenderRoute
    private let embed: EmbedRoute
    private let element: ElementRoute
    private let canonical: CanonicalRoute
    private let batch: BatchRoute
    private let mcp: MCPRoute

    init(_ resources: RouteResources) {
        self.resources = resources
        table = RouteTable(resources.settings, fonts: resources.fonts.catalog)
        render = RenderRoute(resources)
        embed = EmbedRoute(resources)
        element = ElementRoute(resources)
        canonical = CanonicalRoute(resources)
        batch = BatchRoute(resources)
        mcp = MCPRoute(resources)
    }

    var formats: FormatCatalog { resources.settings.rendering.schema.formats }

    func respond(to route: RouteTable.Route, rest: Substring, context: RequestContext) {
        let isWithoutLength = context.request.method == .post && !context.request.declaresContent
        switch route {
        case .health: context.send(healthResponse())
        case .metrics: resources.metrics.respond { context.send($0) }
        case .document(let document, _): send(document.document(for: context.request), context)
        case .render where isWithoutLength, .embed where isWithoutLength,
            .element where isWithoutLength, .batch where isWithoutLength,
            .mcp where isWithoutLength:
            context.fail(.lengthRequired)
        case .render(let source): render.respond(to: source, context: context)
        case .countdown(let format):
            let now = resources.settings.clock.wall()
            render.respond(to: .countdown(from: now, extension: format), context: context)
        case .embed: embed.respond(context)
        case .element: element.respond(context)
        case .batch: batch.respond(context)
        case .mcp: mcp.respond(context)
        case .canonical:
            // A query without a path is signed as it was sent.
            guard let subject = CanonicalRoute.subject(of: context.request) else {
                return canonical.respond(
                    to: .parameters(extension: nil), of: context.request, context: context)
            }
            guard let source = NegotiatedRequest.Source.lasting(of: subject, formats) else {
                return context.fail(.notFound)
            }
            canonical.respond(to: source, of: subject, context: context)
        case .permalink:
            guard let source = NegotiatedRequest.Source.permalink(behind: rest, formats) else {
                return context.fail(.notFound(at: context.request.path, formats))
            }
            render.respond(to: source, context: context)
        }
    }

    private func healthResponse() -> Response {
        if resources.drain.isDraining { return Self.draining }
        let renderer = resources.renderer
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

    /// Sends a document; a document that does not exist yet is made on another thread.
    func send(_ document: DeferredDocument, _ context: RequestContext) {
        if let made = document.made { return context.send(made.response(to: context.request)) }
        resources.readers.submit(for: context) {
            do throws(LibraryFault) {
                context.send(try document.document().response(to: context.request))
            } catch {
                context.fail(Problem(.library(error)))
            }
        }
    }
}

/// The routes that new requests take.
final class CurrentRoutes: Sendable {
    private let routes: Mutex<ConfiguredRoutes>

    init(_ routes: ConfiguredRoutes) {
        self.routes = Mutex(routes)
    }

    var value: ConfiguredRoutes {
        get { routes.withLock { $0 } }
        set { routes.withLock { $0 = newValue } }
    }
}
