import Bytes
import Encoders
import HTTP
import Raster
import Rendering
import Synchronization
import Typesetting

/// The answer to requests for a path.
struct Route: Sendable {
    /// The name in metrics and logs.
    let name: RouteName
    /// Answers a request; `rest` is its path behind a prefix, or else empty.
    let respond: @Sendable (_ context: RequestContext, _ rest: Substring) -> Void
}

/// The routes of one configuration.
///
/// A request is checked, permitted and answered by the configuration that was in use when it came.
struct RouteTable: Sendable {
    let resources: RouteResources
    private var router = Router<Route>()

    init(_ resources: RouteResources) {
        self.resources = resources
        addRenderings()
        addDocuments()
        add("/health", .health, HealthRoute(resources: resources).respond)
        guard !resources.settings.hasMetricsPort else { return }
        add(RoutePath.metrics, .metrics) { context in
            resources.metrics.respond { context.send($0) }
        }
    }

    var formats: FormatCatalog { resources.settings.rendering.schema.formats }

    func match(_ method: Method, _ path: String) -> Router<Route>.Match {
        router.match(method, path)
    }

    /// Returns the part of a path that may be logged: a known path whole, of a permalink only its
    /// extension.
    func loggedPath(_ path: String, _ files: StaticFiles) -> String {
        if path.begins(with: RoutePath.permalink) {
            let format = formats.entry(ofFile: path)
            return RoutePath.permalink + "…" + (format.map { "." + $0.type.fileExtension } ?? "")
        }
        let canonical = RoutePath.canonical + "/"
        if path.begins(with: canonical) { return canonical + "…" }
        if case .notFound = router.match(.get, path), files.file(at: path) == nil { return "…" }
        return path
    }

    // MARK: Rows

    private mutating func add(
        _ path: String, _ name: RouteName, by methods: [Method] = [.get],
        _ respond: @escaping @Sendable (RequestContext) -> Void
    ) {
        for method in methods {
            router.add(method, path, Route(name: name) { context, _ in respond(context) })
        }
    }

    private mutating func addDocument(
        _ path: String, _ name: RouteName, _ document: CatalogDocument
    ) {
        let readers = resources.readers
        add(path, name) { context in
            context.send(document.document(for: context.request), madeOn: readers)
        }
    }

    /// Adds the document of a catalogue, and a page that shows it to people.
    private mutating func addDocument(
        _ path: String, _ name: RouteName,
        _ node: @escaping @Sendable () throws(LibraryFault) -> JSONNode,
        page: (@Sendable () throws(LibraryFault) -> [UInt8])? = nil
    ) {
        let json = DeferredDocument { () throws(LibraryFault) in
            try Document(try node(), dependsOnAccept: page != nil)
        }
        let page = page.map { page in
            DeferredDocument { () throws(LibraryFault) in try Document(page: try page()) }
        }
        addDocument(path, name, CatalogDocument(json: json, page: page))
    }

    /// Adds a document of text that is made of OpenAPI's schemas, or beside them.
    private mutating func addText(
        _ path: String, _ mediaType: String, _ text: @escaping @Sendable () -> [UInt8]
    ) {
        let document = DeferredDocument { () throws(LibraryFault) in
            try Document(text: text(), mediaType: mediaType)
        }
        addDocument(path, .openapi, CatalogDocument(json: document))
    }

