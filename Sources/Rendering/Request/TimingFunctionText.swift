import Bytes
package import Motion

/// The spelling of easings in requests (docs/effects.md, *Easings*).
extension TimingFunction {
    /// The curves that have a name, in their order in lists.
    package static let named: [(name: String, function: TimingFunction)] =
        Easing.named.map { ($0.name, .easing($0.easing)) } + [("bounce", .bounce)]

    private static let stepRange = 1...100
    private static let stopRange = 2...64
    private static let bounceRange = -0.9...0.9
    /// The values of curves.
    private static let valueRange = -10.0...10

    /// The phrase for the values of an easing, which follows "must be".
    fileprivate static let expectation: String = {
        func span(_ range: ClosedRange<Double>) -> String {
            "from \(NumberText.of(range.lowerBound)) to \(NumberText.of(range.upperBound))"
        }
        let names = named.map(\.name) + ["spring"]
        return "one of \(names.joined(separator: ", ")), or "
            + "cubic-bezier(x1,y1,x2,y2) with x from 0 to 1 and y \(span(valueRange)), "
            + "steps(n) with n from \(stepRange.lowerBound) to \(stepRange.upperBound), "
            + "linear(v p%, …) of \(stopRange.lowerBound) to \(stopRange.upperBound) points, "
            + "spring(b) with b \(span(bounceRange))"
    }()

    /// Reads an easing of a request; nil if it is not an easing.
    ///
    /// A name may be in the spelling of scripts: `easeInOut` is `ease-in-out`.
    init?(request text: String) {
        if let named = Self.named.first(where: { $0.name.isSame(as: text) }) {
            self = named.function
            return
        }
        if let name = Suggestion.plainName(text),
            let named = Self.named.first(where: { Suggestion.plainName($0.name) == name })
        {
            self = named.function
            return
        }
        if text.isSame(as: "spring") {
            self = .spring(bounce: 0.3)
            return
        }
        guard let open = text.utf8.firstIndex(of: UInt8(ascii: "(")), text.ends(with: ")") else {
            return nil
        }
        let arguments = text[text.utf8.index(after: open)...].dropping(last: 1)
            .pieces(separatedBy: ",")
        guard arguments.count <= Self.stopRange.upperBound else { return nil }
        let numbers = arguments.map { Self.number($0) }
        switch (ByteString(text[..<open]), numbers.count) {
        case ("cubic-bezier", 4):
            guard let x1 = numbers[0], let y1 = numbers[1], let x2 = numbers[2],
                let y2 = numbers[3], (0...1).contains(x1), (0...1).contains(x2),
                Self.valueRange.contains(y1), Self.valueRange.contains(y2)
            else { return nil }
            self = .easing(.cubic(CubicBezier(x1: x1, y1: y1, x2: x2, y2: y2)))
        case ("steps", 1):
            guard let number = numbers[0], let count = Int(exactly: number),
                Self.stepRange.contains(count)
            else { return nil }
            self = .steps(count)
        case ("spring", 1):
            guard let bounce = numbers[0], Self.bounceRange.contains(bounce) else { return nil }
            self = .spring(bounce: bounce)
        case ("linear", Self.stopRange):
            let stops = arguments.map { Self.stops($0) }
            guard stops.allSatisfy({ !$0.isEmpty }),
                Self.stopRange.contains(stops.joined().count)
            else { return nil }
            self = .stops(Array(stops.joined()))
        default: return nil
        }
    }

    /// Reads a value with its progress in time, in percent, on either side of it; two percentages are two
    /// points of one value (CSS Easing 2, 2.2).
    ///
    /// - Returns: One or two points; none if it is written otherwise.
    private static func stops(_ text: Substring) -> [Stop] {
        var words = text.pieces(separatedBy: " ", omittingEmpty: true)
        guard let first = words.first, words.count <= 3 else { return [] }
        let written = first.ends(with: "%") ? words.removeLast() : words.removeFirst()
        guard let value = number(written), valueRange.contains(value) else { return [] }
        let percentages = words.compactMap { percentage($0) }
        guard percentages.count == words.count else { return [] }
        return percentages.isEmpty
            ? [Stop(value: value, percent: nil)]
            : percentages.map { Stop(value: value, percent: $0) }
    }

    /// Reads a percentage from 0 to 100.
    private static func percentage(_ text: Substring) -> Double? {
        guard text.ends(with: "%"), let percent = number(text.dropping(last: 1)),
            (0...100).contains(percent)
        else { return nil }
        return percent
    }

    /// Returns a number in CSS's grammar, in which `.5` is valid, with spaces around it.
    private static func number(_ text: Substring) -> Double? {
        let text = text.trimmingSpaces
        if text.begins(with: ".") { return JSONNumber.value(of: "0" + text) }
        if text.begins(with: "-.") { return JSONNumber.value(of: "-0" + text.dropping(first: 1)) }
        return JSONNumber.value(of: String(text))
    }

    /// The value of an `easing` parameter, which reads back as the same curve.
    package var requestText: String {
        if let named = Self.named.first(where: { $0.function == self }) { return named.name }
        func call(_ name: String, _ arguments: [String]) -> String {
            "\(name)(\(arguments.joined(separator: ",")))"
        }
        switch self {
        case .easing(.cubic(let curve)):
            return call(
                "cubic-bezier", [curve.x1, curve.y1, curve.x2, curve.y2].map(NumberText.of))
        case .easing: return "linear"
        case .bounce: return "bounce"
        case .steps(let count): return call("steps", ["\(count)"])
        case .spring(let bounce): return call("spring", [NumberText.of(bounce)])
        case .stops(let stops):
            return call(
                "linear",
                stops.map { stop in
                    let percent = stop.percent.map { " \(NumberText.of($0))%" } ?? ""
                    return NumberText.of(stop.value) + percent
                })
        }
    }
}

struct EasingGrammar: ParameterGrammar {
    var name: String { "easing" }
    var expectation: String { TimingFunction.expectation }

    func value(of raw: RawValue) throws(ValueFault) -> ParameterValue {
        guard let text = raw.characters, let function = TimingFunction(request: text) else {
            throw mismatch(raw, among: TimingFunction.named.map(\.name) + ["spring"])
        }
        return .easing(function)
    }

    /// The curves with arguments, at the ends of their ranges.
    private static let examples = [
        "cubic-bezier(0,10,1,-10)", "steps(1)", "steps(100)", "spring(-0.9)", "spring(0)",
        "spring(0.9)", "linear(10, -10 90%, 10 10%, 0.5)", "linear(0, 20% 30% 0.5, 1)",
        "linear(0.1 20%, 0.9 70%)",
    ]

    func sample(using generator: inout some RandomNumberGenerator) -> RawValue {
        let texts = TimingFunction.named.map(\.name) + Self.examples
        return .string(texts.randomElement(using: &generator) ?? "")
    }
}
