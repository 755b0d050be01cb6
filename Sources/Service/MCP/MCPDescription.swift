import Bytes
import Encoders
import Motion
import Rendering

/// The answers of the tool `describe`.
struct MCPDescription {
    /// The names that one call may give, so that an answer stays short.
    private static let mostNames = 8

    static let inputSchema: JSONNode = [
        "type": "object",
        "properties": [
            "names": [
                "type": "array", "minItems": 1, "maxItems": .number(Double(mostNames)),
                "items": ["type": "string"],
                "description": "Names of effects, presets, targets, formats, or parameters.",
            ]
        ],
        "additionalProperties": false,
    ]

    private let effects: [EffectCatalog.Entry]
    private let presets: [Preset]
    private let targets: [Target]
    private let formats: [FormatCatalog.Entry]
    private let parameters: [Parameter]
    /// `text`, `blocks`, and `captions`, which are no parameters of the schema.
    private let texts: [(name: String, node: JSONNode)]

    /// - Parameters:
    ///   - schema: The schema of requests.
    ///   - taken: The parameters that requests may have; nil for all.
    init(_ schema: RequestSchema, taken: [ByteString]?) {
        effects = taken == nil ? schema.effects.entries : []
        presets = schema.presets.entries
        targets = schema.targets
        formats = schema.formats.entries
        parameters = schema.all.filter { taken?.contains($0.key) ?? true }
        let all = [
            ("text", CatalogDocuments.text), ("blocks", CatalogDocuments.blocks),
            ("captions", CatalogDocuments.captions),
        ]
        texts = all.filter { taken?.contains(ByteString($0.0)) ?? true }
    }

    /// Returns the descriptions that the arguments of a call ask for.
    ///
    /// - Throws: All faults of the arguments.
    func node(_ arguments: [ByteString: RawValue]) throws(Problem) -> JSONNode {
        var faults = FaultList()
        for name in arguments.keys.sorted() where name != "names" {
            faults.addUnknown(name.text, among: ["names"])
        }
        var entries = Entries()
        switch arguments["names"] {
        case nil where faults.isEmpty: return summary
        case nil: break
        case .array(let names)? where (1...Self.mostNames).contains(names.count):
            for (index, name) in names.enumerated() {
                guard case .string(let name) = name else {
                    faults.add("names[\(index)]", "must be a string; got \(name.description)")
                    continue
                }
                if !add(ByteString(name), to: &entries) {
                    faults.addUnknown(name, among: allNames)
                }
            }
        case let other?:
            var got = other.description
            if case .array(let names) = other { got = "\(names.count)" }
            faults.add("names", "must be an array of 1 to \(Self.mostNames) names; got \(got)")
        }
        try Problem.catching(faults.check)
        return entries.node
    }

    /// The names of all that there is.
    private var summary: JSONNode {
        let effects = effects.map { Self.title($0.name, $0.title, $0.group.rawValue) }
        let presets = presets.map { Self.title($0.name, $0.title, $0.group.rawValue) }
        let names = texts.map(\.name) + parameters.map(\.name)
        return .object(
            (effects.isEmpty ? [] : [("effects", .array(effects))]) + [
                ("presets", .array(presets)),
                (
                    "targets",
                    .array(
                        targets.map {
                            ["name": .string($0.name), "summary": .string($0.summary)]
                        })
                ),
                ("formats", .array(formats.map { .string($0.name) })),
                ("parameters", .array(names.map { .string($0) })),
            ])
    }

    private static func title(_ name: String, _ title: String, _ group: String) -> JSONNode {
        ["name": .string(name), "title": .string(title), "group": .string(group)]
    }

    private var allNames: [String] {
        effects.map(\.name) + presets.map { $0.name } + targets.map { $0.name }
            + formats.map(\.name)
            + texts.map(\.name) + parameters.map(\.name) + effects.flatMap(\.parameters).map(\.name)
    }

    /// The entries that are found under names.
    private struct Entries {
        var effects: [JSONNode] = []
        var presets: [JSONNode] = []
        var targets: [JSONNode] = []
        var formats: [JSONNode] = []
        var parameters: [JSONNode] = []

        var node: JSONNode {
            let kinds = [
                ("effects", effects), ("presets", presets), ("targets", targets),
                ("formats", formats), ("parameters", parameters),
            ]
            return .object(kinds.filter { !$0.1.isEmpty }.map { ($0, .array($1)) })
        }
    }

    /// Adds all that has a name; false if nothing has.
    private func add(_ name: ByteString, to entries: inout Entries) -> Bool {
        let isNamed = { (other: String) in name.text.isSame(as: other) }
        let effects = effects.filter { isNamed($0.name) }.map(CatalogDocuments.node)
        let presets = presets.filter { isNamed($0.name) }.map(CatalogDocuments.node)
        let targets = targets.filter { isNamed($0.name) }.map(CatalogDocuments.node)
        let formats = formats.filter { isNamed($0.name) }.map(CatalogDocuments.node)
        var parameters = texts.filter { isNamed($0.name) }.map(\.node)
        parameters += self.parameters.filter { $0.key == name }.map(CatalogDocuments.node)
        for effect in self.effects {
            for parameter in effect.parameters where parameter.key == name {
                guard case .object(let members) = CatalogDocuments.node(of: parameter) else {
                    continue
                }
                parameters.append(.object([("effect", .string(effect.name))] + members))
            }
        }
        entries.effects += effects.map(Self.brief)
        entries.presets += presets
        entries.targets += targets
        entries.formats += formats.map(Self.brief)
        entries.parameters += parameters.map(Self.brief)
        return !(effects + presets + targets + formats + parameters).isEmpty
    }

    /// Returns an entry without the schemas of parameters, which say the same again for programs.
    private static func brief(_ entry: JSONNode) -> JSONNode {
        switch entry {
        case .array(let parts): .array(parts.map(brief))
        case .object(let members):
            .object(
                members.filter { !$0.0.isSame(as: "schema") }.map { ($0, brief($1)) })
        default: entry
        }
    }
}
