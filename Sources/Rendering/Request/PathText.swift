import Bytes
import Motion

/// The path that a text is set along: `none`, a shape, or SVG's path data.
struct PathGrammar: ParameterGrammar {
    private static let longestText = 4096
    private static let degrees = -360.0...360
    private static let diameters = 1.0...4096
    private static let amplitudes = -1000.0...1000
    private static let lengths = 4.0...4096
    /// The shapes that are given only by their names: a gentle arc, and waves in which letters of
    /// the usual size do not touch.
    private static let usualArc = PathShape.arc(degrees: 90)
    private static let usualWave = PathShape.wave(amplitude: 12, length: 240)

    var name: String { "path" }
    var expectation: String {
        "\"none\", arc, arc(180deg), circle, circle(300px), wave, wave(12px, 240px), "
            + "or path data such as M 0 100 Q 200 0 400 100"
    }
    var schema: [(String, JSONNode)] {
        [
            ("type", .string("string")), ("format", .string(name)),
            ("maxLength", .number(Double(Self.longestText))),
        ]
    }

    func value(of raw: RawValue) throws(ValueFault) -> ParameterValue {
        guard let given = raw.characters else { throw mismatch(raw) }
        guard given.utf8.count <= Self.longestText else {
            throw ValueFault(
                "must have at most \(Self.longestText) bytes; got \(given.utf8.count)")
        }
        let text = given.cssTrimmed
        if text.utf8.first.map({ $0 | 0x20 }) == UInt8(ascii: "m") {
            return .path(.data(try PathDataReader.read(String(text))))
        }
        let (name, lengths) = try parts(text, raw)
        func length(_ index: Int, in range: ClosedRange<Double>) throws(ValueFault) -> Double {
            guard let length = Self.number(lengths[index], unit: "px"), range.contains(length)
            else {
                let (low, high) = (range.lowerBound, range.upperBound)
                throw ValueFault(
                    "must have a length from \(NumberText.of(low)) to \(NumberText.of(high)) px in "
                        + "\(name)(…); got \(lengths[index])")
            }
            return length
        }
        switch (name, lengths.count) {
        case ("none", 0): return .path(.none)
        case ("arc", 0): return .path(Self.usualArc)
        case ("circle", 0): return .path(.circle(diameter: nil))
        case ("wave", 0): return .path(Self.usualWave)
        case ("circle", 1):
            return .path(.circle(diameter: try length(0, in: Self.diameters)))
        case ("arc", 1):
            guard let degrees = Self.number(lengths[0], unit: "deg"),
                Self.degrees.contains(degrees)
            else {
                throw ValueFault(
                    "must have an angle from -360deg to 360deg in arc(…); got \(lengths[0])")
            }
            return .path(.arc(degrees: degrees))
        case ("wave", 2):
            return .path(
                .wave(
                    amplitude: try length(0, in: Self.amplitudes),
                    length: try length(1, in: Self.lengths)))
        default: throw mismatch(raw)
        }
    }

    /// Returns the name of a shape in small letters, and the lengths in its parentheses; none
    /// without parentheses.
    private func parts(
        _ text: Substring, _ raw: RawValue
    ) throws(ValueFault) -> (name: ByteString, lengths: [String]) {
        guard let open = text.utf8.firstIndex(of: UInt8(ascii: "(")) else {
            return (ByteString(text.lowercasedASCII), [])
        }
        let inner = text[text.utf8.index(after: open)...]
        guard inner.ends(with: ")") else { throw mismatch(raw) }
        let lengths = inner.dropping(last: 1).cssList.map(String.init)
        return (ByteString(text[..<open].cssTrimmed.lowercasedASCII), lengths)
    }

    /// Returns a number with or without its unit, in ten thousandths.
    private static func number(_ text: String, unit: String) -> Double? {
        let small = text.lowercasedASCII
        let bare = small.ends(with: unit) ? small.dropping(last: unit.utf8.count) : small[...]
        guard let number = PaintText.number(bare), abs(number) <= 1e6 else { return nil }
        let rounded = (number * 10_000).rounded() / 10_000
        return rounded == 0 ? 0 : rounded
    }

    func sample(using generator: inout some RandomNumberGenerator) -> RawValue {
        let paths = [
            "none", "arc(120deg)", "arc(-90deg)", "circle", "wave(8px, 120px)",
            "M0 200C300 0 900 400 1500 200t1000 300 1500-200",
        ]
        return .string(paths.randomElement(using: &generator) ?? "none")
    }
}
