package import Motion
import Typesetting

/// Reads raw values as what a parameter takes.
package enum ValueParser {
    /// What is wrong with a value, in words that follow the parameter's name.
    struct Fault: Error {
        let message: String
    }

    static func value(
        of raw: RawValue, for parameter: Parameter
    ) throws(Fault) -> ParameterValue {
        if case .text(let text) = raw, text.isEmpty {
            throw Fault(message: "must not be empty")
        }
        switch parameter.kind {
        case .number(let range):
            return .number(try number(raw, range, parameter))
        case .numberOrZero(let range):
            if case .number(0)? = try? value(of: raw, for: Self.zero) { return .number(0) }
            return .number(try number(raw, range, parameter))
        case .integer(let range):
            return .number(try whole(raw, range, parameter))
        case .numberOr(let range, let word):
            if raw.characters == word { return .string(word) }
            return .number(try number(raw, range, parameter))
        case .integerOr(let range, let word):
            if raw.characters == word { return .string(word) }
            return .number(try whole(raw, range, parameter))
        case .boolean:
            return .boolean(try boolean(raw, parameter))
        case .string(let range):
            return .string(try string(raw, range, parameter))
        case .families(let range):
            let text = try string(raw, range, parameter)
            guard let families = FamilyList.normalized(text) else {
                throw Fault(message: "must be a font family, or several separated by commas")
            }
            return .string(families)
        case .characters(let range):
            return .string(try characters(raw, range, parameter))
        case .choice(let values):
            return .string(try choice(raw, values, parameter))
        case .easing:
            return .easing(try easing(raw, parameter))
        case .color:
            return .color(try color(raw, parameter))
        }
    }

    /// The values that a parameter takes, in words that follow "must be", or "must have" for texts.
    package static func expectation(of parameter: Parameter) -> String {
        switch parameter.kind {
        case .number(let range): return span(range, parameter)
        case .numberOrZero(let range): return span(range, parameter) + ", or 0"
        case .numberOr(let range, let word): return span(range, parameter) + " or \"\(word)\""
        case .integer(let range): return "a whole number " + span(doubles(range), parameter)
        case .integerOr(let range, let word):
            return "a whole number " + span(doubles(range), parameter) + " or \"\(word)\""
        case .boolean: return "true or false"
        case .string(let range), .families(let range):
            return "from \(range.lowerBound) to \(range.upperBound) characters"
        case .characters(let range):
            return "from \(range.lowerBound) to \(range.upperBound) characters "
                + "without white space or controls"
        case .choice(let values):
            let listed = values.map { "\"\($0)\"" }.joined(separator: ", ")
            return values.count == 1 ? listed : "one of \(listed)"
        case .easing:
            let names = Easing.named.map(\.name).joined(separator: ", ")
            return "one of \(names), or cubic-bezier(x1,y1,x2,y2) with x from 0 to 1 "
                + "and y from -10 to 10"
        case .color: return "a colour such as #24292f, #fff8 or tomato"
        }
    }

    private static func mismatch(_ raw: RawValue, _ parameter: Parameter) -> Fault {
        Fault(message: "must be \(expectation(of: parameter)); got \(raw.description)")
    }

    // MARK: Numbers

    private static let zero = Parameter("", .number(0...0), default: nil, "")

    private static func number(
        _ raw: RawValue, _ range: ClosedRange<Double>, _ parameter: Parameter
    ) throws(Fault) -> Double {
        let number: Double?
        switch raw {
        case .number(let value): number = value
        case .text(let text): number = jsonNumber(text)
        default: number = nil
        }
        guard let number, range.contains(number) else { throw mismatch(raw, parameter) }
        return number == 0 ? 0 : number
    }

    private static func whole(
        _ raw: RawValue, _ range: ClosedRange<Int>, _ parameter: Parameter
    ) throws(Fault) -> Double {
        let number = try number(raw, doubles(range), parameter)
        guard number == number.rounded() else { throw mismatch(raw, parameter) }
        return number
    }

    private static func doubles(_ range: ClosedRange<Int>) -> ClosedRange<Double> {
        Double(range.lowerBound)...Double(range.upperBound)
    }

    private static func span(_ range: ClosedRange<Double>, _ parameter: Parameter) -> String {
        let (low, high) = (NumberText.of(range.lowerBound), NumberText.of(range.upperBound))
        let unit = parameter.unit.map { " \($0.plural)" } ?? ""
        return "from \(low) to \(high)" + unit
    }

    /// A number by JSON's grammar (RFC 8259, 6).
    static func jsonNumber(_ text: String) -> Double? {
        var bytes = Substring(text).utf8
        if bytes.first == UInt8(ascii: "-") { bytes.removeFirst() }
        let whole = bytes.prefix(while: isDigit)
        guard let first = whole.first, whole.count == 1 || first != UInt8(ascii: "0") else {
            return nil
        }
        bytes.removeFirst(whole.count)
        if bytes.first == UInt8(ascii: ".") {
            bytes.removeFirst()
            let fraction = bytes.prefix(while: isDigit)
            guard !fraction.isEmpty else { return nil }
            bytes.removeFirst(fraction.count)
        }
        if bytes.first == UInt8(ascii: "e") || bytes.first == UInt8(ascii: "E") {
            bytes.removeFirst()
            if bytes.first == UInt8(ascii: "+") || bytes.first == UInt8(ascii: "-") {
                bytes.removeFirst()
            }
            let exponent = bytes.prefix(while: isDigit)
            guard !exponent.isEmpty else { return nil }
            bytes.removeFirst(exponent.count)
        }
        // What is past a double is infinite, and so past every range.
        return bytes.isEmpty ? Double(text) : nil
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")
    }

    // MARK: Words

    private static func boolean(
        _ raw: RawValue, _ parameter: Parameter
    ) throws(Fault) -> Bool {
        switch raw {
        case .boolean(let value): return value
        case .text("true"): return true
        case .text("false"): return false
        default: throw mismatch(raw, parameter)
        }
    }

    private static func string(
        _ raw: RawValue, _ range: ClosedRange<Int>, _ parameter: Parameter
    ) throws(Fault) -> String {
        guard let text = raw.characters else {
            throw Fault(message: "must be a string; got \(raw.description)")
        }
        guard range.contains(text.unicodeScalars.count) else {
            throw Fault(
                message: "must have \(expectation(of: parameter)); "
                    + "got \(text.unicodeScalars.count)")
        }
        return text
    }

    /// Grapheme clusters, none of them white space or a control.
    private static func characters(
        _ raw: RawValue, _ range: ClosedRange<Int>, _ parameter: Parameter
    ) throws(Fault) -> String {
        guard let text = raw.characters else {
            throw Fault(message: "must be a string; got \(raw.description)")
        }
        let isPlain = text.unicodeScalars.allSatisfy {
            !$0.properties.isWhitespace && $0.properties.generalCategory != .control
        }
        guard isPlain, range.contains(text.count), text.utf8.count <= 16 * range.upperBound else {
            throw Fault(
                message: "must have \(expectation(of: parameter)); got \(raw.description)")
        }
        return text
    }

    private static func choice(
        _ raw: RawValue, _ values: [String], _ parameter: Parameter
    ) throws(Fault) -> String {
        if let text = raw.characters, values.contains(text) { return text }
        let hint =
            raw.characters.flatMap { Suggestion.nearest(to: $0, among: values) }
            .map { "; did you mean \"\($0)\"?" } ?? ""
        throw Fault(message: mismatch(raw, parameter).message + hint)
    }

    private static func color(
        _ raw: RawValue, _ parameter: Parameter
    ) throws(Fault) -> Color {
        let isQuery = if case .text = raw { true } else { false }
        guard let text = raw.characters,
            let color = Color(css: text, hashOptional: isQuery)
        else { throw mismatch(raw, parameter) }
        return color.isTransparent ? .transparent : color
    }

    private static func easing(
        _ raw: RawValue, _ parameter: Parameter
    ) throws(Fault) -> Easing {
        if let text = raw.characters {
            if let named = Easing.named.first(where: { $0.name == text }) { return named.easing }
            if let curve = cubicBezier(text) { return curve }
        }
        throw mismatch(raw, parameter)
    }

    private static func cubicBezier(_ text: String) -> Easing? {
        let name = "cubic-bezier("
        guard text.hasPrefix(name), text.hasSuffix(")") else { return nil }
        let numbers = text.dropFirst(name.count).dropLast()
            .split(separator: ",", omittingEmptySubsequences: false)
            .map { part in
                jsonNumber(leniently: part.drop { $0 == " " })
            }
        guard numbers.count == 4, let x1 = numbers[0], let y1 = numbers[1], let x2 = numbers[2],
            let y2 = numbers[3], (0...1).contains(x1), (0...1).contains(x2),
            (-10...10).contains(y1), (-10...10).contains(y2)
        else { return nil }
        return .cubic(CubicBezier(x1: x1, y1: y1, x2: x2, y2: y2))
    }

    /// A number as CSS writes it, where `.5` is one too.
    private static func jsonNumber(leniently text: Substring) -> Double? {
        var text = String(text)
        while text.hasSuffix(" ") { text.removeLast() }
        if text.hasPrefix(".") { text = "0" + text }
        if text.hasPrefix("-.") { text = "-0" + text.dropFirst() }
        return jsonNumber(text)
    }
}

extension RawValue {
    /// The characters of a string, whichever way it came.
    package var characters: String? {
        switch self {
        case .text(let text), .string(let text): text
        default: nil
        }
    }
}
