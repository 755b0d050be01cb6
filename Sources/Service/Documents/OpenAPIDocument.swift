import Bytes
import Encoders
import Motion
import Rendering

/// The content of `GET /openapi.json`: OpenAPI 3.1, made from the schema that checks requests.
struct OpenAPIDocument {
    let requestSchema: RequestSchema
    /// The parameters that requests may have; nil for all.
    let taken: [ByteString]?

    var node: JSONNode {
        [
            "openapi": "3.1.0",
            "info": [
                "title": "Titlecard",
                "version": .string(Release.version),
                "description": "Text in, animation out: SVG, JSON keyframes, pictures.",
                "license": ["name": "MIT", "identifier": "MIT"],
            ],
            "paths": .object(paths),
            "components": [
                "schemas": [
                    "Request": request, "Block": block, "Problem": problem,
                    "Embedding": embedding, "Canonical": canonical,
                ]
            ],
        ]
    }

    // MARK: Paths

    private var paths: [(String, JSONNode)] {
        var paths = [("/render", renderPath(formats: formats))]
        for format in formats {
            paths.append(("/render.\(format.type.fileExtension)", renderPath(formats: [format])))
        }
        paths.append(("/r/{revision}/{token}.{extension}", permalinkPath))
        paths.append(("/embed", embedPath))
        paths.append((CanonicalRoute.prefix, canonicalPath))
        paths.append((BatchRoute.path, batchPath))
        for (path, summary) in [
            ("/effects", "The effects with their parameters"),
            ("/formats", "The output formats with their parameters"),
            ("/fonts", "The installed font families"),
            ("/presets", "The presets with their parameters"),
            ("/openapi.json", "This document"),
        ] {
            paths.append((path, jsonPath(summary)))
        }
        paths.append(
            ("/health", plainPath("Health", [("200", "Ready"), ("503", "Shutting down")])))
        paths.append(("/metrics", plainPath("Metrics", [("200", "Prometheus' text format")])))
        return paths
    }

    private func renderPath(formats: [FormatCatalog.Entry]) -> JSONNode {
        requestPath("Render the request", responses: responses(formats))
    }

    private var embedPath: JSONNode {
        let embedding: JSONNode = [
            "description": "Addresses, and code that shows the rendering elsewhere",
            "content": ["application/json": ["schema": reference("Embedding")]],
        ]
        return requestPath(
            "What embeds the rendering of the request",
            responses: ["200": embedding, "default": problems])
    }

    private var canonicalPath: JSONNode {
        let canonical: JSONNode = [
            "description": "The key under which caches keep the rendering, and its location",
            "content": ["application/json": ["schema": reference("Canonical")]],
        ]
        return [
            "get": [
                "summary": "What the request in the query means, without its rendering",
                "parameters": .array(queryParameters),
                "responses": ["200": canonical, "default": problems],
            ]
        ]
    }

    private var batchPath: JSONNode {
        let text: JSONNode = ["schema": ["type": "string"]]
        return [
            "post": [
                "summary": "The files of the list in the body",
                "requestBody": [
                    "required": true,
                    "description": "A line for each file, such as a Request with output.",
                    "content": .object(BatchRoute.mediaTypes.map { ($0, text) }),
                ],
                "responses": [
                    "200": [
                        "description": "The files, and errors.jsonl with what is wrong with lines",
                        "content": ["application/zip": .object([])],
                    ],
                    "default": problems,
                ],
            ]
        ]
    }

    private var canonical: JSONNode {
        [
            "type": "object",
            "properties": [
                "key": [
                    "type": "string", "description": "The same for requests with the same bytes.",
                ],
                "format": ["type": "string"],
                "location": [
                    "type": ["string", "null"],
                    "description": "The target that always means the same.",
                ],
            ],
            "required": ["key", "format", "location"],
        ]
    }

