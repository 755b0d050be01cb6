import Bytes
import Motion

/// The colour or the gradient of shapes and lines.
enum LottieInk: Hashable {
    case color(Color)
    case gradient(LottieGradient)

    /// True if the property of another ink has the same value; opacity is a property of its own.
    func hasSameValue(as other: LottieInk) -> Bool {
        switch (self, other) {
        case (.color(let one), .color(let two)): one.straight == two.straight
        case (.gradient(let one), .gradient(let two)): one.stops == two.stops
        default: false
        }
    }

    /// True if it is fully opaque.
    var isOpaque: Bool {
        switch self {
        case .color(let color): color.isOpaque
        case .gradient(let gradient): gradient.isOpaque
        }
    }
}

/// Colours along a line, or from a centre outwards, in the coordinates of the shapes with the
/// gradient.
struct LottieGradient: Hashable {
    /// The kinds by their numbers in Lottie.
    enum Kind: Int {
        case linear = 1
        case radial = 2
        /// Around a centre (specification 1.1).
        case conic = 3
    }

    let kind: Kind
    /// The position of the first colours, or the centre.
    let start: Point
    /// A position of the last colours; a conic gradient has none of its own.
    let end: Point
    /// The degrees from the right, clockwise, at which a conic gradient begins.
    var degrees = 0.0
    /// The members of the stops' property.
    let stops: [UInt8]
    let isOpaque: Bool
}

/// A gradient over a box, from which the gradient of each drawing follows.
struct LottieGradientBox {
    let gradient: Gradient
    /// CSS pixels.
    let box: Rect
    /// The kind and the line; nil where the last colour is everywhere.
    private let shape: (kind: LottieGradient.Kind, line: GradientLine)?
    /// The degrees of a conic gradient.
    private var degrees = 0.0
    private let stops: LottieStops

    /// - Parameters:
    ///   - gradient: The gradient.
    ///   - box: The box, in CSS pixels.
    ///   - version: The version of the file, which decides whether there are conic gradients.
    init(_ gradient: Gradient, in box: Rect, _ version: LottieVersion) {
        self.gradient = gradient
        self.box = box
        let straight = StraightGradient(gradient, in: box)
        stops = LottieStops(straight.stops)
        switch straight.geometry {
        case .line(let line): shape = (.linear, line)
        case .ellipse(let center, let radii):
            // Lottie has circles only, of which `unsupported(in:)` warns.
            let end = Point(x: center.x + (radii.x * radii.y).squareRoot(), y: center.y)
            shape = (.radial, GradientLine(start: center, end: end))
        case .sweep(let center, let turn)
        where Self.isSupported(gradient, in: box, version):
            // Players that know no conic gradients read an end.
            let end = Point(x: center.x + box.width / 2, y: center.y)
            shape = (.conic, GradientLine(start: center, end: end))
            // Lottie counts from the right, CSS from above.
            degrees = turn - 90
        case .sweep, nil: shape = nil
        }
    }

    /// True if files of a version have such a gradient.
    static func isSupported(
        _ gradient: Gradient, in box: Rect, _ version: LottieVersion
    ) -> Bool {
        switch gradient.geometry(in: box) {
        case .line: !gradient.repeats
        case .ellipse(_, let radii): !gradient.repeats && radii.x == radii.y
        case .sweep: !gradient.repeats && version.hasConicGradients
        case nil: true
        }
    }

    /// Returns the ink of a drawing.
    ///
    /// A line goes through the pen. A gradient that is moved at right angles to its line stays the
    /// same, so drawings at many positions share one.
    ///
    /// - Parameters:
    ///   - pen: The position of the drawing's origin.
    ///   - step: CSS pixels in one of the drawing's units.
    /// - Returns: The ink, in whole units; the last colour where the line has no length.
    func ink(about pen: Point, step: Double) -> LottieInk {
        guard let (kind, line) = shape else { return .color(gradient.lastColor) }
        if kind != .linear {
            func point(_ point: Point) -> Point {
                Point(
                    x: ((point.x - pen.x) / step).rounded() + 0,
                    y: ((point.y - pen.y) / step).rounded() + 0)
            }
            return ink(kind, from: point(line.start), to: point(line.end))
        }
        let (width, height) = (line.end.x - line.start.x, line.end.y - line.start.y)
        let length = (width * width + height * height).squareRoot()
        guard length > 0 else { return .color(gradient.lastColor) }
        let (x, y) = (width / length / step, height / length / step)
        let distance =
            ((line.start.x - pen.x) * width + (line.start.y - pen.y) * height) / length
        func point(_ distance: Double) -> Point {
            // Adding 0 makes a negative zero positive.
            Point(x: (x * distance).rounded() + 0, y: (y * distance).rounded() + 0)
        }
        return ink(.linear, from: point(distance), to: point(distance + length))
    }

