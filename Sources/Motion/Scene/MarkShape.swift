import Glibc

/// The lines of a mark on one line of text, in the order in which they are drawn: in their exact
/// form, and, unless their kind is exact, as a hand draws them.
struct MarkShape {
    /// A line in its exact form.
    private enum MeantLine {
        /// Straight from point to point.
        case path([Point])
        /// An ellipse, once around and on for `overlap`; from the upper left on, or from the upper
        /// right if text runs from right to left.
        case ellipse(center: Point, radii: SIMD2<Double>)
    }

    private let lines: [MeantLine]
    private let style: MarkStyle
    private let words: MarkedWords

    /// The largest distance, in ems, by which a hand misses the exact line.
    private static let miss = 0.15
    /// The largest distance, in ems, by which the coordinates of an exact line are rounded.
    private static let rounding = 0.001
    /// The largest distance, in ems, of a vertex or a control point from a straight line; all
    /// distances are drawn as shares of it.
    private static let wobble = 0.05
    /// The largest distance, in ems, by which a straight line begins too early or ends too late.
    private static let overshoot = 0.06
    /// Radians by which an ellipse goes on past its start.
    private static let overlap = 0.5

    init(_ style: MarkStyle, around words: MarkedWords) {
        self.style = style
        self.words = words
        lines = Self.lines(of: style, around: words)
    }

    /// The sides of a box at which reading begins and ends.
    private struct Sides {
        let box: Rect
        let isLeftToRight: Bool

        init(of words: MarkedWords, padding: Double) {
            box = words.rect.grown(by: Margins(all: padding))
            isLeftToRight = words.direction == .leftToRight
        }

        /// Returns a point at the side where reading begins, moved in the direction of reading.
        func lead(_ y: Double, _ inwards: Double = 0) -> Point {
            Point(x: isLeftToRight ? box.x + inwards : box.maxX - inwards, y: y)
        }

        /// Returns a point at the side where reading ends, moved against the direction of reading.
        func trail(_ y: Double, _ inwards: Double = 0) -> Point {
            Point(x: isLeftToRight ? box.maxX - inwards : box.x + inwards, y: y)
        }
    }

    private static func lines(
        of style: MarkStyle, around words: MarkedWords
    ) -> [MeantLine] {
        let (em, padding) = (words.em, style.padding * words.em)
        let width = style.lineWidth * em
        let sides = Sides(of: words, padding: padding)
        let box = sides.box
        switch style.kind {
        case .underline:
            let y = words.baseline + 0.08 * em + padding
            return [.path([sides.lead(y, padding), sides.trail(y, padding)])]
        case .strike:
            let y = words.baseline - 0.27 * em
            return [.path([sides.lead(y), sides.trail(y)])]
        case .highlight:
            let y = words.baseline - 0.3 * em
            return [.path([sides.lead(y + 0.03 * em), sides.trail(y - 0.03 * em)])]
        case .box:
            let corners = [
                sides.lead(box.y), sides.trail(box.y), sides.trail(box.maxY), sides.lead(box.maxY),
            ]
            return (0..<4).map { .path([corners[$0], corners[($0 + 1) % 4]]) }
        case .bracket:
            let (out, arm) = (-0.08 * em, 0.14 * em)
            return [sides.lead, sides.trail].map { side in
                .path([
                    side(box.y, arm), side(box.y, out), side(box.maxY, out), side(box.maxY, arm),
                ])
            }
        case .circle:
            // The ellipse is so wide that the corners of the words lie within, or a little beyond.
            let wider = 0.12 * em + min(0.06 * words.rect.width, 0.9 * em)
            let radii = SIMD2(box.width / 2 + wider, box.height / 2 + 0.25 * em)
            return [.ellipse(center: box.center, radii: radii)]
        case .pill:
            // Its round ends reach half an em past the words, and its middle is that of capitals.
            let y = words.baseline - 0.36 * em
            let inset = min(width / 2 - 0.5 * em, 0.49 * box.width)
            return [.path([sides.lead(y, inset), sides.trail(y, inset)])]
        case .quote:
            let (top, bottom) = (box.y - 2.9 * width, box.y - 0.5 * width)
            return [0.5, 2.4].map { place in
                let foot = padding + place * width
                return .path([sides.lead(top, foot + width), sides.lead(bottom, foot)])
            }
        case .bullet:
            // A dot is a line that is hardly longer than wide: a renderer may leave out a line
            // without length.
            let (y, end) = (words.baseline - 0.3 * em, -padding - 0.3 * em - width / 2)
            return [.path([sides.lead(y, end - 0.01 * em), sides.lead(y, end)])]
        }
    }

