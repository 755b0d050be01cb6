import Synchronization

/// A glyph's shape: closed contours of lines and curves, filled by the nonzero rule; or the open
/// line of a mark.
///
/// Coordinates are font units; y grows downwards, and the origin is the pen position on the
/// baseline. A class, because scenes share outlines; it is immutable.
package final class Outline: Sendable {
    package enum Command: UInt8, Sendable {
        /// A command with one point.
        case move, line
        /// A command with a control point and the end.
        case quadratic
        /// A command with two control points and the end.
        case cubic
        case close
    }

    /// A number that no other outline of the process has or had.
    package let id: UInt64
    package let commands: [Command]
    /// The points of all commands, one after another: x0, y0, x1, y1, …
    package let coordinates: [Float]
    /// The exact box of the ink in font units.
    package let bounds: Rect
    /// Font units in one em.
    package let unitsPerEm: Double
    /// True if its contours are not closed, and have nothing to fill.
    package let isOpen: Bool

    /// The outline without overlaps, once it is known to have some.
    private let united = AtomicLazyReference<Outline>()
    /// True once it is known to have no overlaps.
    private let isUnited: Atomic<Bool>

    package var isEmpty: Bool { commands.isEmpty }

    /// The outline whose contours are the edge of the same ink, if it can be found; computed once.
    var withoutOverlaps: Outline {
        if isUnited.load(ordering: .relaxed) { return self }
        if let known = united.load() { return known }
        guard let found = OutlineUnion.of(self) else {
            isUnited.store(true, ordering: .relaxed)
            return self
        }
        return united.storeIfNil(found)
    }

    /// The commands with their points.
    package var segments: Segments { Segments(commands: commands, coordinates: coordinates) }

    /// A command with its points in font units; curves begin at the end of the segment before.
    package enum Segment: Sendable {
        case move(Point)
        case line(Point)
        case quadratic(control: Point, end: Point)
        case cubic(Point, Point, end: Point)
        case close
    }

    /// The segments of an outline in order.
    package struct Segments: Sequence, IteratorProtocol, Sendable {
        private let commands: [Command]
        private let coordinates: [Float]
        private var nextCommand = 0
        private var nextCoordinate = 0

        init(commands: [Command], coordinates: [Float]) {
            self.commands = commands
            self.coordinates = coordinates
        }

        package mutating func next() -> Segment? {
            guard nextCommand < commands.count else { return nil }
            let command = commands[nextCommand]
            nextCommand += 1
            switch command {
            case .move: return .move(takePoint())
            case .line: return .line(takePoint())
            case .quadratic: return .quadratic(control: takePoint(), end: takePoint())
            case .cubic: return .cubic(takePoint(), takePoint(), end: takePoint())
            case .close: return .close
            }
        }

        private mutating func takePoint() -> Point {
            defer { nextCoordinate += 2 }
            return Point(
                x: Double(coordinates[nextCoordinate]), y: Double(coordinates[nextCoordinate + 1]))
        }
    }

    private static let lastID = Atomic<UInt64>(0)

    /// - Parameters:
    ///   - commands: The commands.
    ///   - coordinates: The points of all commands.
    ///   - unitsPerEm: Font units in one em.
    ///   - isUnited: True if its contours are known not to overlap.
    package init(
        commands: [Command], coordinates: [Float], unitsPerEm: Double, isUnited: Bool = false
    ) {
        self.isUnited = Atomic(isUnited)
        id = Self.lastID.wrappingAdd(1, ordering: .relaxed).newValue
        self.commands = commands
        self.coordinates = coordinates
        self.unitsPerEm = unitsPerEm
        isOpen = false
        bounds = OutlineBounds.of(Segments(commands: commands, coordinates: coordinates))
    }

    /// Makes an open line, whose unit is a CSS pixel; its em is its longer side.
    init(open commands: [Command], coordinates: [Float]) {
        isUnited = Atomic(true)
        id = Self.lastID.wrappingAdd(1, ordering: .relaxed).newValue
        self.commands = commands
        self.coordinates = coordinates
        isOpen = true
        bounds = OutlineBounds.of(Segments(commands: commands, coordinates: coordinates))
        unitsPerEm = max(bounds.width, bounds.height, 1)
    }

    /// One outline of a compound shape.
    package struct Part: Hashable, Sendable {
        /// The outline's `id`.
        package var outline: UInt64
        /// Its size relative to the compound's.
        package var scale: Double
        /// The distance by which it is moved, in tenths of the compound's font unit.
        package var dx: Int
        package var dy: Int

        package init(outline: UInt64, scale: Double, dx: Int, dy: Int) {
            self.outline = outline
            self.scale = scale
            self.dx = dx
            self.dy = dy
        }
    }

    /// Joins several outlines into one shape.
    package convenience init(joining parts: [(outline: Outline, part: Part)], unitsPerEm: Double) {
        var commands: [Command] = []
        var coordinates: [Float] = []
        for (outline, part) in parts {
            commands += outline.commands
            let (dx, dy) = (Double(part.dx) / 10, Double(part.dy) / 10)
            for (index, value) in outline.coordinates.enumerated() {
                let offset = index.isMultiple(of: 2) ? dx : dy
                coordinates.append(Float(Double(value) * part.scale + offset))
            }
        }
        self.init(commands: commands, coordinates: coordinates, unitsPerEm: unitsPerEm)
    }
}

