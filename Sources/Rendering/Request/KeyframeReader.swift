import Bytes
import Motion

/// Reads the keyframes of a request, and collects all of their faults.
struct KeyframeReader {
    private var faults: [ValueFault.Part] = []

    /// Returns checked keyframes.
    ///
    /// - Parameters:
    ///   - raw: An array of objects, or its JSON text in a query or form.
    ///   - grammar: The numbers of keyframes that are allowed.
    /// - Returns: The keyframes.
    /// - Throws: All faults, each with its place.
    static func keyframes(
        of raw: RawValue, _ grammar: KeyframesGrammar
    ) throws(ValueFault) -> [EffectKeyframe] {
        let value = try raw.parsed()
        guard case .array(let elements) = value, grammar.count.contains(elements.count) else {
            let got =
                if case .array(let elements) = value { "\(elements.count)" } else {
                    value.description
                }
            throw ValueFault("must be \(grammar.expectation); got \(got)")
        }
        var reader = KeyframeReader()
        let keyframes = elements.enumerated().map { reader.keyframe($1, at: "[\($0)]") }
        if reader.faults.isEmpty { reader.check(keyframes) }
        guard reader.faults.isEmpty else { throw ValueFault(parts: reader.faults) }
        return keyframes
    }

    private mutating func fault(_ place: String, _ message: String) {
        faults.append(ValueFault.Part(place: place, message: message))
    }

    // MARK: One keyframe

    /// Properties that move glyphs in the same directions as others.
    static let exclusive: [(KeyframeProperty, others: [KeyframeProperty])] = [
        (.spread, [.x]), (.pathOffset, [.x, .y, .rotation, .spread]),
    ]
    private static let names =
        KeyframeProperty.allCases.map(\.name) + ["axes", "offset", "easing"]
    /// The number of faults after which the rest is not checked.
    private static let mostFaults = 64

    private mutating func keyframe(_ raw: RawValue, at place: String) -> EffectKeyframe {
        var keyframe = EffectKeyframe()
        guard case .object(let members) = raw else {
            fault(place, "must be an object; got \(raw.description)")
            return keyframe
        }
        for (name, value) in members.sorted(by: { $0.key < $1.key }) {
            guard faults.count < Self.mostFaults else { break }
            let place = "\(place).\(name.text)"
            switch name {
            case "offset":
                if case .number(let offset)? = read(value, NumberGrammar(0...1, nil), at: place) {
                    keyframe.offset = offset
                }
            case "easing":
                if case .easing(let easing)? = read(value, EasingGrammar(), at: place) {
                    keyframe.easing = easing
                }
            case "axes":
                keyframe.axes = axes(value, at: place)
            default:
                guard
                    let property = KeyframeProperty.allCases.first(where: {
                        $0.name.isSame(as: name.text)
                    })
                else {
                    fault(place, Suggestion.unknown(name.text, among: Self.names))
                    continue
                }
                keyframe[property] = self.value(value, of: property, at: place)
            }
        }
        return keyframe
    }

    private mutating func value(
        _ raw: RawValue, of property: KeyframeProperty, at place: String
    ) -> KeyframeValue? {
        guard let range = property.range else {
            guard case .color(let color)? = read(raw, ColorGrammar(), at: place) else { return nil }
            return .color(color)
        }
        if let percents = property.percentRange, case .string(let text) = raw {
            guard text.ends(with: "%"),
                let percent = JSONNumber.value(of: String(text.dropping(last: 1))),
                percents.contains(percent)
            else {
                let (low, high) = (NumberText.of(percents.lowerBound), percents.upperBound)
                fault(
                    place,
                    "must be a number of em, or from \"\(low)%\" to \"\(NumberText.of(high))%\"; "
                        + "got \(raw.description)")
                return nil
            }
            return .percent(percent == 0 ? 0 : percent)
        }
        let grammar = NumberGrammar(range, property.unit)
        guard case .number(let number)? = read(raw, grammar, at: place) else { return nil }
        return .number(number)
    }

