import Bytes
import Motion
import Raster

/// Writes an outline as Lottie's Bézier shapes.
///
/// All coordinates are integers on a grid too fine to be seen. Two quadratics become one cubic
/// where that difference cannot be seen either.
struct LottieContours: ~Copyable {
    /// The largest distance of the path from the font's outline, in CSS pixels.
    static let tolerance = 1.0 / 60

    /// A point or a distance in grid steps.
    struct Step: Equatable {
        var x: Int
        var y: Int

        static let zero = Step(x: 0, y: 0)
    }

    /// A quadratic that may be joined with the next one.
    private struct Quadratic {
        let start: Point
        let control: Point
        let end: Point
    }

    /// One contour of an outline.
    struct Contour {
        /// The shape as text.
        let text: [UInt8]
        /// The length in grid steps.
        let length: Double
    }

    private let stepsPerUnit: Double
    /// True if contours do not end where they begin.
    private let isOpen: Bool
    private var contours: [Contour]?
    /// The length of each contour in font units.
    private var lengths: [Double] = []
    /// The number of contours that have begun.
    private var begun = 0
    private var sink = ByteSink(capacity: 2048)
    private var isFirst = true
    private var vertices: [Step] = []
    private var tangentsIn: [Step] = []
    private var tangentsOut: [Step] = []
    private var current = Point.zero
    private var pending: Quadratic?

    private init(_ outline: Outline, unitsPerStep: Double) {
        stepsPerUnit = 1 / unitsPerStep
        isOpen = outline.isOpen
    }

    /// Computes the size of a grid step.
    ///
    /// - Parameter scale: CSS pixels in one font unit.
    /// - Returns: The largest power of two, in font units, whose rounding stays in tolerance.
    static func unitsPerStep(scale: Double) -> Double {
        var units = 1.0
        while units * scale > 2 * tolerance, units > 0x1p-20 { units /= 2 }
        while 2 * units * scale <= 2 * tolerance, units < 0x1p20 { units *= 2 }
        return units
    }

    /// Returns the shapes of an outline, separated by commas.
    static func text(of outline: Outline, unitsPerStep: Double) -> [UInt8] {
        var contours = LottieContours(outline, unitsPerStep: unitsPerStep)
        contours.write(outline)
        return contours.finished()
    }

    /// Returns the shapes of an outline from the cache, or writes and keeps them.
    static func text(
        of outline: Outline, unitsPerStep: Double, _ cache: any GlyphCache
    ) -> [UInt8] {
        cache.bytes(for: GlyphKey(LottieFormat.self, outline.id, unitsPerStep.bitPattern)) {
            text(of: outline, unitsPerStep: unitsPerStep)
        }
    }

    /// Returns the shapes of an outline one by one.
    static func contours(of outline: Outline, unitsPerStep: Double) -> [Contour] {
        var contours = LottieContours(outline, unitsPerStep: unitsPerStep)
        contours.contours = []
        contours.lengths = outline.contourLengths
        contours.write(outline)
        return contours.contours ?? []
    }

    private consuming func finished() -> [UInt8] {
        sink.bytes()
    }

    private mutating func write(_ outline: Outline) {
        for segment in outline.segments {
            switch segment {
            case .move(let point): move(to: scaled(point))
            case .line(let point): line(to: scaled(point))
            case .quadratic(let control, let end): quadratic(scaled(control), to: scaled(end))
            case .cubic(let first, let second, let end):
                raisePending()
                cubic(scaled(first), scaled(second), to: scaled(end))
            case .close: close()
            }
        }
        close()
    }

    private func scaled(_ point: Point) -> Point {
        Point(x: point.x * stepsPerUnit, y: point.y * stepsPerUnit)
    }

    // MARK: Segments

    private mutating func move(to point: Point) {
        close()
        begun += 1
        current = point
        add(vertex: point)
    }

    private mutating func line(to point: Point) {
        raisePending()
        guard let last = vertices.last, Self.rounded(point) != last else { return }
        current = point
        add(vertex: point)
    }

    private mutating func quadratic(_ control: Point, to end: Point) {
        if let first = pending, isOneCubic(first, control, end) {
            pending = nil
            current = first.start
            cubic(
                first.start.moved(4.0 / 3, towards: first.control),
                end.moved(4.0 / 3, towards: control), to: end)
            return
        }
        raisePending()
        pending = Quadratic(start: current, control: control, end: end)
        current = end
    }

