import Bytes
import Glibc

/// The box that a gradient fills; a glyph shows its part of that, as at rest.
package enum GradientBox: String, CaseIterable, Sendable {
    case block, line, glyph
}

/// Colours that follow each other along a line, from a centre outwards, or around it, as in CSS
/// (CSS Images 3, 3; CSS Images 4, 3).
///
/// Stops mix in premultiplied sRGB. Before the first and after the last their colours go on, or all
/// stops begin again.
package struct Gradient: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        case linear(Direction)
        /// 0 % is the centre, 100 % an ellipse around it.
        case radial(Radius, center: Position)
        /// Once around the centre, clockwise from so many degrees clockwise from upwards.
        case conic(degrees: Double, center: Position)
    }

    package enum Direction: Hashable, Sendable {
        /// Degrees clockwise from upwards, from 0 to less than 360.
        case angle(Double)
        /// To a corner: the line across the middle joins the two neighbouring corners, so that the
        /// angle depends on the box.
        case corner(Corner)
    }

    package enum Corner: String, CaseIterable, Sendable {
        case topLeft = "top left"
        case topRight = "top right"
        case bottomLeft = "bottom left"
        case bottomRight = "bottom right"

        /// Positive to the right.
        fileprivate var x: Double { self == .topRight || self == .bottomRight ? 1 : -1 }
        /// Positive downwards.
        fileprivate var y: Double { self == .bottomLeft || self == .bottomRight ? 1 : -1 }
    }

    /// The ellipse of 100 %.
    package enum Radius: Hashable, Sendable {
        case circle(Extent)
        /// A circle with a radius in CSS pixels.
        case pixels(Double)
        case ellipse(Extent)
        /// Half the width and half the height.
        case axes(x: Length, y: Length)
    }

    /// The sides or corners of the box that an ellipse reaches.
    package enum Extent: String, CaseIterable, Sendable {
        case closestSide = "closest-side"
        case farthestSide = "farthest-side"
        case closestCorner = "closest-corner"
        case farthestCorner = "farthest-corner"
    }

    /// A length across or down a box.
    package enum Length: Hashable, Sendable {
        /// Percent of the box's width or height.
        case percent(Double)
        /// CSS pixels.
        case pixels(Double)

        fileprivate func value(of size: Double) -> Double {
            switch self {
            case .percent(let percent): percent / 100 * size
            case .pixels(let pixels): pixels
            }
        }

        fileprivate func scaled(by scale: Double) -> Length {
            if case .pixels(let pixels) = self { .pixels(pixels * scale) } else { self }
        }

        fileprivate var text: String {
            switch self {
            case .percent(let percent): NumberText.of(percent) + "%"
            case .pixels(let pixels): NumberText.of(pixels) + "px"
            }
        }
    }

    /// A point of a box, counted from its left upper corner.
    package struct Position: Hashable, Sendable {
        package var x: Length
        package var y: Length

        package init(x: Length, y: Length) {
            self.x = x
            self.y = y
        }

        package static let center = Position(x: .percent(50), y: .percent(50))

        fileprivate func scaled(by scale: Double) -> Position {
            Position(x: x.scaled(by: scale), y: y.scaled(by: scale))
        }

        fileprivate func point(in box: Rect) -> Point {
            Point(x: box.x + x.value(of: box.width), y: box.y + y.value(of: box.height))
        }

        fileprivate var text: String { "at \(x.text) \(y.text)" }
    }

    package struct Stop: Hashable, Sendable {
        package var color: Color
        /// Percent of the way, with four decimals at most.
        package var percent: Double

        package init(color: Color, percent: Double) {
            self.color = color
            self.percent = percent
        }
    }

    package var kind: Kind
    /// True if the stops begin again before the first and after the last.
    package var repeats: Bool
    /// At least two, their positions never falling.
    package var stops: [Stop]

    /// True if it is fully opaque.
    package var isOpaque: Bool { stops.allSatisfy(\.color.isOpaque) }

    /// The colour of the last stop, which fills gradients without length (SVG 2, 14.2.2).
    package var lastColor: Color { stops[stops.count - 1].color }

    /// The number of stops that requests may give.
    package static let stopCount = 2...8

    /// Makes a gradient; colours without a position get one as CSS says (CSS Images 3, 3.4.3).
    ///
    /// - Parameters:
    ///   - kind: The kind of the gradient.
    ///   - repeats: True if the stops begin again.
    ///   - stops: At least two colours, each with percent of the way or nil.
    package init(
        _ kind: Kind, repeats: Bool = false, stops: [(color: Color, percent: Double?)]
    ) {
        self.kind = kind
        self.repeats = repeats
        var places = stops.map(\.percent)
        places[0] = places[0] ?? 0
        places[places.count - 1] = places[places.count - 1] ?? 100
        var largest = -Double.infinity
        for (index, place) in places.enumerated() {
            guard let place else { continue }
            largest = max(largest, place)
            places[index] = largest
        }
        let percents = EvenSpacing.filled(places).map { ($0 * 10_000).rounded() / 10_000 }
        self.stops = zip(stops, percents).map { Stop(color: $0.color, percent: $1) }
    }

    /// The canonical spelling: `linear-gradient(90deg, #ff0000 0%, #0000ff 100%)`.
    package var text: String {
        let stops = stops.map { "\($0.color.text) \(NumberText.of($0.percent))%" }
        let inner = ([kind.text] + stops).joined(separator: ", ")
        return "\(repeats ? "repeating-" : "")\(kind.name)-gradient(\(inner))"
    }
}

