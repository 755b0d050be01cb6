import Motion

/// Writes an outline as Lottie's Bézier shapes: integers of steps that nobody can see, and one
/// cubic for two quadratics wherever nobody can see that either.
struct LottieContours: ~Copyable {
    /// How far a point may lie from the font's, in CSS pixels.
    static let tolerance = 1.0 / 60

    /// A point or a distance on the grid of what is written.
    struct Step: Equatable {
        var x: Int
        var y: Int

        static let zero = Step(x: 0, y: 0)
    }

    /// A quadratic that may become one with its successor.
    private struct Quadratic {
        let start: Point
        let control: Point
        let end: Point
    }

    private let stepsPerUnit: Double
    private var sink = ByteSink(capacity: 2048)
    private var isFirst = true
    private var vertices: [Step] = []
    private var tangentsIn: [Step] = []
    private var tangentsOut: [Step] = []
    private var current = Point.zero
    private var pending: Quadratic?

    private init(stepsPerUnit: Double) {
        self.stepsPerUnit = stepsPerUnit
    }

    /// The font units in one step at `scale` CSS pixels a font unit: a power of two, the largest
    /// whose rounding stays in tolerance.
    static func unitsPerStep(scale: Double) -> Double {
        var units = 1.0
        while units * scale > 2 * tolerance, units > 0x1p-20 { units /= 2 }
        while 2 * units * scale <= 2 * tolerance, units < 0x1p20 { units *= 2 }
        return units
    }

    /// The shapes of an outline, separated by commas.
    static func text(of outline: Outline, unitsPerStep: Double) -> [UInt8] {
        var contours = LottieContours(stepsPerUnit: 1 / unitsPerStep)
        contours.write(outline)
        return contours.finished()
    }

    /// The same, from the cache where it is there.
    static func text(
        of outline: Outline, unitsPerStep: Double, _ cache: any GlyphCache
    ) -> [UInt8] {
        cache.bytes(for: .contours(outline: outline.id, unitsPerStep: unitsPerStep)) {
            text(of: outline, unitsPerStep: unitsPerStep)
        }
    }

    private consuming func finished() -> [UInt8] {
        sink.bytes()
    }

    private mutating func write(_ outline: Outline) {
        var next = 0
        for command in outline.commands {
            func point(_ number: Int) -> Point {
                let place = next + 2 * number
                return Point(
                    x: Double(outline.coordinates[place]) * stepsPerUnit,
                    y: Double(outline.coordinates[place + 1]) * stepsPerUnit)
            }
            switch command {
            case .move: move(to: point(0))
            case .line: line(to: point(0))
            case .quadratic: quadratic(point(0), to: point(1))
            case .cubic:
                raisePending()
                cubic(point(0), point(1), to: point(2))
            case .close: close()
            }
            next += 2 * command.pointCount
        }
        close()
    }

    // MARK: Commands

    private mutating func move(to point: Point) {
        close()
        current = point
        add(vertex: point)
    }

    private mutating func line(to point: Point) {
        raisePending()
        guard Self.rounded(point) != vertices.last else { return }
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

    /// Whether two quadratics that meet smoothly are, within tolerance, one cubic.
    ///
    /// The cubic with their ends and end tangents meets them halfway, and nowhere is it farther off
    /// than a 27th of |p₀ − 2c₁ + 2c₂ − p₁|.
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

    /// Ends a contour; where its last point is its first, the two are one vertex.
    private mutating func close() {
        raisePending()
        if vertices.count > 1, vertices.last == vertices.first {
            vertices.removeLast()
            tangentsOut.removeLast()
            tangentsIn[0] = tangentsIn.removeLast()
        }
        if vertices.count > 1 {
            if !isFirst { sink.append(UInt8(ascii: ",")) }
            isFirst = false
            sink.append(contour: vertices, tangentsIn, tangentsOut)
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

    /// The point so much of the way to another.
    fileprivate func moved(_ share: Double, towards other: Point) -> Point {
        Point(x: x + share * (other.x - x), y: y + share * (other.y - y))
    }
}