    private mutating func axes(_ raw: RawValue, at place: String) -> [AxisTag: Double] {
        let count = AxesSchema.count
        guard case .object(let members) = raw, count.contains(members.count) else {
            let got =
                if case .object(let members) = raw { "\(members.count)" } else {
                    raw.description
                }
            fault(
                place,
                "must be an object of \(count.lowerBound) to \(count.upperBound) axes such as "
                    + "{\"wght\": 900}; got \(got)")
            return [:]
        }
        var axes: [AxisTag: Double] = [:]
        for (name, value) in members.sorted(by: { $0.key < $1.key }) {
            guard faults.count < Self.mostFaults else { break }
            guard let tag = AxisTag(name.text) else {
                let name = RawValue.text(name.text).description
                fault(place, "must name axes of 4 letters or digits such as \"wght\"; got \(name)")
                continue
            }
            let grammar = NumberGrammar(AxesSchema.range, nil)
            if case .number(let number)? = read(value, grammar, at: "\(place).\(name.text)") {
                axes[tag] = number
            }
        }
        return axes
    }

    private mutating func read(
        _ raw: RawValue, _ grammar: some ParameterGrammar, at place: String
    ) -> ParameterValue? {
        do {
            return try grammar.value(of: raw)
        } catch {
            for part in error.parts { fault(place + part.place, part.message) }
            return nil
        }
    }

    // MARK: All keyframes

    /// Notes values that are each in range but do not go together.
    private mutating func check(_ keyframes: [EffectKeyframe]) {
        var highest = 0.0
        for (index, keyframe) in keyframes.enumerated() {
            guard let offset = keyframe.offset else { continue }
            guard offset >= highest else {
                fault(
                    "[\(index)].offset",
                    "must not be below that of an earlier keyframe, \(NumberText.of(highest)); "
                        + "got \(NumberText.of(offset))")
                return
            }
            highest = offset
        }
        let offsets = keyframes.offsets
        if let index = keyframes.indices.last(where: {
            offsets[$0] == 1 && !keyframes[$0].axes.isEmpty
        }) {
            fault("[\(index)].axes", "must not be given at the end, where the text is as typeset")
        }
        for (property, others) in Self.exclusive {
            guard let index = keyframes.firstIndex(where: { $0[property] != nil }),
                let other = others.first(where: { other in
                    keyframes.contains { $0[other] != nil }
                })
            else { continue }
            fault(
                "[\(index)].\(property.name)", "must not be given together with \(other.name)")
        }
        for property in KeyframeProperty.allCases {
            guard let last = keyframes.lastIndex(where: { $0[property] != nil }),
                offsets[last] == 1, let value = keyframes[last][property],
                !value.isIdentity(of: property)
            else { continue }
            let message =
                switch property.identity {
                case .number(let number):
                    "must be \(NumberText.of(number)) at the end, where the text is as typeset"
                default: "must not be given at the end, where the text has its own colour"
                }
            fault("[\(last)].\(property.name)", message)
        }
    }
}

/// A list of keyframes, each an object with values at an offset (docs/effects.md, *Keyframes*).
struct KeyframesGrammar: ParameterGrammar {
    let count: ClosedRange<Int>

    var name: String { "keyframes" }
    var expectation: String {
        "an array of \(count.lowerBound) to \(count.upperBound) objects"
    }

    var schema: [(String, JSONNode)] {
        [
            ("type", .string("array")), ("minItems", .number(Double(count.lowerBound))),
            ("maxItems", .number(Double(count.upperBound))), ("items", Self.items),
        ]
    }

    /// The schema of one keyframe.
    private static var items: JSONNode {
        let parameters = [
            Parameter(
                "offset", .number(0...1), default: nil,
                "The instant, as a share of the duration."),
            Parameter("easing", .easing, default: nil, "How the values change from here on."),
        ]
        let members =
            parameters.map { ($0.name, .object($0.schema())) }
            + KeyframeProperty.allCases.map { ($0.name, $0.schema) }
            + [("axes", AxesSchema.node)]
        return .object([
            ("type", .string("object")), ("properties", .object(members)),
            ("additionalProperties", .boolean(false)),
        ])
    }

