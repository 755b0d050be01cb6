/// Takes the overlaps out of an outline, such as the overlap of a stem and a bar in variable fonts:
/// a line along its contours then follows only the edge of the ink.
///
/// All segments are cut where they meet. Pieces with ink on only one side stay; they are joined to
/// contours again.
struct OutlineUnion {
    /// The most segments of an outline, places where these are cut, and pairs of parts of segments
    /// that are examined: an outline with more stays as it is.
    private static let mostSegments = 1000
    private static let mostCuts = 1000
    private static let mostSteps = 200_000
    /// The distance, in font units, within which ends of pieces are one point.
    private static let tolerance = 0.5
    /// The distance beside a piece, in font units, at which its sides are examined.
    private static let beside = 0.05

    /// A part of one of the curves between two cuts.
    private struct Piece {
        /// The index of the curve.
        let curve: Int
        let from: Double
        let to: Double
        let bezier: Bezier

        init(curve: Int, from: Double, to: Double, of whole: Bezier) {
            self.curve = curve
            self.from = from
            self.to = to
            bezier = whole.part(from: from, to: to)
        }

        /// Returns true if it has the ends and the middle of another one, in its direction.
        func lies(on other: Piece, _ distance: Double) -> Bool {
            let (one, other) = (bezier, other.bezier)
            return (one.start - other.start).length <= distance
                && (one.end - other.end).length <= distance
                && (one.middle.point - other.middle.point).length <= distance
        }
    }

    /// The segments of all contours, with the numbers of their contours.
    private var curves: [(curve: Bezier, contour: Int)] = []
    /// The boxes of the curves.
    private var boxes: [Bezier.Box] = []
    /// The parameters at which each curve is cut.
    private var cuts: [[Double]] = []
    private var steps = 0

    /// Returns an outline of the same ink without overlaps; nil if there are none, or if they
    /// cannot be taken out.
    static func of(_ outline: Outline) -> Outline? {
        var union = OutlineUnion(outline)
        guard union.curves.count <= mostSegments, union.cut() else { return nil }
        guard let contours = union.contours() else { return nil }
        return Outline(contours: contours, unitsPerEm: outline.unitsPerEm)
    }

    private init(_ outline: Outline) {
        var contour = -1
        var (start, current) = (SIMD2<Double>.zero, SIMD2<Double>.zero)
        func add(_ curve: Bezier) {
            if curve.start != curve.end || curve.degree > 1 {
                curves.append((curve, contour))
            }
            current = curve.end
        }
        for segment in outline.segments {
            switch segment {
            case .move(let point):
                add(Bezier(line: current, start))
                contour += 1
                start = SIMD2(point.x, point.y)
                current = start
            case .line(let end):
                add(Bezier(line: current, SIMD2(end.x, end.y)))
            case .quadratic(let control, let end):
                add(Bezier(quadratic: current, SIMD2(control.x, control.y), SIMD2(end.x, end.y)))
            case .cubic(let first, let second, let end):
                add(
                    Bezier(
                        cubic: current, SIMD2(first.x, first.y), SIMD2(second.x, second.y),
                        SIMD2(end.x, end.y)))
            case .close:
                add(Bezier(line: current, start))
            }
        }
        add(Bezier(line: current, start))
        boxes = curves.map(\.curve.box)
        cuts = [[Double]](repeating: [], count: curves.count)
    }

    // MARK: Cutting

    /// Finds the places where curves meet.
    ///
    /// - Returns: False if there are too many places.
    private mutating func cut() -> Bool {
        // Curves are taken from left to right: a curve that begins behind the end of another does
        // not meet it.
        let order = curves.indices.sorted { (boxes[$0].low.x, $0) < (boxes[$1].low.x, $1) }
        for (place, one) in order.enumerated() {
            for other in order[(place + 1)...] {
                guard boxes[other].low.x <= boxes[one].high.x + Bezier.Box.slack else { break }
                guard boxes[one].meets(boxes[other]),
                    !curves[one].curve.isSame(as: curves[other].curve)
                else { continue }
                meet(
                    Part(curve: curves[one].curve, index: one),
                    Part(curve: curves[other].curve, index: other))
                guard steps <= Self.mostSteps else { return false }
            }
        }
        for index in cuts.indices where !cuts[index].isEmpty {
            cuts[index] = curves[index].curve.apart(cuts[index], by: Self.tolerance / 10)
        }
        return cuts.reduce(0) { $0 + $1.count } <= Self.mostCuts
    }

