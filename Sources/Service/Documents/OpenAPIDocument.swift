import Bytes
import Encoders
import Lists
import Motion
import Rendering

/// The content of `GET /openapi.json`: OpenAPI 3.1, made from the schema that checks requests.
struct OpenAPIDocument {
    private let formats: [FormatCatalog.Entry]
    private let requests: RequestComponents
    /// The parameters of queries by their names among the components.
    private let queryParameters: [(String, JSONNode)]
    /// The names of all effects' parameters.
    private let effectNames: Set<ByteString>
    private let takesPosts: Bool
    private let takesBatches: Bool
    private let servers: String
    /// The effect of the request that stands as an example.
    let exampleEffect: [(String, JSONNode)]

    init(_ settings: ServiceSettings) {
        let schema = settings.openSchema
        let taken = settings.onlyPresets ? Permission.parameters : nil
        formats = schema.formats.entries
        requests = RequestComponents(schema, taken: taken)
        queryParameters = requests.queryParameters
        effectNames = schema.effectNames
        takesPosts = settings.allowsPost
        takesBatches = settings.takesBatches
        servers = settings.publicURL?.text ?? "/"
        exampleEffect =
            taken == nil ? [("effect", .string(schema.effects.defaultEntry.name))] : []
    }

    var node: JSONNode {
        [
            "openapi": "3.1.0",
            "info": [
                "title": "Titlecard",
                "version": .string(Release.version),
                "description": "Text in, animation out: SVG, JSON keyframes, pictures.",
                "license": ["name": "MIT", "identifier": "MIT"],
            ],
            "servers": [["url": .string(servers)]],
            "paths": .object(paths),
            "components": [
                "schemas": .object(schemas),
                "parameters": .object(queryParameters),
                "headers": .object(Self.headers),
                "responses": .object(
                    requestPaths.map { ($0.name, $0.success) } + Self.commonResponses),
                "requestBodies": .object(takesPosts ? requestBodies : []),
            ],
        ]
    }

    /// The schemas of requests and answers by name.
    var schemas: [(String, JSONNode)] {
        requests.schemas + AnswerSchemas.all + RenderingSchema.all
    }

    // MARK: Paths

    /// The answer to a request that a query or a body has.
    private struct RequestPath {
        var path: String
        /// The name of its operations, and of its response among the components.
        var name: String
        var summary: String
        var success: JSONNode
    }

    private var requestPaths: [RequestPath] {
        var paths = [
            RequestPath(
                path: "/render", name: "Rendering", summary: "Render the request",
                success: rendering(formats))
        ]
        for format in formats {
            for fileExtension in format.fileExtensions {
                let name = fileExtension.pieces(separatedBy: ".").map {
                    String($0).capitalizedASCII
                }
                paths.append(
                    RequestPath(
                        path: "/render.\(fileExtension)", name: name.joined(),
                        summary: "Render the request as \(format.title)",
                        success: rendering([format])))
            }
        }
        let element: JSONNode = [
            "description": "A title-card element",
            "headers": Self.references(toHeaders: ["ETag", "Cache-Control"]),
            "content": ["text/html": ["schema": ["type": "string"]]],
        ]
        return paths + [
            RequestPath(
                path: "/embed", name: "Embedding",
                summary: "The code that embeds the rendering of the request",
                success: answer("Addresses, and code that shows the rendering", "Embedding")),
            RequestPath(
                path: RoutePath.element, name: "Element",
                summary: "The web component with the picture of the request", success: element),
        ]
    }

