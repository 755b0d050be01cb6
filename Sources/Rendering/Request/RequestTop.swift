import Bytes
import Encoders
import Motion

/// The values at the top of a request, which all of its texts share.
///
/// Its own values take precedence over the values of its target, and these, except for looks, over
/// the values of its presets.
struct RequestTop {
    /// The request's values, with the values of its presets and of its target.
    private(set) var given: [ByteString: RawValue]
    /// The checked values, except for the parameters of effects.
    private(set) var values: [ByteString: ParameterValue] = [:]
    /// The values of the parameters of effects; each text's effect checks its own.
    private(set) var effectValues: [ByteString: RawValue] = [:]
    private(set) var faults: FaultList
    /// The presets of the values that the request does not give itself, by parameter.
    private(set) var presetOfName: [ByteString: String] = [:]
    /// The place that the file goes to.
    private(set) var target: Target?
    /// True if parameters that the request does not give have the defaults of version 0.3.
    private(set) var hasEarlierDefaults = false
    private let schema: RequestSchema
    private let pathFormat: String?
    /// The parameters that the kind of request decides, whatever its target demands.
    private let decided: Set<ByteString>
    /// The values of the presets, some of which only texts after the first or videos have.
    private var presetValues = PresetValues([])
    /// The one scheme of the request's colours, with the values that texts inherit for both; nil
    /// for `auto`.
    private var scheme: (colors: DarkColors, isDark: Bool, inherited: [ByteString: ParameterValue])?

    init(_ raw: RawRequest, _ schema: RequestSchema) {
        (given, faults, self.schema) = (raw.values, raw.faults, schema)
        pathFormat = raw.pathFormat
        decided = raw.decided
        readDefaults()
        readTarget()
        addPresets()
        addTarget()
        addVideoValues()
        addCaptionValues()
        readValues()
        addEarlierDefaults()
        checkTarget()
        chooseScheme()
    }

    /// The looks of the texts after the first.
    var subtitles: [(size: Double, values: [ByteString: RawValue])] { presetValues.subtitles }

    /// Reads the value of `format`.
    mutating func format() -> FormatCatalog.Entry? {
        guard let raw = given["format"], case .string(let name) = value(raw, schema.format) else {
            return nil
        }
        return schema.formats[name]
    }

    /// Returns the values of a text in the one scheme of the request's colours.
    func inScheme(
        _ own: [ByteString: ParameterValue]
    ) -> [ByteString: ParameterValue] {
        guard let scheme else { return own }
        return scheme.colors.values(
            of: own, inheriting: scheme.inherited, isDark: scheme.isDark)
    }

    // MARK: Faults

    /// Notes a fault of the value of a parameter.
    mutating func fault(_ parameter: String, _ message: String) {
        let origin = presetOfName[ByteString(parameter)].map { ", which is the preset \"\($0)\"'s" }
        faults.add(parameter, message + (origin ?? ""))
    }

    /// Returns a value of a parameter, or notes a fault and returns nil.
    mutating func value(
        _ raw: RawValue, _ parameter: Parameter, at path: String = ""
    ) -> ParameterValue? {
        do {
            return try parameter.value(of: raw)
        } catch {
            for part in error.parts { fault(path + parameter.name + part.place, part.message) }
            return nil
        }
    }

    /// Notes a name that no parameter has.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - path: The part before the name in the fault.
    ///   - names: The names that parameters have there, besides those of an effect.
    ///   - effect: The effect; nil where none is named.
    mutating func faultUnknown(
        _ name: String, at path: String = "", among names: [String], of effect: EffectCatalog.Entry?
    ) {
        // The effect's own come first, so that they count where others are as near.
        faults.addUnknown(
            name, at: path, among: (effect?.parameters.map(\.name) ?? []) + names,
            otherwise: effect.map { "the effect \"\($0.name)\" " + $0.takes })
    }

    // MARK: Layers

    /// Learns which target the request names.
    private mutating func readTarget() {
        guard let written = given.removeValue(forKey: "for"),
            case .string(let name) = value(written, schema.target)
        else { return }
        target = schema.targets.first { name.text.isSame(as: $0.name) }
    }

