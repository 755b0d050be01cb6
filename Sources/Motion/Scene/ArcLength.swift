import Glibc

/// A piece of a curve, by a parameter from 0 to 1.
enum CurvePiece: Sendable {
    case cubic(CubicCurve)
    /// One period of a sine along the x axis, which rises first.
    case wave(amplitude: Double, length: Double)

    func point(at t: Double) -> SIMD2<Double> {
        switch self {
        case .cubic(let curve): curve.point(at: t)
        case .wave(let amplitude, let length): SIMD2(length * t, -amplitude * sin(2 * .pi * t))
        }
    }

    func derivative(at t: Double) -> SIMD2<Double> {
        switch self {
        case .cubic(let curve): curve.derivative(at: t)
        case .wave(let amplitude, let length):
            SIMD2(length, -amplitude * 2 * .pi * cos(2 * .pi * t))
        }
    }

    /// Returns the direction at a parameter, a vector of length 1.
    func direction(at t: Double) -> SIMD2<Double> {
        // At a cusp the derivative is 0: the direction leads from just before to just after.
        let (before, after) = (max(t - 1e-4, 0), min(t + 1e-4, 1))
        for way in [derivative(at: t), point(at: after) - point(at: before)] {
            let length = (way * way).sum().squareRoot()
            if length > 1e-9 { return way / length }
        }
        return SIMD2(1, 0)
    }
}

/// The length of a piece up to any parameter, and the way back.
///
/// The length is an integral of the speed. Gauss and Legendre's formula computes it, with eight
/// points on spans so short that two halves give the same as the whole.
struct ArcLengthTable: Sendable {
    private struct Span {
        let start: Double
        let end: Double
        /// The length up to its start.
        let before: Double
        let length: Double
    }

    let piece: CurvePiece
    private var spans: [Span] = []
    private(set) var length = 0.0

    /// The largest difference of two halves from the whole, as a share and in CSS pixels.
    private static let tolerance = 1e-7
    private static let mostHalvings = 16

    init(_ piece: CurvePiece) {
        self.piece = piece
        add(from: 0, to: 1, Self.length(of: piece, from: 0, to: 1), halvings: 0)
    }

    private mutating func add(from start: Double, to end: Double, _ whole: Double, halvings: Int) {
        let middle = (start + end) / 2
        let first = Self.length(of: piece, from: start, to: middle)
        let second = Self.length(of: piece, from: middle, to: end)
        let isExact = abs(first + second - whole) <= Self.tolerance * (1 + whole)
        guard !isExact, halvings < Self.mostHalvings else {
            spans.append(Span(start: start, end: end, before: length, length: first + second))
            length += first + second
            return
        }
        add(from: start, to: middle, first, halvings: halvings + 1)
        add(from: middle, to: end, second, halvings: halvings + 1)
    }

    /// Returns the parameter up to which the piece has a length; an end for lengths beyond the
    /// ends.
    func parameter(atLength wanted: Double) -> Double {
        guard wanted > 0 else { return 0 }
        guard wanted < length else { return 1 }
        var (low, high) = (0, spans.count - 1)
        while low < high {
            let middle = (low + high + 1) / 2
            if spans[middle].before <= wanted { low = middle } else { high = middle - 1 }
        }
        let span = spans[low]
        // Newton's method between bounds that close in, because the length only grows.
        var (least, most) = (span.start, span.end)
        var t =
            span.start + (span.end - span.start) * (wanted - span.before)
            / max(span.length, 1e-12)
        for _ in 0..<40 {
            let miss =
                span.before + Self.length(of: piece, from: span.start, to: t) - wanted
            guard abs(miss) > 1e-7 else { break }
            if miss > 0 { most = t } else { least = t }
            let way = piece.derivative(at: t)
            let next = t - miss / (way * way).sum().squareRoot()
            // Written so that NaN is not taken.
            t = next > least && next < most ? next : (least + most) / 2
        }
        return t
    }

    private static func length(
        of piece: CurvePiece, from start: Double, to end: Double
    ) -> Double {
        let (middle, half) = ((start + end) / 2, (end - start) / 2)
        var sum = 0.0
        for (node, weight) in nodes {
            for t in [middle - half * node, middle + half * node] {
                let way = piece.derivative(at: t)
                sum += weight * (way * way).sum().squareRoot()
            }
        }
        return sum * half
    }

    /// The positive nodes of the formula for -1…1, with their weights.
    private static let nodes = [
        (0.1834346424956498, 0.3626837833783620), (0.5255324099163290, 0.3137066458778873),
        (0.7966664774136267, 0.2223810344533745), (0.9602898564975363, 0.1012285362903763),
    ]
}