    private var paths: [(String, JSONNode)] {
        var paths = requestPaths.map { ($0.path, operations(of: $0)) }
        paths.append(("/r/{revision}/{token}.{extension}", permalinkPath))
        paths.append(("/typing", typingPath))
        paths.append((RoutePath.countdown + ".{extension}", countdownPath))
        paths.append((RoutePath.canonical, canonicalPath))
        if takesBatches { paths.append((RoutePath.batch, batchPath)) }
        for (path, name, summary) in [
            ("/parameters", "Parameters", "The parameters that all requests have"),
            ("/effects", "Effects", "The effects with their parameters"),
            ("/formats", "Formats", "The output formats with their parameters"),
            ("/presets", "Presets", "The presets with their parameters"),
            ("/targets", "Targets", "The places that files go to, with their rules"),
            ("/fonts", "Fonts", "The installed font families"),
            ("/pictures", "PictureCatalog", "The pictures that texts may have"),
        ] {
            paths.append((path, get("list\(name)", summary, Self.responses(answer(summary, name)))))
        }
        let document: JSONNode = [
            "200": [
                "description": "This document",
                "content": ["application/json": ["schema": ["type": "object"]]],
            ]
        ]
        paths.append(("/openapi.json", get("getOpenApi", "This document", document)))
        let guide: JSONNode = [
            "200": [
                "description": "Markdown",
                "content": ["text/plain": ["schema": ["type": "string"]]],
            ]
        ]
        paths.append(("/llms.txt", get("getGuide", "A guide for assistants", guide)))
        paths.append(("/health", get("getHealth", "Health", health)))
        paths.append(("/metrics", get("getMetrics", "Metrics", metrics)))
        return paths
    }

    /// Returns the operations of a path that takes requests by GET and POST.
    private func operations(of path: RequestPath) -> JSONNode {
        let success = Self.reference(toResponse: path.name)
        let get = operation(
            "get\(path.name)", path.summary + " in the query",
            parameters: queryParameters.map(\.0), Self.responses(success))
        guard takesPosts else { return ["get": get] }
        let post = operation(
            "post\(path.name)", path.summary + " in the body", parameters: Self.ofURL,
            body: Self.reference(toBodyOf: path.name), Self.responsesOfPost(success))
        return ["get": get, "post": post]
    }

    private var canonicalPath: JSONNode {
        [
            "get": operation(
                "getCanonical", "The key of the request in the query, without its rendering",
                parameters: queryParameters.map(\.0),
                Self.responses(answer("The key under which caches keep the rendering", "Canonical"))
            )
        ]
    }

    private var batchPath: JSONNode {
        let list: JSONNode = [
            "schema": Self.file("A line for each file."),
            "example": #"{"output": "hello.svg", "text": "Hello"}"#,
        ]
        let body: JSONNode = [
            "required": true, "description": "A line for each file, such as a Request with output.",
            "content": .object(BatchRoute.mediaTypes.map { ($0.text, list) }),
        ]
        let archive: JSONNode = [
            "description": "The files, and errors.jsonl with the errors of lines",
            "content": ["application/zip": ["schema": Self.file("A ZIP archive.")]],
        ]
        return [
            "post": operation(
                "postBatch", "The files of the list in the body", parameters: Self.ofURL,
                body: body,
                Self.responsesOfPost(archive))
        ]
    }

    private var permalinkPath: JSONNode {
        let extensions = formats.map { JSONNode.string($0.type.fileExtension) }
        let schemas: [(name: String, schema: JSONNode, example: JSONNode)] = [
            (
                "revision",
                ["type": "integer", "minimum": 1, "maximum": .number(Double(Renderer.revision))],
                .number(Double(Renderer.revision))
            ),
            (
                "token", ["type": "string", "pattern": "^[A-Za-z0-9_-]+$"],
                .string(Self.exampleToken)
            ),
            ("extension", ["type": "string", "enum": .array(extensions)], extensions[0]),
        ]
        let parameters = schemas.map { name, schema, example -> JSONNode in
            [
                "name": .string(name), "in": "path", "required": true, "schema": schema,
                "example": example,
            ]
        }
        return [
            "get": [
                "operationId": "getPermalink", "summary": "Render the request in the path",
                "tags": ["renderings"],
                "parameters": .array(parameters + Self.ofURL.map(Self.reference(toParameter:))),
                "responses": Self.responses(rendering(formats)),
            ]
        ]
    }

    /// The token of the request for the text "Hi".
    private static let exampleToken =
        "GNOrVkrOz8kvUrJSUjYAAgsDJR2llMSibGeYaBoYAEVLUitKgAIeqTk5"
        + "-Qrl-UU5KUq1AD5uEyo"

