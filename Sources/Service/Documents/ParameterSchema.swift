import Motion
import Rendering

/// A parameter as the catalogue and OpenAPI describe it.
enum ParameterSchema {
    /// An entry of `GET /effects`.
    static func entry(of parameter: Parameter) -> JSONNode {
        var members: [(String, JSONNode)] = [("name", .string(parameter.name))]
        switch parameter.kind {
        case .number, .numberOr, .numberOrZero: members.append(("type", .string("number")))
        case .integer, .integerOr: members.append(("type", .string("integer")))
        case .boolean: members.append(("type", .string("boolean")))
        case .string, .characters, .color: members.append(("type", .string("string")))
        case .choice(let values):
            members.append(("type", .string("choice")))
            members.append(("values", .array(values.map { .string($0) })))
        case .easing: members.append(("type", .string("easing")))
        }
        if let unit = parameter.unit { members.append(("unit", .string(unit.rawValue))) }
        members.append(("default", defaultNode(of: parameter)))
        if let (low, high) = bounds(of: parameter.kind) {
            members.append(("minimum", .number(low)))
            members.append(("maximum", .number(high)))
        }
        members.append(("description", .string(parameter.summary)))
        return .object(members)
    }

    /// A JSON Schema (2020-12).
    static func schema(of parameter: Parameter) -> JSONNode {
        var members: [(String, JSONNode)] = []
        switch parameter.kind {
        case .number: members.append(("type", .string("number")))
        case .numberOrZero(let range):
            members.append(("type", .string("number")))
            members.append(
                (
                    "anyOf",
                    .array([
                        .object([("const", .number(0))]),
                        .object([
                            ("minimum", .number(range.lowerBound)),
                            ("maximum", .number(range.upperBound)),
                        ]),
                    ])
                ))
        case .integer: members.append(("type", .string("integer")))
        case .boolean: members.append(("type", .string("boolean")))
        case .string(let range), .characters(let range):
            members.append(("type", .string("string")))
            members.append(("minLength", .number(Double(range.lowerBound))))
            members.append(("maxLength", .number(Double(range.upperBound))))
        case .choice(let values):
            members.append(("type", .string("string")))
            members.append(("enum", .array(values.map { .string($0) })))
        case .easing: members.append(("type", .string("string")))
        case .color:
            members.append(("type", .string("string")))
            members.append(("format", .string("color")))
        case .numberOr(_, let word):
            members.append(("type", .array([.string("number"), .string("string")])))
            members.append(("pattern", .string("^\(word)$")))
        case .integerOr(_, let word):
            members.append(("type", .array([.string("integer"), .string("string")])))
            members.append(("pattern", .string("^\(word)$")))
        }
        if let (low, high) = bounds(of: parameter.kind) {
            members.append(("minimum", .number(low)))
            members.append(("maximum", .number(high)))
        }
        if parameter.defaultValue != nil {
            members.append(("default", defaultNode(of: parameter)))
        }
        let unit = parameter.unit.map { " In \($0.plural)." } ?? ""
        members.append(("description", .string(parameter.summary + unit)))
        return .object(members)
    }

    private static func bounds(of kind: Parameter.Kind) -> (Double, Double)? {
        switch kind {
        case .number(let range), .numberOr(let range, _): (range.lowerBound, range.upperBound)
        case .integer(let range), .integerOr(let range, _):
            (Double(range.lowerBound), Double(range.upperBound))
        default: nil
        }
    }

    private static func defaultNode(of parameter: Parameter) -> JSONNode {
        switch parameter.defaultValue {
        case .number(let number): .number(number)
        case .boolean(let boolean): .boolean(boolean)
        case .string(let text): .string(text)
        case .color(let color): .string(color.text)
        case .easing(let easing): .string(easing.requestText)
        case nil: .null
        }
    }
}
