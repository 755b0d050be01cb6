package import Bytes
import Motion

/// A named set of parameters, from which a request can start.
package struct Preset: Sendable {
    /// The part of the catalogue that a preset stands in.
    package enum Group: String, Sendable {
        /// Colours for light and dark, without size or motion.
        case colors
        /// Size, type and motion.
        case shapes
        /// An operator's.
        case own
    }

    /// The name in requests.
    package let name: String
    /// The name for people.
    package let title: String
    package let group: Group
    /// One sentence for people.
    package let summary: String?
    /// The address of the colours' specification.
    package let source: String?
    /// The parameters, except for the colours of a look or a palette; none of
    /// `RequestSchema.otherNames`.
    fileprivate let ownValues: [ByteString: RawValue]
    /// The colours as templates; nil for a palette, and for an operator's preset.
    package let look: Look?
    /// The colours; nil for another preset.
    package let palette: Palette?

    /// Makes an operator's preset.
    package init(
        _ name: String, _ title: String, _ summary: String?, _ values: [ByteString: RawValue]
    ) {
        (self.name, self.title, self.summary, ownValues) = (name, title, summary, values)
        (group, source) = (.own, nil)
        (look, palette) = (nil, nil)
    }

    /// Makes a look, which has its paints in addition to the given values.
    init(
        _ name: String, _ title: String, _ summary: String, _ look: Look,
        _ values: [ByteString: RawValue]
    ) {
        (self.name, self.title, self.summary, self.look) = (name, title, summary, look)
        ownValues = values
        (group, source, palette) = (.shapes, nil, nil)
    }

    /// Makes a palette, which by itself colours texts, cards, bars, edges and highlights.
    init(
        palette name: String, _ title: String, source: String, light: Palette.Scheme,
        dark: Palette.Scheme
    ) {
        (self.name, self.title, self.source) = (name, title, source)
        palette = Palette(light: light, dark: dark)
        (group, summary, look) = (.colors, nil, nil)
        ownValues = [:]
    }

    /// The parameters; a look has the colours of its own palette.
    package var values: [ByteString: RawValue] {
        ownValues.merging(colors(in: look?.palette)) { $1 }
    }

    /// Returns the colours of a palette, or the colours of a look in a palette.
    fileprivate func colors(in palette: Palette?) -> [ByteString: RawValue] {
        if let own = self.palette { return Look.values(Self.paints, in: own) }
        return look?.values(in: palette) ?? [:]
    }

    /// The paints that a palette has by itself.
    private static let paints: [ByteString: String] = [
        "color": "{ink}", "background": "{ground}", "borderColor": "{rule}",
        "outlineColor": "{ground}", "barColor": "{accent}", "highlightColor": "{accent}",
    ]
}

/// The presets that requests can name, in the order in which they are listed.
package struct PresetCatalog: Sendable {
    package let entries: [Preset]
    private let byName: [ByteString: Preset]

    /// - Parameter entries: The presets; their names differ.
    package init(_ entries: [Preset]) {
        self.entries = entries
        byName = Dictionary(uniqueKeysWithValues: entries.map { (ByteString($0.name), $0) })
    }

    package subscript(name: ByteString) -> Preset? { byName[name] }
}

/// The parameters that several presets give together.
///
/// The last palette fills the looks, whichever comes first. Otherwise a later preset takes
/// precedence over an earlier one, and the request takes precedence over all of them. `speed` and
/// `cycle` cannot stand together: one takes the place of the other.
struct PresetValues {
    private(set) var values: [ByteString: RawValue] = [:]
    /// The preset that each value is of, by the parameter's name.
    private(set) var origins: [ByteString: String] = [:]
    /// The sizes of the texts after the first as factors, and more of their values; the last ones
    /// apply to all further texts. Empty if they look like the first.
    private(set) var subtitles: [(size: Double, values: [ByteString: RawValue])] = []
    /// Further values of requests whose format is a video.
    private(set) var videoValues: [ByteString: RawValue] = [:]
    /// The values that looks paint, which palettes fill rather than replace.
    private var painted: Set<ByteString> = []

    private static let rivals: [ByteString: ByteString] = ["speed": "cycle", "cycle": "speed"]

    init(_ presets: [Preset]) {
        let palette = presets.last { $0.palette != nil }?.palette
        for preset in presets { add(preset, filledBy: palette) }
    }

    private mutating func add(_ preset: Preset, filledBy palette: Palette?) {
        remove(rivalsOf: preset.ownValues)
        for (name, value) in preset.ownValues { set(name, value, of: preset) }
        for (name, value) in preset.colors(in: palette)
        where preset.palette == nil || !painted.contains(name) {
            set(name, value, of: preset)
            if preset.look != nil { painted.insert(name) }
        }
        guard let look = preset.look else { return }
        subtitles = look.subtitles.map { ($0.size, look.values(of: $0, in: palette)) }
        videoValues = look.videoValues
    }

    private mutating func set(_ name: ByteString, _ value: RawValue, of preset: Preset) {
        values[name] = value
        origins[name] = preset.name
        guard preset.palette == nil else { return }
        painted.remove(name)
        for index in subtitles.indices { subtitles[index].values[name] = nil }
        videoValues[name] = nil
    }

    /// Removes the parameters that a request gives itself.
    mutating func yield(to given: [ByteString: RawValue]) {
        remove(rivalsOf: given)
        for name in given.keys { remove(name) }
    }

    private mutating func remove(rivalsOf given: [ByteString: RawValue]) {
        for (name, rival) in Self.rivals where given[name] != nil { remove(rival) }
    }

