import Bytes
import Encoders
import Motion
import Rendering

/// The schemas and query parameters of requests for OpenAPI, each with a name of its own, for which
/// generators of clients make types.
///
/// Defaults are `x-default`: a client that sends the value of `default` itself, as generated
/// clients do, would override the value of a preset, or of the request around a block.
struct RequestComponents {
    /// A parameter with the name of its schema.
    fileprivate struct Component {
        let parameter: Parameter
        let name: String
        let schema: JSONNode
    }

    private let requestSchema: RequestSchema
    /// The parameters that requests may have; nil for all.
    private let taken: [ByteString]?
    /// The parameters that do not depend on the effect.
    private let common: [Component]
    /// The parameters of each effect.
    private let ofEffects: [(effect: EffectCatalog.Entry, components: [Component])]

    init(_ requestSchema: RequestSchema, taken: [ByteString]?) {
        self.requestSchema = requestSchema
        self.taken = taken
        common = requestSchema.all.filter { taken?.contains($0.key) ?? true }.map { parameter in
            Component(
                parameter, named: parameter.name.capitalizedASCII,
                readers: requestSchema.formats.entries(reading: parameter.name))
        }
        var schemas: [ByteString: Set<ByteString>] = [:]
        let effects = taken == nil ? requestSchema.effects.entries : []
        for parameter in effects.flatMap(\.parameters) {
            schemas[parameter.key, default: []].insert(parameter.grammarKey)
        }
        ofEffects = effects.map { effect in
            let components = effect.parameters.map { parameter in
                // One type where all effects take the same values.
                let isShared = schemas[parameter.key]?.count == 1
                let name = parameter.name.capitalizedASCII
                return Component(
                    parameter, named: isShared ? name : "\(name)Of\(effect.name.camelCased)")
            }
            return (effect, components)
        }
    }

    // MARK: Schemas

    /// All schemas by name; the schema of a request is `Request`.
    var schemas: [(String, JSONNode)] {
        let components = common + ofEffects.flatMap(\.components)
        var schemas: [(String, JSONNode)] = [("Text", Self.text), ("Texts", Self.texts)]
        for name in ["Keyframes", "Pictures"]
        where components.contains(where: { $0.name.isSame(as: name) }) {
            schemas.append((name + "Text", Self.jsonText(of: name)))
        }
        for component in components
        where !schemas.contains(where: { $0.0.isSame(as: component.name) }) {
            schemas.append((component.name, component.schema))
        }
        if taken == nil {
            schemas += requests + blocks
        } else {
            schemas.append(
                ("Request", object("Request", common, ["text"], texts: Self.oneOrMore)))
        }
        schemas.append(("Form", object("Form", common + anyEffect, ["text"], hasTexts: true)))
        return schemas
    }

    private static let text: JSONNode = [
        "title": "Text", "type": "string", "minLength": 1,
        "pattern": .string("^[^\(controls)]*[^\\s\(controls)][^\(controls)]*$"),
        "description": "The text to animate.", "examples": ["Hello"],
    ]
    /// The texts of a query or a form, where a name that is repeated gives several blocks.
    private static let texts: JSONNode = [
        "title": "Texts", "type": "array", "minItems": 1,
        "maxItems": .number(Double(RequestSchema.mostTexts)), "items": .reference("Text"),
        "description": "The text to animate, or several.", "examples": [["Hello"]],
    ]
    /// The property of the text of a JSON request, which may be an array of several.
    private static let oneOrMore: (String, JSONNode) = (
        "text", ["anyOf": [.reference("Text"), .reference("Texts")]]
    )
    /// The characters that no text has, as a part of a regular expression (ECMA-262).
    private static let controls = "\\u0000-\\u0008\\u000B\\u000C\\u000E-\\u001F\\u007F-\\u009F"

    /// The request as a union: one kind for each effect, one for several texts, and one for presets,
    /// which may choose the effect.
    private var requests: [(String, JSONNode)] {
        let isDefault = { [requestSchema] (effect: EffectCatalog.Entry) in
            effect.name.isSame(as: requestSchema.effects.defaultEntry.name)
        }
        let kinds = ofEffects.map { effect, own in
            kind(
                of: effect, "Request", common, own, isRequired: !isDefault(effect),
                texts: Self.oneOrMore)
        }
        let blocks: JSONNode = [
            "type": "array", "minItems": 1, "maxItems": .number(Double(RequestSchema.mostTexts)),
            "items": .reference("Block"), "description": "Several texts, instead of text.",
        ]
        let others = [
            (
                "SequenceRequest",
                object(
                    "SequenceRequest", common + anyEffect, ["blocks"], texts: ("blocks", blocks))
            ),
            (
                "CaptionsRequest",
                object(
                    "CaptionsRequest", common + anyEffect, ["captions"],
                    texts: ("captions", CatalogDocuments.captionsSchema))
            ),
            (
                "PresetRequest",
                object(
                    "PresetRequest", common + anyEffect, ["text", "preset"], texts: Self.oneOrMore)
            ),
        ]
        return kinds + others + [("Request", Self.union("Request", kinds + others))]
    }

