package import Bytes

/// The definition of one parameter, which validation, `GET /effects`, `GET /formats`, OpenAPI, the
/// command line and the preview page read.
package struct Parameter: Sendable {
    package enum Kind: Equatable, Sendable {
        case number(ClosedRange<Double>)
        /// A number of the range, or 0.
        case numberOrZero(ClosedRange<Double>)
        case integer(ClosedRange<Int>)
        case boolean
        /// Text of so many characters.
        case string(ClosedRange<Int>)
        /// Names of font families, separated by commas, in so many characters.
        case families(ClosedRange<Int>)
        /// OpenType features with whole numbers, or `none`.
        case features
        /// Axes of variable fonts with numbers, or `none`.
        case variations
        /// So many grapheme clusters, none of them white space or a control.
        case characters(ClosedRange<Int>)
        case choice([String])
        /// Names of presets, one or several separated by commas, out of these.
        case presets([String])
        case easing
        case color
        /// A colour, or a gradient.
        case paint
        /// A list of shadows, or `none`.
        case shadows
        /// So many objects with values at offsets (docs/effects.md, *Keyframes*).
        case keyframes(ClosedRange<Int>)
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
        case percent = "%"

        /// The unit in messages: "must be from 0.001 to 10 seconds".
        package var plural: String {
            switch self {
            case .seconds: "seconds"
            case .pixels: "px"
            case .em: "em"
            case .degrees: "degrees"
            case .percent: "percent"
            }
        }
    }

    package let name: String
    package let kind: Kind
    package let unit: Unit?
    /// The value of requests that do not give it; nil where there is none or it derives from others.
    package let defaultValue: ParameterValue?
    /// One sentence for people.
    package let summary: String

    /// The name as a key of values.
    package var key: ByteString { ByteString(name) }

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
    case string(ByteString)
    case easing(TimingFunction)
    case color(Color)
    case paint(Paint)
    case shadows([Shadow])
    case keyframes([EffectKeyframe])
}

/// A type whose values are made from a request's parameters: an effect, or an output format.
package protocol Parameterized: Sendable {
    /// The name in requests.
    static var name: String { get }
    /// The name for people.
    static var title: String { get }

    /// Reads each parameter, which declares it.
    ///
    /// It reads the same parameters in the same order for all values, and checks afterwards that
    /// the values go together.
    ///
    /// - Throws: The parameter that does not go with the others.
    init(_ parameters: inout ParameterReader) throws(ParameterFault)
}

extension Parameterized {
    /// Makes a value of checked parameters by name; those that are left out have their defaults.
    ///
    /// - Throws: The parameter that does not go with the others.
    package init(_ values: [ByteString: ParameterValue] = [:]) throws(ParameterFault) {
        var reader = ParameterReader(values)
        try self.init(&reader)
    }

    /// The parameters in the order in which they are read.
    package static var parameters: [Parameter] {
        ParameterReader.definitions { reader in _ = try? Self(&reader) }
    }
}

/// Reads the checked values of parameters, or their defaults, by one declaration each.
package struct ParameterReader {
    /// The number of values that are compared sooner than a name is hashed.
    private static let fewValues = 4

    private let values: [ByteString: ParameterValue]
    /// The parameters that were read; nil where nobody asks for them.
    private var definitions: [Parameter]?

    /// - Parameter values: The values that a request gives, by name; each of its parameter's kind.
    package init(_ values: [ByteString: ParameterValue] = [:]) {
        self.values = values
    }

    /// Returns the parameters that a function reads.
    ///
    /// - Parameters:
    ///   - values: The values that it reads.
    ///   - read: The function.
    /// - Returns: The parameters in the order in which they are read.
    package static func definitions(
        with values: [ByteString: ParameterValue] = [:], of read: (inout ParameterReader) -> Void
    ) -> [Parameter] {
        var reader = ParameterReader(values)
        reader.definitions = []
        read(&reader)
        return reader.definitions ?? []
    }

    /// Reads the value that the request gives.
    ///
    /// - Parameters:
    ///   - name: The parameter's name.
    ///   - definition: The parameter; evaluated only where definitions are asked for.
    /// - Returns: Nil where the request does not give the parameter.
    package mutating func value(
        _ name: String, _ definition: @autoclosure () -> Parameter
    ) -> ParameterValue? {
        if definitions != nil { definitions?.append(definition()) }
        guard values.count > Self.fewValues else {
            return values.first { $0.key.text.isSame(as: name) }?.value
        }
        return values[ByteString(name)]
    }

    /// Checks that the first of two numbers is not above the second.
    ///
    /// - Throws: The second; the first where the request gives that alone.
    package func checkOrder(
        _ low: (name: String, value: Double), _ high: (name: String, value: Double),
        _ unit: String
    ) throws(ParameterFault) {
        guard low.value > high.value else { return }
        let isDefault = values[ByteString(high.name)] == nil
        let (fault, bound) = isDefault ? (low, high) : (high, low)
        throw ParameterFault(
            parameter: fault.name,
            message: "must not be \(isDefault ? "above" : "below") \(bound.name), "
                + "\(NumberText.of(bound.value)) \(unit)\(isDefault ? " by default" : ""); "
                + "got \(NumberText.of(fault.value))")
    }
}