extension Gradient {
    /// Returns the gradient for boxes that are drawn with so many pixels in one CSS pixel.
    package func scaled(by scale: Double) -> Gradient {
        guard case .radial(let radius, let center) = kind else {
            guard case .conic(let degrees, let center) = kind else { return self }
            return with(.conic(degrees: degrees, center: center.scaled(by: scale)))
        }
        let scaled: Radius =
            switch radius {
            case .circle, .ellipse: radius
            case .pixels(let radius): .pixels(radius * scale)
            case .axes(let x, let y): .axes(x: x.scaled(by: scale), y: y.scaled(by: scale))
            }
        return with(.radial(scaled, center: center.scaled(by: scale)))
    }

    private func with(_ kind: Kind) -> Gradient {
        var gradient = self
        gradient.kind = kind
        return gradient
    }
}

extension Gradient.Kind {
    fileprivate var name: String {
        switch self {
        case .linear: "linear"
        case .radial: "radial"
        case .conic: "conic"
        }
    }

    /// The text before the stops.
    fileprivate var text: String {
        switch self {
        case .linear(.angle(let degrees)): "\(NumberText.of(degrees))deg"
        case .linear(.corner(let corner)): "to \(corner.rawValue)"
        case .radial(let radius, let center): "\(radius.text) \(center.text)"
        case .conic(let degrees, let center):
            "from \(NumberText.of(degrees))deg \(center.text)"
        }
    }
}

extension Gradient.Radius {
    fileprivate var text: String {
        switch self {
        case .circle(let extent): "circle \(extent.rawValue)"
        case .pixels(let radius): "circle \(NumberText.of(radius))px"
        case .ellipse(let extent): "ellipse \(extent.rawValue)"
        case .axes(let x, let y): "ellipse \(x.text) \(y.text)"
        }
    }
}

// MARK: In a box

/// The line along which the colours of a gradient follow each other.
package struct GradientLine: Hashable, Sendable {
    /// The position of 0 %.
    package var start: Point
    /// The position of 100 %.
    package var end: Point

    package init(start: Point, end: Point) {
        self.start = start
        self.end = end
    }
}

/// The position of a gradient's colours on the canvas.
package enum GradientGeometry: Hashable, Sendable {
    case line(GradientLine)
    /// 0 % is the centre, 100 % the ellipse with these radii across and down.
    case ellipse(center: Point, radii: SIMD2<Double>)
    /// Clockwise around the centre, from so many degrees clockwise from upwards.
    case sweep(center: Point, degrees: Double)
}

extension GradientLine {
    /// Returns the line from one share of its length to another.
    fileprivate func part(from low: Double, to high: Double) -> GradientLine {
        let (width, height) = (end.x - start.x, end.y - start.y)
        return GradientLine(
            start: Point(x: start.x + width * low, y: start.y + height * low),
            end: Point(x: start.x + width * high, y: start.y + height * high))
    }
}

extension GradientGeometry {
    /// Returns the geometry of the way from one share of its length to another; the centre is the
    /// same.
    func part(from low: Double, to high: Double) -> GradientGeometry {
        switch self {
        case .line(let line): .line(line.part(from: low, to: high))
        case .ellipse(let center, let radii): .ellipse(center: center, radii: radii * high)
        case .sweep: self
        }
    }
}