    /// The look of the target, for a request without a ground or an edge of its own.
    private var usualLook: Preset? {
        let name = target?.values.first { $0.parameter.isSame(as: schema.preset.name) }?.value
        guard !hasEarlierDefaults, hasNoGroundOrEdge, let name = name?.characters else {
            return nil
        }
        return schema.presets[ByteString(name)]
    }

    /// True if no value makes a text legible on any ground.
    private var hasNoGroundOrEdge: Bool {
        presetOfName.isEmpty && !Self.groundsAndEdges.contains { given[$0] != nil }
    }

    /// Adds the values of the presets that the request names, and of its target's look unless one of
    /// them is more than a palette.
    private mutating func addPresets() {
        var presets: [Preset] = []
        if let written = given.removeValue(forKey: schema.preset.key) {
            guard case .string(let names) = value(written, schema.preset) else { return }
            presets = names.text.pieces(separatedBy: ",").compactMap {
                schema.presets[ByteString($0)]
            }
        }
        if let look = usualLook, presets.allSatisfy({ $0.palette != nil }) {
            presets.insert(look, at: 0)
        }
        presetValues = PresetValues(presets)
        presetValues.yield(to: given)
        given.merge(presetValues.values) { own, _ in own }
        presetOfName = presetValues.origins
        guard given["captions"] == nil else { return }
        // Without captions, or words that have times, they change nothing.
        let unused = CaptionParameters.names + (hasTimes ? [] : RequestReader.spoken)
        for name in unused where presetOfName[name] != nil {
            (given[name], presetOfName[name]) = (nil, nil)
        }
    }

    /// True if the request has words with times.
    private var hasTimes: Bool {
        guard case .array(let blocks)? = given["blocks"] else { return given["times"] != nil }
        return given["times"] != nil
            || blocks.contains { block in
                if case .object(let members) = block { members["times"] != nil } else { false }
            }
    }

    /// Adds the values that presets have only in videos.
    private mutating func addVideoValues() {
        guard !presetValues.videoValues.isEmpty,
            let name = given[schema.format.key]?.characters ?? pathFormat,
            schema.formats[ByteString(name)]?.type.isVideo == true
        else { return }
        given.merge(presetValues.videoValues) { own, _ in own }
    }

    /// Adds the values that captions have instead of usual ones.
    private mutating func addCaptionValues() {
        guard given["captions"] != nil else { return }
        if given["maxLines"] == nil { given["maxLines"] = .number(CaptionParameters.usualLines) }
        let timed = Choreography.Sequence.timed.rawValue
        if let own = given["sequence"], presetOfName["sequence"] == nil,
            own.characters?.isSame(as: timed) != true
        {
            fault("sequence", "must be \"\(timed)\" with captions; got \(own.description)")
        }
        given["sequence"] = .string(timed)
        presetOfName["sequence"] = nil
    }

    /// Learns whose defaults the request has.
    private mutating func readDefaults() {
        guard let written = given.removeValue(forKey: "defaults") else { return }
        hasEarlierDefaults = value(written, schema.defaults) != nil
    }

    /// Adds the earlier defaults beneath the values of the request itself, of presets, and of the
    /// target.
    private mutating func addEarlierDefaults() {
        guard hasEarlierDefaults else { return }
        for (key, value) in schema.earlierDefaults where given[key] == nil {
            values[key] = value
        }
    }

    /// The parameters that make a text legible on any ground.
    private static let groundsAndEdges: [ByteString] = [
        "background", "darkBackground", "outlineWidth", "outlineColor", "darkOutlineColor",
    ]
    /// The parameters that decide the colours of texts.
    private static let inks: [ByteString] = ["color", "darkColor", "codeLanguage"]
    /// The parameters that decide how lines break.
    private static let lines: [ByteString] = [
        "width", "maxWidth", "wrap", "fit", "path", "codeLanguage",
    ]

    /// Adds the values of the target, except for values that the request gives itself, and looks
    /// that its presets give.
    private mutating func addTarget() {
        guard let target else { return }
        let takesEdge = hasNoGroundOrEdge
        let takesInk = takesEdge && !Self.inks.contains { given[$0] != nil }
        let takesLines =
            !Self.lines.contains { given[$0] != nil }
            && given["effect"]?.characters?.isSame(as: Marquee.name) != true
        for own in target.values where !(own.isNew && hasEarlierDefaults) {
            switch own.rule {
            case .edge where !takesEdge, .ink where !takesInk, .lines where !takesLines: continue
            default: break
            }
            let key = ByteString(own.parameter)
            // The presets have their values already.
            if key == schema.preset.key { continue }
            let yields = given[key] != nil && (own.rule == .look || presetOfName[key] == nil)
            guard !yields, let value = own.value ?? mostForLoops(own) else { continue }
            given[key] = value
            presetOfName[key] = nil
        }
        if given[schema.format.key] == nil {
            given[schema.format.key] = .string(target.format)
        }
    }

