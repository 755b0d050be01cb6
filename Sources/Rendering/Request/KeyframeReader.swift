import Bytes
import Encoders
import Motion

/// Reads the keyframes of a request, and collects all of their faults.
struct KeyframeReader {
    private var faults: [ValueParser.Fault.Part] = []

    /// Returns checked keyframes.
    ///
    /// - Parameters:
    ///   - raw: An array of objects, or its JSON text in a query or form.
    ///   - count: The numbers of keyframes that are allowed.
    /// - Returns: The keyframes.
    /// - Throws: All faults, each with its place.
    static func keyframes(
        of raw: RawValue, count: ClosedRange<Int>
    ) throws(ValueParser.Fault) -> [EffectKeyframe] {
        let value = try parsed(raw)
        guard case .array(let elements) = value, count.contains(elements.count) else {
            let got =
                if case .array(let elements) = value { "\(elements.count)" } else {
                    value.description
                }
            throw ValueParser.Fault(
                message: "must be an array of \(count.lowerBound) to \(count.upperBound) objects; "
                    + "got \(got)")
        }
        var reader = KeyframeReader()
        let keyframes = elements.enumerated().map { reader.keyframe($1, at: "[\($0)]") }
        if reader.faults.isEmpty { reader.check(keyframes) }
        guard reader.faults.isEmpty else { throw ValueParser.Fault(parts: reader.faults) }
        return keyframes
    }

    private static func parsed(_ raw: RawValue) throws(ValueParser.Fault) -> RawValue {
        guard case .text(let text) = raw else { return raw }
        do {
            return try JSONReader.value(in: Array(text.utf8))
        } catch {
            throw ValueParser.Fault(message: error.phrase)
        }
    }

    private mutating func fault(_ place: String, _ message: String) {
        faults.append(ValueParser.Fault.Part(place: place, message: message))
    }

    // MARK: One keyframe

    private static let names = KeyframeProperty.allCases.map(\.name) + ["offset", "easing"]
    /// The number of faults after which the rest is not looked at.
    private static let mostFaults = 64
    private static let offset = Parameter("offset", .number(0...1), default: nil, "")
    private static let easing = Parameter("easing", .easing, default: nil, "")
    private static let color = Parameter("color", .color, default: nil, "")

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
                if case .number(let offset)? = read(value, Self.offset, at: place) {
                    keyframe.offset = offset
                }
            case "easing":
                if case .easing(let easing)? = read(value, Self.easing, at: place) {
                    keyframe.easing = easing
                }
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
            guard case .color(let color)? = read(raw, Self.color, at: place) else { return nil }
            return .color(color)
        }
        if let percents = property.percentRange, case .string(let text) = raw {
            guard text.ends(with: "%"),
                let percent = ValueParser.jsonNumber(String(text.dropping(last: 1))),
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
        let parameter = Parameter(
            property.name, .number(range), unit: property.unit, default: nil, "")
        guard case .number(let number)? = read(raw, parameter, at: place) else { return nil }
        return .number(number)
    }

    private mutating func read(
        _ raw: RawValue, _ parameter: Parameter, at place: String
    ) -> ParameterValue? {
        do {
            return try ValueParser.value(of: raw, for: parameter)
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
                    "must not be below that of a keyframe before, \(NumberText.of(highest)); "
                        + "got \(NumberText.of(offset))")
                return
            }
            highest = offset
        }
        let offsets = keyframes.offsets
        let usesX = keyframes.contains { $0[.x] != nil }
        if usesX, let index = keyframes.firstIndex(where: { $0[.spread] != nil }) {
            fault("[\(index)].spread", "must not be given together with x")
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

extension [EffectKeyframe] {
    /// The keyframes as canonical JSON.
    var json: String {
        "[" + map(\.json).joined(separator: ",") + "]"
    }
}

extension EffectKeyframe {
    fileprivate var json: String {
        var members: [(String, String)] = []
        if let offset { members.append(("offset", NumberText.of(offset))) }
        if let easing { members.append(("easing", JSONText.string(easing.requestText))) }
        for property in KeyframeProperty.allCases {
            guard let value = self[property] else { continue }
            members.append((property.name, value.json))
        }
        return CanonicalJSON.object(members)
    }
}

extension KeyframeValue {
    fileprivate var json: String {
        switch self {
        case .number(let number): NumberText.of(number)
        case .percent(let percent): JSONText.string(NumberText.of(percent) + "%")
        case .color(let color): JSONText.string(color.text)
        case .ownColor: "null"
        }
    }
}