    private mutating func addRenderings() {
        let (resources, settings, formats) = (resources, resources.settings, formats)
        let render = RenderRoute(resources: resources)
        func rendering(of source: RenderingSource) -> @Sendable (RequestContext) -> Void {
            { context in render.respond(to: source, context: context) }
        }
        let methods: [Method] = settings.allowsPost ? [.get, .post] : [.get]
        add("/render", .render, by: methods, rendering(of: .parameters(extension: nil)))
        add("/embed", .embed, by: methods, EmbedRoute(resources: resources).respond)
        add(
            RoutePath.element, .element, by: methods, ElementRoute(resources: resources).respond)
        for format in formats.entries {
            for fileExtension in format.fileExtensions {
                add(
                    "/render.\(fileExtension)", .render, by: methods,
                    rendering(of: .parameters(extension: format)))
                add("\(RoutePath.countdown).\(fileExtension)", .render) { context in
                    let now = resources.settings.clock.wall()
                    render.respond(to: .countdown(from: now, extension: format), context: context)
                }
            }
        }
        add(RoutePath.typing, .typing, rendering(of: .typing))
        if settings.takesBatches {
            add(RoutePath.batch, .batch, by: [.post], BatchRoute(resources: resources).respond)
        }
        if settings.answersMCP, settings.allowsPost {
            add(RoutePath.mcp, .mcp, by: [.post], MCPRoute(resources).respond)
        }
        let canonical = CanonicalRoute(resources: resources)
        add(RoutePath.canonical, .canonical, canonical.respond)
        router.add(
            .get, prefix: RoutePath.canonical + "/",
            Route(name: .canonical) { context, _ in canonical.respond(context) })
        router.add(
            .get, prefix: RoutePath.permalink,
            Route(name: .permalink) { context, rest in
                guard let source = RenderingSource.permalink(behind: rest, formats) else {
                    return context.fail(.notFound(at: context.request.path, formats))
                }
                render.respond(to: source, context: context)
            })
    }

    private mutating func addDocuments() {
        let settings = resources.settings
        let schema = settings.openSchema
        let taken = settings.onlyPresets ? Permission.parameters : nil
        // Pictures of a server that restricts its clients are not for everybody.
        let hasPictures = taken == nil && settings.signer == nil
        let fonts = resources.fonts.catalog
        addDocument(
            "/effects", .effects, { CatalogDocuments.effects(schema.effects) },
            page: { CatalogPage.effects(schema.effects, hasPictures: hasPictures) })
        addDocument("/formats", .formats, { CatalogDocuments.formats(schema.formats) })
        addDocument(
            "/presets", .presets, { CatalogDocuments.presets(schema.presets) },
            page: { CatalogPage.presets(schema.presets, hasPictures: hasPictures) })
        addDocument("/targets", .targets, { CatalogDocuments.targets(schema.targets) })
        addDocument(
            "/parameters", .parameters, { CatalogDocuments.parameters(schema, taken: taken) })
        addDocument("/pictures", .pictures, { CatalogDocuments.pictures(schema.pictures) })
        // Made from the files as they are when it is first asked for.
        addDocument(
            "/fonts", .fonts, { () throws(LibraryFault) in try CatalogDocuments.fonts(fonts) },
            page: { () throws(LibraryFault) in try CatalogPage.fonts(fonts) })
        addDocument("/openapi.json", .openapi, { OpenAPIDocument(settings).node })
        addText("/titlecard.d.ts", "text/plain; charset=utf-8") {
            Array(TypeScriptDocument(schemas: OpenAPIDocument(settings).schemas).text.utf8)
        }
        addText("/llms.txt", "text/plain; charset=utf-8") {
            Array(AssistantGuide(schema, taken: taken).text.utf8)
        }
        for (path, root) in SchemaDocument.paths {
            addText(path, "application/json") {
                let id = (settings.publicURL?.text ?? "") + path
                let schemas = OpenAPIDocument(settings).schemas
                return SchemaDocument(id: id, root: root, schemas: schemas).bytes
            }
        }
    }
}

extension RequestContext {
    /// Sends a document; a document that does not exist yet is made on another thread.
    func send(_ document: DeferredDocument, madeOn readers: RequestReaders) {
        if let made = document.made { return send(made.response(to: request)) }
        readers.submit(for: self) { [self] in
            do throws(LibraryFault) {
                send(try document.document().response(to: request))
            } catch {
                fail(Problem(.library(error)))
            }
        }
    }
}

/// The routes that new requests take.
final class CurrentRoutes: Sendable {
    private let routes: Mutex<RouteTable>

    init(_ routes: RouteTable) {
        self.routes = Mutex(routes)
    }

    var value: RouteTable {
        get { routes.withLock { $0 } }
        set { routes.withLock { $0 = newValue } }
    }
}