    /// A part of one of the curves.
    private struct Part {
        var curve: Bezier
        var index: Int
        var from = 0.0
        var to = 1.0

        var halves: (Part, Part) {
            let (first, second) = curve.halves
            let middle = (from + to) / 2
            return (
                Part(curve: first, index: index, from: from, to: middle),
                Part(curve: second, index: index, from: middle, to: to)
            )
        }
    }

    private mutating func meet(_ one: Part, _ other: Part) {
        steps += 1
        guard steps <= Self.mostSteps, one.curve.box.meets(other.curve.box) else { return }
        switch (one.curve.isFlat, other.curve.isFlat) {
        case (true, true): meetLines(one, other)
        case (false, let isFlat):
            let (before, after) = one.halves
            if isFlat {
                meet(before, other)
                meet(after, other)
            } else {
                let halves = other.halves
                meet(before, halves.0)
                meet(before, halves.1)
                meet(after, halves.0)
                meet(after, halves.1)
            }
        case (true, false):
            let (before, after) = other.halves
            meet(one, before)
            meet(one, after)
        }
    }

    private mutating func meetLines(_ one: Part, _ other: Part) {
        let (a, b) = (one.curve.end - one.curve.start, other.curve.end - other.curve.start)
        let between = other.curve.start - one.curve.start
        let cross = a.x * b.y - a.y * b.x
        let (aLength, bLength) = (a.length, b.length)
        guard aLength > 0, bLength > 0 else { return }
        if abs(cross) <= 1e-6 * aLength * bLength {
            // The parts lie beside each other, or one on the other: the ends cut.
            guard abs(a.x * between.y - a.y * between.x) <= 0.01 * aLength else { return }
            for end in [other.curve.start, other.curve.end] {
                add(((end - one.curve.start) * a).sum() / (aLength * aLength), to: one)
            }
            for end in [one.curve.start, one.curve.end] {
                add(((end - other.curve.start) * b).sum() / (bLength * bLength), to: other)
            }
            return
        }
        let onOne = (between.x * b.y - between.y * b.x) / cross
        let onOther = (between.x * a.y - between.y * a.x) / cross
        // Ends that are a hundredth of a unit off meet, too.
        let (slack, otherSlack) = (0.01 / aLength, 0.01 / bLength)
        guard onOne >= -slack, onOne <= 1 + slack, onOther >= -otherSlack,
            onOther <= 1 + otherSlack
        else { return }
        add(onOne, to: one)
        add(onOther, to: other)
    }

    private mutating func add(_ share: Double, to part: Part) {
        let parameter = part.from + (part.to - part.from) * share
        if parameter > 1e-6, parameter < 1 - 1e-6 { cuts[part.index].append(parameter) }
    }

    // MARK: Joining

    /// Returns the contours of the pieces with ink on only one side; nil if these are all pieces,
    /// or have loose ends.
    private func contours() -> [[Bezier]]? {
        var cutContours = Set<Int>()
        for index in curves.indices where !cuts[index].isEmpty {
            cutContours.insert(curves[index].contour)
        }
        var pieces: [Piece] = []
        var count = 0
        var isEdgeByContour: [Int: Bool] = [:]
        for index in curves.indices {
            let contour = curves[index].contour
            var start = 0.0
            for end in cuts[index] + [1] {
                let piece = Piece(curve: index, from: start, to: end, of: curves[index].curve)
                start = end
                count += 1
                // A contour without cuts has the same on its sides everywhere.
                let known = cutContours.contains(contour) ? nil : isEdgeByContour[contour]
                let isEdge = known ?? isEdge(piece.bezier)
                isEdgeByContour[contour] = isEdge
                let isTwin = isEdge && pieces.contains { $0.lies(on: piece, Self.tolerance / 5) }
                if isEdge, !isTwin { pieces.append(piece) }
            }
        }
        return pieces.count < count ? joined(merged(pieces)) : nil
    }

