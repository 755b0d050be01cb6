package import Bytes

/// Reads the checked values of parameters, or their defaults, by one declaration each.
package struct ParameterReader {
    /// The number of values up to which comparing names is faster than hashing one.
    private static let fewValues = 4

    private let values: [ByteString: ParameterValue]
    /// The bits of the values' names and of the names' lengths, which pass over most parameters
    /// that are not given.
    private let lengthBits: UInt64
    private let bits: UInt64
    /// The parameters that were read; nil if nobody asks for them.
    private var definitions: [Parameter]?

    /// - Parameter values: The values that a request gives, by name; each has the kind of its
    ///   parameter.
    package init(_ values: [ByteString: ParameterValue] = [:]) {
        self.values = values
        lengthBits = values.keys.reduce(0) { $0 | Self.lengthBit(of: $1.text) }
        bits = values.keys.reduce(0) { $0 | Self.bit(of: $1.text) }
    }

    private static func lengthBit(of name: String) -> UInt64 {
        1 &<< UInt64(truncatingIfNeeded: name.utf8.count)
    }

    /// Returns one of 64 bits, which differs for most names.
    private static func bit(of name: String) -> UInt64 {
        1 &<< UInt64(truncatingIfNeeded: name.utf8.count &+ 5 &* Int(name.utf8.first ?? 0))
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
    /// The kind, the defaults, and the sentence are evaluated only if definitions are asked for.
    ///
    /// - Returns: Nil if the request does not give the parameter.
    package mutating func value(
        _ name: String, _ kind: @autoclosure () -> Parameter.Kind, unit: Parameter.Unit? = nil,
        default fallback: @autoclosure () -> ParameterValue?,
        earlier: @autoclosure () -> ParameterValue? = nil, _ summary: @autoclosure () -> String
    ) -> ParameterValue? {
        definitions?.append(
            Parameter(
                name, kind(), unit: unit, default: fallback(), earlier: earlier(), summary()))
        // The length comes first, because it is at hand.
        guard lengthBits & Self.lengthBit(of: name) != 0, bits & Self.bit(of: name) != 0
        else { return nil }
        guard values.count > Self.fewValues else {
            return values.keys.firstIndex { $0.text.isSame(as: name) }.map { values[$0].value }
        }
        return values[ByteString(name)]
    }

    /// Checks that the first of two numbers is not above the second.
    ///
    /// - Throws: The second parameter; the first if the request gives only that one.
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
        _ name: String, default fallback: Double, earlier: Double? = nil,
        in range: ClosedRange<Double>, unit: Parameter.Unit? = nil, _ summary: String
    ) -> Double {
        value(
            name, .number(range), unit: unit, default: .number(fallback),
            earlier: earlier.map(ParameterValue.number), summary)?.number ?? fallback
    }

    /// Reads a length, which is 0 unless given.
    ///
    /// - Parameters:
    ///   - name: The parameter's name.
    ///   - range: CSS pixels.
    ///   - ems: Multiples of the em.
    ///   - em: The font's em in CSS pixels.
    ///   - summary: One sentence for people.
    /// - Returns: The length in CSS pixels.
    package mutating func length(
        _ name: String, in range: ClosedRange<Double>, ems: ClosedRange<Double>, em: Double,
        _ summary: String
    ) -> Double {
        let length = value(
            name, .length(range, ems: ems), unit: .pixels, default: .number(0), summary)
        switch length {
        case .number(let pixels): return pixels
        case .string(let text):
            let ems = text.text.utf8.dropLast(Parameter.Unit.em.rawValue.utf8.count)
            let pixels = (Double(Substring(ems)) ?? 0) * em
            return min(max(pixels, range.lowerBound), range.upperBound)
        default: return 0
        }
    }

    /// Reads a number without a default.
    package mutating func optionalNumber(
        _ name: String, in range: ClosedRange<Double>, unit: Parameter.Unit, _ summary: String
    ) -> Double? {
        value(name, .number(range), unit: unit, default: nil, summary)?.number
    }

    /// Reads a number of frames a second.
    package mutating func rate(
        _ name: String, default fallback: Double, in range: ClosedRange<Double>,
        _ summary: String
    ) -> Double {
        value(name, .rate(range), default: .number(fallback), summary)?.number ?? fallback
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
        value(name, .numberOrZero(range), unit: .seconds, default: .number(fallback), summary)?
            .number ?? fallback
    }

    /// Reads a whole number.
    package mutating func integer(
        _ name: String, default fallback: Int, in range: ClosedRange<Int>, _ summary: String
    ) -> Int {
        value(name, .integer(range), default: .number(Double(fallback)), summary)?.integer
            ?? fallback
    }

    /// Reads a whole number without a default.
    package mutating func optionalInteger(
        _ name: String, in range: ClosedRange<Int>, _ summary: String
    ) -> Int? {
        value(name, .integer(range), default: nil, summary)?.integer
    }

    /// Reads a Boolean.
    package mutating func boolean(
        _ name: String, default fallback: Bool, _ summary: String
    ) -> Bool {
        value(name, .boolean, default: .boolean(fallback), summary)?.boolean ?? fallback
    }

    /// Reads an easing.
    package mutating func easing(
        _ name: String, default fallback: TimingFunction, _ summary: String
    ) -> TimingFunction {
        value(name, .easing, default: .easing(fallback), summary)?.easing ?? fallback
    }

    /// Reads one of an enumeration's cases by its raw value.
    package mutating func choice<Choice: RawRepresentable<String> & CaseIterable>(
        _ name: String, default fallback: Choice, earlier: Choice? = nil, _ summary: String
    ) -> Choice {
        let text = value(
            name, .choice(Choice.allCases.map(\.rawValue)), default: .string(fallback.rawValue),
            earlier: earlier.map { .string($0.rawValue) }, summary
        )?.string
        guard let text else { return fallback }
        return Self.choice(text, default: fallback)
    }

    /// A function of its own, because it looks for the type of an optional choice, which most
    /// requests do not need.
    @inline(never)
    private static func choice<Choice: RawRepresentable<String>>(
        _ text: String, default fallback: Choice
    ) -> Choice {
        Choice(rawValue: text) ?? fallback
    }

    /// Reads one of an enumeration's cases by its raw value, without a default.
    package mutating func optionalChoice<Choice: RawRepresentable<String> & CaseIterable>(
        _ name: String, _ summary: String
    ) -> Choice? {
        let text = value(
            name, .choice(Choice.allCases.map(\.rawValue)), default: nil, summary
        )?.string
        return text.flatMap { Choice(rawValue: $0) }
    }

    /// Reads one of several names.
    package mutating func choice(
        _ name: String, default fallback: String, of choices: @autoclosure () -> [String],
        _ summary: String
    ) -> String {
        value(name, .choice(choices()), default: .string(fallback), summary)?.string ?? fallback
    }

    /// Reads text.
    ///
    /// - Parameters:
    ///   - name: The parameter's name.
    ///   - kind: A kind whose values are text.
    ///   - fallback: The default.
    ///   - earlier: The default of version 0.3, if it was another one.
    ///   - summary: One sentence for people.
    /// - Returns: The text that the request gives, or the default.
    package mutating func text(
        _ name: String, _ kind: @autoclosure () -> Parameter.Kind, default fallback: String,
        earlier: String? = nil, _ summary: String
    ) -> String {
        value(
            name, kind(), default: .string(fallback),
            earlier: earlier.map { .string($0) }, summary)?.string ?? fallback
    }

    /// Reads text without a default, of a kind whose values are text.
    package mutating func optionalText(
        _ name: String, _ kind: @autoclosure () -> Parameter.Kind, _ summary: String
    ) -> String? {
        value(name, kind(), default: nil, summary)?.string
    }

    /// Reads text without a default; the range bounds its number of Unicode scalars.
    package mutating func optionalString(
        _ name: String, count: ClosedRange<Int>, _ summary: String
    ) -> String? {
        value(name, .string(count), default: nil, summary)?.string
    }

    /// Reads a colour.
    package mutating func color(
        _ name: String, default fallback: Color, _ summary: String
    ) -> Color {
        value(name, .color, default: .color(fallback), summary)?.color ?? fallback
    }

    /// Reads a colour without a default.
    package mutating func optionalColor(_ name: String, _ summary: String) -> Color? {
        value(name, .color, default: nil, summary)?.color
    }

    /// Reads a colour or a gradient.
    package mutating func paint(
        _ name: String, default fallback: Paint, _ summary: String
    ) -> Paint {
        value(name, .paint, default: .paint(fallback), summary)?.paint ?? fallback
    }

    /// Reads a colour or a gradient without a default.
    package mutating func optionalPaint(_ name: String, _ summary: String) -> Paint? {
        value(name, .paint, default: nil, summary)?.paint
    }

    /// Reads a list of shadows, which is empty unless given.
    package mutating func shadows(_ name: String, _ summary: String) -> [Shadow] {
        value(name, .shadows, default: .shadows([]), summary)?.shadows ?? []
    }

    /// Reads a list of shadows without a default.
    package mutating func optionalShadows(_ name: String, _ summary: String) -> [Shadow]? {
        value(name, .shadows, default: nil, summary)?.shadows
    }

    /// Reads the path of a text, which is a straight line unless given.
    package mutating func path(_ name: String, _ summary: String) -> PathShape {
        value(name, .path, default: .path(.none), summary)?.path ?? .none
    }

    /// Reads distances from the four sides, which are 0 unless given.
    package mutating func insets(
        _ name: String, in range: ClosedRange<Double>, unit: Parameter.Unit, _ summary: String
    ) -> Margins {
        let value = value(
            name, .insets(range), unit: unit, default: .insets(.zero), summary)
        if case .insets(let margins) = value { return margins }
        return .zero
    }

    /// Reads the parameter `keyframes`, which has no default.
    package mutating func keyframes() -> [EffectKeyframe]? {
        value(
            "keyframes", .keyframes(1...16), default: nil,
            "The motion of each item: values of its properties at shares of its duration."
        )?.keyframes
    }

    /// Reads the words of a text with their times; none unless given.
    package mutating func wordTimes(_ name: String, _ summary: String) -> [WordTime] {
        guard case .times(let words)? = value(name, .times(1...2000), default: nil, summary) else {
            return []
        }
        return words
    }

    /// Reads the name of a picture; nil for none, which is the default.
    package mutating func picture(_ name: String, _ summary: String) -> ByteString? {
        guard case .string(let value)? = value(name, .picture, default: .string("none"), summary),
            value != "none"
        else { return nil }
        return value
    }

    /// Reads pictures that texts may have; none unless given.
    package mutating func pictures(_ name: String, _ summary: String) -> [TextPicture] {
        value(name, .pictures, default: nil, summary)?.pictures ?? []
    }

    /// Reads a number; nil for a word that stands for no number, which is the default.
    package mutating func number(
        _ name: String, in range: ClosedRange<Double>, unit: Parameter.Unit? = nil, or word: String,
        _ summary: String
    ) -> Double? {
        value(
            name, .numberOr(range, word: word), unit: unit, default: .string(word), summary)?.number
    }

    /// Reads a number; nil for `auto`, which is the default.
    package mutating func automaticNumber(
        _ name: String, earlier: Double? = nil, in range: ClosedRange<Double>,
        unit: Parameter.Unit? = nil, _ summary: @autoclosure () -> String
    ) -> Double? {
        value(
            name, .auto(.number(range)), unit: unit, default: .auto,
            earlier: earlier.map(ParameterValue.number), summary())?.number
    }

    /// Reads a whole number; nil for `auto`, which is the default.
    package mutating func automaticInteger(
        _ name: String, earlier: Int? = nil, in range: ClosedRange<Int>, _ summary: String
    ) -> Int? {
        value(
            name, .auto(.integer(range)), default: .auto,
            earlier: earlier.map { .number(Double($0)) }, summary)?.integer
    }

    /// Reads the weight of a font; nil for `auto`, which is the default.
    package mutating func automaticWeight(
        _ name: String, earlier: Int, in range: ClosedRange<Int>, _ summary: String
    ) -> Int? {
        value(
            name, .auto(.weight(range)), default: .auto, earlier: .number(Double(earlier)), summary)?
            .integer
    }

    /// Reads a colour or a gradient; nil for `auto`, which is the default.
    package mutating func automaticPaint(
        _ name: String, earlier: Paint, _ summary: String
    ) -> Paint? {
        value(name, .auto(.paint), default: .auto, earlier: .paint(earlier), summary)?.paint
    }

    /// Reads a number that `auto`, the default, or a word leaves open.
    package mutating func automaticNumber(
        _ name: String, in range: ClosedRange<Double>, or word: String,
        unit: Parameter.Unit? = nil, _ summary: String
    ) -> AutomaticNumber {
        let value = value(
            name, .auto(.numberOr(range, word: word)), unit: unit, default: .auto,
            earlier: .string(word), summary)
        return switch value {
        case .number(let number): .number(number)
        case .string(let text) where text.text.isSame(as: word): .none
        default: .auto
        }
    }

    /// Reads a number of cycles, or `infinite`.
    package mutating func loop(
        _ name: String, in range: ClosedRange<Int>, _ summary: String
    ) -> Loop {
        switch value(name, .integerOr(range, word: "infinite"), default: .number(1), summary) {
        case .string("infinite"): .infinite
        case let value: .count(value?.integer ?? 1)
        }
    }
}