    /// The ink of a shape in CSS pixels.
    var ink: LottieInk {
        guard let (kind, line) = shape else { return .color(gradient.lastColor) }
        return ink(kind, from: line.start, to: line.end)
    }

    private func ink(_ kind: LottieGradient.Kind, from start: Point, to end: Point) -> LottieInk {
        guard start != end, stops.count > 1 else { return .color(gradient.lastColor) }
        return .gradient(
            LottieGradient(
                kind: kind, start: start, end: end, degrees: degrees, stops: stops.text,
                isOpaque: stops.isOpaque))
    }
}

/// Stops as the members of a property: the stops of colours, then the stops of alpha, if any.
private struct LottieStops {
    /// Parts of a whole line: offsets have four decimals.
    private static let whole = 10_000

    /// One where the whole line has one colour.
    let count: Int
    let isOpaque: Bool
    let text: [UInt8]

    /// - Parameter stops: At least one, their offsets never falling.
    init(_ stops: [StraightGradient.Stop]) {
        let stops = Self.apart(stops)
        count = stops.count
        isOpaque = stops.allSatisfy(\.color.isOpaque)
        var sink = ByteSink(capacity: 256)
        sink.append("\"p\":")
        sink.append(stops.count)
        sink.append(",\"k\":{\"a\":0,\"k\":[")
        for (index, stop) in stops.enumerated() {
            if index > 0 { sink.append(UInt8(ascii: ",")) }
            sink.append(Double(stop.offset) / Double(Self.whole), decimals: 4)
            sink.append(UInt8(ascii: ","))
            sink.append(lottieColor: stop.color.straight)
        }
        for stop in stops where !isOpaque {
            sink.append(UInt8(ascii: ","))
            sink.append(Double(stop.offset) / Double(Self.whole), decimals: 4)
            sink.append(UInt8(ascii: ","))
            sink.append(lottieShare: Double(stop.color.alpha) / 255)
        }
        sink.append("]}")
        text = sink.bytes()
    }

    /// Returns the colours with strictly rising offsets, in parts of a line: where two are equal,
    /// rlottie invents the alpha of the second.
    private static func apart(
        _ stops: [StraightGradient.Stop]
    ) -> [(color: Color, offset: Int)] {
        var result: [(color: Color, offset: Int)] = []
        for stop in stops {
            let offset = Int((stop.offset * Double(whole)).rounded())
            // The first and the last of several stops at one offset show.
            if result.count > 1, result[result.count - 2].offset == offset {
                result.removeLast()
            }
            result.append((stop.color, offset))
        }
        for index in result.indices.dropFirst() {
            result[index].offset = max(result[index].offset, result[index - 1].offset + 1)
        }
        for (index, last) in zip(result.indices.reversed(), stride(from: whole, to: 0, by: -1)) {
            result[index].offset = min(result[index].offset, last)
        }
        return result
    }
}

extension ByteSink {
    /// Appends the type, the ends, and the stops of a gradient.
    mutating func append(lottieGradient gradient: LottieGradient, in slot: LottieSlot?) {
        append(",\"t\":")
        append(gradient.kind.rawValue)
        append(",\"s\":")
        append(lottiePoint: gradient.start)
        append(",\"e\":")
        append(lottiePoint: gradient.end)
        if gradient.kind == .conic {
            append(",\"a\":{\"a\":0,\"k\":")
            append(gradient.degrees, decimals: 3)
            append("}")
        }
        append(",\"g\":")
        append(lottieStops: gradient, in: slot)
    }

    /// Appends straight red, green, and blue, rounded up: some players truncate them to a byte,
    /// others round.
    mutating func append(lottieColor color: SIMD4<Double>) {
        append(lottieShare: color.x)
        append(UInt8(ascii: ","))
        append(lottieShare: color.y)
        append(UInt8(ascii: ","))
        append(lottieShare: color.z)
    }

    /// Appends a share of a whole that players turn into a byte.
    mutating func append(lottieShare share: Double) {
        append((share * 1000).rounded(.up) / 1000, decimals: 3)
    }
}