    /// Returns the curves of pieces; pieces that follow each other on one curve are joined.
    private func merged(_ pieces: [Piece]) -> [Bezier] {
        var merged: [Piece] = []
        for piece in pieces {
            if let last = merged.last, last.curve == piece.curve, last.to == piece.from {
                merged[merged.count - 1] = Piece(
                    curve: piece.curve, from: last.from, to: piece.to, of: curves[piece.curve].curve
                )
            } else {
                merged.append(piece)
            }
        }
        return merged.map(\.bezier)
    }

    /// Returns true if there is ink on only one side of a curve's middle.
    private func isEdge(_ curve: Bezier) -> Bool {
        let (middle, direction) = curve.middle
        guard direction.length > 0 else { return false }
        let normal = SIMD2(-direction.y, direction.x) / direction.length * Self.beside
        return (winding(of: middle + normal) != 0) != (winding(of: middle - normal) != 0)
    }

    /// Returns the number of times that the contours go around a point.
    private func winding(of point: SIMD2<Double>) -> Int {
        var winding = 0
        for index in curves.indices where boxes[index].mayCross(rightOf: point) {
            winding += curves[index].curve.crossings(rightOf: point)
        }
        return winding
    }

    /// Joins pieces end to start; nil if an end has no start near it.
    private func joined(_ pieces: [Bezier]) -> [[Bezier]]? {
        var rest = Set(pieces.indices)
        var contours: [[Bezier]] = []
        for first in pieces.indices where rest.contains(first) {
            rest.remove(first)
            var contour = [pieces[first]]
            while true {
                let end = contour[contour.count - 1].end
                func distance(_ index: Int) -> Double { (pieces[index].start - end).length }
                let next = rest.min { (distance($0), $0) < (distance($1), $1) }
                let home = (contour[0].start - end).length
                if let next, distance(next) < home, distance(next) <= Self.tolerance {
                    rest.remove(next)
                    contour[contour.count - 1].end = pieces[next].start
                    contour.append(pieces[next])
                } else if home <= Self.tolerance {
                    contour[contour.count - 1].end = contour[0].start
                    break
                } else {
                    return nil
                }
            }
            // Two lines are left over from the neighbours of a piece that was too short to be
            // examined.
            if contour.count > 2 || contour.contains(where: { $0.degree > 1 }) {
                contours.append(contour)
            }
        }
        return contours
    }
}

extension Outline {
    fileprivate convenience init(contours: [[Bezier]], unitsPerEm: Double) {
        var commands: [Command] = []
        var coordinates: [Float] = []
        func add(_ command: Command, _ points: SIMD2<Double>...) {
            commands.append(command)
            for point in points { coordinates += [Float(point.x), Float(point.y)] }
        }
        for contour in contours {
            add(.move, contour[0].start)
            for curve in contour {
                switch curve.degree {
                case 1: add(.line, curve.end)
                case 2: add(.quadratic, curve.quadraticControl, curve.end)
                default: add(.cubic, curve.first, curve.second, curve.end)
                }
            }
            commands.append(.close)
        }
        self.init(
            commands: commands, coordinates: coordinates, unitsPerEm: unitsPerEm, isUnited: true)
    }
}

/// A line or a curve of the second or third degree, as a curve of the third.
private struct Bezier {
    var start: SIMD2<Double>
    var first: SIMD2<Double>
    var second: SIMD2<Double>
    var end: SIMD2<Double>
    /// 1…3.
    let degree: Int

    init(line start: SIMD2<Double>, _ end: SIMD2<Double>) {
        self.start = start
        first = start + (end - start) / 3
        second = end + (start - end) / 3
        self.end = end
        degree = 1
    }

    init(quadratic start: SIMD2<Double>, _ control: SIMD2<Double>, _ end: SIMD2<Double>) {
        self.start = start
        first = start + (control - start) * 2 / 3
        second = end + (control - end) * 2 / 3
        self.end = end
        degree = 2
    }

    init(
        cubic start: SIMD2<Double>, _ first: SIMD2<Double>, _ second: SIMD2<Double>,
        _ end: SIMD2<Double>, degree: Int = 3
    ) {
        self.start = start
        self.first = first
        self.second = second
        self.end = end
        self.degree = degree
    }

