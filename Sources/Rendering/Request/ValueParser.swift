import Bytes
package import Motion
import Typesetting

/// Parses raw values as values of parameters.
package enum ValueParser {
    /// An error that describes an invalid value.
    struct Fault: Error {
        /// A fault of the value, or of a part of it.
        struct Part {
            /// The part's place, such as `[1].blur`; empty for the value as a whole.
            let place: String
            /// A phrase that follows the parameter's name.
            let message: String
        }

        let parts: [Part]

        init(parts: [Part]) {
            self.parts = parts
        }

        init(message: String) {
            self.init(parts: [Part(place: "", message: message)])
        }

        /// All phrases.
        var message: String { parts.map(\.message).joined(separator: "; ") }
    }

    /// Returns the value of a parameter.
    static func value(
        of raw: RawValue, for parameter: Parameter
    ) throws(Fault) -> ParameterValue {
        if case .text(let text) = raw, text.isEmpty {
            throw Fault(message: "must not be empty")
        }
        switch parameter.kind {
        case .number(let range):
            return .number(try number(raw, in: range, for: parameter))
        case .numberOrZero(let range):
            if case .number(0)? = try? value(of: raw, for: Self.zero) { return .number(0) }
            return .number(try number(raw, in: range, for: parameter))
        case .integer(let range):
            return .number(try whole(raw, in: range, for: parameter))
        case .numberOr(let range, let word):
            if raw.isWord(word) { return .string(ByteString(word)) }
            return .number(try number(raw, in: range, for: parameter))
        case .integerOr(let range, let word):
            if raw.isWord(word) { return .string(ByteString(word)) }
            return .number(try whole(raw, in: range, for: parameter))
        case .boolean:
            return .boolean(try boolean(raw, parameter))
        case .string(let range):
            return .string(ByteString(try string(raw, in: range, for: parameter)))
        case .families(let range):
            let text = try string(raw, in: range, for: parameter)
            guard let families = FamilyList.normalized(text) else {
                throw Fault(message: "must be a font family, or several separated by commas")
            }
            return .string(ByteString(families))
        case .features: return .string(ByteString(try settings(raw, .features)))
        case .variations: return .string(ByteString(try settings(raw, .variations)))
        case .characters(let range):
            return .string(ByteString(try characters(raw, in: range, for: parameter)))
        case .choice(let values):
            return .string(ByteString(try choice(raw, of: values, for: parameter)))
        case .presets(let names):
            return .string(ByteString(try presets(raw, of: names, for: parameter)))
        case .easing:
            return .easing(try easing(raw, parameter))
        case .color:
            return .color(try color(raw, parameter))
        case .paint:
            return .paint(
                try styled(raw, parameter) { text, reader throws(PaintText.Fault) in
                    try reader.paint(text)
                })
        case .shadows:
            return .shadows(
                try styled(raw, parameter) { text, reader throws(PaintText.Fault) in
                    try reader.shadows(text)
                })
        case .keyframes(let range):
            return .keyframes(try KeyframeReader.keyframes(of: raw, count: range))
        }
    }

    /// Returns a phrase for the values of a parameter, which follows "must be", or "must have" for texts.
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
        case .features: return FontSettingList.features.expectation
        case .variations: return FontSettingList.variations.expectation
        case .characters(let range):
            return "from \(range.lowerBound) to \(range.upperBound) characters "
                + "without white space or controls"
        case .choice(let values):
            let listed = values.map { "\"\($0)\"" }.joined(separator: ", ")
            return values.count == 1 ? listed : "one of \(listed)"
        case .presets: return "names of presets, separated by commas"
        case .easing:
            return TimingFunction.expectation
        case .keyframes(let range):
            return "an array of \(range.lowerBound) to \(range.upperBound) objects"
        case .color: return PaintText.colorExample
        case .paint:
            return "\(PaintText.colorExample), or a gradient such as \(PaintText.gradientExample)"
        case .shadows:
            return PaintText.shadowsExpectation
        }
    }

    private static func mismatch(_ raw: RawValue, _ parameter: Parameter) -> Fault {
        Fault(message: "must be \(expectation(of: parameter)); got \(raw.description)")
    }

    // MARK: Numbers

    private static let zero = Parameter("", .number(0...0), default: nil, "")

    private static func number(
        _ raw: RawValue, in range: ClosedRange<Double>, for parameter: Parameter
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
        _ raw: RawValue, in range: ClosedRange<Int>, for parameter: Parameter
    ) throws(Fault) -> Double {
        let number = try number(raw, in: doubles(range), for: parameter)
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

    /// A regular expression (ECMA-262) for numbers in JSON's grammar.
    package static let numberPattern = "-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][+-]?[0-9]+)?"

    /// Returns a number in JSON's grammar (RFC 8259, 6).
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
        // A number too large for a double is infinite, and so out of every range.
        return bytes.isEmpty ? Double(text) : nil
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")
    }

    // MARK: Text

    private static func boolean(
        _ raw: RawValue, _ parameter: Parameter
    ) throws(Fault) -> Bool {
        switch raw {
        case .boolean(let value): return value
        case .text(let text) where text.isSame(as: "true"): return true
        case .text(let text) where text.isSame(as: "false"): return false
        default: throw mismatch(raw, parameter)
        }
    }

    private static func string(
        _ raw: RawValue, in range: ClosedRange<Int>, for parameter: Parameter
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

    /// Returns features or axes of variation in their canonical spelling.
    private static func settings(
        _ raw: RawValue, _ list: FontSettingList
    ) throws(Fault) -> String {
        guard let text = raw.characters else {
            throw Fault(message: "must be \(list.expectation); got \(raw.description)")
        }
        do {
            return try list.canonical(text)
        } catch {
            throw Fault(message: error.message)
        }
    }

    /// Returns grapheme clusters, none of them white space or a control.
    private static func characters(
        _ raw: RawValue, in range: ClosedRange<Int>, for parameter: Parameter
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
        _ raw: RawValue, of values: [String], for parameter: Parameter
    ) throws(Fault) -> String {
        if let text = raw.characters, values.includes(text) { return text }
        let hint =
            raw.characters.flatMap { Suggestion.nearest(to: $0, among: values) }
            .map { "; did you mean \"\($0)\"?" } ?? ""
        throw Fault(
            message: "must be \(expectation(of: parameter)); got \(raw.description)" + hint)
    }

    /// Returns names of presets without space around the commas.
    private static func presets(
        _ raw: RawValue, of known: [String], for parameter: Parameter
    ) throws(Fault) -> String {
        guard let text = raw.characters else { throw mismatch(raw, parameter) }
        let names = text.pieces(separatedBy: ",").map {
            $0.pieces(separatedBy: " ", omittingEmpty: true).joined(separator: " ")
        }
        guard names.count <= mostPresets else {
            throw Fault(message: "must be at most \(mostPresets) names; got \(names.count)")
        }
        for name in names { _ = try choice(.string(name), of: known, for: parameter) }
        return names.joined(separator: ",")
    }

    private static let mostPresets = 8

    private static func color(
        _ raw: RawValue, _ parameter: Parameter
    ) throws(Fault) -> Color {
        let isQuery = if case .text = raw { true } else { false }
        guard let text = raw.characters,
            let color = Color(css: text, hashOptional: isQuery)
        else { throw mismatch(raw, parameter) }
        return color.isTransparent ? .transparent : color
    }

    /// Reads a value of CSS.
    private static func styled<Value>(
        _ raw: RawValue, _ parameter: Parameter,
        _ read: (String, PaintText) throws(PaintText.Fault) -> Value
    ) throws(Fault) -> Value {
        guard let text = raw.characters else { throw mismatch(raw, parameter) }
        let isQuery = if case .text = raw { true } else { false }
        do {
            return try read(text, PaintText(isHashOptional: isQuery))
        } catch {
            throw Fault(message: error.message)
        }
    }

    private static func easing(
        _ raw: RawValue, _ parameter: Parameter
    ) throws(Fault) -> TimingFunction {
        guard let text = raw.characters, let function = TimingFunction(request: text) else {
            throw mismatch(raw, parameter)
        }
        return function
    }
}

