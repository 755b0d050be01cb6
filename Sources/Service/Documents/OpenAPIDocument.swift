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
        paths.append(("/r/{token}.{extension}", permalinkPath))
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
        let parameters = ["token", "extension"].map { name in
            var schema: [(String, JSONNode)] = [("type", .string("string"))]
            if name.isSame(as: "extension") {
                let values = formats.map { JSONNode.string($0.type.fileExtension) }
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
        requestSchema.parameters + [requestSchema.preset, requestSchema.format]
    }

    /// Returns the properties of the text, of parameters, and of effects' parameters, which differ from
    /// effect to effect.
    private func properties(of parameters: [Parameter]) -> [(String, JSONNode)] {
        let text = JSONNode.object([
            ("type", .string("string")), ("minLength", .number(1)),
            ("description", .string("What to animate.")),
        ])
        var properties = [("text", text)]
        properties += parameters.map { ($0.name, Self.schema(of: $0, summary: summary(of: $0))) }
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

    /// Returns a JSON Schema (2020-12).
    private static func schema(
        of parameter: Parameter, summary: String? = nil
    ) -> JSONNode {
        .object(members(of: parameter, summary: summary))
    }

    private static func members(
        of parameter: Parameter, summary: String? = nil
    ) -> [(String, JSONNode)] {
        var members: [(String, JSONNode)] = []
        switch parameter.kind {
        case .number: members.append(("type", .string("number")))
        case .numberOrZero(let range):
            members.append(("type", .string("number")))
            members.append(
                (
                    "anyOf",
                    .array([
                        .object([("const", .number(0))]),
                        .object([
                            ("minimum", .number(range.lowerBound)),
                            ("maximum", .number(range.upperBound)),
                        ]),
                    ])
                ))
        case .integer: members.append(("type", .string("integer")))
        case .boolean: members.append(("type", .string("boolean")))
        case .string(let range), .families(let range), .characters(let range):
            members.append(("type", .string("string")))
            members.append(("minLength", .number(Double(range.lowerBound))))
            members.append(("maxLength", .number(Double(range.upperBound))))
        case .features:
            members.append(("type", .string("string")))
            members.append(("format", .string("features")))
            members.append(("pattern", .string(FontSettingList.features.pattern)))
        case .variations:
            members.append(("type", .string("string")))
            members.append(("format", .string("variations")))
            members.append(("pattern", .string(FontSettingList.variations.pattern)))
        case .presets:
            members.append(("type", .string("string")))
            members.append(("format", .string("presets")))
        case .choice(let values):
            members.append(("type", .string("string")))
            members.append(("enum", .array(values.map { .string($0) })))
        case .easing: members.append(("type", .string("string")))
        case .keyframes(let range):
            members.append(("type", .string("array")))
            members.append(("minItems", .number(Double(range.lowerBound))))
            members.append(("maxItems", .number(Double(range.upperBound))))
            members.append(("items", keyframeSchema))
        case .color:
            members.append(("type", .string("string")))
            members.append(("format", .string("color")))
        case .paint:
            members.append(("type", .string("string")))
            members.append(("format", .string("paint")))
        case .shadows:
            members.append(("type", .string("string")))
            members.append(("format", .string("shadows")))
        case .numberOr(_, let word):
            members.append(("type", .array([.string("number"), .string("string")])))
            members.append(("pattern", .string("^\(word)$")))
        case .integerOr(_, let word):
            members.append(("type", .array([.string("integer"), .string("string")])))
            members.append(("pattern", .string("^\(word)$")))
        }
        if let (low, high) = parameter.bounds {
            members.append(("minimum", .number(low)))
            members.append(("maximum", .number(high)))
        }
        if parameter.defaultValue != nil {
            members.append(("default", parameter.defaultNode))
        }
        if let unit = parameter.unit { members.append(("x-unit", .string(unit.rawValue))) }
        let text = summary ?? parameter.summary
        if !text.isEmpty { members.append(("description", .string(text))) }
        return members
    }

    /// The schema of one keyframe.
    private static var keyframeSchema: JSONNode {
        var members: [(String, JSONNode)] = [
            (
                "offset",
                schema(
                    of: Parameter(
                        "offset", .number(0...1), default: nil,
                        "When, as a share of the duration."))
            ),
            (
                "easing",
                schema(
                    of: Parameter("easing", .easing, default: nil, "How it goes on from here."))
            ),
        ]
        for property in KeyframeProperty.allCases {
            members.append((property.name, schema(of: property)))
        }
        return .object([
            ("type", .string("object")), ("properties", .object(members)),
            ("additionalProperties", .boolean(false)),
        ])
    }

    /// Returns the schema of a keyframe's property, with its value at rest and one to begin with.
    private static func schema(of property: KeyframeProperty) -> JSONNode {
        let parameter = Parameter(
            property.name, property.range.map { .number($0) } ?? .color, unit: property.unit,
            default: nil, "")
        var members = Self.members(of: parameter)
        if let percents = property.percentRange {
            // JSON Schema has bounds for numbers only, and percentages are strings.
            let percent = JSONNode.object([
                ("type", .string("string")),
                ("pattern", .string("^\(ValueParser.numberPattern)%$")),
                ("x-minimum", .number(percents.lowerBound)),
                ("x-maximum", .number(percents.upperBound)), ("x-unit", .string("%")),
            ])
            members = [("anyOf", .array([.object(members), percent]))]
        }
        if let rest = node(of: property.identity) { members.append(("x-rest", rest)) }
        if let example = node(of: property.example) {
            members.append(("examples", .array([example])))
        }
        members.append(("description", .string(property.summary)))
        return .object(members)
    }

    /// Returns a value as requests write it; nil for the text's own colour, which they cannot.
    private static func node(of value: KeyframeValue) -> JSONNode? {
        switch value {
        case .number(let number): .number(number)
        case .percent(let percent): .string(NumberText.of(percent) + "%")
        case .color(let color): .string(color.text)
        case .ownColor: nil
        }
    }

    /// One name may differ in default and range from effect to effect.
    private func effectSchema(_ name: String) -> JSONNode {
        var choices: [JSONNode] = []
        for effect in requestSchema.effects.entries {
            for parameter in effect.parameters where parameter.name.isSame(as: name) {
                guard case .object(let members) = Self.schema(of: parameter) else {
                    continue
                }
                choices.append(.object([("title", .string(effect.name))] + members))
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
