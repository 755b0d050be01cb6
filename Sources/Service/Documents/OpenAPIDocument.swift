import Encoders
import Motion
import Rendering

/// `GET /openapi.json`: OpenAPI 3.1, from the same catalogues that check requests.
enum OpenAPIDocument {
    static var node: JSONNode {
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
                        ])
                    )
                ])
            ),
        ])
    }

    // MARK: Paths

    private static var paths: [(String, JSONNode)] {
        var paths = [("/render", renderPath(formats: FormatCatalog.all))]
        for format in FormatCatalog.all {
            paths.append(("/render.\(format.fileExtension)", renderPath(formats: [format])))
        }
        paths.append(("/r/{token}.{extension}", permalinkPath))
        for (path, summary) in [
            ("/effects", "The effects with their parameters"),
            ("/fonts", "The installed font families"),
            ("/openapi.json", "This document"),
        ] {
            paths.append((path, jsonPath(summary)))
        }
        paths.append(
            ("/health", plainPath("Health", [("200", "Ready"), ("503", "Shutting down")])))
        paths.append(("/metrics", plainPath("Metrics", [("200", "Prometheus' text format")])))
        return paths
    }

    private static func renderPath(formats: [any OutputFormat.Type]) -> JSONNode {
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
                    ("summary", .string("Render the request in the query")),
                    ("parameters", .array(queryParameters)),
                    ("responses", responses(formats)),
                ])
            ),
            (
                "post",
                .object([
                    ("summary", .string("Render the request in the body")),
                    ("requestBody", body),
                    ("responses", responses(formats)),
                ])
            ),
        ])
    }

    private static var queryParameters: [JSONNode] {
        properties(of: topParameters).compactMap { name, schema in
            guard name != "blocks" else { return nil }
            return .object([
                ("name", .string(name)), ("in", .string("query")),
                ("required", .boolean(name == "text")), ("schema", schema),
            ])
        }
    }

    private static var permalinkPath: JSONNode {
        let parameters = ["token", "extension"].map { name in
            var schema: [(String, JSONNode)] = [("type", .string("string"))]
            if name == "extension" {
                let values = FormatCatalog.all.map { JSONNode.string($0.fileExtension) }
                schema.append(("enum", .array(values)))
            }
            return JSONNode.object([
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
                    ("responses", responses(FormatCatalog.all)),
                ])
            )
        ])
    }

    private static func jsonPath(_ summary: String) -> JSONNode {
        let content = JSONNode.object([
            ("application/json", .object([("schema", .object([("type", .string("object"))]))]))
        ])
        let answer = JSONNode.object([
            ("description", .string(summary)), ("content", content),
        ])
        return .object([
            (
                "get",
                .object([
                    ("summary", .string(summary)), ("responses", .object([("200", answer)])),
                ])
            )
        ])
    }

    private static func plainPath(
        _ summary: String, _ statuses: [(code: String, text: String)]
    ) -> JSONNode {
        let answers = statuses.map { code, text in
            (code, JSONNode.object([("description", .string(text))]))
        }
        return .object([
            (
                "get",
                .object([
                    ("summary", .string(summary)), ("responses", .object(answers)),
                ])
            )
        ])
    }

    private static func responses(_ formats: [any OutputFormat.Type]) -> JSONNode {
        var content: [(String, JSONNode)] = []
        for format in formats where !content.contains(where: { $0.0 == format.mediaType }) {
            content.append((format.mediaType, .object([])))
        }
        let problems = JSONNode.object([
            ("description", .string("What is wrong, with the parameter at fault")),
            (
                "content",
                .object([
                    ("application/problem+json", .object([("schema", reference("Problem"))]))
                ])
            ),
        ])
        return .object([
            (
                "200",
                .object([
                    ("description", .string("The rendering")), ("content", .object(content)),
                ])
            ),
            ("default", problems),
        ])
    }

    // MARK: Schemas

    private static func reference(_ name: String) -> JSONNode {
        .object([("$ref", .string("#/components/schemas/\(name)"))])
    }

    private static var topParameters: [Parameter] {
        let format = Parameter(
            "format", .choice(FormatCatalog.all.map { $0.name }), default: nil,
            "Output format; the path's extension goes before it.")
        return RequestParameters.all + [format]
    }

    /// The text, then parameters, then those of effects, whose meaning the effect decides.
    private static func properties(of parameters: [Parameter]) -> [(String, JSONNode)] {
        let text = JSONNode.object([
            ("type", .string("string")), ("minLength", .number(1)),
            ("description", .string("What to animate.")),
        ])
        var properties = [("text", text)]
        properties += parameters.map { ($0.name, ParameterSchema.schema(of: $0)) }
        for effect in EffectCatalog.all {
            for parameter in effect.parameters
            where !properties.contains(where: { $0.0 == parameter.name }) {
                properties.append((parameter.name, effectSchema(parameter.name)))
            }
        }
        return properties
    }

    /// One name may differ in default and range from effect to effect.
    private static func effectSchema(_ name: String) -> JSONNode {
        var choices: [JSONNode] = []
        for effect in EffectCatalog.all {
            for parameter in effect.parameters where parameter.name == name {
                guard case .object(let members) = ParameterSchema.schema(of: parameter) else {
                    continue
                }
                choices.append(.object([("title", .string(effect.name))] + members))
            }
        }
        return .object([("anyOf", .array(choices))])
    }

    private static var request: JSONNode {
        let blocks = JSONNode.object([
            ("type", .string("array")), ("minItems", .number(1)), ("maxItems", .number(32)),
            ("items", reference("Block")),
            ("description", .string("Several texts, instead of text.")),
        ])
        return object(properties(of: topParameters) + [("blocks", blocks)], required: nil)
    }

    private static var block: JSONNode {
        object(
            properties(of: RequestParameters.blockParameters + [RequestParameters.effect]),
            required: "text")
    }

    private static func object(
        _ properties: [(String, JSONNode)], required: String?
    ) -> JSONNode {
        var members: [(String, JSONNode)] = [
            ("type", .string("object")), ("properties", .object(properties)),
            ("additionalProperties", .boolean(false)),
        ]
        if let required { members.append(("required", .array([.string(required)]))) }
        return .object(members)
    }

    private static var problem: JSONNode {
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