// MARK: Directions

extension Outline {
    /// True if its contours, taken together, run clockwise.
    package var isClockwise: Bool {
        var area = 0.0
        var start = Point.zero
        var current = Point.zero
        func add(_ point: Point) {
            area += current.cross(point)
            current = point
        }
        for segment in segments {
            switch segment {
            case .move(let point): (start, current) = (point, point)
            case .line(let point): add(point)
            case .quadratic(let control, let end):
                add(control)
                add(end)
            case .cubic(let first, let second, let end):
                add(first)
                add(second)
                add(end)
            case .close: add(start)
            }
        }
        return area > 0
    }
}

extension Point {
    fileprivate func cross(_ other: Point) -> Double {
        x * other.y - other.x * y
    }
}

// MARK: Lengths

extension Outline {
    /// The length of each contour in font units, one for each move; its closing line counts unless
    /// it is open.
    ///
    /// O(number of commands).
    package var contourLengths: [Double] {
        var lengths: [Double] = []
        var (start, current) = (Point.zero, Point.zero)
        func add(_ length: Double, to end: Point) {
            if !lengths.isEmpty { lengths[lengths.count - 1] += length }
            current = end
        }
        func close() { if !isOpen { add(current.distance(to: start), to: start) } }
        for segment in segments {
            switch segment {
            case .move(let point):
                close()
                lengths.append(0)
                (start, current) = (point, point)
            case .line(let point):
                add(current.distance(to: point), to: point)
            case .quadratic(let control, let end):
                let length = current.length(
                    ofCurveBy: current.mixed(with: control, share: 2 / 3),
                    end.mixed(with: control, share: 2 / 3), to: end)
                add(length, to: end)
            case .cubic(let first, let second, let end):
                add(current.length(ofCurveBy: first, second, to: end), to: end)
            case .close:
                close()
            }
        }
        close()
        return lengths
    }
}

extension Point {
    fileprivate func distance(to other: Point) -> Double {
        ((other.x - x) * (other.x - x) + (other.y - y) * (other.y - y)).squareRoot()
    }

    fileprivate func mixed(with other: Point, share: Double) -> Point {
        Point(x: x + (other.x - x) * share, y: y + (other.y - y) * share)
    }

    /// Places on -1…1 and their weights.
    private static let nodes = [
        (0.0, 0.568_888_889), (0.538_469_310, 0.478_628_670), (-0.538_469_310, 0.478_628_670),
        (0.906_179_846, 0.236_926_885), (-0.906_179_846, 0.236_926_885),
    ]

