import Bytes
import Glibc

/// What a shape is filled with.
package enum Paint: Hashable, Sendable {
    case color(Color)
    case gradient(Gradient)

    package static let transparent = Paint.color(.transparent)

    /// The gradient; nil for one colour.
    package var gradient: Gradient? {
        if case .gradient(let gradient) = self { gradient } else { nil }
    }

    /// The colour, or a gradient's first stop: what is drawn where there is room for one colour.
    package var firstColor: Color {
        switch self {
        case .color(let color): color
        case .gradient(let gradient): gradient.stops[0].color
        }
    }

    /// True if no part of it is seen.
    package var isTransparent: Bool {
        switch self {
        case .color(let color): color.isTransparent
        case .gradient(let gradient): gradient.stops.allSatisfy(\.color.isTransparent)
        }
    }

    /// True if it is fully opaque.
    package var isOpaque: Bool {
        switch self {
        case .color(let color): color.isOpaque
        case .gradient(let gradient): gradient.isOpaque
        }
    }

    /// The spelling in answers: that of its colour, or `linear-gradient(…)`.
    package var text: String {
        switch self {
        case .color(let color): color.text
        case .gradient(let gradient): gradient.text
        }
    }

    /// Returns the paint with one alpha throughout.
    package func withAlpha(_ alpha: UInt8) -> Paint {
        switch self {
        case .color(let color): return .color(color.withAlpha(alpha))
        case .gradient(var gradient):
            for index in gradient.stops.indices {
                gradient.stops[index].color = gradient.stops[index].color.withAlpha(alpha)
            }
            return .gradient(gradient)
        }
    }
}

/// The box whose gradient a glyph takes its part of, at rest.
package enum GradientBox: String, CaseIterable, Sendable {
    case block, line, glyph
}

/// Colours along a line, as CSS has them (CSS Images 3, 3.1).
///
/// Stops mix in premultiplied sRGB; before the first and after the last their colours go on.
package struct Gradient: Hashable, Sendable {
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

    package struct Stop: Hashable, Sendable {
        package var color: Color
        /// Percent of the gradient's line, with four decimals at most.
        package var percent: Double

        package init(color: Color, percent: Double) {
            self.color = color
            self.percent = percent
        }
    }

    package var direction: Direction
    /// At least two, their positions never falling.
    package var stops: [Stop]

    /// True if it is fully opaque.
    package var isOpaque: Bool { stops.allSatisfy(\.color.isOpaque) }

    /// The colour of the last stop, which a line without length has everywhere (SVG 2, 14.2.2).
    package var lastColor: Color { stops[stops.count - 1].color }

    /// The number of stops that requests may give.
    package static let stopCount = 2...8

    /// Makes a gradient; colours without a position get one as CSS says (CSS Images 3, 3.4.3).
    ///
    /// - Parameters:
    ///   - direction: The direction.
    ///   - stops: At least two colours, each with percent of the line or nil.
    package init(
        _ direction: Direction, stops: [(color: Color, percent: Double?)]
    ) {
        self.direction = direction
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
        let first =
            switch direction {
            case .angle(let degrees): NumberText.of(degrees) + "deg"
            case .corner(let corner): "to " + corner.rawValue
            }
        let stops = stops.map { "\($0.color.text) \(NumberText.of($0.percent))%" }
        return "linear-gradient(" + ([first] + stops).joined(separator: ", ") + ")"
    }
}

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

extension GradientLine {
    /// Returns the line from one share of its length to another.
    fileprivate func part(from low: Double, to high: Double) -> GradientLine {
        let (width, height) = (end.x - start.x, end.y - start.y)
        return GradientLine(
            start: Point(x: start.x + width * low, y: start.y + height * low),
            end: Point(x: start.x + width * high, y: start.y + height * high))
    }
}

extension Gradient {
    /// From the first position, or 0 % where that is earlier, to the last, or 100 %, as shares of
    /// the line.
    fileprivate var reach: (low: Double, high: Double) {
        (min(stops[0].percent, 0) / 100, max(stops[stops.count - 1].percent, 100) / 100)
    }

