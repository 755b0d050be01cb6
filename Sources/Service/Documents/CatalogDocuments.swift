import Bytes
import Encoders
import Motion
import Rendering
import Typesetting

/// The documents that list effects, formats and fonts.
enum CatalogDocuments {
    /// Returns the content of `GET /effects`.
    static func effects(_ catalog: EffectCatalog) -> JSONNode {
        let entries = catalog.entries.map { effect in
            JSONNode.object([
                ("name", .string(effect.name)), ("title", .string(effect.title)),
                ("group", .string(effect.group.rawValue)),
                ("parameters", .array(effect.parameters.map(entry))),
            ])
        }
        return .object([("effects", .array(entries))])
    }

    /// Returns the content of `GET /formats`.
    static func formats(_ catalog: FormatCatalog) -> JSONNode {
        let entries = catalog.entries.map { format in
            JSONNode.object([
                ("name", .string(format.name)), ("title", .string(format.title)),
                ("mediaType", .string(format.type.mediaType)),
                ("extension", .string(format.type.fileExtension)),
                ("animated", .boolean(format.type.isAnimated)),
                ("darkColors", .boolean(format.type.hasDarkColors)),
                ("parameters", .array(format.parameters.map(entry))),
            ])
        }
        return .object([("formats", .array(entries))])
    }

    /// Returns the content of `GET /fonts`: the installed families.
    static func fonts(_ catalog: FontCatalog) throws(LibraryFault) -> JSONNode {
        let entries = try catalog.families().map { family in
            JSONNode.object([
                ("family", .string(family.name)), ("monospace", .boolean(family.isMonospace)),
                ("weights", .array(family.weights.map { .number(Double($0)) })),
                ("latin", .boolean(family.isLatin)), ("axes", .array(family.axes.map(axis))),
                ("features", .array(family.features.map { .string($0) })),
            ])
        }
        return .object([("fonts", .array(entries))])
    }

    private static func axis(_ axis: FontCatalog.Axis) -> JSONNode {
        .object([
            ("tag", .string(axis.tag)), ("minimum", .number(axis.minimum)),
            ("default", .number(axis.defaultValue)), ("maximum", .number(axis.maximum)),
        ])
    }

    /// Returns the content of `GET /presets`.
    static func presets(_ catalog: PresetCatalog) -> JSONNode {
        let entries = catalog.entries.map { preset in
            var members: [(String, JSONNode)] = [
                ("name", .string(preset.name)), ("title", .string(preset.title)),
                ("group", .string(preset.group.rawValue)),
            ]
            if let summary = preset.summary { members.append(("summary", .string(summary))) }
            if let source = preset.source { members.append(("source", .string(source))) }
            members.append(("parameters", JSONNode(.object(preset.values))))
            return JSONNode.object(members)
        }
        return .object([("presets", .array(entries))])
    }

    private static func entry(of parameter: Parameter) -> JSONNode {
        var members: [(String, JSONNode)] = [("name", .string(parameter.name))]
        switch parameter.kind {
        case .number, .numberOr, .numberOrZero: members.append(("type", .string("number")))
        case .integer, .integerOr: members.append(("type", .string("integer")))
        case .boolean: members.append(("type", .string("boolean")))
        case .string, .families, .characters: members.append(("type", .string("string")))
        case .features: members.append(("type", .string("features")))
        case .variations: members.append(("type", .string("variations")))
        case .presets: members.append(("type", .string("presets")))
        case .color: members.append(("type", .string("color")))
        case .paint: members.append(("type", .string("paint")))
        case .shadows: members.append(("type", .string("shadows")))
        case .choice(let values):
            members.append(("type", .string("choice")))
            members.append(("values", .array(values.map { .string($0) })))
        case .easing: members.append(("type", .string("easing")))
        case .keyframes: members.append(("type", .string("keyframes")))
        }
        if let unit = parameter.unit { members.append(("unit", .string(unit.rawValue))) }
        members.append(("default", parameter.defaultNode))
        if let (low, high) = parameter.bounds {
            members.append(("minimum", .number(low)))
            members.append(("maximum", .number(high)))
        }
        members.append(("description", .string(parameter.summary)))
        return .object(members)
    }
}

extension Parameter {
    /// The least and the greatest valid number; nil if it is no number, or a number out of its range
    /// is valid too.
    var bounds: (Double, Double)? {
        switch kind {
        case .number(let range), .numberOr(let range, _): (range.lowerBound, range.upperBound)
        case .integer(let range), .integerOr(let range, _):
            (Double(range.lowerBound), Double(range.upperBound))
        default: nil
        }
    }

    var defaultNode: JSONNode {
        switch defaultValue {
        case .number(let number): .number(number)
        case .boolean(let boolean): .boolean(boolean)
        case .string(let text): .string(text.text)
        case .color(let color): .string(color.text)
        case .paint(let paint): .string(paint.text)
        case .shadows(let shadows): .string(shadows.text)
        case .easing(let easing): .string(easing.requestText)
        // No parameter has default keyframes.
        case .keyframes, nil: .null
        }
    }
}
