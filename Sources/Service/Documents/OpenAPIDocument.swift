import Bytes
import Encoders
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
    private let example: JSONNode

    init(_ settings: ServiceSettings) {
        let schema = settings.rendering.schema
        let taken = settings.onlyPresets ? Permission.parameters : nil
        formats = schema.formats.entries
        requests = RequestComponents(schema, taken: taken)
        queryParameters = requests.queryParameters
        effectNames = schema.effectNames
        takesPosts = settings.allowsPost
        takesBatches = settings.takesBatches
        servers = settings.publicURL?.text ?? "/"
        example =
            taken == nil
            ? ["text": "Hello", "effect": .string(schema.effects.defaultEntry.name)]
            : ["text": "Hello"]
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
                "responses": ["Problem": Self.problem, "Unchanged": Self.unchanged],
            ],
        ]
    }

    /// The schemas of requests and answers by name.
    var schemas: [(String, JSONNode)] {
        requests.schemas + AnswerSchemas.all + RenderingSchema.all
    }

    // MARK: Paths

    private var paths: [(String, JSONNode)] {
        var paths = [
            (
                "/render",
                requestPath("Rendering", "Render the request", responses: rendering(formats))
            )
        ]
        for format in formats {
            for fileExtension in format.fileExtensions {
                let name = fileExtension.pieces(separatedBy: ".").map {
                    String($0).capitalizedASCII
                }
                paths.append(
                    (
                        "/render.\(fileExtension)",
                        requestPath(
                            name.joined(), "Render the request as \(format.title)",
                            responses: rendering([format]))
                    ))
            }
        }
        paths.append(("/r/{revision}/{token}.{extension}", permalinkPath))
        paths.append(("/typing", typingPath))
        paths.append((RoutePath.countdown + ".{extension}", countdownPath))
        paths.append(
            (
                "/embed",
                requestPath(
                    "Embedding", "The code that embeds the rendering of the request",
                    responses: answer("Addresses, and code that shows the rendering", "Embedding"))
            ))
        let element = Self.responses([
            "description": "A title-card element",
            "headers": Self.references(toHeaders: ["ETag", "Cache-Control"]),
            "content": ["text/html": ["schema": ["type": "string"]]],
        ])
        paths.append(
            (
                RoutePath.element,
                requestPath(
                    "Element", "The web component with the picture of the request",
                    responses: element)
            ))
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
            paths.append((path, get("list\(name)", summary, answer(summary, name))))
        }
        let document: JSONNode = [
            "200": [
                "description": "This document",
                "content": ["application/json": ["schema": ["type": "object"]]],
            ]
        ]
        paths.append(("/openapi.json", get("getOpenApi", "This document", document)))
        paths.append(("/health", get("getHealth", "Health", health)))
        paths.append(("/metrics", get("getMetrics", "Metrics", metrics)))
        return paths
    }

    /// Returns the operations of a path that takes requests by GET and POST.
    private func requestPath(_ name: String, _ summary: String, responses: JSONNode) -> JSONNode {
        let get = operation(
            "get\(name)", summary + " in the query", parameters: parameters(but: "textInQuery"),
            responses)
        guard takesPosts else { return ["get": get] }
        let schema: JSONNode = ["schema": .reference("Request"), "example": example]
        let form: JSONNode = ["schema": .reference("Form"), "example": example]
        let body: JSONNode = [
            "required": true,
            "content": [
                "application/json": schema,
                "application/x-www-form-urlencoded": form,
                "text/plain": ["schema": .reference("Text"), "example": "Hello"],
                "application/x-asciicast": [
                    "schema": Self.recording, "example": .string(Self.exampleRecording),
                ],
            ],
        ]
        let post = operation(
            "post\(name)", summary + " in the body, and in the query",
            parameters: parameters(but: "text"), body: body, responses)
        return ["get": get, "post": post]
    }

    /// Returns the names of the parameters of queries without one of the two for texts.
    private func parameters(but name: String) -> [String] {
        queryParameters.map(\.0).filter { !$0.isSame(as: name) }
    }

    private var canonicalPath: JSONNode {
        [
            "get": operation(
                "getCanonical", "The key of the request in the query, without its rendering",
                parameters: parameters(but: "textInQuery"),
                answer("The key under which caches keep the rendering", "Canonical"))
        ]
    }

    /// The schema of a recording of a terminal.
    private static let recording: JSONNode = [
        "type": "string", "format": "asciicast", "minLength": 1,
        "description": "A recording of a terminal: asciicast, version 2 or 3.",
    ]
    private static let exampleRecording = """
        {"version": 3, "term": {"cols": 80, "rows": 24}}
        [0.5, "o", "$ echo Hello\\r\\n"]
        [0.1, "o", "Hello\\r\\n"]
        """

    private var batchPath: JSONNode {
        let list: JSONNode = [
            "schema": ["type": "string", "format": "binary", "minLength": 1],
            "example": #"{"output": "hello.svg", "text": "Hello"}"#,
        ]
        let body: JSONNode = [
            "required": true, "description": "A line for each file, such as a Request with output.",
            "content": .object(BatchRoute.mediaTypes.map { ($0.text, list) }),
        ]
        let archive: JSONNode = [
            "description": "The files, and errors.jsonl with the errors of lines",
            "content": ["application/zip": ["schema": ["type": "string", "format": "binary"]]],
        ]
        return [
            "post": operation(
                "postBatch", "The files of the list in the body", parameters: ["signature"],
                body: body,
                [
                    "200": archive, "4XX": Self.problemReference, "5XX": Self.problemReference,
                ])
        ]
    }

    private var permalinkPath: JSONNode {
        let extensions = formats.map { JSONNode.string($0.type.fileExtension) }
        let schemas: [(name: String, schema: JSONNode, example: JSONNode)] = [
            (
                "revision",
                ["type": "integer", "minimum": 1, "maximum": .number(Double(UInt16.max))],
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
                "parameters": .array(parameters + [Self.reference(toParameter: "signature")]),
                "responses": rendering(formats),
            ]
        ]
    }

    /// The token of the request for the text "Hi".
    private static let exampleToken =
        "GNOrVkrOz8kvUrJSUjYAAgsDJR2llMSibGeYaBoYAEVLUitKgAIeqTk5"
        + "-Qrl-UU5KUq1AD5uEyo"

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
                "parameters": .array(parameters + [Self.reference(toParameter: "signature")]),
                "responses": rendering(formats),
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
        let others = parameters(but: "text").filter { name in
            let name = ByteString(name)
            return Countdown.rollParameters.contains(name)
                || name != "effect" && !Countdown.refused.contains(name)
                    && !effectNames.contains(name)
        }
        return [
            "get": [
                "operationId": "getCountdown",
                "summary": "A countdown to an instant",
                "tags": ["renderings"],
                "parameters": .array(
                    [path] + own + others.map(Self.reference(toParameter:))),
                "responses": rendering(formats),
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
            let schema: JSONNode
            if format.name.isSame(as: JSONFormat.name) {
                schema = .reference("Rendering")
            } else if format.type.isText {
                schema = ["type": "string"]
            } else {
                schema = ["type": "string", "format": "binary"]
            }
            content.append((format.type.mediaType, ["schema": schema]))
        }
        let headers = Self.headers.map(\.0).filter { !$0.isSame(as: "Retry-After") }
        return Self.responses([
            "description": "The rendering", "headers": Self.references(toHeaders: headers),
            "content": .object(content),
        ])
    }

    /// Returns the responses of an operation that may be repeated: a success, an unchanged
    /// document, or a problem.
    private static func responses(_ success: JSONNode) -> JSONNode {
        [
            "200": success, "304": unchangedReference, "4XX": problemReference,
            "5XX": problemReference,
        ]
    }

    /// Returns the responses with an answer in JSON.
    private func answer(_ description: String, _ schema: String) -> JSONNode {
        Self.responses([
            "description": .string(description),
            "headers": Self.references(toHeaders: ["Cache-Control"]),
            "content": ["application/json": ["schema": .reference(schema)]],
        ])
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

    private static let problem: JSONNode = [
        "description": "The errors, with their parameters",
        "headers": references(toHeaders: ["Retry-After"]),
        "content": ["application/problem+json": ["schema": .reference("Problem")]],
    ]

    private static let unchanged: JSONNode = [
        "description": "Not modified: its entity tag is in If-None-Match",
        "headers": references(toHeaders: ["ETag", "Cache-Control"]),
    ]

    private static let problemReference: JSONNode = ["$ref": "#/components/responses/Problem"]
    private static let unchangedReference: JSONNode = ["$ref": "#/components/responses/Unchanged"]

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
        .object(names.map { ($0, ["$ref": .string("#/components/headers/\($0)")]) })
    }

    private static func reference(toParameter name: String) -> JSONNode {
        ["$ref": .string("#/components/parameters/\(name)")]
    }
}