    /// Returns the most that a value of a target may be for the loops of the request; nil for a
    /// value that has no such rule.
    private func mostForLoops(_ own: Target.Value) -> RawValue? {
        guard case .atMostForLoops(let most) = own.rule else { return nil }
        return .number(most / loops(upTo: most))
    }

    /// Returns how many times it plays: a number up to `most`, which a request for more does not pass.
    private func loops(upTo most: Double) -> Double {
        guard let raw = given["loop"],
            case .number(let count)? = try? schema.byName["loop"]?.value(of: raw)
        else { return 1 }
        return min(max(count, 1), most)
    }

    /// Notes the request's own values that break a rule of its target, and keeps to its budget.
    private mutating func checkTarget() {
        guard let target else { return }
        for own in target.values where !decided.contains(ByteString(own.parameter)) {
            let key = ByteString(own.parameter)
            guard let parameter = schema.byName[key], let used = values[key] else { continue }
            if case .budget(let most) = own.rule, case .number(let number) = used {
                values[key] = .number(min(number, most))
            }
            guard let demand = demand(of: own, on: parameter, that: used) else { continue }
            fault(
                own.parameter,
                "must be \(demand) for the target \"\(target.name)\"; got "
                    + used.node.plainText)
        }
    }

    /// Returns the demand of a target's rule that a value does not meet, for messages; nil where it
    /// does.
    private func demand(
        of own: Target.Value, on parameter: Parameter, that used: ParameterValue
    ) -> String? {
        func bound(_ word: String, _ limit: Double, _ isMet: (Double, Double) -> Bool) -> String? {
            // A word in place of a number, such as infinite, is more.
            if case .number(let number) = used, isMet(number, limit) { return nil }
            return "at \(word) \(NumberText.of(limit))"
        }
        switch own.rule {
        case .look, .edge, .ink, .lines, .any, .budget: return nil
        case .only:
            guard let value = own.value, used != (try? parameter.value(of: value)) else {
                return nil
            }
            return value.description
        case .atMost(let most): return bound("most", most, <=)
        case .atLeast(let least): return bound("least", least, >=)
        case .atMostForLoops(let most): return bound("most", most / loops(upTo: most), <=)
        }
    }

    /// Replaces the checked colours for light mode by the colours for dark mode, or drops the
    /// latter.
    private mutating func chooseScheme() {
        guard let written = given["scheme"],
            case .string(let name) = value(written, schema.scheme),
            let scheme = ColorScheme(rawValue: name.text), scheme != .auto
        else { return }
        let (colors, isDark) = (DarkColors(schema), scheme == .dark)
        self.scheme = (colors, isDark, values.filter { schema.blockNames.contains($0.key) })
        for (dark, light) in colors.pairs where isDark && values[dark] != nil {
            presetOfName[light] = presetOfName[dark]
        }
        values = colors.values(of: values, isDark: isDark)
    }

    /// Checks the values, except for the parameters of effects.
    private mutating func readValues() {
        let allNames = schema.allNames
        let effect = given["effect"]?.characters.flatMap { schema.effects[ByteString($0)] }
        for (name, raw) in given.sorted(by: { $0.key < $1.key }) {
            if let parameter = schema.byName[name] {
                values[name] = value(raw, parameter)
            } else if schema.effectNames.contains(name) {
                effectValues[name] = raw
            } else if !RequestSchema.otherNames.contains(name) {
                faultUnknown(name.text, among: allNames, of: effect)
            }
        }
    }
}

extension EffectCatalog.Entry {
    /// A phrase with the names of the parameters, which follows the name of the effect.
    var takes: String {
        parameters.isEmpty
            ? "takes no parameters" : "takes " + parameters.map(\.name).joined(separator: ", ")
    }
}