    /// Returns the line of a box as far as it has stops, for renderers whose stops lie on the line.
    package func wholeLine(in box: Rect) -> GradientLine {
        line(in: box).part(from: reach.low, to: reach.high)
    }

    /// Returns the line of a box; its ends are one in a box without extent along it.
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
        switch direction {
        case .angle(let degrees):
            // Exact where it is upright or level.
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

    /// Returns premultiplied red, green, blue and alpha, 0…1 each, at a share of the line.
    package func color(at share: Double) -> SIMD4<Double> {
        let percent = share * 100
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

/// The stops of a gradient for renderers that mix straight colours, not premultiplied ones.
///
/// Where the alpha changes there are more, so that no mix is off by more than a 255th.
package struct StraightGradient: Sendable {
    package struct Stop: Equatable, Sendable {
        package var color: Color
        /// The share of the line, 0…1.
        package var offset: Double
    }

    /// The gradient's line as far as it has stops.
    package let line: GradientLine
    package let stops: [Stop]

    /// The most times that the part between two stops is halved.
    private static let depth = 5
    /// The largest distance of any part of a premultiplied colour from the right one.
    private static let tolerance = 0.75 / 255

    /// - Parameters:
    ///   - gradient: The gradient.
    ///   - box: The box that it fills.
    package init(_ gradient: Gradient, in box: Rect) {
        line = gradient.wholeLine(in: box)
        let (low, high) = gradient.reach
        var stops: [Stop] = []
        func add(_ color: Color, _ share: Double) {
            let stop = Stop(color: color, offset: (share - low) / (high - low))
            if stops.last != stop { stops.append(stop) }
        }
        for (from, to) in zip(gradient.stops, gradient.stops.dropFirst()) {
            let (start, end) = (from.percent / 100, to.percent / 100)
            // What comes out of nothing has the other's colour, and not that of `transparent`.
            add(from.color.isTransparent ? to.color.withAlpha(0) : from.color, start)
            if start < end, !from.color.isTransparent, !to.color.isTransparent {
                Self.split(from.color, to.color, depth: Self.depth) { color, way in
                    add(color, start + (end - start) * way)
                }
            }
            add(to.color.isTransparent ? from.color.withAlpha(0) : to.color, end)
        }
        self.stops = stops
    }

    /// Calls a function with the colours that are needed between two, at rising progress from one
    /// to the other.
    private static func split(
        _ from: Color, _ to: Color, _ range: ClosedRange<Double> = 0...1, depth: Int,
        _ add: (Color, Double) -> Void
    ) {
        guard from.alpha != to.alpha, depth > 0 else { return }
        func mixed(_ way: Double) -> SIMD4<Double> {
            from.premultiplied + (to.premultiplied - from.premultiplied) * way
        }
        func straight(_ mixed: SIMD4<Double>) -> SIMD4<Double> { mixed / mixed.w }
        let (low, high) = (range.lowerBound, range.upperBound)
        let (first, last) = (straight(mixed(low)), straight(mixed(high)))
        let isStraight = [0.25, 0.5, 0.75].allSatisfy { share in
            let mix = mixed(low + (high - low) * share)
            var off = ((first + (last - first) * share) - straight(mix)) * mix.w
            off.w = 0
            return max(off.max(), -off.min()) <= tolerance
        }
        guard !isStraight else { return }
        let middle = (low + high) / 2
        split(from, to, low...middle, depth: depth - 1, add)
        add(Color(premultiplied: mixed(middle)), middle)
        split(from, to, middle...high, depth: depth - 1, add)
    }
}

extension Color {
    /// Makes the nearest colour of premultiplied red, green, blue and alpha, 0…1 each.
    package init(premultiplied sum: SIMD4<Double>) {
        let alpha = (sum.w * 255).rounded()
        guard alpha > 0 else {
            self = .transparent
            return
        }
        let straight = (sum / sum.w * 255).rounded(.toNearestOrAwayFromZero)
            .clamped(lowerBound: .zero, upperBound: SIMD4(repeating: 255))
        self.init(
            red: UInt8(straight.x), green: UInt8(straight.y), blue: UInt8(straight.z),
            alpha: UInt8(min(alpha, 255)))
    }
}