/// A number that the rest of the request decides unless the request gives one.
package enum AutomaticNumber: Equatable, Sendable {
    case auto
    case none
    case number(Double)

    /// Nil if no number is given.
    package var given: Double? { if case .number(let number) = self { number } else { nil } }
}

extension ParameterValue {
    fileprivate static func string(_ text: String) -> ParameterValue { .string(ByteString(text)) }

    fileprivate var number: Double? { if case .number(let value) = self { value } else { nil } }
    fileprivate var integer: Int? { number.flatMap { Int(exactly: $0) } }
    fileprivate var boolean: Bool? { if case .boolean(let value) = self { value } else { nil } }
    fileprivate var string: String? {
        if case .string(let value) = self { value.text } else { nil }
    }
    fileprivate var easing: TimingFunction? {
        if case .easing(let value) = self { value } else { nil }
    }
    fileprivate var color: Color? { if case .color(let value) = self { value } else { nil } }
    fileprivate var paint: Paint? { if case .paint(let value) = self { value } else { nil } }
    fileprivate var shadows: [Shadow]? { if case .shadows(let value) = self { value } else { nil } }
    fileprivate var path: PathShape? { if case .path(let value) = self { value } else { nil } }
    fileprivate var pictures: [TextPicture]? {
        if case .pictures(let value) = self { value } else { nil }
    }
    fileprivate var keyframes: [EffectKeyframe]? {
        if case .keyframes(let value) = self { value } else { nil }
    }
}
