import Bytes
import Encoders
import Motion
import Rendering

/// A tool that assistants call.
enum MCPTool: String, CaseIterable, Sendable {
    case render
    case describe
    case check

    private var title: String {
        switch self {
        case .render: "Render animated text"
        case .describe: "Describe effects, presets, targets, formats, and parameters"
        case .check: "Check a request"
        }
    }

    private var summary: String {
        switch self {
        case .render:
            "Draws text as an animation, or as a still picture. Returns the file, its bytes, size, "
                + "and duration, the settings that were lowered for maxBytes (fitted), warnings, and "
                + "two addresses: url, which people can read and change, and permalink, which "
                + "always gives the same. Without a format it is a PNG of the finished text, for "
                + "which \"animation\" is the address of the animated SVG; \"for\" names a place, "
                + "and so decides format, size, and limits."
        case .describe:
            "Without names it lists the effects, presets, targets, formats, and parameters. With "
                + "names it describes each: an effect's parameters with their ranges, the values "
                + "that a preset sets, or the rules of a target."
        case .check:
            "Takes the arguments of render, and draws nothing. Returns all their faults, or else "
                + "the address, size, duration, warnings, and the figures that limits apply to: an "
                + "estimate of the file's bytes, often far too high, and the work in megapixels."
        }
    }

    /// Returns the definition of the tool.
    ///
    /// - Parameters:
    ///   - schema: The parameters of requests.
    ///   - taken: The parameters that requests may have; nil for all.
    /// - Returns: The definition as `tools/list` has it.
    func node(_ schema: RequestSchema, taken: [ByteString]?) -> JSONNode {
        let input =
            switch self {
            case .render: ArgumentSchema(schema, taken: taken).node
            case .check: ArgumentSchema(schema, taken: taken).types
            case .describe: MCPDescription.inputSchema
            }
        return [
            "name": .string(rawValue), "title": .string(title), "description": .string(summary),
            "inputSchema": input,
            "annotations": [
                "readOnlyHint": true, "idempotentHint": true, "openWorldHint": false,
            ],
        ]
    }
}

/// The JSON Schema of a rendering's arguments, made from the schema that checks requests.
///
/// The schema is short, because a model reads all of it: the parameters of effects stand in it once
/// for all effects, and keywords for programs only are left out.
private struct ArgumentSchema {
    private let schema: RequestSchema
    private let taken: [ByteString]?

    init(_ schema: RequestSchema, taken: [ByteString]?) {
        (self.schema, self.taken) = (schema, taken)
    }

    var node: JSONNode { Self.object(properties) }

    /// The schema with only the types.
    var types: JSONNode {
        Self.object(
            properties.map { name, node in
                let types = Self.types(of: node)
                guard types.includes("array") else {
                    let names = types.map { JSONNode.string($0) }
                    return (name, ["type": names.count == 1 ? names[0] : .array(names)])
                }
                return (name, ["type": "array", "items": ["type": "object"]])
            })
    }

    private static func object(_ properties: [(String, JSONNode)]) -> JSONNode {
        ["type": "object", "properties": .object(properties), "additionalProperties": false]
    }

    /// Returns the types that a schema names, each once.
    private static func types(of schema: JSONNode) -> [String] {
        guard case .object(let members) = schema else { return [] }
        var types: [String] = []
        for (name, value) in members {
            var found: [String] = []
            switch value {
            case .string(let type) where name.isSame(as: "type"): found = [type]
            case .array(let names) where name.isSame(as: "type"): found = names.map(\.plainText)
            case .array(let choices) where name.isSame(as: "anyOf"):
                found = choices.flatMap { self.types(of: $0) }
            default: break
            }
            for type in found where !types.includes(type) { types.append(type) }
        }
        return types
    }

    private var properties: [(String, JSONNode)] {
        let text: JSONNode = [
            "type": "string", "minLength": 1, "description": "The text to animate.",
        ]
        let blocks: JSONNode = [
            "type": "array", "minItems": 1, "maxItems": .number(Double(RequestSchema.mostTexts)),
            "items": ["type": "object"],
            "description": .string(
                "Several texts, instead of text: objects with text, and with arguments of their "
                    + "own."),
        ]
        let all =
            [("text", text)] + schema.all.map { ($0.name, node(of: $0)) } + effectProperties
            + [("blocks", blocks), ("captions", CatalogDocuments.captionsSchema)]
        return all.filter { taken?.contains(ByteString($0.0)) ?? true }
    }

    private func node(of parameter: Parameter) -> JSONNode {
        let readers = schema.formats.entries(reading: parameter.name).map(\.title)
        let prefix = readers.isEmpty ? "" : readers.joined(separator: ", ") + ": "
        var members = Self.members(parameter)
        if let value = parameter.defaultValue { members.append(("default", value.node)) }
        return .object(members + [("description", .string(prefix + Self.summary(parameter)))])
    }

    /// The parameters of effects, each with the effects that have it.
    private var effectProperties: [(String, JSONNode)] {
        var groups: [(name: String, uses: [(effect: String, parameter: Parameter)])] = []
        var places: [ByteString: Int] = [:]
        for effect in schema.effects.entries {
            for parameter in effect.parameters {
                if let place = places[parameter.key] {
                    groups[place].uses.append((effect.name, parameter))
                } else {
                    places[parameter.key] = groups.count
                    groups.append((parameter.name, [(effect.name, parameter)]))
                }
            }
        }
        return groups.map { name, uses in
            var kinds: [JSONNode] = []
            for use in uses {
                let kind = JSONNode.object(Self.members(use.parameter))
                if !kinds.contains(where: { $0.text.isSame(as: kind.text) }) { kinds.append(kind) }
            }
            let effects = uses.map(\.effect).joined(separator: ", ")
            let summary = Self.commonest(uses.map { Self.summary($0.parameter) })
            let description = JSONNode.string("With \(effects): \(summary)")
            if kinds.count == 1 {
                let members = Self.members(uses[0].parameter)
                return (name, .object(members + [("description", description)]))
            }
            return (name, ["anyOf": .array(kinds), "description": description])
        }
    }

    /// Returns the text that occurs most often, of several the first.
    private static func commonest(_ texts: [String]) -> String {
        var (best, most) = ("", 0)
        for text in texts {
            let count = texts.count { $0.isSame(as: text) }
            if count > most { (best, most) = (text, count) }
        }
        return best
    }

    private static func members(_ parameter: Parameter) -> [(String, JSONNode)] {
        guard case .object(let members) = brief(.object(parameter.grammar.schema)) else {
            return []
        }
        return members
    }

    /// Returns a schema without the keywords that only programs need.
    private static func brief(_ schema: JSONNode) -> JSONNode {
        switch schema {
        case .array(let parts): return .array(parts.map(brief))
        case .object(let members):
            return .object(
                members.compactMap { name, value in
                    if ["pattern", "format", "examples"].includes(name) || name.begins(with: "x-") {
                        return nil
                    }
                    // The members of `properties` are names, not keywords.
                    if name.isSame(as: "properties"), case .object(let properties) = value {
                        return (name, .object(properties.map { ($0, brief($1)) }))
                    }
                    return (name, brief(value))
                })
        default: return schema
        }
    }

    private static func summary(_ parameter: Parameter) -> String {
        guard let unit = parameter.unit, unit != .seconds else { return parameter.summary }
        return "\(parameter.summary) In \(unit.plural)."
    }
}
