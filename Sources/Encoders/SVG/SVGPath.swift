import Bytes
import Motion
import Raster

/// Writes an outline as path data.
///
/// All commands are relative, on a grid too fine to be seen. A quadratic is written without its
/// control point if that follows from the one before.
struct SVGPath: ~Copyable {
    /// The largest distance of the path from the font's outline, in CSS pixels.
    static let tolerance = 0.02

    /// The precision of path data, which depends on this and the outline only.
    struct Precision: Equatable {
        let decimals: Int
        /// The largest distance of an implied control point from the real one, in grid steps.
        let slack: Int

        /// - Parameter scale: CSS pixels in one font unit.
        init(scale: Double) {
            // Rounding may use most of the tolerance, implied control points the rest.
            decimals = SVGNumber.decimals(unit: scale, error: SVGPath.tolerance * 0.8)
            let step = scale / Double(SVGNumber.power(decimals))
            let rest = 2 * (SVGPath.tolerance - step / 2) / step
            slack = rest >= 2 ? 2 : rest >= 1 ? 1 : 0
        }
    }

    private let decimals: Int
    /// Grid steps in one font unit.
    private let factor: Float
    private let slack: Int

    private var sink = ByteSink(capacity: 512)
    private var current = Step(x: 0, y: 0)
    private var contourStart = Step(x: 0, y: 0)
    /// The last quadratic's control point as a reader of the path computes it.
    private var control: Step?
    private var lastCommand: UInt8 = 0
    /// True if the last byte belongs to a number.
    private var needsSeparator = false

    /// A point in grid steps.
    private struct Step: Equatable {
        var x: Int
        var y: Int
    }

    private init(_ precision: Precision) {
        decimals = precision.decimals
        slack = precision.slack
        factor = Float(SVGNumber.power(precision.decimals))
    }

    /// Returns the path data of an outline, moved by `shift` in font units.
    static func text(
        of outline: Outline, _ precision: Precision, shift: Point = .zero
    ) -> [UInt8] {
        var path = SVGPath(precision)
        // All commands are relative: moving the first origin moves everything.
        let factor = Double(path.factor)
        path.current = Step(
            x: -Int((shift.x * factor).rounded()), y: -Int((shift.y * factor).rounded()))
        path.write(outline)
        return path.finished()
    }

    private consuming func finished() -> [UInt8] {
        sink.bytes()
    }

    private mutating func write(_ outline: Outline) {
        for segment in outline.segments {
            switch segment {
            case .move(let point): move(to: step(point))
            case .line(let point): line(to: step(point))
            case .quadratic(let control, let end): quadratic(step(control), to: step(end))
            case .cubic(let first, let second, let end):
                cubic(step(first), step(second), to: step(end))
            case .close:
                put(UInt8(ascii: "z"))
                current = contourStart
                control = nil
            }
        }
    }

    private func step(_ point: Point) -> Step {
        Step(
            x: Int((Float(point.x) * factor).rounded()),
            y: Int((Float(point.y) * factor).rounded()))
    }

    private mutating func move(to point: Step) {
        put(UInt8(ascii: "m"))
        put(point, from: current)
        (current, contourStart, control) = (point, point, nil)
    }

    private mutating func line(to point: Step) {
        defer { (current, control) = (point, nil) }
        guard point != current else { return }
        if point.y == current.y {
            put(UInt8(ascii: "h"))
            put(point.x - current.x)
        } else if point.x == current.x {
            put(UInt8(ascii: "v"))
            put(point.y - current.y)
        } else {
            put(UInt8(ascii: "l"))
            put(point, from: current)
        }
    }

    private mutating func quadratic(_ middle: Step, to point: Step) {
        if let control {
            let implied = Step(x: 2 * current.x - control.x, y: 2 * current.y - control.y)
            if abs(implied.x - middle.x) <= slack, abs(implied.y - middle.y) <= slack {
                put(UInt8(ascii: "t"))
                put(point, from: current)
                (self.control, current) = (implied, point)
                return
            }
        }
        put(UInt8(ascii: "q"))
        put(middle, from: current)
        put(point, from: current)
        (control, current) = (middle, point)
    }

    private mutating func cubic(_ first: Step, _ second: Step, to point: Step) {
        put(UInt8(ascii: "c"))
        put(first, from: current)
        put(second, from: current)
        put(point, from: current)
        (control, current) = (nil, point)
    }

    // MARK: Bytes

    private mutating func put(_ command: UInt8) {
        // A command is repeated without its letter, except a move.
        guard command != lastCommand || command == UInt8(ascii: "m") else { return }
        sink.append(command)
        lastCommand = command
        needsSeparator = false
    }

    private mutating func put(_ point: Step, from origin: Step) {
        put(point.x - origin.x)
        put(point.y - origin.y)
    }

    private mutating func put(_ steps: Int) {
        if needsSeparator, steps >= 0 { sink.append(UInt8(ascii: " ")) }
        if decimals == 0 {
            sink.append(steps)
        } else {
            sink.append(Double(steps) / Double(factor), decimals: decimals, leadingZero: false)
        }
        needsSeparator = true
    }
}

extension Outline {
    /// The length of all contours, the longest being 1 long; at least 1.
    var relativeLength: Double {
        let lengths = contourLengths
        guard let longest = lengths.max(), longest > 0 else { return 1 }
        return lengths.reduce(0, +) / longest
    }
}

/// The precision of numbers.
enum SVGNumber {
    /// Computes the decimals of a coordinate.
    ///
    /// - Parameters:
    ///   - unit: The length of one unit in CSS pixels.
    ///   - error: The largest error of a rounded coordinate, in CSS pixels.
    /// - Returns: The fewest decimals with no larger error.
    static func decimals(unit: Double, error: Double) -> Int {
        var decimals = 0
        var half = unit / 2
        while half > error, decimals < 6 {
            half /= 10
            decimals += 1
        }
        return decimals
    }

    static func power(_ decimals: Int) -> Int {
        var power = 1
        for _ in 0..<decimals { power *= 10 }
        return power
    }
}

/// The path data of the last used outlines, for one worker: a lock and hashing would cost more than
/// a glyph's element.
struct SVGPathTable {
    private struct Entry {
        let outline: UInt64
        let precision: SVGPath.Precision
        let shift: Point
        let text: [UInt8]
    }

    private static let capacity = 512
    /// The longest path data that is kept, which bounds the table to a megabyte.
    private static let longestText = 2048

    private var entries = [Entry?](repeating: nil, count: capacity)

    /// Returns the path data of an outline, which is kept here and in the glyph cache.
    mutating func text(
        of outline: Outline, _ precision: SVGPath.Precision, shift: Point, _ cache: any GlyphCache
    ) -> [UInt8] {
        // Consecutive outlines never share an entry.
        let index = Int(outline.id % UInt64(Self.capacity))
        if let entry = entries[index], entry.outline == outline.id, entry.precision == precision,
            entry.shift == shift
        {
            return entry.text
        }
        let key = GlyphKey(
            SVGFormat.self, outline.id, UInt64(precision.decimals),
            others: [UInt64(precision.slack), shift.x.bitPattern, shift.y.bitPattern])
        let text = cache.bytes(for: key) { SVGPath.text(of: outline, precision, shift: shift) }
        if text.count <= Self.longestText {
            entries[index] = Entry(
                outline: outline.id, precision: precision, shift: shift, text: text)
        }
        return text
    }
}