    /// The box that the mark stays within, with the width of its line.
    var bounds: Rect {
        var (low, high) = (SIMD2(repeating: Double.infinity), SIMD2(repeating: -Double.infinity))
        for line in lines {
            switch line {
            case .path(let points):
                for point in points {
                    low = pointwiseMin(low, point.vector)
                    high = pointwiseMax(high, point.vector)
                }
            case .ellipse(let center, let radii):
                low = pointwiseMin(low, center.vector - radii)
                high = pointwiseMax(high, center.vector + radii)
            }
        }
        let miss = (style.kind.isExact ? Self.rounding : Self.miss) * words.em
        let half = style.lineWidth * words.em / 2
        // A line across with straight ends leans at most a little.
        let across = miss + (style.cap == .round ? half : half / 2)
        return Rect(x: low.x, y: low.y, width: high.x - low.x, height: high.y - low.y)
            .grown(by: Margins(left: across, top: miss + half, right: across, bottom: miss + half))
    }

    /// The exact lengths of its lines, which share the time in proportion; one for each time that a
    /// line is drawn.
    var lengths: [Double] {
        let once = lines.map { line in
            switch line {
            case .path(let points):
                return zip(points, points.dropFirst()).reduce(0) { sum, side in
                    let way = side.1.vector - side.0.vector
                    return sum + (way * way).sum().squareRoot()
                }
            case .ellipse(_, let radii):
                // Ramanujan's first approximation of the perimeter.
                let (a, b) = (radii.x, radii.y)
                let around = .pi * (3 * (a + b) - ((3 * a + b) * (a + 3 * b)).squareRoot())
                return around * (1 + Self.overlap / (2 * .pi))
            }
        }
        return (0..<style.repetitions).flatMap { _ in once }
    }

    // MARK: Drawn by hand

    /// Returns the lines as a hand draws them, one for each of `lengths`.
    ///
    /// - Parameters:
    ///   - origin: The point of the canvas from which the coordinates of the outlines count, in CSS
    ///     pixels.
    ///   - chance: Returns a number from -1 to 1 for a line, by its number within the line.
    /// - Returns: Open outlines whose unit is a CSS pixel.
    func drawn(from origin: Point, chance: (_ line: Int, _ draw: Int) -> Double) -> [Outline] {
        (0..<style.repetitions).flatMap { repetition in
            lines.enumerated().map { index, line in
                let number = repetition * lines.count + index
                var path = HandDrawnPath(origin: origin.vector)
                let isExact = style.kind.isExact
                let chance = { isExact ? 0 : chance(number, $0) }
                switch line {
                case .path(let points):
                    // The pen goes to and fro along a line, but always the same way round a box.
                    let isBack = lines.count == 1 && !repetition.isMultiple(of: 2)
                    add(isBack ? points.reversed() : points, to: &path, chance)
                case .ellipse(let center, let radii):
                    addEllipse(center.vector, radii, to: &path, chance)
                }
                return path.outline
            }
        }
    }

