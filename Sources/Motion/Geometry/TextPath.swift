import Bytes

/// The path that a text is set along, and the text's position on it. A class, because few texts
/// have one.
package final class TextPath: Sendable {
    /// The position of the text on its path, as far as there is room.
    package enum Alignment: String, CaseIterable, Sendable {
        case start, center, end
    }

    /// The side of the path, seen in its direction, that the text stands on.
    package enum Side: String, CaseIterable, Sendable {
        case left
        /// The other side, in the other direction.
        case right
    }

    package let shape: PathShape
    package let alignment: Alignment
    /// The distance by which the text is moved along the path, as a share of its length.
    package let offset: Double
    package let side: Side
    /// True if letters are turned with the path, false if they stay upright.
    package let turnsLetters: Bool

    package init(
        _ shape: PathShape, alignment: Alignment = .start, offset: Double = 0, side: Side = .left,
        turnsLetters: Bool = true
    ) {
        self.shape = shape
        self.alignment = alignment
        self.offset = offset
        self.side = side
        self.turnsLetters = turnsLetters
    }

    /// Returns the path with all lengths multiplied.
    package func scaled(by factor: Double) -> TextPath {
        with(shape.scaled(by: factor))
    }

    /// Returns a path of another shape with the text in the same position.
    package func with(_ shape: PathShape) -> TextPath {
        TextPath(
            shape, alignment: alignment, offset: offset, side: side,
            turnsLetters: turnsLetters)
    }
}

/// The shape of a path; lengths in CSS pixels.
package enum PathShape: Hashable, Sendable {
    /// A straight line.
    case none
    /// The text's own length, bent by so many degrees; if they are positive, its ends are lower.
    case arc(degrees: Double)
    /// A circle from its top on, clockwise; without a diameter it is as long as the text.
    case circle(diameter: Double?)
    /// A sine as long as the text, which rises first.
    case wave(amplitude: Double, length: Double)
    /// Curves one after another.
    case data(PathData)

    /// The text that reads back as the same shape.
    package var text: String {
        func pixels(_ length: Double) -> String { NumberText.of(length) + "px" }
        switch self {
        case .none: return "none"
        case .arc(let degrees): return "arc(\(NumberText.of(degrees))deg)"
        case .circle(nil): return "circle"
        case .circle(let diameter?): return "circle(\(pixels(diameter)))"
        case .wave(let amplitude, let length):
            return "wave(\(pixels(amplitude)), \(pixels(length)))"
        case .data(let data): return data.text
        }
    }

    fileprivate func scaled(by factor: Double) -> PathShape {
        switch self {
        case .none, .arc: self
        case .circle(let diameter): .circle(diameter: diameter.map { $0 * factor })
        case .wave(let amplitude, let length):
            .wave(amplitude: amplitude * factor, length: length * factor)
        case .data(let data): .data(data.scaled(by: factor))
        }
    }
}

/// The curves that SVG path data describes.
package struct PathData: Hashable, Sendable {
    /// The path data of the request.
    package let text: String
    /// The curves, each of which begins at the end of the one before; together they have a length.
    package var curves: [CubicCurve]
    /// True if the path ends by going back to its start.
    package let isClosed: Bool

    package init(text: String, curves: [CubicCurve], isClosed: Bool) {
        self.text = text
        self.curves = curves
        self.isClosed = isClosed
    }

    fileprivate func scaled(by factor: Double) -> PathData {
        var data = self
        data.curves = curves.map { $0.scaled(by: factor) }
        return data
    }
}

/// A cubic Bézier curve.
package struct CubicCurve: Hashable, Sendable {
    package var start: SIMD2<Double>
    package var first: SIMD2<Double>
    package var second: SIMD2<Double>
    package var end: SIMD2<Double>

    package init(
        from start: SIMD2<Double>, _ first: SIMD2<Double>, _ second: SIMD2<Double>,
        to end: SIMD2<Double>
    ) {
        self.start = start
        self.first = first
        self.second = second
        self.end = end
    }

    /// Makes a straight line.
    package init(lineFrom start: SIMD2<Double>, to end: SIMD2<Double>) {
        self.init(from: start, start + (end - start) / 3, end - (end - start) / 3, to: end)
    }

    /// Makes a curve of a quadratic one.
    package init(
        from start: SIMD2<Double>, quadratic control: SIMD2<Double>, to end: SIMD2<Double>
    ) {
        self.init(
            from: start, start + (control - start) * (2.0 / 3), end + (control - end) * (2.0 / 3),
            to: end)
    }

    /// Returns the point at a parameter from 0 to 1.
    func point(at t: Double) -> SIMD2<Double> {
        let rest = 1 - t
        let outer = start * (rest * rest * rest) + end * (t * t * t)
        return outer + first * (3 * rest * rest * t) + second * (3 * rest * t * t)
    }

    /// Returns the derivative by the parameter.
    func derivative(at t: Double) -> SIMD2<Double> {
        let rest = 1 - t
        let (one, two, three) = (first - start, second - first, end - second)
        return (one * (rest * rest) + two * (2 * rest * t) + three * (t * t)) * 3
    }

    fileprivate func scaled(by factor: Double) -> CubicCurve {
        CubicCurve(from: start * factor, first * factor, second * factor, to: end * factor)
    }
}