    private static let ofURL = RawRequest.parametersOfURL.map(\.text)

    private var typingPath: JSONNode {
        let parameters = TypingRequest.parameters.map { name, value, summary -> JSONNode in
            let written = value.map { [("x-default", JSONNode.string($0))] } ?? []
            var members: [(String, JSONNode)] = [
                ("name", .string(name)), ("in", "query"), ("description", .string(summary)),
                ("schema", .object([("type", "string")] + written)),
            ]
            if name.isSame(as: "lines") {
                members += [("required", true), ("example", "Hello;and welcome")]
            }
            return .object(members)
        }
        return [
            "get": [
                "operationId": "getTyping",
                "summary": "Lines that are typed, as in readme-typing-svg",
                "tags": ["renderings"],
                "parameters": .array(parameters + Self.ofURL.map(Self.reference(toParameter:))),
                "responses": Self.responses(rendering(formats), or: "ProblemOfTyping"),
            ]
        ]
    }

    private var countdownPath: JSONNode {
        let extensions = formats.map { JSONNode.string($0.type.fileExtension) }
        let path: JSONNode = [
            "name": "extension", "in": "path", "required": true,
            "schema": ["type": "string", "enum": .array(extensions)], "example": "gif",
        ]
        let own = Countdown.parameters.map { name, schema, summary -> JSONNode in
            var members: [(String, JSONNode)] = [
                ("name", .string(name)), ("in", "query"), ("description", .string(summary)),
                ("schema", schema),
            ]
            if name.isSame(as: "to") {
                members += [("required", true), ("example", "2036-12-31T23:59:59")]
            }
            return .object(members)
        }
        let text: JSONNode = ["name": "text", "in": "query", "schema": .reference("Text")]
        let others = queryParameters.map(\.0).filter { name in
            let name = ByteString(name)
            return Countdown.rollParameters.contains(name)
                || !["text", "effect"].contains(name) && !Countdown.refused.contains(name)
                    && !effectNames.contains(name)
        }
        return [
            "get": [
                "operationId": "getCountdown",
                "summary": "A countdown to an instant",
                "tags": ["renderings"],
                "parameters": .array(
                    [path, text] + own + others.map(Self.reference(toParameter:))),
                "responses": Self.responses(rendering(formats)),
            ]
        ]
    }

    private func operation(
        _ id: String, _ summary: String, parameters: [String], body: JSONNode? = nil,
        tag: JSONNode = "renderings", _ responses: JSONNode
    ) -> JSONNode {
        var members: [(String, JSONNode)] = [
            ("operationId", .string(id)), ("summary", .string(summary)), ("tags", [tag]),
            ("parameters", .array(parameters.map(Self.reference(toParameter:)))),
        ]
        if let body { members.append(("requestBody", body)) }
        members.append(("responses", responses))
        return .object(members)
    }

    private func get(_ id: String, _ summary: String, _ responses: JSONNode) -> JSONNode {
        ["get": operation(id, summary, parameters: [], tag: "service", responses)]
    }

    // MARK: Responses

    private func rendering(_ formats: [FormatCatalog.Entry]) -> JSONNode {
        var content: [(String, JSONNode)] = []
        for format in formats
        where !content.contains(where: { $0.0.isSame(as: format.type.mediaType) }) {
            content.append((format.type.mediaType, ["schema": Self.schema(of: format)]))
        }
        let headers = Self.headers.map(\.0).filter { !$0.isSame(as: "Retry-After") }
        return [
            "description": "The rendering", "headers": Self.references(toHeaders: headers),
            "content": .object(content),
        ]
    }

    /// Returns the schema of a format's files.
    ///
    /// A picture is bytes, also an SVG: generators make one type for all media types of an answer.
    private static func schema(of format: FormatCatalog.Entry) -> JSONNode {
        if format.name.isSame(as: JSONFormat.name) { return .reference("Rendering") }
        return format.type.mediaType.ends(with: "+json")
            ? ["type": "object", "description": .string("\(format.title).")]
            : file("\(format.title).")
    }