    /// A block as a union: one kind for each effect, and one with the effect of the request.
    private var blocks: [(String, JSONNode)] {
        let common = common.filter {
            requestSchema.takesInBlock($0.parameter)
                && !$0.parameter.name.isSame(as: requestSchema.effect.name)
        }
        let kinds = ofEffects.map { effect, own in
            kind(of: effect, "Block", common, own, isRequired: true)
        }
        let others = [("PlainBlock", object("PlainBlock", common + anyEffect, ["text"]))]
        return kinds + others + [("Block", Self.union("Block", kinds + others))]
    }

    private func kind(
        of effect: EffectCatalog.Entry, _ suffix: String, _ common: [Component],
        _ own: [Component], isRequired: Bool,
        texts: (String, JSONNode) = ("text", .reference("Text"))
    ) -> (String, JSONNode) {
        let name = effect.name.camelCased + suffix
        let chosen: JSONNode = [
            "type": "string", "const": .string(effect.name), "description": .string(effect.title),
        ]
        let others = common.filter { !$0.parameter.name.isSame(as: requestSchema.effect.name) }
        let needed = own.map(\.parameter).filter(\.isNeeded).map(\.name)
        let required = (isRequired ? ["text", "effect"] : ["text"]) + needed
        return (name, object(name, others + own, required, texts: texts, effect: chosen))
    }

    /// Returns the schema of any of several kinds.
    ///
    /// It has no discriminator: not every kind has an effect of its own.
    private static func union(_ name: String, _ kinds: [(String, JSONNode)]) -> JSONNode {
        ["title": .string(name), "anyOf": .array(kinds.map { .reference($0.0) })]
    }

    /// Returns the schema of an object.
    ///
    /// - Parameters:
    ///   - title: Its name.
    ///   - components: Its members, except for the texts and an effect that is given apart.
    ///   - required: The names of members that it needs.
    ///   - texts: The member with the texts.
    ///   - effect: The schema of `effect`, unless it is among the components.
    ///   - hasTexts: True if all values are texts, as in a form.
    /// - Returns: A schema that takes no other members.
    private func object(
        _ title: String, _ components: [Component], _ required: [String],
        texts: (String, JSONNode) = ("text", .reference("Text")), effect: JSONNode? = nil,
        hasTexts: Bool = false
    ) -> JSONNode {
        var properties = [hasTexts ? ("text", .reference("Texts")) : texts]
        if let effect { properties.append(("effect", effect)) }
        for (name, variants) in Self.grouped(components) {
            properties.append((name, hasTexts ? Self.text(name, variants) : Self.anyOf(variants)))
        }
        return [
            "title": .string(title), "type": "object", "properties": .object(properties),
            "required": .array(required.map { .string($0) }), "additionalProperties": false,
        ]
    }

    /// The parameters of all effects.
    private var anyEffect: [Component] { ofEffects.flatMap(\.components) }

    /// Returns the names of schemas by the names of their parameters, in their order.
    ///
    /// Of schemas that allow the same values it has the first, for a union of all is longer and
    /// allows no more.
    private static func grouped(_ components: [Component]) -> [(String, [String])] {
        var groups: [(String, [String])] = []
        var places: [ByteString: Int] = [:]
        var grammars: Set<ByteString> = []
        for component in components {
            let parameter = component.parameter
            let grammar = ByteString(parameter.name + " " + parameter.grammarKey.text)
            guard grammars.insert(grammar).inserted else { continue }
            if let place = places[parameter.key] {
                groups[place].1.append(component.name)
            } else {
                places[parameter.key] = groups.count
                groups.append((parameter.name, [component.name]))
            }
        }
        return groups
    }

    private static func anyOf(_ names: [String]) -> JSONNode {
        let references = names.map { JSONNode.reference($0) }
        return references.count == 1 ? references[0] : ["anyOf": .array(references)]
    }

    /// Returns the schema of a parameter where all values are texts.
    private static func text(_ name: String, _ variants: [String]) -> JSONNode {
        ["keyframes", "pictures"].includes(name)
            ? .reference(name.capitalizedASCII + "Text") : anyOf(variants)
    }