extension ParameterReader {
    /// Reads a number.
    package mutating func number(
        _ name: String, default fallback: Double, in range: ClosedRange<Double>,
        unit: Parameter.Unit? = nil, _ summary: String
    ) -> Double {
        let value = value(
            name,
            Parameter(name, .number(range), unit: unit, default: .number(fallback), summary))
        return value?.number ?? fallback
    }

    /// Reads a number without a default.
    package mutating func optionalNumber(
        _ name: String, in range: ClosedRange<Double>, unit: Parameter.Unit, _ summary: String
    ) -> Double? {
        value(name, Parameter(name, .number(range), unit: unit, default: nil, summary))?.number
    }

    /// Reads a number of seconds.
    package mutating func seconds(
        _ name: String, default fallback: Double, in range: ClosedRange<Double> = 0...10,
        _ summary: String
    ) -> Double {
        number(name, default: fallback, in: range, unit: .seconds, summary)
    }

    /// Reads a number of seconds that is in range or 0.
    package mutating func secondsOrZero(
        _ name: String, default fallback: Double, in range: ClosedRange<Double>,
        _ summary: String
    ) -> Double {
        let value = value(
            name,
            Parameter(
                name, .numberOrZero(range), unit: .seconds, default: .number(fallback), summary))
        return value?.number ?? fallback
    }

    /// Reads a whole number.
    package mutating func integer(
        _ name: String, default fallback: Int, in range: ClosedRange<Int>, _ summary: String
    ) -> Int {
        let value = value(
            name, Parameter(name, .integer(range), default: .number(Double(fallback)), summary))
        return value?.number.flatMap { Int(exactly: $0) } ?? fallback
    }

    /// Reads a Boolean.
    package mutating func boolean(
        _ name: String, default fallback: Bool, _ summary: String
    ) -> Bool {
        let value = value(name, Parameter(name, .boolean, default: .boolean(fallback), summary))
        return if case .boolean(let boolean)? = value { boolean } else { fallback }
    }

    /// Reads an easing.
    package mutating func easing(
        _ name: String, default fallback: TimingFunction, _ summary: String
    ) -> TimingFunction {
        let value = value(name, Parameter(name, .easing, default: .easing(fallback), summary))
        return if case .easing(let easing)? = value { easing } else { fallback }
    }

    /// Reads one of an enumeration's cases by its raw value.
    package mutating func choice<Choice: RawRepresentable<String> & CaseIterable>(
        _ name: String, default fallback: Choice, _ summary: String
    ) -> Choice {
        let value = value(
            name,
            Parameter(
                name, .choice(Choice.allCases.map(\.rawValue)),
                default: .string(ByteString(fallback.rawValue)), summary))
        return value?.string.flatMap(Choice.init(rawValue:)) ?? fallback
    }

    /// Reads one of several names.
    package mutating func choice(
        _ name: String, default fallback: String, of choices: @autoclosure () -> [String],
        _ summary: String
    ) -> String {
        let value = value(
            name,
            Parameter(name, .choice(choices()), default: .string(ByteString(fallback)), summary))
        return value?.string ?? fallback
    }

    /// Reads grapheme clusters without white space or controls; the range bounds their number.
    package mutating func characters(
        _ name: String, default fallback: String, count: ClosedRange<Int>, _ summary: String
    ) -> String {
        let value = value(
            name,
            Parameter(name, .characters(count), default: .string(ByteString(fallback)), summary))
        return value?.string ?? fallback
    }

    /// Reads text; the range bounds its number of Unicode scalars.
    package mutating func string(
        _ name: String, default fallback: String, count: ClosedRange<Int>, _ summary: String
    ) -> String {
        let value = value(
            name, Parameter(name, .string(count), default: .string(ByteString(fallback)), summary))
        return value?.string ?? fallback
    }