    /// Returns the schema of content that is bytes for programs.
    static func file(_ description: String) -> JSONNode {
        [
            "type": "string", "format": "binary", "minLength": 1,
            "description": .string(description),
        ]
    }

    /// Returns the responses of GET: a success, an unchanged document, or a problem.
    ///
    /// - Parameters:
    ///   - success: The answer with the status 200.
    ///   - problem: The name of the response with the problem.
    /// - Returns: The responses by status.
    private static func responses(
        _ success: JSONNode, or problem: String = "Problem"
    ) -> JSONNode {
        [
            "200": success, "304": reference(toResponse: "Unchanged"),
            "4XX": reference(toResponse: problem), "5XX": reference(toResponse: problem),
        ]
    }

    /// Returns the responses of POST, whose problems are never a picture.
    private static func responsesOfPost(_ success: JSONNode) -> JSONNode {
        let problem = reference(toResponse: "ProblemOfPost")
        return ["200": success, "4XX": problem, "5XX": problem]
    }

    /// Returns an answer in JSON.
    private func answer(_ description: String, _ schema: String) -> JSONNode {
        [
            "description": .string(description),
            "headers": Self.references(toHeaders: ["Cache-Control"]),
            "content": ["application/json": ["schema": .reference(schema)]],
        ]
    }

    private var health: JSONNode {
        let content: JSONNode = ["application/json": ["schema": .reference("Health")]]
        return [
            "200": ["description": "Ready", "content": content],
            "503": ["description": "Failing, or shutting down", "content": content],
        ]
    }

    private var metrics: JSONNode {
        [
            "200": [
                "description": "Prometheus' text format",
                "content": ["text/plain": ["schema": ["type": "string"]]],
            ]
        ]
    }

    /// The responses that operations share; where there are two media types, the first is that of a
    /// request that accepts both.
    private static let commonResponses: [(String, JSONNode)] = [
        ("Problem", problem([Problem.mediaType, SVGFormat.mediaType])),
        ("ProblemOfPost", problem([Problem.mediaType])),
        ("ProblemOfTyping", problem([SVGFormat.mediaType, Problem.mediaType])),
        (
            "Unchanged",
            [
                "description": "Not modified: its entity tag is in If-None-Match",
                "headers": references(toHeaders: ["ETag", "Cache-Control"]),
            ]
        ),
    ]

    private static func problem(_ mediaTypes: [String]) -> JSONNode {
        let content = mediaTypes.map { mediaType -> (String, JSONNode) in
            let isPicture = mediaType.isSame(as: SVGFormat.mediaType)
            let schema = isPicture ? file("A picture of the errors.") : .reference("Problem")
            return (mediaType, ["schema": schema])
        }
        return [
            "description": "The errors, with their parameters",
            "headers": references(toHeaders: ["Retry-After"]), "content": .object(content),
        ]
    }

    private static let headers: [(String, JSONNode)] = [
        ("ETag", header("string", "The strong entity tag.")),
        ("Cache-Control", header("string", "How long caches may keep it.")),
        ("Content-Location", header("string", "The permalink.")),
        ("Titlecard-Duration", header("number", "Seconds of one cycle.")),
        (
            "Titlecard-Fitted",
            header("string", "The settings that were lowered for maxBytes; absent if none were.")
        ),
        (
            "Titlecard-Warnings",
            header("string", "The codes of warnings, joined by commas; absent if there are none.")
        ),
        (
            "Retry-After",
            header("integer", "Seconds after which to ask again, where that may help.")
        ),
    ]

    private static func header(_ type: JSONNode, _ description: String) -> JSONNode {
        ["description": .string(description), "schema": ["type": type]]
    }

    private static func references(toHeaders names: [String]) -> JSONNode {
        .object(names.map { ($0, reference(to: $0, in: "headers")) })
    }

    static func reference(to name: String, in kind: String) -> JSONNode {
        ["$ref": .string("#/components/\(kind)/\(name)")]
    }

    private static func reference(toParameter name: String) -> JSONNode {
        reference(to: name, in: "parameters")
    }

    private static func reference(toResponse name: String) -> JSONNode {
        reference(to: name, in: "responses")
    }
}