    func value(of raw: RawValue) throws(ValueFault) -> ParameterValue {
        .keyframes(try KeyframeReader.keyframes(of: raw, self))
    }

    /// Returns keyframes with any properties that end as typeset.
    func sample(using generator: inout some RandomNumberGenerator) -> RawValue {
        // Properties that are refused together: one side is left out.
        var excluded: Set<KeyframeProperty> = []
        for (property, others) in KeyframeReader.exclusive {
            excluded.formUnion(Bool.random(using: &generator) ? [property] : others)
        }
        let length = Int.random(in: count, using: &generator)
        let keyframes = (0..<length).map { index in
            var members: [ByteString: RawValue] = [:]
            if Int.random(in: 0..<3, using: &generator) == 0 {
                members["easing"] = EasingGrammar().sample(using: &generator)
            }
            guard index == 0 || index < length - 1 else { return RawValue.object(members) }
            for property in KeyframeProperty.allCases
            where !excluded.contains(property) && Bool.random(using: &generator) {
                members[ByteString(property.name)] = Self.sample(of: property, using: &generator)
            }
            return .object(members)
        }
        return .array(keyframes)
    }

    private static func sample(
        of property: KeyframeProperty, using generator: inout some RandomNumberGenerator
    ) -> RawValue {
        guard let range = property.range else { return ColorGrammar().sample(using: &generator) }
        if let percents = property.percentRange, Bool.random(using: &generator) {
            return .string("\(Double.random(in: percents, using: &generator))%")
        }
        return NumberGrammar(range, property.unit).sample(using: &generator)
    }
}

/// The coordinates of axes of variable fonts in a keyframe: an object of tags with numbers.
private enum AxesSchema {
    static let count = 1...16
    /// The range of fonts' coordinates.
    static let range = -32_768.0...32_767.0

    static var node: JSONNode {
        let number = Parameter("", .number(range), default: nil, "").schema()
        return .object([
            ("type", .string("object")), ("format", .string("axes")),
            ("minProperties", .number(Double(count.lowerBound))),
            ("maxProperties", .number(Double(count.upperBound))),
            ("propertyNames", .object([("pattern", .string("^[A-Za-z0-9]{4}$"))])),
            ("additionalProperties", .object(number)),
            ("examples", .array([.object([("wght", .number(900))])])),
            ("description", .string("Coordinates of the font's axes, in its units.")),
        ])
    }
}

extension KeyframeProperty {
    /// The schema of the values, with the value at rest and one to begin with.
    fileprivate var schema: JSONNode {
        let parameter = Parameter(
            name, range.map { .number($0) } ?? .color, unit: unit, default: nil, "")
        var members = parameter.schema()
        if let percents = percentRange {
            // JSON Schema has bounds for numbers only, and percentages are strings.
            let percent = JSONNode.object([
                ("type", .string("string")), ("pattern", .string("^\(JSONNumber.pattern)%$")),
                ("x-minimum", .number(percents.lowerBound)),
                ("x-maximum", .number(percents.upperBound)), ("x-unit", .string("%")),
            ])
            members = [("anyOf", .array([.object(members), percent]))]
        }
        // Requests cannot write the text's own colour.
        if identity != .ownColor { members.append(("x-rest", identity.node)) }
        members.append(("examples", .array([example.node])))
        members.append(("description", .string(summary)))
        return .object(members)
    }
}

extension EffectKeyframe {
    var node: JSONNode {
        var members: [(String, JSONNode)] = []
        if let offset { members.append(("offset", .number(offset))) }
        if let easing { members.append(("easing", .string(easing.requestText))) }
        for property in KeyframeProperty.allCases {
            guard let value = self[property] else { continue }
            members.append((property.name, value.node))
        }
        if !axes.isEmpty {
            members.append(
                ("axes", .canonical(axes.map { ($0.key.text, .number($0.value)) })))
        }
        return .canonical(members)
    }
}

extension KeyframeValue {
    fileprivate var node: JSONNode {
        switch self {
        case .number(let number): .number(number)
        case .percent(let percent): .string(NumberText.of(percent) + "%")
        case .color(let color): .string(color.text)
        case .ownColor: .null
        }
    }
}
