import Bytes
import Encoders
import HTTP
import Raster
import Rendering
import Typesetting

/// The paths that one configuration of the service serves, with the documents of its catalogues.
struct RouteTable: Sendable {
    enum Route: Sendable {
        case render(NegotiatedRequest.Source)
        case countdown(FormatCatalog.Entry)
        case permalink
        case embed
        case element
        case canonical
        case batch
        case mcp
        case document(CatalogDocument, RouteName)
        case health
        case metrics

        var name: RouteName {
            switch self {
            case .render(.typing): .typing
            case .render, .countdown: .render
            case .permalink: .permalink
            case .embed: .embed
            case .element: .element
            case .canonical: .canonical
            case .batch: .batch
            case .mcp: .mcp
            case .document(_, let name): name
            case .health: .health
            case .metrics: .metrics
            }
        }
    }

    private var router = Router<Route>()
    private let formats: FormatCatalog

    /// - Parameters:
    ///   - settings: The operator's settings.
    ///   - fonts: The fonts that `/fonts` lists.
    init(_ settings: ServiceSettings, fonts: FontCatalog) {
        formats = settings.rendering.schema.formats
        Self.addRenderings(to: &router, settings)
        Self.addDocuments(to: &router, settings)
        router.add(.get, "/fonts", .document(Self.document(of: fonts), .fonts))
        router.add(.get, "/health", .health)
        router.add(.get, "/metrics", .metrics)
    }

    private static func addRenderings(
        to router: inout Router<Route>, _ settings: ServiceSettings
    ) {
        let formats = settings.rendering.schema.formats
        for method in settings.allowsPost ? [Method.get, .post] : [.get] {
            router.add(method, "/render", .render(.parameters(extension: nil)))
            router.add(method, "/embed", .embed)
            router.add(method, ElementRoute.path, .element)
            for format in formats.entries {
                let source = NegotiatedRequest.Source.parameters(extension: format)
                for fileExtension in format.fileExtensions {
                    router.add(method, "/render.\(fileExtension)", .render(source))
                }
            }
        }
        for format in formats.entries {
            for fileExtension in format.fileExtensions {
                router.add(
                    .get, "\(Countdown.path).\(fileExtension)", .countdown(format))
            }
        }
        if settings.takesBatches {
            router.add(.post, BatchRoute.path, .batch)
        }
        router.add(.get, prefix: NegotiatedRequest.Source.permalinkPrefix, .permalink)
        router.add(.get, CanonicalRoute.prefix, .canonical)
        router.add(.get, prefix: CanonicalRoute.prefix + "/", .canonical)
        router.add(.get, TypingQuery.path, .render(.typing))
        if settings.answersMCP, settings.allowsPost { router.add(.post, MCPRoute.path, .mcp) }
    }

    private static func addDocuments(
        to router: inout Router<Route>, _ settings: ServiceSettings
    ) {
        let schema = settings.rendering.schema
        let taken = settings.onlyPresets ? Permission.parameters : nil
        // Pictures of a server that restricts its clients are not for everybody.
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
    }

    /// Returns the document of `/fonts`, which is made from the files as they are when it is first
    /// asked for.
    private static func document(of fonts: FontCatalog) -> CatalogDocument {
        CatalogDocument(
            json: DeferredDocument { () throws(LibraryFault) in
                try Document(CatalogDocuments.fonts(fonts), dependsOnAccept: true)
            },
            page: DeferredDocument { () throws(LibraryFault) in
                try Document(page: CatalogPage.fonts(fonts))
            })
    }

    func match(_ method: Method, _ path: String) -> Router<Route>.Match {
        router.match(method, path)
    }

    /// Returns the part of a path that may be logged: a known path whole, of a permalink only its
    /// extension.
    func loggedPath(_ path: String, _ files: StaticFiles) -> String {
        if path.begins(with: "/r/") {
            return "/r/…" + (formats.entry(ofFile: path).map { "." + $0.type.fileExtension } ?? "")
        }
        if path.begins(with: CanonicalRoute.prefix + "/") { return CanonicalRoute.prefix + "/…" }
        if case .notFound = router.match(.get, path), files.file(at: path) == nil { return "…" }
        return path
    }
}
