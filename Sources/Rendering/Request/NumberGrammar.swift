import Bytes
import Motion

/// Numbers in a range: whole numbers only, or also 0, if a kind says so.
struct NumberGrammar: ParameterGrammar {
    private let range: ClosedRange<Double>
    private let unit: Parameter.Unit?
    private let isWhole: Bool
    private let takesZero: Bool

    init(_ range: ClosedRange<Double>, _ unit: Parameter.Unit?, takesZero: Bool = false) {
        (self.range, self.unit, self.takesZero) = (range, unit, takesZero)
        isWhole = false
    }

    init(whole range: ClosedRange<Int>, _ unit: Parameter.Unit?) {
        self.range = Double(range.lowerBound)...Double(range.upperBound)
        self.unit = unit
        (isWhole, takesZero) = (true, false)
    }

    var name: String { isWhole ? "integer" : "number" }

    var expectation: String {
        let (low, high) = (NumberText.of(range.lowerBound), NumberText.of(range.upperBound))
        let unit = unit.map { " \($0.plural)" } ?? ""
        return (isWhole ? "a whole number " : "") + "from \(low) to \(high)" + unit
            + (takesZero ? ", or 0" : "")
    }

    var schema: [(String, JSONNode)] {
        let bounds: [(String, JSONNode)] = [
            ("minimum", .number(range.lowerBound)), ("maximum", .number(range.upperBound)),
        ]
        let numbers = [("type", .string(name))] + bounds
        guard takesZero else { return numbers }
        return [("anyOf", [["type": .string(name), "const": 0], .object(numbers)])]
    }

    func value(of raw: RawValue) throws(ValueFault) -> ParameterValue {
        let number: Double?
        switch raw {
        case .number(let value): number = value
        case .text(let text): number = JSONNumber.value(of: text)
        default: number = nil
        }
        guard let number, range.contains(number) || takesZero && number == 0,
            !isWhole || number == number.rounded()
        else { throw mismatch(raw, JSONNumber.correction(of: raw)) }
        return .number(number == 0 ? 0 : number)
    }

    /// Returns one of the ends in half of all cases.
    func sample(using generator: inout some RandomNumberGenerator) -> RawValue {
        let number = Double.random(in: range, using: &generator)
        let values = [
            range.lowerBound, isWhole ? number.rounded() : number,
            takesZero ? 0 : range.upperBound, range.upperBound,
        ]
        return .number(values[Int.random(in: values.indices, using: &generator)])
    }
}

/// Numbers of CSS pixels, or texts with numbers of em: `-0.02em`.
///
/// The range of em goes from one of the numbers -9 to -1 to one of 1 to 9.
struct LengthGrammar: ParameterGrammar {
    private let pixels: NumberGrammar
    private let ems: NumberGrammar
    private let range: ClosedRange<Double>

    private static let unit = Parameter.Unit.em.rawValue
    /// The parts of an em to which lengths are rounded.
    private static let parts = 10_000.0

    init(_ range: ClosedRange<Double>, ems: ClosedRange<Double>) {
        pixels = NumberGrammar(range, .pixels)
        self.ems = NumberGrammar(ems, .em)
        self.range = ems
    }

    var name: String { pixels.name }
    var expectation: String { pixels.expectation + ", or \(ems.expectation) such as \"0.05em\"" }
    var schema: [(String, JSONNode)] {
        let low = "-\(Self.pattern(upTo: -range.lowerBound))"
        let high = Self.pattern(upTo: range.upperBound)
        return [
            (
                "anyOf",
                [
                    .object(pixels.schema),
                    [
                        "type": "string", "format": "length",
                        "pattern": .string("^(\(low)|\(high))\(Self.unit)$"),
                    ],
                ]
            )
        ]
    }

    func value(of raw: RawValue) throws(ValueFault) -> ParameterValue {
        guard let text = raw.characters, text.ends(with: Self.unit) else {
            do {
                return try pixels.value(of: raw)
            } catch {
                throw mismatch(raw, JSONNumber.correction(of: raw))
            }
        }
        let digits = String(Substring(text.utf8.dropLast(Self.unit.utf8.count)))
        guard let number = JSONNumber.value(of: digits), range.contains(number) else {
            throw mismatch(raw)
        }
        return Self.value(ofEms: number)
    }

    /// Returns a regular expression (ECMA-262) of the numbers from 0 to one of the digits 1 to 9.
    private static func pattern(upTo most: Double) -> String {
        "([0-\(Int(most) - 1)](\\.[0-9]+)?|\(Int(most))(\\.0+)?)"
    }

    private static func value(ofEms number: Double) -> ParameterValue {
        let rounded = (number * parts).rounded() / parts
        return rounded == 0 ? .number(0) : .string(ByteString(NumberText.of(rounded) + unit))
    }

    func sample(using generator: inout some RandomNumberGenerator) -> RawValue {
        guard Bool.random(using: &generator) else { return pixels.sample(using: &generator) }
        let value = Self.value(ofEms: Double.random(in: range, using: &generator))
        if case .string(let text) = value { return .string(text.text) }
        return .number(0)
    }
}

/// Numbers of frames a second, which may be fractions of whole numbers: 30000/1001.
struct RateGrammar: ParameterGrammar {
    private let number: NumberGrammar

    /// The most digits of a part of a fraction.
    private static let mostDigits = 6

    init(_ range: ClosedRange<Double>) {
        number = NumberGrammar(range, nil)
    }

