import Bytes
import Motion

/// What a text may be set along: `none`, a shape, or SVG's path data.
struct PathGrammar: ParameterGrammar {
    private static let longestText = 4096
    private static let degrees = -360.0...360
    private static let diameters = 1.0...4096
    private static let amplitudes = -1000.0...1000
    private static let lengths = 4.0...4096

    var name: String { "path" }
    var expectation: String {
        "\"none\", arc(180deg), circle, circle(300px), wave(12px, 200px), "
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
        case ("circle", 0): return .path(.circle(diameter: nil))
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

    /// Returns the name of a shape in small letters, and what stands in its parentheses; nothing without
    /// any.
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

/// Reads SVG's path data (SVG 2, 9.3) of one subpath.
private struct PathDataReader {
    /// The largest coordinate, in CSS pixels.
    private static let mostPixels = 10_000.0
    /// The largest radius of an arc, in CSS pixels.
    private static let mostRadius = 100_000.0
    /// The largest coordinate of an ellipse with such radii.
    private static let mostArcPixels = 2 * mostRadius + mostPixels
    /// The shortest path, in CSS pixels.
    private static let shortest = 1.0
    private static let commands = Array("MLHVCSQTAZ".utf8)

    private var scanner: TextScanner
    private var curves: [CubicCurve] = []
    private var start = SIMD2<Double>.zero
    private var current = SIMD2<Double>.zero
    /// The last control point of the command before, by which S or T goes on.
    private var cubicControl: SIMD2<Double>?
    private var quadraticControl: SIMD2<Double>?
    private var isClosed = false

    static func read(_ text: String) throws(ValueFault) -> PathData {
        var reader = PathDataReader(scanner: TextScanner(text))
        try reader.readCommands()
        let length = reader.curves.reduce(0) { $0 + $1.polygonLength }
        guard length >= shortest else {
            throw ValueFault("must be a path of at least 1 px; got one without a length")
        }
        return PathData(text: text, curves: reader.curves, isClosed: reader.isClosed)
    }

    private init(scanner: TextScanner) {
        self.scanner = scanner
    }

    private mutating func readCommands() throws(ValueFault) {
        skipSpace()
        while let letter = scanner.next {
            guard letter.isASCIILetter, Self.commands.contains(letter & 0xDF) else {
                throw fault("one of the commands M L H V C S Q T A Z")
            }
            guard !isClosed else { throw fault("nothing behind Z: one line only") }
            scanner.offset += 1
            let isRelative = letter & 0x20 != 0
            let command = letter & 0xDF
            if command == UInt8(ascii: "M"), scanner.offset > 1 {
                scanner.offset -= 1
                throw fault("one M alone: one line only")
            }
            skipSpace()
            try read(command, isRelative)
            skipSpace()
        }
    }

    /// Reads the coordinates of a command, as often as they stand there.
    private mutating func read(_ command: UInt8, _ isRelative: Bool) throws(ValueFault) {
        guard command != UInt8(ascii: "Z") else {
            isClosed = true
            return add(lineTo: start)
        }
        var command = command
        repeat {
            let origin = isRelative ? current : .zero
            try readOnce(command, from: origin)
            if command == UInt8(ascii: "M") {
                start = current
                // More points are those of lines.
                command = UInt8(ascii: "L")
            }
        } while skipComma() || beginsNumber
    }

    private mutating func readOnce(
        _ command: UInt8, from origin: SIMD2<Double>
    ) throws(ValueFault) {
        let (cubic, quadratic) = (cubicControl, quadraticControl)
        (cubicControl, quadraticControl) = (nil, nil)
        switch command {
        case UInt8(ascii: "M"): current = try point(from: origin)
        case UInt8(ascii: "L"): add(lineTo: try point(from: origin))
        case UInt8(ascii: "H"):
            add(lineTo: try checked(SIMD2(origin.x + number(), current.y)))
        case UInt8(ascii: "V"):
            add(lineTo: try checked(SIMD2(current.x, origin.y + number())))
        case UInt8(ascii: "C"), UInt8(ascii: "S"):
            let isSmooth = command == UInt8(ascii: "S")
            let first =
                isSmooth ? cubic.map { 2 * current - $0 } ?? current : try point(from: origin)
            if !isSmooth { _ = skipComma() }
            let second = try point(from: origin)
            _ = skipComma()
            let end = try point(from: origin)
            add(CubicCurve(from: current, first, second, to: end))
            cubicControl = second
        case UInt8(ascii: "Q"), UInt8(ascii: "T"):
            let isSmooth = command == UInt8(ascii: "T")
            let control = try checked(
                isSmooth ? quadratic.map { 2 * current - $0 } ?? current : try point(from: origin))
            if !isSmooth { _ = skipComma() }
            let end = try point(from: origin)
            add(CubicCurve(from: current, quadratic: control, to: end))
            quadraticControl = control
        default: try readArc(from: origin)
        }
    }

    private mutating func readArc(from origin: SIMD2<Double>) throws(ValueFault) {
        var radii = SIMD2<Double>.zero
        radii.x = abs(try number())
        _ = skipComma()
        radii.y = abs(try number())
        guard radii.max() <= Self.mostRadius else { throw Self.radiusFault }
        _ = skipComma()
        let turn = try number()
        _ = skipComma()
        let isLarge = try flag()
        _ = skipComma()
        let isClockwise = try flag()
        _ = skipComma()
        let end = try point(from: origin)
        guard radii.min() > 1e-6 else { return add(lineTo: end) }
        for curve in CubicCurve.arc(
            from: current, to: end, radii: radii, turn: turn.remainder(dividingBy: 360),
            isLarge: isLarge, isClockwise: isClockwise)
        {
            // An ellipse that does not reach both ends grows, and may grow without bound.
            let isNear = [curve.first, curve.second, curve.end].allSatisfy {
                $0.max() <= Self.mostArcPixels && $0.min() >= -Self.mostArcPixels
            }
            guard isNear else { throw Self.radiusFault }
            add(curve)
        }
        current = end
    }

    private static var radiusFault: ValueFault {
        ValueFault("must have radii of at most 100000 px, also after they grow to reach both ends")
    }

    private mutating func add(lineTo end: SIMD2<Double>) {
        add(CubicCurve(lineFrom: current, to: end))
    }

    /// Adds a curve, unless it has no length.
    private mutating func add(_ curve: CubicCurve) {
        current = curve.end
        if curve.polygonLength > 1e-6 { curves.append(curve) }
    }

    // MARK: Coordinates

    private mutating func point(from origin: SIMD2<Double>) throws(ValueFault) -> SIMD2<Double> {
        let x = try number()
        _ = skipComma()
        return try checked(origin + SIMD2(x, try number()))
    }

    private func checked(_ point: SIMD2<Double>) throws(ValueFault) -> SIMD2<Double> {
        let most = Self.mostPixels
        // Written so that what is not a number is not taken.
        guard abs(point.x) <= most, abs(point.y) <= most else {
            throw ValueFault(
                "must have coordinates from -\(Int(most)) to \(Int(most)); got one beyond, before "
                    + "byte \(scanner.offset)")
        }
        return point
    }

    private var beginsNumber: Bool {
        scanner.next.map { $0.isASCIIDigit || "+-.".utf8.contains($0) } ?? false
    }

    private mutating func number() throws(ValueFault) -> Double {
        let begin = scanner.offset
        _ = scanner.consumeSign()
        var digits = scanner.consume(while: \.isASCIIDigit).count
        if scanner.skip(".") { digits += scanner.consume(while: \.isASCIIDigit).count }
        let end = scanner.offset
        if digits > 0, scanner.skip("e") || scanner.skip("E") {
            _ = scanner.consumeSign()
            // Without digits it would begin something else.
            if scanner.consume(while: \.isASCIIDigit).isEmpty { scanner.offset = end }
        }
        guard digits > 0, let number = Double(scanner.text(begin..<scanner.offset)) else {
            scanner.offset = begin
            throw fault("a number")
        }
        guard number.isFinite else { throw ValueFault("must have numbers that are finite") }
        return number
    }

    private mutating func flag() throws(ValueFault) -> Bool {
        if scanner.skip("1") { return true }
        guard scanner.skip("0") else { throw fault("a flag, 0 or 1") }
        return false
    }

    private mutating func skipSpace() {
        scanner.consume { $0.isCSSSpace }
    }

    /// Skips white space with a comma at most; returns true if there was a comma.
    private mutating func skipComma() -> Bool {
        skipSpace()
        guard scanner.skip(",") else { return false }
        skipSpace()
        return true
    }

    /// Returns the fault that something else was expected at the next byte.
    private func fault(_ expected: String) -> ValueFault {
        let rest = scanner.isAtEnd ? "the end" : RawValue.string(scanner.rest).description
        return ValueFault(
            "must be path data with \(expected) at byte \(scanner.offset); got \(rest)")
    }
}