    /// The control point of a curve of the second degree.
    var quadraticControl: SIMD2<Double> { (3 * (first + second) - start - end) / 4 }

    /// The box of its control points. It is computed number by number, because the library's
    /// functions for vectors loop.
    var box: Box {
        Box(
            low: SIMD2(
                min(min(start.x, first.x), min(second.x, end.x)),
                min(min(start.y, first.y), min(second.y, end.y))),
            high: SIMD2(
                max(max(start.x, first.x), max(second.x, end.x)),
                max(max(start.y, first.y), max(second.y, end.y))))
    }

    struct Box {
        let low: SIMD2<Double>
        let high: SIMD2<Double>

        /// The distance up to which boxes touch, in font units.
        static let slack = 0.02

        func meets(_ other: Box) -> Bool {
            low.x <= other.high.x + Self.slack && other.low.x <= high.x + Self.slack
                && low.y <= other.high.y + Self.slack && other.low.y <= high.y + Self.slack
        }

        /// Returns false if nothing in the box crosses the horizontal ray from a point to the
        /// right.
        func mayCross(rightOf point: SIMD2<Double>) -> Bool {
            low.y <= point.y && point.y < high.y && high.x > point.x
        }
    }

    /// True if the curve is nearly the line between its ends: no control point is further than a
    /// hundredth of a unit from the line's.
    var isFlat: Bool {
        degree == 1
            || (first * 3 - start * 2 - end).length <= 0.03
                && (second * 3 - end * 2 - start).length <= 0.03
    }

    var halves: (Bezier, Bezier) { split(at: 0.5) }

    private func split(at parameter: Double) -> (Bezier, Bezier) {
        func mix(_ a: SIMD2<Double>, _ b: SIMD2<Double>) -> SIMD2<Double> {
            a + (b - a) * parameter
        }
        let (a, b, c) = (mix(start, first), mix(first, second), mix(second, end))
        let (d, e) = (mix(a, b), mix(b, c))
        let middle = mix(d, e)
        return (
            Bezier(cubic: start, a, d, middle, degree: degree),
            Bezier(cubic: middle, e, c, end, degree: degree)
        )
    }

    /// Returns the part between two parameters, 0 ≤ `from` < `to` ≤ 1.
    func part(from: Double, to: Double) -> Bezier {
        let rest = from > 0 ? split(at: from).1 : self
        return to < 1 ? rest.split(at: (to - from) / (1 - from)).0 : rest
    }

    /// The point at the middle of the parameter, and the direction there.
    var middle: (point: SIMD2<Double>, direction: SIMD2<Double>) {
        let (before, after) = halves
        let direction = after.first - before.second
        return (before.end, direction == .zero ? end - start : direction)
    }

    /// Returns rising parameters without those whose points are within a distance of the point
    /// before, or of an end.
    func apart(_ parameters: [Double], by distance: Double) -> [Double] {
        var kept: [Double] = []
        var last = start
        for parameter in parameters.sorted() {
            let point = split(at: parameter).0.end
            guard (point - last).length > distance, (point - end).length > distance else {
                continue
            }
            kept.append(parameter)
            last = point
        }
        return kept
    }

    /// Returns true if two curves are the same, in either direction.
    func isSame(as other: Bezier) -> Bool {
        let points = [start, first, second, end]
        let others = [other.start, other.first, other.second, other.end]
        return points == others || points == others.reversed()
    }

    /// Returns the number of times that the curve crosses the horizontal ray from a point to the
    /// right, downwards less upwards.
    func crossings(rightOf point: SIMD2<Double>) -> Int {
        let box = box
        guard box.mayCross(rightOf: point) else { return 0 }
        var across: Int {
            start.y <= point.y ? (end.y > point.y ? 1 : 0) : (end.y <= point.y ? -1 : 0)
        }
        if box.low.x > point.x { return across }
        if isFlat {
            guard across != 0 else { return 0 }
            let x = start.x + (end.x - start.x) * (point.y - start.y) / (end.y - start.y)
            return x > point.x ? across : 0
        }
        let (before, after) = halves
        return before.crossings(rightOf: point) + after.crossings(rightOf: point)
    }
}

extension SIMD2<Double> {
    fileprivate var length: Double { (self * self).sum().squareRoot() }
}