    /// Adds straight lines: each is a curve that strays a little from its line, and the first and
    /// the last are a little too long.
    private func add(
        _ points: [Point], to path: inout HandDrawnPath, _ chance: (Int) -> Double
    ) {
        let overshoot = Self.overshoot * words.em
        var start = SIMD2<Double>.zero
        for (side, (from, to)) in zip(points, points.dropFirst()).enumerated() {
            let way = to.vector - from.vector
            let length = (way * way).sum().squareRoot()
            let along = length > 0 ? way / length : .zero
            let across = SIMD2(-along.y, along.x)
            let wobble = min(Self.wobble * words.em, length / 10)
            func part(_ number: Int) -> Double { chance(10 * side + number) }
            if side == 0 {
                start = from.vector - along * overshoot * abs(part(0)) + across * wobble * part(1)
                path.move(to: start)
            }
            var end = to.vector + across * wobble * part(2)
            if side == points.count - 2 { end += along * overshoot * abs(part(3)) }
            func control(_ share: Double, _ number: Int) -> SIMD2<Double> {
                let place = share + 0.08 * part(number)
                let bow = wobble * (part(4) + part(number + 1) / 2)
                return start + (end - start) * place + across * bow
            }
            path.addCurve(control(0.3, 5), control(0.7, 7), to: end)
            start = end
        }
    }

    /// Adds an ellipse that ends past its start, nearer to its centre or further away.
    private func addEllipse(
        _ center: SIMD2<Double>, _ radii: SIMD2<Double>, to path: inout HandDrawnPath,
        _ chance: (Int) -> Double
    ) {
        let em = words.em
        let side = words.direction == .leftToRight ? 1.0 : -1
        let first = (1.25 + 0.1 * chance(0)) * Double.pi
        let length = 2 * .pi + Self.overlap * (1 + 0.4 * chance(1))
        let drift = 0.045 * em * (chance(2) < 0 ? -1 : 1)
        let waves = (1...2).map { number in
            (size: 0.04 * em / Double(number), phase: Double.pi * chance(2 + number))
        }
        let center = center + 0.02 * em * SIMD2(chance(5), chance(6))
        /// Returns the point of the ellipse at a share of the way, and its derivative by the angle.
        func place(_ share: Double) -> (point: SIMD2<Double>, slope: SIMD2<Double>) {
            let angle = first + length * share
            var (distance, rise) = (drift * (2 * share - 1), 2 * drift / length)
            for (index, wave) in waves.enumerated() {
                let times = Double(index + 1)
                distance += wave.size * sin(times * angle + wave.phase)
                rise += wave.size * times * cos(times * angle + wave.phase)
            }
            let ray = SIMD2(side * cos(angle), sin(angle))
            let turned = SIMD2(-side * sin(angle), cos(angle))
            let radii = radii + distance
            return (center + ray * radii, turned * radii + ray * rise)
        }
        let parts = 12
        var from = place(0)
        path.move(to: from.point)
        for part in 1...parts {
            let to = place(Double(part) / Double(parts))
            // Hermite's form is converted to Bézier's.
            let third = length / Double(parts) / 3
            path.addCurve(
                from.point + from.slope * third, to.point - to.slope * third, to: to.point)
            from = to
        }
    }
}

/// An open outline while it is made.
private struct HandDrawnPath {
    /// The point from which its coordinates count, in CSS pixels.
    let origin: SIMD2<Double>
    private var commands: [Outline.Command] = []
    private var coordinates: [Float] = []

    init(origin: SIMD2<Double>) {
        self.origin = origin
    }

    mutating func move(to point: SIMD2<Double>) {
        commands.append(.move)
        add(point)
    }

    mutating func addCurve(
        _ first: SIMD2<Double>, _ second: SIMD2<Double>, to end: SIMD2<Double>
    ) {
        commands.append(.cubic)
        add(first)
        add(second)
        add(end)
    }

    private mutating func add(_ point: SIMD2<Double>) {
        let own = point - origin
        coordinates += [Float(own.x), Float(own.y)]
    }

    var outline: Outline { Outline(open: commands, coordinates: coordinates) }
}