/// A curve whose parameter is the length along it.
package struct LengthwiseCurve: Sendable {
    private enum Line: Sendable {
        case straight
        /// A circle with its top at the length `top`; the radius is negative if the centre lies
        /// above.
        case circle(radius: Double, top: Double)
        /// Pieces that follow each other, and the length up to the start of each.
        case pieces([ArcLengthTable], starts: [Double])
        /// A piece that repeats, each time this much further to the right.
        case repeated(ArcLengthTable, step: Double)
    }

    private let line: Line
    /// CSS pixels.
    package let length: Double
    /// True if its end is its start.
    package let isClosed: Bool
    /// True if it goes on beyond its ends.
    package let isEndless: Bool

    /// Makes the curve of a shape for a text of a length, in CSS pixels.
    package init(_ shape: PathShape, forTextOf textLength: Double) {
        switch shape {
        case .none: (line, length) = (.straight, textLength)
        case .arc(let degrees):
            let radius = textLength / (degrees * .pi / 180)
            // So flat an arc is a line.
            let isBent = abs(degrees) >= 1e-3 && radius != 0
            line = isBent ? .circle(radius: radius, top: textLength / 2) : .straight
            length = textLength
        case .circle(let diameter):
            length = diameter.map { $0 * .pi } ?? textLength
            let radius = length / (2 * .pi)
            line = radius > 0 ? .circle(radius: radius, top: 0) : .straight
        case .wave(let amplitude, let period):
            let table = ArcLengthTable(.wave(amplitude: amplitude, length: period))
            (line, length) = (.repeated(table, step: period), textLength)
        case .data(let data):
            let tables = data.curves.map { ArcLengthTable(.cubic($0)) }
            var (starts, sum) = ([Double](), 0.0)
            for table in tables {
                starts.append(sum)
                sum += table.length
            }
            line = tables.isEmpty ? .straight : .pieces(tables, starts: starts)
            length = sum
        }
        switch shape {
        case .none, .arc, .wave: (isClosed, isEndless) = (false, true)
        case .circle: (isClosed, isEndless) = (true, false)
        case .data(let data): (isClosed, isEndless) = (data.isClosed, false)
        }
    }

    /// Returns the point at a length, and the direction there, a vector of length 1.
    ///
    /// A closed curve goes round; an open one goes straight on beyond its ends.
    package func place(
        at length: Double
    ) -> (point: SIMD2<Double>, direction: SIMD2<Double>) {
        switch line {
        case .straight: return (SIMD2(length, 0), SIMD2(1, 0))
        case .circle(let radius, let top):
            let angle = (length - top) / radius
            return (
                SIMD2(radius * sin(angle), radius * (1 - cos(angle))),
                SIMD2(cos(angle), sin(angle))
            )
        case .repeated(let table, let step):
            let turns = (length / table.length).rounded(.down)
            let t = table.parameter(atLength: length - turns * table.length)
            let point = table.piece.point(at: t) + SIMD2(turns * step, 0)
            return (point, table.piece.direction(at: t))
        case .pieces(let tables, let starts):
            let wanted =
                isClosed && self.length > 0
                ? length - (length / self.length).rounded(.down) * self.length : length
            // Finds the last piece that begins before.
            var (low, high) = (0, starts.count - 1)
            while low < high {
                let middle = (low + high + 1) / 2
                if starts[middle] <= wanted { low = middle } else { high = middle - 1 }
            }
            let (table, own) = (tables[low], wanted - starts[low])
            let t = table.parameter(atLength: own)
            let direction = table.piece.direction(at: t)
            let beyond = own < 0 ? own : max(own - table.length, 0)
            return (table.piece.point(at: t) + direction * beyond, direction)
        }
    }
}

extension TextPath {
    /// The places on a path for a text of a length.
    package struct Track: Sendable {
        private let curve: LengthwiseCurve
        private let path: TextPath
        /// The length of the path at which the text begins.
        private let start: Double
        private let textLength: Double

        package init(_ path: TextPath, forTextOf textLength: Double) {
            self.path = path
            self.textLength = textLength
            curve = LengthwiseCurve(path.shape, forTextOf: textLength)
            // The end of a closed path is its start.
            let room = (curve.isClosed ? 0 : curve.length) - textLength
            let aligned =
                switch path.alignment {
                case _ where curve.isEndless: 0.0
                case .start: 0.0
                case .center: room / 2
                case .end: room
                }
            start = aligned + path.offset * curve.length
        }

        /// CSS pixels.
        package var length: Double { curve.length }

        /// The distance by which the text is too long for the path, or reaches beyond one of its
        /// ends, in CSS pixels; 0 if it has room.
        package var overflow: Double {
            if curve.isEndless { return 0 }
            if curve.isClosed { return max(textLength - curve.length, 0) }
            return max(-start, start + textLength - curve.length, 0)
        }

        /// Returns the place of a glyph, or another box, in whose middle a point of the text's
        /// baseline lies.
        ///
        /// - Parameters:
        ///   - x: The distance of the point from the text's left end, in CSS pixels.
        ///   - distance: The distance by which it is moved along the path, in CSS pixels.
        ///   - isWritten: True if its turn is rounded as in files.
        /// - Returns: Its place, if the text begins at the origin of the straight line.
        package func place(
            at x: Double, movedBy distance: Double = 0, isWritten: Bool = true
        ) -> Place {
            let isReversed = path.side == .right
            let length = start + x + distance
            let (point, direction) = curve.place(at: isReversed ? curve.length - length : length)
            let along = isReversed ? -direction : direction
            var turn = path.turnsLetters ? atan2(along.y, along.x) * 180 / .pi : 0
            // A thousandth is far below what anybody can see.
            if isWritten { turn = (turn * 1000).rounded() / 1000 }
            return Place(turn: turn, taking: SIMD2(x, 0), to: point)
        }
    }
}