    /// Returns true if two quadratics that meet smoothly are one cubic within tolerance.
    ///
    /// The cubic with the quadratics' ends and end tangents meets them halfway. Its distance from
    /// them is at most a 27th of |p₀ − 2c₁ + 2c₂ − p₁|.
    private func isOneCubic(_ first: Quadratic, _ control: Point, _ end: Point) -> Bool {
        let middle = first.control.moved(0.5, towards: control)
        let x = first.start.x - 2 * first.control.x + 2 * control.x - end.x
        let y = first.start.y - 2 * first.control.y + 2 * control.y - end.y
        return abs(middle.x - first.end.x) <= 0.25 && abs(middle.y - first.end.y) <= 0.25
            && x * x + y * y <= (27 * 0.5) * (27 * 0.5)
    }

    private mutating func raisePending() {
        guard let quadratic = pending else { return }
        pending = nil
        current = quadratic.start
        cubic(
            quadratic.start.moved(2.0 / 3, towards: quadratic.control),
            quadratic.end.moved(2.0 / 3, towards: quadratic.control), to: quadratic.end)
    }

    private mutating func cubic(_ first: Point, _ second: Point, to end: Point) {
        guard !vertices.isEmpty else { return }
        tangentsOut[tangentsOut.count - 1] = Self.rounded(first.minus(current))
        add(vertex: end)
        tangentsIn[tangentsIn.count - 1] = Self.rounded(second.minus(end))
        current = end
    }

    private mutating func add(vertex point: Point) {
        vertices.append(Self.rounded(point))
        tangentsIn.append(.zero)
        tangentsOut.append(.zero)
    }

    /// Ends a contour; the last point, if it equals the first, becomes one vertex with it.
    private mutating func close() {
        raisePending()
        if !isOpen, vertices.count > 1, vertices.last == vertices.first {
            vertices.removeLast()
            tangentsOut.removeLast()
            tangentsIn[0] = tangentsIn.removeLast()
        }
        if vertices.count > 1, contours != nil {
            var sink = ByteSink(capacity: 1024)
            sink.append(contour: vertices, tangentsIn, tangentsOut, isOpen: isOpen)
            let contour = Contour(
                text: sink.bytes(), length: lengths[begun - 1] * stepsPerUnit)
            contours?.append(contour)
        } else if vertices.count > 1 {
            if !isFirst { sink.append(UInt8(ascii: ",")) }
            isFirst = false
            sink.append(contour: vertices, tangentsIn, tangentsOut, isOpen: isOpen)
        }
        vertices.removeAll(keepingCapacity: true)
        tangentsIn.removeAll(keepingCapacity: true)
        tangentsOut.removeAll(keepingCapacity: true)
    }

    private static func rounded(_ point: Point) -> Step {
        Step(x: Int(point.x.rounded()), y: Int(point.y.rounded()))
    }
}

extension Point {
    fileprivate func minus(_ other: Point) -> Point {
        Point(x: x - other.x, y: y - other.y)
    }

    /// Returns the point at a progress (0…1) to another one, or beyond it.
    fileprivate func moved(_ share: Double, towards other: Point) -> Point {
        Point(x: x + share * (other.x - x), y: y + share * (other.y - y))
    }
}

extension ByteSink {
    /// Appends a polygon as a closed path.
    mutating func append(contour corners: [LottieContours.Step]) {
        let none = [LottieContours.Step](repeating: .zero, count: corners.count)
        append(contour: corners, none, none)
    }

    /// Appends a path: its vertices, and the tangents into and out of each.
    mutating func append(
        contour vertices: [LottieContours.Step], _ tangentsIn: [LottieContours.Step],
        _ tangentsOut: [LottieContours.Step], isOpen: Bool = false
    ) {
        append("{\"ty\":\"sh\",\"ks\":{\"a\":0,\"k\":{\"c\":")
        append(isOpen ? "false" : "true")
        append(",\"v\":")
        append(steps: vertices)
        append(",\"i\":")
        append(steps: tangentsIn)
        append(",\"o\":")
        append(steps: tangentsOut)
        append("}}}")
    }

    private mutating func append(steps: [LottieContours.Step]) {
        var separator = UInt8(ascii: "[")
        for step in steps {
            append(separator)
            append(UInt8(ascii: "["))
            append(step.x)
            append(UInt8(ascii: ","))
            append(step.y)
            append(UInt8(ascii: "]"))
            separator = UInt8(ascii: ",")
        }
        append(UInt8(ascii: "]"))
    }
}
