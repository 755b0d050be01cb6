/// What a parameter means and takes: validation, `GET /effects`, OpenAPI, the command line and
/// the preview page all read this.
package struct Parameter: Sendable {
    package enum Kind: Equatable, Sendable {
        case number(ClosedRange<Double>)
        /// A number of the range, or 0.
        case numberOrZero(ClosedRange<Double>)
        case integer(ClosedRange<Int>)
        case boolean
        /// Text of so many characters.
        case string(ClosedRange<Int>)
        /// So many grapheme clusters, none of them white space or a control.
        case characters(ClosedRange<Int>)
        case choice([String])
        case easing
        case color
        /// A number, or one word instead.
        case numberOr(ClosedRange<Double>, word: String)
        /// A whole number, or one word instead.
        case integerOr(ClosedRange<Int>, word: String)
    }

    package enum Unit: String, Sendable {
        case seconds = "s"
        case pixels = "px"
        case em
        case degrees = "°"

        /// For messages: "must be from 0.001 to 10 seconds".
        package var plural: String {
            switch self {
            case .seconds: "seconds"
            case .pixels: "px"
            case .em: "em"
            case .degrees: "degrees"
            }
        }
    }

    package let name: String
    package let kind: Kind
    package let unit: Unit?
    /// What counts when it is not given; nil when there is none, or when it derives from others.
    package let defaultValue: ParameterValue?
    /// One sentence for people.
    package let summary: String

    package init(
        _ name: String, _ kind: Kind, unit: Unit? = nil, default defaultValue: ParameterValue?,
        _ summary: String
    ) {
        self.name = name
        self.kind = kind
        self.unit = unit
        self.defaultValue = defaultValue
        self.summary = summary
    }
}

/// A checked value of a parameter.
package enum ParameterValue: Hashable, Sendable {
    /// Of a number or an integer.
    case number(Double)
    case boolean(Bool)
    /// Of a string, a choice, or the word that may stand for a number.
    case string(String)
    case easing(Easing)
    case color(Color)
}

/// A parameter together with the Swift type that its value has.
package struct ParameterKey<Value: Sendable>: Sendable {
    package let definition: Parameter
    /// The value of what was given, or of nothing.
    fileprivate let value: @Sendable (ParameterValue?) -> Value

    /// `fallback` is the value when none is given; `read` that of what was given, nil for a kind
    /// that validation keeps out.
    package init(
        definition: Parameter, fallback: Value, read: @escaping @Sendable (ParameterValue) -> Value?
    ) {
        self.definition = definition
        value = { $0.flatMap(read) ?? fallback }
    }
}

extension ParameterKey where Value == Double {
    package static func number(
        _ name: String, default fallback: Double, in range: ClosedRange<Double>,
        unit: Parameter.Unit? = nil, _ summary: String
    ) -> Self {
        Self(
            definition: Parameter(
                name, .number(range), unit: unit, default: .number(fallback), summary),
            fallback: fallback,
            read: { if case .number(let number) = $0 { number } else { nil } })
    }

    package static func seconds(
        _ name: String, default fallback: Double, in range: ClosedRange<Double> = 0...10,
        _ summary: String
    ) -> Self {
        number(name, default: fallback, in: range, unit: .seconds, summary)
    }
}

extension ParameterKey where Value == Double? {
    /// Seconds whose default derives from other parameters.
    package static func optionalSeconds(
        _ name: String, in range: ClosedRange<Double>, _ summary: String
    ) -> Self {
        Self(
            definition: Parameter(
                name, .number(range), unit: .seconds, default: nil, summary),
            fallback: nil,
            read: { if case .number(let number) = $0 { .some(number) } else { nil } })
    }
}

extension ParameterKey where Value == Bool {
    package static func boolean(
        _ name: String, default fallback: Bool, _ summary: String
    ) -> Self {
        Self(
            definition: Parameter(name, .boolean, default: .boolean(fallback), summary),
            fallback: fallback,
            read: { if case .boolean(let boolean) = $0 { boolean } else { nil } })
    }
}

extension ParameterKey where Value == Easing {
    package static func easing(
        _ name: String, default fallback: Easing, _ summary: String
    ) -> Self {
        Self(
            definition: Parameter(name, .easing, default: .easing(fallback), summary),
            fallback: fallback,
            read: { if case .easing(let easing) = $0 { easing } else { nil } })
    }
}

extension ParameterKey where Value: RawRepresentable & CaseIterable, Value.RawValue == String {
    package static func choice(
        _ name: String, default fallback: Value, _ summary: String
    ) -> Self {
        Self(
            definition: Parameter(
                name, .choice(Value.allCases.map(\.rawValue)),
                default: .string(fallback.rawValue), summary),
            fallback: fallback,
            read: { if case .string(let text) = $0 { Value(rawValue: text) } else { nil } })
    }
}

/// The checked parameters that a request gives an effect; what it leaves out has its default.
package struct ParameterValues: Sendable {
    private var given: [String: ParameterValue]

    package init(_ given: [String: ParameterValue] = [:]) {
        self.given = given
    }

    package subscript<Value>(key: ParameterKey<Value>) -> Value {
        key.value(given[key.definition.name])
    }
}

/// A value that is in range and yet does not go with the others.
package struct ParameterFault: Error, Equatable, Sendable {
    package let parameter: String
    /// What is wrong, in words that follow the parameter's name.
    package let message: String

    package init(parameter: String, message: String) {
        self.parameter = parameter
        self.message = message
    }
}