    /// Returns the schema of a text that is the JSON of a parameter whose schema has a name.
    private static func jsonText(of name: String) -> JSONNode {
        [
            "title": .string(name + "Text"), "type": "string",
            "format": .string(name.lowercasedASCII), "description": .string("\(name) as JSON."),
            "contentMediaType": "application/json", "contentSchema": .reference(name),
        ]
    }

    // MARK: Queries

    /// The parameters of queries by name, and `signature`.
    var queryParameters: [(String, JSONNode)] {
        var parameters: [(String, JSONNode)] = [
            ("text", Self.query("text", .reference("Texts"), isRequired: true))
        ]
        for (name, variants) in Self.grouped(common + anyEffect) {
            parameters.append((name, Self.query(name, Self.text(name, variants))))
        }
        let expires: JSONNode = [
            "type": "integer", "title": "Expiry", "minimum": 0, "exclusiveMaximum": .number(1e18),
            "description": "When a signed address ends, in seconds since 1970, UTC.",
        ]
        parameters.append(("expires", Self.query("expires", expires)))
        let signature: JSONNode = [
            "type": "string", "title": "Signature", "pattern": "^[^\\u0000]*$",
            "description":
                "The signature of path and query, if the server has a key; the last parameter.",
        ]
        parameters.append(("signature", Self.query("signature", signature)))
        return parameters
    }

    private static func query(
        _ name: String, _ schema: JSONNode, isRequired: Bool = false
    ) -> JSONNode {
        var members: [(String, JSONNode)] = [("name", .string(name)), ("in", "query")]
        if isRequired { members += [("required", true), ("example", ["Hello"])] }
        return .object(members + [("schema", schema)])
    }
}

extension RequestComponents.Component {
    /// Makes the schema of a parameter's values.
    ///
    /// - Parameters:
    ///   - parameter: The parameter.
    ///   - name: The name of the schema, and its title.
    ///   - readers: The formats that read it, if not all do.
    init(_ parameter: Parameter, named name: String, readers: [FormatCatalog.Entry] = []) {
        self.parameter = parameter
        self.name = name
        var members: [(String, JSONNode)] = [("title", .string(name))]
        members += parameter.grammar.schema.map { ($0, $1.withEnums) }
        if let value = parameter.defaultValue { members.append(("x-default", value.node)) }
        if let unit = parameter.unit { members.append(("x-unit", .string(unit.rawValue))) }
        var summary = parameter.summary
        if !readers.isEmpty {
            summary =
                readers.map(\.title).joined(separator: ", ") + ": "
                + Substring(summary.utf8.prefix(1)).lowercasedASCII + summary.dropping(first: 1)
        }
        if let value = parameter.defaultValue {
            summary += " Default: \(value.node.plainText)."
        }
        members.append(("description", .string(summary)))
        schema = .object(members)
    }
}

extension Parameter {
    /// True if the effect cannot do without it.
    var isNeeded: Bool { if case .keyframes = kind { true } else { false } }

    /// The same for parameters that take the same values.
    fileprivate var grammarKey: ByteString { ByteString(JSONNode.object(grammar.schema).text) }
}

extension JSONNode {
    /// Returns the path to a schema of the document.
    static func path(to schema: String) -> String { "#/components/schemas/\(schema)" }

    /// Returns a reference to a schema of the document.
    static func reference(_ schema: String) -> JSONNode { ["$ref": .string(path(to: schema))] }

    /// A schema with an `enum` of one value in place of each `const`.
    ///
    /// Where a value is one of several alternatives, openapi-python-client refuses all others for
    /// the sake of a `const`.
    fileprivate var withEnums: JSONNode {
        switch self {
        case .array(let parts): .array(parts.map(\.withEnums))
        case .object(let members):
            .object(
                members.map { name, value in
                    name.isSame(as: "const") ? ("enum", [value]) : (name, value.withEnums)
                })
        default: self
        }
    }

    /// The same with a description (OpenAPI 3.1 allows members beside a reference).
    static func reference(_ schema: String, _ description: String) -> JSONNode {
        ["$ref": .string(path(to: schema)), "description": .string(description)]
    }
}

extension String {
    /// The text with a capital letter for its first one of ASCII.
    var capitalizedASCII: String {
        Substring(utf8.prefix(1)).uppercasedASCII + dropping(first: 1)
    }

    /// The words of a name, which hyphens separate, each with a capital letter.
    fileprivate var camelCased: String {
        pieces(separatedBy: "-").map { String($0).capitalizedASCII }.joined()
    }
}
