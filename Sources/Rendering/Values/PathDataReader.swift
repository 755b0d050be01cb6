import Bytes
import Motion
import Typesetting

/// Reads SVG's path data (SVG 2, 9.3).
struct PathDataReader {
    /// The largest coordinate of a path that a text is set along, in CSS pixels.
    private static let mostPixels = 10_000.0
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
    /// The subpaths that have ended.
    private var subpaths: [VectorPicture.Subpath] = []
    /// True if there may be several subpaths.
    private let takesSubpaths: Bool
    /// The largest coordinate.
    private let mostPixels: Double

    /// Returns the one subpath in path data, which begins with `M`.
    static func read(_ text: String) throws(ValueFault) -> PathData {
        var reader = PathDataReader(text, takesSubpaths: false, mostPixels: mostPixels)
        try reader.readCommands()
        let length = reader.curves.reduce(0) { $0 + $1.polygonLength }
        guard length >= shortest else {
            throw ValueFault("must be a path of at least 1 px; got one without a length")
        }
        return PathData(text: text, curves: reader.curves, isClosed: reader.isClosed)
    }

    /// Returns the subpaths in path data that have a length.
    ///
    /// - Parameters:
    ///   - text: The path data; empty for none.
    ///   - mostPixels: The largest coordinate.
    /// - Returns: The subpaths in their order.
    /// - Throws: The fault of the data.
    static func subpaths(
        in text: String, mostPixels: Double
    ) throws(ValueFault) -> [VectorPicture.Subpath] {
        let text = text.cssTrimmed
        var reader = PathDataReader(String(text), takesSubpaths: true, mostPixels: mostPixels)
        guard let first = text.utf8.first else { return [] }
        guard first | 0x20 == UInt8(ascii: "m") else { throw reader.fault("the command M") }
        try reader.readCommands()
        reader.endSubpath()
        return reader.subpaths
    }

    private init(_ text: String, takesSubpaths: Bool, mostPixels: Double) {
        scanner = TextScanner(text)
        self.takesSubpaths = takesSubpaths
        self.mostPixels = mostPixels
    }

    private mutating func endSubpath() {
        if !curves.isEmpty {
            subpaths.append(VectorPicture.Subpath(curves: curves, isClosed: isClosed))
        }
        (curves, isClosed) = ([], false)
    }

    private mutating func readCommands() throws(ValueFault) {
        skipSpace()
        while let letter = scanner.next {
            guard letter.isASCIILetter, Self.commands.contains(letter & 0xDF) else {
                throw fault("one of the commands M L H V C S Q T A Z")
            }
            if takesSubpaths {
                if isClosed || letter | 0x20 == UInt8(ascii: "m") { endSubpath() }
            } else if isClosed {
                throw fault("nothing after Z (one line only)")
            }
            scanner.offset += 1
            let isRelative = letter & 0x20 != 0
            let command = letter & 0xDF
            if command == UInt8(ascii: "M"), scanner.offset > 1, !takesSubpaths {
                scanner.offset -= 1
                throw fault("only one M (one line only)")
            }
            skipSpace()
            try read(command, isRelative)
            skipSpace()
        }
    }

    /// Reads the coordinates of a command, which may be repeated.
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
                // Further points are ends of lines.
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
        guard radii.max() <= mostRadius else { throw radiusFault }
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
            let most = 2 * mostRadius + mostPixels
            let isNear = [curve.first, curve.second, curve.end].allSatisfy {
                $0.max() <= most && $0.min() >= -most
            }
            guard isNear else { throw radiusFault }
            add(curve)
        }
        current = end
    }

    /// The largest radius of an arc.
    private var mostRadius: Double { 10 * mostPixels }

    private var radiusFault: ValueFault {
        ValueFault(
            "must have radii of at most \(Int(mostRadius)) px, "
                + "even after they grow to reach both ends")
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
        let most = mostPixels
        // Written so that NaN is not taken.
        guard abs(point.x) <= most, abs(point.y) <= most else {
            throw ValueFault(
                "must have coordinates from -\(Int(most)) to \(Int(most)); got one out of range "
                    + "before byte \(scanner.offset)")
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
        guard number.isFinite else { throw ValueFault("must have finite numbers") }
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