    /// Returns the operations of a path that takes requests by GET and POST.
    private func requestPath(_ summary: String, responses: JSONNode) -> JSONNode {
        let request: JSONNode = ["schema": reference("Request")]
        let body: JSONNode = [
            "required": true,
            "content": [
                "application/json": request,
                "text/plain": ["schema": ["type": "string"]],
                "application/x-www-form-urlencoded": request,
            ],
        ]
        return [
            "get": [
                "summary": .string(summary + " in the query"),
                "parameters": .array(queryParameters),
                "responses": responses,
            ],
            "post": [
                "summary": .string(summary + " in the body"),
                "requestBody": body,
                "responses": responses,
            ],
        ]
    }

    private var queryParameters: [JSONNode] {
        requestProperties.compactMap { name, schema in
            guard !name.isSame(as: "blocks") else { return nil }
            // Keyframes come as JSON text.
            let isJSON = name.isSame(as: "keyframes")
            return [
                "name": .string(name), "in": "query",
                "required": .boolean(name.isSame(as: "text")),
                isJSON ? "content" : "schema":
                    isJSON ? ["application/json": ["schema": schema]] : schema,
            ]
        }
    }

    private var permalinkPath: JSONNode {
        let extensions = formats.map { JSONNode.string($0.type.fileExtension) }
        let schemas: [(name: String, schema: JSONNode)] = [
            (
                "revision",
                ["type": "integer", "minimum": 1, "maximum": .number(Double(UInt16.max))]
            ),
            ("token", ["type": "string"]),
            ("extension", ["type": "string", "enum": .array(extensions)]),
        ]
        let parameters = schemas.map { name, schema -> JSONNode in
            ["name": .string(name), "in": "path", "required": true, "schema": schema]
        }
        return [
            "get": [
                "summary": "Render the request in the path",
                "parameters": .array(parameters),
                "responses": responses(formats),
            ]
        ]
    }

    private func jsonPath(_ summary: String) -> JSONNode {
        let response: JSONNode = [
            "description": .string(summary),
            "content": ["application/json": ["schema": ["type": "object"]]],
        ]
        return ["get": ["summary": .string(summary), "responses": ["200": response]]]
    }

    private func plainPath(
        _ summary: String, _ statuses: [(code: String, text: String)]
    ) -> JSONNode {
        let responses = statuses.map { ($0, ["description": .string($1)] as JSONNode) }
        return ["get": ["summary": .string(summary), "responses": .object(responses)]]
    }

    private func responses(_ formats: [FormatCatalog.Entry]) -> JSONNode {
        var content: [(String, JSONNode)] = []
        for format in formats
        where !content.contains(where: { $0.0.isSame(as: format.type.mediaType) }) {
            content.append((format.type.mediaType, .object([])))
        }
        return [
            "200": [
                "description": "The rendering", "headers": Self.renderingHeaders,
                "content": .object(content),
            ],
            "default": problems,
        ]
    }

    private var problems: JSONNode {
        [
            "description": "What is wrong, with the parameter at fault",
            "content": ["application/problem+json": ["schema": reference("Problem")]],
        ]
    }

    /// The header fields of a rendering that are of this service alone.
    private static var renderingHeaders: JSONNode {
        [
            "Titlecard-Duration": [
                "description": "Seconds of one cycle.", "schema": ["type": "number"],
            ],
            "Titlecard-Warnings": [
                "description": .string(
                    "The codes of the rendering's warnings, each once, joined by commas; absent "
                        + "without any."),
                "schema": ["type": "string"],
            ],
        ]
    }

    // MARK: Schemas

    private func reference(_ name: String) -> JSONNode {
        ["$ref": .string("#/components/schemas/\(name)")]
    }

    private var formats: [FormatCatalog.Entry] { requestSchema.formats.entries }

    private var topParameters: [Parameter] {
        requestSchema.all
    }