    /// Reads text without a default.
    package mutating func optionalString(
        _ name: String, count: ClosedRange<Int>, _ summary: String
    ) -> String? {
        value(name, Parameter(name, .string(count), default: nil, summary))?.string
    }

    /// Reads a colour.
    package mutating func color(
        _ name: String, default fallback: Color, _ summary: String
    ) -> Color {
        let value = value(name, Parameter(name, .color, default: .color(fallback), summary))
        return if case .color(let color)? = value { color } else { fallback }
    }

    /// Reads a colour without a default.
    package mutating func optionalColor(_ name: String, _ summary: String) -> Color? {
        let value = value(name, Parameter(name, .color, default: nil, summary))
        return if case .color(let color)? = value { color } else { nil }
    }

    /// Reads a colour or a gradient.
    package mutating func paint(
        _ name: String, default fallback: Paint, _ summary: String
    ) -> Paint {
        let value = value(name, Parameter(name, .paint, default: .paint(fallback), summary))
        return if case .paint(let paint)? = value { paint } else { fallback }
    }

    /// Reads a colour or a gradient without a default.
    package mutating func optionalPaint(_ name: String, _ summary: String) -> Paint? {
        let value = value(name, Parameter(name, .paint, default: nil, summary))
        return if case .paint(let paint)? = value { paint } else { nil }
    }

    /// Reads a list of shadows, which is empty unless given.
    package mutating func shadows(_ name: String, _ summary: String) -> [Shadow] {
        let value = value(name, Parameter(name, .shadows, default: .shadows([]), summary))
        return if case .shadows(let shadows)? = value { shadows } else { [] }
    }

    /// Reads a list of shadows without a default.
    package mutating func optionalShadows(_ name: String, _ summary: String) -> [Shadow]? {
        let value = value(name, Parameter(name, .shadows, default: nil, summary))
        return if case .shadows(let shadows)? = value { shadows } else { nil }
    }

    /// Reads the parameter `keyframes`, which has no default.
    package mutating func keyframes() -> [EffectKeyframe]? {
        let value = value(
            "keyframes",
            Parameter(
                "keyframes", .keyframes(1...16), default: nil,
                "What each item does: values of its properties at shares of its duration."))
        return if case .keyframes(let keyframes)? = value { keyframes } else { nil }
    }

    /// Reads a number, or nil for a word that stands for none and is the default.
    package mutating func number(
        _ name: String, in range: ClosedRange<Double>, unit: Parameter.Unit, or word: String,
        _ summary: String
    ) -> Double? {
        let value = value(
            name,
            Parameter(
                name, .numberOr(range, word: word), unit: unit, default: .string(ByteString(word)),
                summary))
        return value?.number
    }

    /// Reads a whole number, or nil for a word that stands for none and is the default.
    package mutating func integer(
        _ name: String, in range: ClosedRange<Int>, or word: String, _ summary: String
    ) -> Int? {
        let value = value(
            name,
            Parameter(
                name, .integerOr(range, word: word), default: .string(ByteString(word)), summary))
        return value?.number.flatMap { Int(exactly: $0) }
    }

    /// Reads a number of cycles, or `infinite`.
    package mutating func loop(
        _ name: String, in range: ClosedRange<Int>, _ summary: String
    ) -> Loop {
        let value = value(
            name,
            Parameter(
                name, .integerOr(range, word: "infinite"), default: .number(1), summary))
        if case .string("infinite")? = value { return .infinite }
        return .count(value?.number.flatMap { Int(exactly: $0) } ?? 1)
    }
}

extension ParameterValue {
    fileprivate var number: Double? { if case .number(let number) = self { number } else { nil } }
    fileprivate var string: String? {
        if case .string(let string) = self { string.text } else { nil }
    }
}

/// A value that is in range and yet does not go with the others.
package struct ParameterFault: Error, Hashable, Sendable {
    package let parameter: String
    /// The fault in words that follow the parameter's name.
    package let message: String

    package init(parameter: String, message: String) {
        self.parameter = parameter
        self.message = message
    }

    package static func == (one: ParameterFault, other: ParameterFault) -> Bool {
        one.parameter.isSame(as: other.parameter) && one.message.isSame(as: other.message)
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(ByteString(parameter))
        hasher.combine(ByteString(message))
    }
}

/// The spelling of numbers in messages and in canonical requests.
package enum NumberText {
    /// Returns the shortest text that reads back as the same number; whole ones without a point.
    package static func of(_ number: Double) -> String {
        if number == number.rounded(), abs(number) <= 0x1p53 { return "\(Int(number))" }
        return "\(number)"
    }
}
