package import Bytes
package import Encoders
package import Motion

/// All parameters of requests with their types, defaults and ranges.
///
/// The request reader, the documents and the command line use it. It is derived from the catalogues
/// of effects and formats, `BlockParameters` and `SceneParameters`.
///
/// A class, because all requests share one schema.
package final class RequestSchema: Sendable {
    package static let standard = RequestSchema(
        effects: .standard, formats: .standard, presets: .standard)

    package let effects: EffectCatalog
    package let formats: FormatCatalog
    package let presets: PresetCatalog
    /// The places that files go to, of whose formats there are.
    package let targets: [Target]
    /// The pictures that every text may have.
    package let pictures: PictureCatalog
    /// The parameters of a block, except for `text`, `effect` and that effect's parameters.
    package let blockParameters: [Parameter]
    /// The parameters of the scene.
    package let sceneParameters: [Parameter]
    package let effect: Parameter
    package let format: Parameter
    /// The names of presets, whose parameters lie beneath the request's own.
    package let preset: Parameter
    /// The place that the file goes to, whose rules decide parameters.
    package let target: Parameter
    /// The colours that the request is drawn in.
    package let scheme: Parameter
    /// The version whose defaults a request has.
    package let defaults: Parameter
    /// All parameters except for `otherNames` and the parameters of effects, in the order of the
    /// lists.
    package let parameters: [Parameter]
    /// The parameters in `parameters` that had another default in version 0.3, with that default.
    let earlierDefaults: [(key: ByteString, value: ParameterValue)]
    /// `parameters` by name.
    package let byName: [ByteString: Parameter]
    /// The names that a block may use with any effect.
    let blockNames: Set<ByteString>
    /// The names of all effects' parameters.
    package let effectNames: Set<ByteString>
    /// The names that a request may use at its top.
    let allNames: [String]
    let topNames: Set<ByteString>

    /// The names of the texts, presets, the target, the scheme, the defaults and the format, which are not
    /// among `parameters`.
    static let otherNames: [ByteString] = [
        "text", "blocks", "captions", "preset", "for", "scheme", "defaults", "format",
    ]

    /// The most texts, or blocks, of a request.
    package static let mostTexts = 32
    /// The most blocks of a request that gives each its times.
    package static let mostTimedTexts = 1000

    /// Returns true if a block may have a value of its own.
    package func takesInBlock(_ parameter: Parameter) -> Bool {
        blockNames.contains(parameter.key)
    }

    /// All parameters, and the others that a request has, except for texts and effects.
    package var all: [Parameter] { parameters + [preset, target, scheme, defaults, format] }

    /// Returns the schema with other formats.
    package func with(_ formats: FormatCatalog) -> RequestSchema {
        RequestSchema(effects: effects, formats: formats, presets: presets, pictures: pictures)
    }

    package init(
        effects: EffectCatalog, formats: FormatCatalog, presets: PresetCatalog,
        pictures: PictureCatalog = .empty
    ) {
        self.pictures = pictures
        self.effects = effects
        self.formats = formats
        self.presets = presets
        blockParameters = ParameterReader.definitions { _ = BlockParameters(&$0) }
        sceneParameters = ParameterReader.definitions { _ = SceneParameters(&$0, effects) }
        effect = Parameter(
            "effect", .choice(effects.entries.map(\.name)),
            default: .string(ByteString(effects.defaultEntry.name)), "How the text comes alive.")
        preset = Parameter(
            "preset", .presets(presets.entries.map { $0.name }), default: nil,
            "Ready-made parameters to start from.")
        targets = Target.all.filter { formats[ByteString($0.format)] != nil }
        target = Parameter(
            "for", .choice(targets.map(\.name)), default: nil,
            "The place that the file goes to, which decides format, size, rate, and length.")
        scheme = Parameter(
            "scheme", .choice(ColorScheme.allCases.map(\.rawValue)),
            default: .string(ByteString(ColorScheme.auto.rawValue)),
            "Colours: for light, and also for dark where a format can have both (auto), or for "
                + "only one of them.")
        defaults = Parameter(
            "defaults", .choice(["0.3"]), default: nil,
            "The version whose defaults apply, if not this one's.")
        format = Parameter(
            "format", .choice(formats.entries.map(\.name)), default: nil,
            "Output format; the path's extension takes precedence.")
        parameters = blockParameters + sceneParameters + [effect] + formats.parameters
        earlierDefaults = parameters.compactMap { parameter in
            parameter.earlierDefault.map { (parameter.key, $0) }
        }
        byName = Dictionary(uniqueKeysWithValues: parameters.map { ($0.key, $0) })
        blockNames = Set(blockParameters.map(\.key) + ["text", "effect"])
        effectNames = Set(effects.entries.flatMap(\.keys))
        allNames =
            parameters.map(\.name) + Self.otherNames.map(\.text)
            + effectNames.sorted().map(\.text)
        topNames = Set(allNames.map { ByteString($0) })
    }
}