extension RawValue {
    /// The characters of a string or of text.
    package var characters: String? {
        switch self {
        case .text(let text), .string(let text): text
        default: nil
        }
    }

    fileprivate func isWord(_ word: String) -> Bool {
        characters?.isSame(as: word) ?? false
    }
}

/// The search for the name that a misspelt one stands for.
package enum Suggestion {
    /// Returns a phrase that says of a name that it is unknown, and which may be meant.
    static func unknown(_ name: String, among candidates: [String]) -> String {
        nearest(to: name, among: candidates).map { "unknown; did you mean \"\($0)\"?" } ?? "unknown"
    }

    /// Returns the candidate with the fewest differences; nil if all have too many.
    package static func nearest(to name: String, among candidates: [String]) -> String? {
        guard name.utf8.count <= 40 else { return nil }
        let written = Array(name.lowercasedASCII.utf8)
        var best: (name: String, distance: Int)?
        for candidate in candidates {
            let distance = distance(written, Array(candidate.lowercasedASCII.utf8))
            if distance < best?.distance ?? .max { best = (candidate, distance) }
        }
        guard let best, best.distance <= max(1, written.count / 3) else { return nil }
        return best.name
    }

    /// Returns the number of insertions, deletions, substitutions and transpositions (optimal string
    /// alignment).
    private static func distance(_ one: [UInt8], _ other: [UInt8]) -> Int {
        var beforeLast: [Int] = []
        var last = Array(0...other.count)
        for i in 0..<one.count {
            var row = [i + 1]
            for j in 0..<other.count {
                var cost = min(row[j] + 1, last[j + 1] + 1, last[j] + (one[i] == other[j] ? 0 : 1))
                if i > 0, j > 0, one[i] == other[j - 1], one[i - 1] == other[j] {
                    cost = min(cost, beforeLast[j - 1] + 1)
                }
                row.append(cost)
            }
            (beforeLast, last) = (last, row)
        }
        return last[other.count]
    }
}
