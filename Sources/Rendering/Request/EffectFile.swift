import Bytes
package import Encoders
package import Motion

/// The reader of an operator's own effect, which is one JSON object: `name`, `title`, `keyframes`,
/// and defaults of the other parameters that `custom` has.
package struct EffectFile {
    private let members: [ByteString: RawValue]
    private var reader = OwnFileReader()

    private static let title = Parameter("title", .string(1...60), default: nil, "")
    /// The parameters of `custom`: keyframes, which are required, and parameters with defaults.
    private static let parameters = EffectCatalog.standard["custom"]?.parameters ?? []
    /// Values of the parameter `exit` that do not name effects.
    private static let exitWords = ["auto", "between"]

    /// Returns the effect in the bytes of a file.
    ///
    /// - Throws: All faults; the parameter of each is its place in the file, empty for the whole.
    package static func definition(
        in bytes: [UInt8]
    ) throws(RenderingError) -> KeyframeEffect.Definition {
        var file = EffectFile(members: try RawValue.object(json: bytes, named: ""))
        return try file.definition()
    }

    private init(members: [ByteString: RawValue]) {
        self.members = members
    }

    private mutating func definition() throws(RenderingError) -> KeyframeEffect.Definition {
        let name = reader.name(in: members) { name in
            EffectCatalog.standard[ByteString(name)] != nil || Self.exitWords.includes(name)
        }
        var values: [ByteString: ParameterValue] = [:]
        for parameter in [Self.title] + Self.parameters {
            values[parameter.key] = read(parameter)
        }
        reader.noteUnknownNames(
            in: members, among: ["name", "title"] + Self.parameters.map(\.name))
        guard reader.faults.isEmpty, let name, case .string(let title) = values["title"],
            case .keyframes(let keyframes) = values["keyframes"]
        else { throw .invalid(reader.faults) }
        let source = JSONNode.canonical(
            [("name", .string(name))] + values.map { ($0.text, $1.node) }
        ).text
        return KeyframeEffect.Definition(
            name: name, title: title.text, KeyframeEffect.Defaults(values), keyframes: keyframes,
            source: source)
    }

    private mutating func read(_ parameter: Parameter) -> ParameterValue? {
        if ["title", "keyframes"].includes(parameter.name), members[parameter.key] == nil {
            reader.fault(parameter.name, "is required")
        }
        let value = reader.value(parameter, in: members)
        guard case .string(let text) = value,
            text.text.unicodeScalars.contains(where: {
                $0.properties.generalCategory == .control
            })
        else { return value }
        reader.fault(parameter.name, "must not hold control characters")
        return nil
    }
}

extension KeyframeEffect.Defaults {
    /// Takes the values of parameters; the others stay as they are in `custom`.
    fileprivate init(_ values: [ByteString: ParameterValue]) {
        self.init()
        if case .string(let text) = values["by"] {
            grouping = Grouping(rawValue: text.text) ?? grouping
        }
        if case .string(let text) = values["order"] {
            order = ItemOrder(rawValue: text.text) ?? order
        }
        if case .number(let seconds) = values["interval"] { interval = seconds }
        if case .number(let seconds) = values["duration"] { duration = seconds }
        if case .easing(let function) = values["easing"] { easing = function }
        if case .string(let text) = values["mask"] { mask = Mask(rawValue: text.text) ?? mask }
    }
}

extension RequestSchema {
    /// Returns Titlecard's own schema with an operator's effects and pictures, whose names differ,
    /// and with formats; nil for the formats that need no other program.
    package static func standard(
        with effects: [KeyframeEffect.Definition], pictures: [TextPicture] = [],
        formats: FormatCatalog? = nil
    ) -> RequestSchema {
        guard !effects.isEmpty || !pictures.isEmpty || formats != nil else { return .standard }
        let added = effects.map { EffectCatalog.Entry($0) }
        return RequestSchema(
            effects: EffectCatalog(EffectCatalog.standard.entries + added),
            formats: formats ?? .standard, presets: .standard, pictures: PictureCatalog(pictures))
    }
}