    /// Returns the properties of the text, of parameters, and of effects' parameters, which differ from
    /// effect to effect.
    private func properties(of parameters: [Parameter]) -> [(String, JSONNode)] {
        let text: JSONNode = [
            "type": "string", "minLength": 1, "description": "What to animate.",
        ]
        var properties = [("text", text)]
        properties += parameters.map { ($0.name, .object($0.schema(summary: summary(of: $0)))) }
        for effect in requestSchema.effects.entries {
            for parameter in effect.parameters
            where !properties.contains(where: { $0.0.isSame(as: parameter.name) }) {
                properties.append((parameter.name, effectSchema(parameter.name)))
            }
        }
        return properties
    }

    /// Returns the summary of a parameter; that of a format's names the formats that read it.
    private func summary(of parameter: Parameter) -> String {
        let readers = requestSchema.formats.entries(reading: parameter.name)
        guard !readers.isEmpty else { return parameter.summary }
        return readers.map(\.title).joined(separator: ", ") + ": "
            + Substring(parameter.summary.utf8.prefix(1)).lowercasedASCII
            + parameter.summary.dropping(first: 1)
    }

    /// One name may differ in default and range from effect to effect.
    private func effectSchema(_ name: String) -> JSONNode {
        var choices: [JSONNode] = []
        for effect in requestSchema.effects.entries {
            for parameter in effect.parameters where parameter.name.isSame(as: name) {
                choices.append(.object([("title", .string(effect.name))] + parameter.schema()))
            }
        }
        return ["anyOf": .array(choices)]
    }

    private var request: JSONNode { object(requestProperties, required: nil) }

    private var requestProperties: [(String, JSONNode)] {
        let blocks: JSONNode = [
            "type": "array", "minItems": 1, "maxItems": 32, "items": reference("Block"),
            "description": "Several texts, instead of text.",
        ]
        let properties = properties(of: topParameters) + [("blocks", blocks)]
        return properties.filter { taken?.contains(ByteString($0.0)) ?? true }
    }

    private var block: JSONNode {
        object(
            properties(of: requestSchema.blockParameters + [requestSchema.effect]),
            required: "text")
    }

    private func object(
        _ properties: [(String, JSONNode)], required: String?
    ) -> JSONNode {
        var members: [(String, JSONNode)] = [
            ("type", "object"), ("properties", .object(properties)),
            ("additionalProperties", false),
        ]
        if let required { members.append(("required", [.string(required)])) }
        return .object(members)
    }

    private var embedding: JSONNode {
        func property(_ type: JSONNode, _ description: String) -> JSONNode {
            ["type": type, "description": .string(description)]
        }
        func code(_ description: String) -> JSONNode {
            property(["string", "null"], description)
        }
        let warning: JSONNode = [
            "type": "object",
            "properties": [
                "code": ["type": "string"], "message": ["type": "string"],
                "block": ["type": "integer"], "padding": ["type": "integer"],
            ],
        ]
        let properties: [(String, JSONNode)] = [
            ("url", code("The address with the request in its query.")),
            ("permalink", code("The address that always means the same.")),
            ("markdown", code("An image in Markdown.")),
            ("html", code("An img element.")),
            (
                "picture",
                code("A picture element with the colours for light and for dark, and stills.")
            ),
            ("css", code("Declarations of a background.")),
            ("curl", code("A command that downloads it.")),
            ("width", property("number", "CSS pixels.")),
            ("height", property("number", "CSS pixels.")),
            ("alt", property("string", "The text, in one line.")),
            ("duration", property("number", "Seconds of one cycle.")),
            ("warnings", ["type": "array", "items": warning]),
        ]
        return [
            "type": "object", "properties": .object(properties),
            "required": .array(properties.map { .string($0.0) }),
        ]
    }

    private var problem: JSONNode {
        let fault: JSONNode = [
            "type": "object",
            "properties": ["parameter": ["type": "string"], "message": ["type": "string"]],
        ]
        return [
            "type": "object",
            "properties": [
                "type": ["type": "string"], "title": ["type": "string"],
                "status": ["type": "integer"],
                "errors": ["type": "array", "items": fault],
            ],
        ]
    }
}