    var name: String { number.name }
    var expectation: String { number.expectation + ", or a fraction such as 30000/1001" }
    var schema: [(String, JSONNode)] {
        let part = "[1-9][0-9]{0,\(Self.mostDigits - 1)}"
        return [
            (
                "anyOf",
                [
                    .object(number.schema),
                    [
                        "type": "string", "format": "frame-rate",
                        "pattern": .string("^\(part)/\(part)$"),
                    ],
                ]
            )
        ]
    }

    func value(of raw: RawValue) throws(ValueFault) -> ParameterValue {
        // As the fractions of television are named: 29.97 is 30000/1001.
        let fraction = raw.characters.flatMap(Self.fraction).map { ($0 * 1000).rounded() / 1000 }
        do {
            return try number.value(of: fraction.map(RawValue.number) ?? raw)
        } catch {
            throw mismatch(raw, JSONNumber.correction(of: raw))
        }
    }

    /// Returns the value of a fraction; nil if a text is none.
    private static func fraction(_ text: String) -> Double? {
        let parts = text.utf8.split(
            separator: UInt8(ascii: "/"), maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        var numbers: [Double] = []
        for part in parts {
            guard part.count <= mostDigits, part.first != UInt8(ascii: "0"),
                part.allSatisfy(\.isASCIIDigit), let number = Double(Substring(part))
            else { return nil }
            numbers.append(number)
        }
        return numbers[0] / numbers[1]
    }

    func sample(using generator: inout some RandomNumberGenerator) -> RawValue {
        let fractions = ["24000/1001", "30000/1001", "60000/1001", "25/2"]
        return Bool.random(using: &generator)
            ? .string(fractions[Int.random(in: fractions.indices, using: &generator)])
            : number.sample(using: &generator)
    }
}

/// Weights of fonts, or their names as OpenType and CSS have them.
struct WeightGrammar: ParameterGrammar {
    let number: NumberGrammar

    /// The names in lists, from the lightest to the heaviest.
    static let names = [
        "thin", "extralight", "light", "regular", "medium", "semibold", "bold", "extrabold",
        "black",
    ]

    private static let named: [ByteString: Double] = [
        "thin": 100, "hairline": 100, "extralight": 200, "ultralight": 200, "light": 300,
        "normal": 400, "regular": 400, "medium": 500, "semibold": 600, "demibold": 600,
        "bold": 700, "extrabold": 800, "ultrabold": 800, "black": 900, "heavy": 900,
    ]

    var name: String { number.name }
    var expectation: String { number.expectation + ", a name such as bold" }
    var schema: [(String, JSONNode)] {
        [
            (
                "anyOf",
                [
                    .object(number.schema),
                    ["type": "string", "enum": .array(Self.names.map { .string($0) })],
                ]
            )
        ]
    }

    func value(of raw: RawValue) throws(ValueFault) -> ParameterValue {
        if let name = raw.characters.flatMap(Suggestion.plainName), let weight = Self.named[name] {
            return .number(weight)
        }
        do {
            // CSS's weights are often strings.
            return try number.value(of: raw.characters.map(RawValue.text) ?? raw)
        } catch {
            throw mismatch(raw, JSONNumber.correction(of: raw), among: Self.names)
        }
    }

    func sample(using generator: inout some RandomNumberGenerator) -> RawValue {
        Bool.random(using: &generator)
            ? number.sample(using: &generator)
            : .string(Self.names.randomElement(using: &generator) ?? "")
    }
}

/// Numbers, or one word instead.
struct NumberOrWordGrammar: ParameterGrammar {
    let number: NumberGrammar
    let word: String

    var name: String { number.name }
    var expectation: String { number.expectation + " or \"\(word)\"" }
    var schema: [(String, JSONNode)] {
        [("anyOf", [.object(number.schema), ["type": "string", "const": .string(word)]])]
    }

    func value(of raw: RawValue) throws(ValueFault) -> ParameterValue {
        if raw.characters?.isSame(as: word) == true { return .string(ByteString(word)) }
        do {
            return try number.value(of: raw)
        } catch {
            throw mismatch(raw, JSONNumber.correction(of: raw), among: [word])
        }
    }

    func sample(using generator: inout some RandomNumberGenerator) -> RawValue {
        Bool.random(using: &generator) ? .string(word) : number.sample(using: &generator)
    }
}

/// Values of another kind, or `auto`.
struct AutomaticGrammar: ParameterGrammar {
    let inner: any ParameterGrammar

    private static let word = ParameterValue.auto.node.plainText

    var name: String { inner.name }
    var expectation: String { inner.expectation + " or \"\(Self.word)\"" }
    var schema: [(String, JSONNode)] {
        let schema = inner.schema
        var alternatives: [JSONNode] = [.object(schema)]
        // The alternatives of the inner grammar are on one level with the word.
        if schema.count == 1, schema[0].0.isSame(as: "anyOf"), case .array(let own) = schema[0].1 {
            alternatives = own
        }
        let auto: JSONNode = ["type": "string", "const": .string(Self.word)]
        return [("anyOf", .array(alternatives + [auto]))]
    }

    func value(of raw: RawValue) throws(ValueFault) -> ParameterValue {
        if raw.characters?.isSame(as: Self.word) == true { return .auto }
        do {
            return try inner.value(of: raw)
        } catch {
            throw error.expecting(expectation, insteadOf: inner.expectation)
        }
    }

    func sample(using generator: inout some RandomNumberGenerator) -> RawValue {
        Bool.random(using: &generator) ? .string(Self.word) : inner.sample(using: &generator)
    }
}

extension Parameter.Kind {
    /// The names that weights of fonts have, from the lightest to the heaviest.
    package static var weightNames: [String] { WeightGrammar.names }
}