    /// Returns the length of a cubic curve from here, by Gauss and Legendre's rule with five points
    /// on each half.
    fileprivate func length(ofCurveBy first: Point, _ second: Point, to end: Point) -> Double {
        var length = 0.0
        for half in 0...1 {
            let middle = half == 0 ? 0.25 : 0.75
            for (node, weight) in Self.nodes {
                let t = middle + node / 4
                let u = 1 - t
                let (a, b, c) = (3 * u * u, 6 * u * t, 3 * t * t)
                let dx = a * (first.x - x) + b * (second.x - first.x) + c * (end.x - second.x)
                let dy = a * (first.y - y) + b * (second.y - first.y) + c * (end.y - second.y)
                length += weight / 4 * (dx * dx + dy * dy).squareRoot()
            }
        }
        return length
    }
}

/// The exact bounding box of a path, curves included.
enum OutlineBounds {
    static func of(_ segments: Outline.Segments) -> Rect {
        var box = Box()
        var current = Point.zero
        for segment in segments {
            switch segment {
            case .move(let point), .line(let point):
                current = point
                box.add(current)
            case .quadratic(let control, let end):
                box.addQuadratic(from: current, control: control, to: end)
                current = end
            case .cubic(let first, let second, let end):
                box.addCubic(from: current, controls: first, second, to: end)
                current = end
            case .close:
                break
            }
        }
        return box.rect
    }

    private struct Box {
        var low = Point(x: .infinity, y: .infinity)
        var high = Point(x: -.infinity, y: -.infinity)

        var rect: Rect {
            guard low.x <= high.x else { return Rect(x: 0, y: 0, width: 0, height: 0) }
            return Rect(x: low.x, y: low.y, width: high.x - low.x, height: high.y - low.y)
        }

        mutating func add(_ p: Point) {
            low = Point(x: min(low.x, p.x), y: min(low.y, p.y))
            high = Point(x: max(high.x, p.x), y: max(high.y, p.y))
        }

        func holds(_ p: Point) -> Bool {
            p.x >= low.x && p.x <= high.x && p.y >= low.y && p.y <= high.y
        }

        /// Adds a curve; most stay within the box of their control points and need no roots.
        mutating func addQuadratic(from a: Point, control b: Point, to c: Point) {
            add(c)
            guard !holds(b) else { return }
            for parameter in [
                Self.extreme(a.x - b.x, a.x - 2 * b.x + c.x),
                Self.extreme(a.y - b.y, a.y - 2 * b.y + c.y),
            ] where parameter > 0 && parameter < 1 {
                let (u, v) = (1 - parameter, parameter)
                add(
                    Point(
                        x: u * u * a.x + 2 * u * v * b.x + v * v * c.x,
                        y: u * u * a.y + 2 * u * v * b.y + v * v * c.y))
            }
        }

        mutating func addCubic(from a: Point, controls b: Point, _ c: Point, to d: Point) {
            add(d)
            guard !(holds(b) && holds(c)) else { return }
            let roots =
                Self.extremes(from: a.x, controls: b.x, c.x, to: d.x)
                + Self.extremes(from: a.y, controls: b.y, c.y, to: d.y)
            for v in roots where v > 0 && v < 1 {
                let u = 1 - v
                let (ka, kb, kc, kd) = (u * u * u, 3 * u * u * v, 3 * u * v * v, v * v * v)
                add(
                    Point(
                        x: ka * a.x + kb * b.x + kc * c.x + kd * d.x,
                        y: ka * a.y + kb * b.y + kc * c.y + kd * d.y))
            }
        }

        private static func extreme(_ numerator: Double, _ denominator: Double) -> Double {
            denominator == 0 ? -1 : numerator / denominator
        }

        /// Returns the parameters at which a cubic's derivative is zero.
        private static func extremes(
            from a: Double, controls b: Double, _ c: Double, to d: Double
        ) -> [Double] {
            let (p, q, r) = (d - 3 * c + 3 * b - a, 2 * (c - 2 * b + a), b - a)
            guard abs(p) > 1e-9 else { return q == 0 ? [] : [-r / q] }
            let discriminant = q * q - 4 * p * r
            guard discriminant >= 0 else { return [] }
            let root = discriminant.squareRoot()
            return [(-q + root) / (2 * p), (-q - root) / (2 * p)]
        }
    }
}