    private mutating func remove(_ name: ByteString) {
        values[name] = nil
        origins[name] = nil
        for index in subtitles.indices { subtitles[index].values[name] = nil }
        videoValues[name] = nil
    }
}

extension Color {
    /// Returns an opaque colour between this one and another.
    func mixed(with other: Color, progress: Double) -> Color {
        func mix(_ channel: KeyPath<Color, UInt8>) -> UInt8 {
            let (from, to) = (Double(self[keyPath: channel]), Double(other[keyPath: channel]))
            return UInt8((from + (to - from) * progress).rounded())
        }
        return Color(red: mix(\.red), green: mix(\.green), blue: mix(\.blue))
    }
}

/// The reader of an operator's own presets: one JSON object with the array `presets`, as
/// `GET /presets` shows it.
package struct PresetFile {
    private let schema: RequestSchema
    private var reader = OwnFileReader()

    private static let titles = Parameter("title", .string(1...60), default: nil, "")
    private static let summaries = Parameter("summary", .string(1...200), default: nil, "")
    private static let counts = 1...256
    private static let members = ["name", "title", "summary", "parameters"]

    /// Returns a schema with the presets in the bytes of a file besides its own.
    ///
    /// - Throws: All faults; the parameter of each is its place in the file, empty for the whole.
    package static func schema(
        adding bytes: [UInt8], to schema: RequestSchema
    ) throws(RenderingError) -> RequestSchema {
        var file = PresetFile(schema: schema)
        let presets = file.presets(in: try RawValue.object(json: bytes, named: ""))
        guard file.reader.faults.isEmpty else { throw .invalid(file.reader.faults) }
        return RequestSchema(
            effects: schema.effects, formats: schema.formats,
            presets: PresetCatalog(schema.presets.entries + presets), pictures: schema.pictures)
    }

    private init(schema: RequestSchema) {
        self.schema = schema
    }

    private mutating func presets(in members: [ByteString: RawValue]) -> [Preset] {
        reader.noteUnknownNames(in: members, among: ["presets"])
        guard case .array(let elements)? = members["presets"],
            Self.counts.contains(elements.count)
        else {
            let got = members["presets"].map { "; got \($0.description)" } ?? ""
            reader.fault(
                "presets",
                "must be an array of \(Self.counts.lowerBound) to \(Self.counts.upperBound) objects"
                    + got)
            return []
        }
        var names: Set<ByteString> = []
        return elements.enumerated().compactMap { index, element in
            let place = "presets[\(index)]"
            guard case .object(let members) = element else {
                reader.fault(place, "must be an object; got \(element.description)")
                return nil
            }
            guard let preset = preset(members, at: place + ".") else { return nil }
            if !names.insert(ByteString(preset.name)).inserted {
                reader.fault("\(place).name", "must differ from the others; got \"\(preset.name)\"")
            }
            return preset
        }
    }

    private mutating func preset(_ members: [ByteString: RawValue], at place: String) -> Preset? {
        reader.noteUnknownNames(in: members, among: Self.members, at: place)
        let name = reader.name(in: members, at: place) { [schema] in
            schema.presets[ByteString($0)] != nil
        }
        let title = text(Self.titles, members, at: place)
        let summary = text(Self.summaries, members, at: place)
        guard case .object(let values)? = members["parameters"] else {
            let got = members["parameters"].map { "; got \($0.description)" } ?? ""
            reader.fault(place + "parameters", "must be an object" + got)
            return nil
        }
        for found in schema.faults(ofPreset: values) {
            reader.fault("\(place)parameters.\(found.parameter)", found.message)
        }
        return name.map { Preset($0, title ?? $0, summary, values) }
    }

    private mutating func text(
        _ parameter: Parameter, _ members: [ByteString: RawValue], at place: String
    ) -> String? {
        guard case .string(let text)? = reader.value(parameter, in: members, at: place) else {
            return nil
        }
        return text.text
    }
}

extension RequestSchema {
    /// Returns the faults of a preset's parameters.
    ///
    /// Without an effect of its own it may have any effect's parameters.
    func faults(ofPreset values: [ByteString: RawValue]) -> [ParameterFault] {
        var faults: [ParameterFault] = []
        var values = values
        for name in Self.otherNames where values.removeValue(forKey: name) != nil {
            faults.append(
                ParameterFault(parameter: name.text, message: "cannot be part of a preset"))
        }
        // They count for words with times, which no preset has.
        for name in RequestReader.spoken {
            guard let value = values.removeValue(forKey: name), let parameter = byName[name] else {
                continue
            }
            faults += self.faults(of: value, parameter)
        }
        if values["effect"] == nil {
            for (name, value) in values.sorted(by: { $0.key < $1.key })
            where effectNames.contains(name) {
                values[name] = nil
                let faultsOfEffects = effects.entries.compactMap { effect in
                    effect.parameters.first { $0.key == name }.map { self.faults(of: value, $0) }
                }
                if !faultsOfEffects.contains(where: \.isEmpty) {
                    faults += faultsOfEffects.first ?? []
                }
            }
        }
        do {
            _ = try RequestReader.read(
                RawRequest(values: values, texts: [.string("A")]), schema: self,
                limits: RenderLimits())
        } catch {
            faults += error.faults
        }
        return faults
    }

    private func faults(of value: RawValue, _ parameter: Parameter) -> [ParameterFault] {
        do {
            _ = try parameter.value(of: value)
            return []
        } catch {
            return error.parts.map {
                ParameterFault(parameter: parameter.name + $0.place, message: $0.message)
            }
        }
    }
}