extension Gradient {
    /// Returns the geometry of the gradient in a box; nil if the last colour is everywhere, as on a
    /// way without length.
    package func geometry(in box: Rect) -> GradientGeometry? {
        // Stops that repeat within no length show only the last colour, too.
        guard !repeats || period > 0 else { return nil }
        switch kind {
        case .linear(let direction):
            let line = direction.line(in: box)
            return line.start == line.end ? nil : .line(line)
        case .radial(let radius, let position):
            let center = position.point(in: box)
            let radii = radius.radii(about: center, in: box)
            return radii.min() > 0 ? .ellipse(center: center, radii: radii) : nil
        case .conic(let degrees, let position):
            return .sweep(center: position.point(in: box), degrees: degrees)
        }
    }

    /// Returns premultiplied red, green, blue and alpha, 0…1 each, at a share of the way.
    package func color(at share: Double) -> SIMD4<Double> {
        var percent = share * 100
        if repeats {
            guard period > 0 else { return lastColor.premultiplied }
            let periods = (percent - stops[0].percent) / period
            percent = stops[0].percent + (periods - periods.rounded(.down)) * period
        }
        guard let next = stops.firstIndex(where: { $0.percent > percent }) else {
            return lastColor.premultiplied
        }
        guard next > 0 else { return stops[0].color.premultiplied }
        let (from, to) = (stops[next - 1], stops[next])
        let way = (percent - from.percent) / (to.percent - from.percent)
        let start = from.color.premultiplied
        return start + (to.color.premultiplied - start) * way
    }
}

extension Gradient.Direction {
    /// Returns the line of a box; both ends are one point in a box without extent along the line.
    package func line(in box: Rect) -> GradientLine {
        let (x, y) = vector(in: box)
        // The ends are where lines at right angles meet the furthest corners.
        let half = (abs(box.width * x) + abs(box.height * y)) / 2
        let center = box.center
        return GradientLine(
            start: Point(x: center.x - x * half, y: center.y - y * half),
            end: Point(x: center.x + x * half, y: center.y + y * half))
    }

    /// Returns the direction in which the colours follow each other, of length 1.
    private func vector(in box: Rect) -> (x: Double, y: Double) {
        switch self {
        case .angle(let degrees):
            // Upright and level directions are exact.
            switch degrees {
            case 0: return (0, -1)
            case 90: return (1, 0)
            case 180: return (0, 1)
            case 270: return (-1, 0)
            default:
                let angle = degrees * .pi / 180
                return (sin(angle), -cos(angle))
            }
        case .corner(let corner):
            let length = (box.width * box.width + box.height * box.height).squareRoot()
            guard length > 0 else { return (0, corner.y) }
            return (corner.x * box.height / length, corner.y * box.width / length)
        }
    }
}

extension Gradient.Radius {
    /// Returns the radii across and down (CSS Images 3, 3.2.1); one of them is 0 if the ellipse has
    /// no extent.
    fileprivate func radii(about center: Point, in box: Rect) -> SIMD2<Double> {
        // The distances to the nearer and to the farther sides.
        let across = (abs(center.x - box.x), abs(box.maxX - center.x))
        let down = (abs(center.y - box.y), abs(box.maxY - center.y))
        let near = SIMD2(min(across.0, across.1), min(down.0, down.1))
        let far = SIMD2(max(across.0, across.1), max(down.0, down.1))
        func length(_ vector: SIMD2<Double>) -> Double { (vector * vector).sum().squareRoot() }
        switch self {
        case .pixels(let radius): return SIMD2(repeating: radius)
        case .axes(let x, let y):
            return SIMD2(x.value(of: box.width), y.value(of: box.height))
        case .circle(let extent):
            let radius =
                switch extent {
                case .closestSide: near.min()
                case .farthestSide: far.max()
                case .closestCorner: length(near)
                case .farthestCorner: length(far)
                }
            return SIMD2(repeating: radius)
        case .ellipse(let extent):
            switch extent {
            case .closestSide: return near
            case .farthestSide: return far
            // Through the corner, with the proportions of the ellipse to the sides.
            case .closestCorner: return near * 2.0.squareRoot()
            case .farthestCorner: return far * 2.0.squareRoot()
            }
        }
    }
}
