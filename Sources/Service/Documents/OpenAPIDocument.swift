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
        .object([
            ("openapi", .string("3.1.0")),
            (
                "info",
                .object([
                    ("title", .string("Titlecard")),
                    ("version", .string(Release.version)),
                    (
                        "description",
                        .string("Text in, animation out: SVG, JSON keyframes, pictures.")
                    ),
                    (
                        "license",
                        .object([("name", .string("MIT")), ("identifier", .string("MIT"))])
                    ),
                ])
            ),
            ("paths", .object(paths)),
            (
                "components",
                .object([
                    (
                        "schemas",
                        .object([
                            ("Request", request), ("Block", block), ("Problem", problem),
                            ("Embedding", embedding),
                        ])
                    )
                ])
            ),
        ])
    }

    // MARK: Paths

    private var paths: [(String, JSONNode)] {
        var paths = [("/render", renderPath(formats: formats))]
        for format in formats {
            paths.append(("/render.\(format.type.fileExtension)", renderPath(formats: [format])))
        }
        paths.append(("/r/{revision}/{token}.{extension}", permalinkPath))
        paths.append(("/embed", embedPath))
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
        let content = JSONNode.object([
            ("application/json", .object([("schema", reference("Embedding"))]))
        ])
        let embedding = JSONNode.object([
            ("description", .string("Addresses, and code that shows the rendering elsewhere")),
            ("content", content),
        ])
        return requestPath(
            "What embeds the rendering of the request",
            responses: .object([("200", embedding), ("default", problems)]))
    }

    /// Returns the operations of a path that takes requests by GET and POST.
    private func requestPath(_ summary: String, responses: JSONNode) -> JSONNode {
        let body = JSONNode.object([
            ("required", .boolean(true)),
            (
                "content",
                .object([
                    ("application/json", .object([("schema", reference("Request"))])),
                    ("text/plain", .object([("schema", .object([("type", .string("string"))]))])),
                    (
                        "application/x-www-form-urlencoded",
                        .object([("schema", reference("Request"))])
                    ),
                ])
            ),
        ])
        return .object([
            (
                "get",
                .object([
                    ("summary", .string(summary + " in the query")),
                    ("parameters", .array(queryParameters)),
                    ("responses", responses),
                ])
            ),
            (
                "post",
                .object([
                    ("summary", .string(summary + " in the body")),
                    ("requestBody", body),
                    ("responses", responses),
                ])
            ),
        ])
    }

    private var queryParameters: [JSONNode] {
        requestProperties.compactMap { name, schema in
            guard !name.isSame(as: "blocks") else { return nil }
            // Keyframes come as JSON text.
            let isJSON = name.isSame(as: "keyframes")
            let json = JSONNode.object([
                ("application/json", .object([("schema", schema)]))
            ])
            return .object([
                ("name", .string(name)), ("in", .string("query")),
                ("required", .boolean(name.isSame(as: "text"))),
                isJSON ? ("content", json) : ("schema", schema),
            ])
        }
    }

    private var permalinkPath: JSONNode {
        let text = ("type", JSONNode.string("string"))
        let extensions = formats.map { JSONNode.string($0.type.fileExtension) }
        let schemas: [(name: String, schema: [(String, JSONNode)])] = [
            (
                "revision",
                [
                    ("type", .string("integer")), ("minimum", .number(1)),
                    ("maximum", .number(Double(UInt16.max))),
                ]
            ),
            ("token", [text]), ("extension", [text, ("enum", .array(extensions))]),
        ]
        let parameters = schemas.map { name, schema in
            JSONNode.object([
                ("name", .string(name)), ("in", .string("path")), ("required", .boolean(true)),
                ("schema", .object(schema)),
            ])
        }
        return .object([
            (
                "get",
                .object([
                    ("summary", .string("Render the request in the path")),
                    ("parameters", .array(parameters)),
                    ("responses", responses(formats)),
                ])
            )
        ])
    }

    private func jsonPath(_ summary: String) -> JSONNode {
        let content = JSONNode.object([
            ("application/json", .object([("schema", .object([("type", .string("object"))]))]))
        ])
        let response = JSONNode.object([
            ("description", .string(summary)), ("content", content),
        ])
        return .object([
            (
                "get",
                .object([
                    ("summary", .string(summary)), ("responses", .object([("200", response)])),
                ])
            )
        ])
    }

    private func plainPath(
        _ summary: String, _ statuses: [(code: String, text: String)]
    ) -> JSONNode {
        let responses = statuses.map { code, text in
            (code, JSONNode.object([("description", .string(text))]))
        }
        return .object([
            (
                "get",
                .object([
                    ("summary", .string(summary)), ("responses", .object(responses)),
                ])
            )
        ])
    }

    private func responses(_ formats: [FormatCatalog.Entry]) -> JSONNode {
        var content: [(String, JSONNode)] = []
        for format in formats
        where !content.contains(where: { $0.0.isSame(as: format.type.mediaType) }) {
            content.append((format.type.mediaType, .object([])))
        }
        return .object([
            (
                "200",
                .object([
                    ("description", .string("The rendering")),
                    ("headers", .object(Self.renderingHeaders)), ("content", .object(content)),
                ])
            ),
            ("default", problems),
        ])
    }

    private var problems: JSONNode {
        .object([
            ("description", .string("What is wrong, with the parameter at fault")),
            (
                "content",
                .object([
                    ("application/problem+json", .object([("schema", reference("Problem"))]))
                ])
            ),
        ])
    }

    /// The header fields of a rendering that are of this service alone.
    private static var renderingHeaders: [(String, JSONNode)] {
        func header(_ type: String, _ description: String) -> JSONNode {
            .object([
                ("description", .string(description)),
                ("schema", .object([("type", .string(type))])),
            ])
        }
        return [
            ("Titlecard-Duration", header("number", "Seconds of one cycle.")),
            (
                "Titlecard-Warnings",
                header(
                    "string",
                    "The codes of the rendering's warnings, each once, joined by commas; absent "
                        + "without any.")
            ),
        ]
    }

    // MARK: Schemas

    private func reference(_ name: String) -> JSONNode {
        .object([("$ref", .string("#/components/schemas/\(name)"))])
    }

    private var formats: [FormatCatalog.Entry] { requestSchema.formats.entries }

    private var topParameters: [Parameter] {
        requestSchema.all
    }

    /// Returns the properties of the text, of parameters, and of effects' parameters, which differ from
    /// effect to effect.
    private func properties(of parameters: [Parameter]) -> [(String, JSONNode)] {
        let text = JSONNode.object([
            ("type", .string("string")), ("minLength", .number(1)),
            ("description", .string("What to animate.")),
        ])
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
        return .object([("anyOf", .array(choices))])
    }

    private var request: JSONNode { object(requestProperties, required: nil) }

    private var requestProperties: [(String, JSONNode)] {
        let blocks = JSONNode.object([
            ("type", .string("array")), ("minItems", .number(1)), ("maxItems", .number(32)),
            ("items", reference("Block")),
            ("description", .string("Several texts, instead of text.")),
        ])
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
            ("type", .string("object")), ("properties", .object(properties)),
            ("additionalProperties", .boolean(false)),
        ]
        if let required { members.append(("required", .array([.string(required)]))) }
        return .object(members)
    }

    private var embedding: JSONNode {
        func property(_ type: String, _ description: String, isOptional: Bool = false) -> JSONNode {
            let types: JSONNode =
                isOptional ? .array([.string(type), .string("null")]) : .string(type)
            return .object([("type", types), ("description", .string(description))])
        }
        func code(_ description: String) -> JSONNode {
            property("string", description, isOptional: true)
        }
        let string = JSONNode.object([("type", .string("string"))])
        let integer = JSONNode.object([("type", .string("integer"))])
        let warning = JSONNode.object([
            ("type", .string("object")),
            (
                "properties",
                .object([
                    ("code", string), ("message", string), ("block", integer),
                    ("padding", integer),
                ])
            ),
        ])
        let properties: [(String, JSONNode)] = [
            ("url", code("The address with the request in its query.")),
            ("permalink", code("The address that always means the same.")),
            ("markdown", code("An image in Markdown.")),
            ("html", code("An img element.")),
            ("picture", code("A picture element with the colours for light and for dark.")),
            ("css", code("Declarations of a background.")),
            ("curl", code("A command that downloads it.")),
            ("width", property("number", "CSS pixels.")),
            ("height", property("number", "CSS pixels.")),
            ("alt", property("string", "The text, in one line.")),
            ("duration", property("number", "Seconds of one cycle.")),
            ("warnings", .object([("type", .string("array")), ("items", warning)])),
        ]
        return .object([
            ("type", .string("object")), ("properties", .object(properties)),
            ("required", .array(properties.map { .string($0.0) })),
        ])
    }

    private var problem: JSONNode {
        let string = JSONNode.object([("type", .string("string"))])
        let fault = JSONNode.object([
            ("type", .string("object")),
            ("properties", .object([("parameter", string), ("message", string)])),
        ])
        return .object([
            ("type", .string("object")),
            (
                "properties",
                .object([
                    ("type", string), ("title", string),
                    ("status", .object([("type", .string("integer"))])),
                    ("errors", .object([("type", .string("array")), ("items", fault)])),
                ])
            ),
        ])
    }
}
