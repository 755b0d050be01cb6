import Glibc

/// A number of a glyph that changes over time.
///
/// Each has a row in a table (`Property.Definition`), which request keyframes, poses, clipping and
/// the formats use.
package enum Property: Int, CaseIterable, Sendable {
    case opacity, offsetX, offsetY, scale, scaleX, scaleY, rotation, skewX, skewY, blur
    case draw, strokeWidth, fillOpacity, strokeOpacity, shadowOpacity

    /// The name in the JSON rendering.
    package var name: StaticString { definition.name }
    /// The unit of its values; nil for factors and values from 0 to 1.
    package var unit: NumberUnit? { definition.unit }
    /// The value that draws the glyph as it was typeset.
    package var identity: Double { definition.identity }
    /// The range of values that can be drawn; a value outside counts as the nearest within. Nil for
    /// all.
    package var limits: ClosedRange<Double>? { definition.limits }
    /// True if it changes only the fill and the line along the contours, and nothing beneath them.
    var isOfFill: Bool { definition.isOfFill }
    /// True if it scales, turns or skews the glyph about the centre of its box.
    package var isAboutCenter: Bool { definition.isAboutCenter }
    /// The property in keyframes of requests; nil if these cannot set it.
    var request: Request? { definition.request }

    /// Changes a pose by a value.
    package func enter(_ pose: inout Pose, _ value: Double) {
        definition.enter(
            &pose, limits.map { min(max(value, $0.lowerBound), $0.upperBound) } ?? value)
    }

    /// Widens the bounds of a motion by a range of values; does nothing for a property that draws
    /// no further.
    func widen(_ reach: inout MotionReach, _ range: ClosedRange<Double>) {
        definition.widen?(&reach, range)
    }

    /// True if the property may take ink beyond the glyph's box at rest.
    var reaches: Bool { definition.widen != nil }
}

extension Property {
    /// A property in keyframes of requests (docs/effects.md, *Keyframes*).
    struct Request: Sendable {
        /// The name in requests.
        let name: String
        /// In the unit; nil for colours.
        let range: ClosedRange<Double>?
        /// The unit of numbers; nil for factors and values from 0 to 1.
        let unit: NumberUnit?
        /// The values as a percentage of a side of the item's box; nil if there are none.
        let percents: (range: ClosedRange<Double>, side: Side)?
        /// A value with a visible effect, for documents and for people who try the property.
        let example: KeyframeValue
        /// One sentence about the property.
        let summary: String

        enum Side: Sendable {
            case width, height
        }

        init(
            _ name: String, _ range: ClosedRange<Double>?, _ unit: NumberUnit? = nil,
            percents: (range: ClosedRange<Double>, side: Side)? = nil, example: KeyframeValue,
            _ summary: String
        ) {
            self.name = name
            self.range = range
            self.unit = unit
            self.percents = percents
            self.example = example
            self.summary = summary
        }
    }

    /// The data of a property.
    private final class Definition: Sendable {
        let name: StaticString
        let unit: NumberUnit?
        let identity: Double
        let limits: ClosedRange<Double>?
        let isAboutCenter: Bool
        let isOfFill: Bool
        let enter: @Sendable (inout Pose, Double) -> Void
        let widen: (@Sendable (inout MotionReach, ClosedRange<Double>) -> Void)?
        let request: Request?

        init(
            _ name: StaticString, _ unit: NumberUnit? = nil, identity: Double = 0,
            limits: ClosedRange<Double>? = nil, isAboutCenter: Bool = false, isOfFill: Bool = false,
            enter: @escaping @Sendable (inout Pose, Double) -> Void,
            widen: (@Sendable (inout MotionReach, ClosedRange<Double>) -> Void)? = nil,
            request: Request? = nil
        ) {
            self.name = name
            self.unit = unit
            self.identity = identity
            self.limits = limits
            self.isAboutCenter = isAboutCenter
            self.isOfFill = isOfFill
            self.enter = enter
            self.widen = widen
            self.request = request
        }
    }

    private var definition: Definition { Self.definitions[rawValue] }

    /// In the order of the cases.
    private static let definitions = [
        Definition(
            "opacity", identity: 1, limits: 0...1, enter: { $0.opacity = $1 },
            request: Request("opacity", 0...1, example: .number(0), "How opaque: 0 is invisible.")),
        Definition(
            "offsetX", .pixels, enter: { $0.offsetX = $1 }, widen: { $0.offsetX = $1 },
            request: Request(
                "x", -10...10, .em, percents: (-1000...1000, .width), example: .number(-0.5),
                "An offset to the right; a percentage is of the item's width.")),
        Definition(
            "offsetY", .pixels, enter: { $0.offsetY = $1 }, widen: { $0.offsetY = $1 },
            request: Request(
                "y", -10...10, .em, percents: (-1000...1000, .height), example: .percent(40),
                "An offset downwards; a percentage is of the item's height.")),
        Definition(
            "scale", identity: 1, isAboutCenter: true,
            enter: {
                $0.scaleX *= $1
                $0.scaleY *= $1
            },
            widen: { $0.scale *= SIMD2(repeating: $1.largest) },
            request: Request(
                "scale", 0...10, example: .number(0.5),
                "A factor of the size, about the centre of each glyph.")),
        Definition(
            "scaleX", identity: 1, isAboutCenter: true, enter: { $0.scaleX *= $1 },
            widen: { $0.scale.x *= $1.largest },
            request: Request(
                "scaleX", 0...10, example: .number(0),
                "A factor of the width, about the centre of each glyph.")),
        Definition(
            "scaleY", identity: 1, isAboutCenter: true, enter: { $0.scaleY *= $1 },
            widen: { $0.scale.y *= $1.largest },
            request: Request(
                "scaleY", 0...10, example: .number(0),
                "A factor of the height, about the centre of each glyph.")),
        Definition(
            "rotation", .degrees, isAboutCenter: true, enter: { $0.rotation = $1 },
            widen: { reach, _ in reach.isTurned = true },
            request: Request(
                "rotation", -3600...3600, .degrees, example: .number(-15),
                "A clockwise turn about the centre of each glyph.")),
        Definition(
            "skewX", .degrees, isAboutCenter: true, enter: { $0.skewX = $1 },
            widen: { $0.lean.x = $1.largest },
            request: Request(
                "skewX", -80...80, .degrees, example: .number(-20),
                "How far upright lines lean to the left, about the centre of each glyph.")),
        Definition(
            "skewY", .degrees, isAboutCenter: true, enter: { $0.skewY = $1 },
            widen: { $0.lean.y = $1.largest },
            request: Request(
                "skewY", -80...80, .degrees, example: .number(10),
                "How far level lines fall to the right, about the centre of each glyph.")),
        Definition(
            "blur", .pixels, limits: 0...Double.infinity, enter: { $0.blur = $1 },
            widen: { $0.margin += 2 * $1.largest },
            request: Request(
                "blur", 0...2, .em, example: .number(0.3),
                "How blurred: the standard deviation of a Gaussian.")),
        Definition(
            "draw", identity: 1, limits: 0...1, isOfFill: true, enter: { $0.draw = $1 }),
        Definition(
            "strokeWidth", .pixels, limits: 0...Double.infinity, isOfFill: true,
            enter: { $0.strokeWidth = $1 }, widen: { $0.margin += $1.largest / 2 }),
        Definition(
            "fillOpacity", identity: 1, limits: 0...1, isOfFill: true,
            enter: { $0.fillOpacity = $1 }),
        Definition(
            "strokeOpacity", limits: 0...1, isOfFill: true, enter: { $0.strokeOpacity = $1 }),
        // The value becomes a part of the opacity in the tracks of shadows.
        Definition("shadowOpacity", identity: 1, limits: 0...1, enter: { _, _ in }),
    ]
}

extension ClosedRange<Double> {
    /// The value that is furthest from 0, without its sign.
    fileprivate var largest: Double { Swift.max(abs(lowerBound), abs(upperBound)) }
}

/// A set of properties.
package struct PropertySet: Sendable {
    private var bits: UInt32 = 0

    package init() {}

    package mutating func insert(_ property: Property) {
        bits |= 1 << UInt32(property.rawValue)
    }

    package func contains(_ property: Property) -> Bool {
        bits & 1 << UInt32(property.rawValue) != 0
    }

    /// True if a glyph is scaled, turned or skewed about the centre of its box.
    package var usesCenter: Bool {
        Property.allCases.contains { $0.isAboutCenter && contains($0) }
    }
}

/// A colour that may be partly the glyph's own.
///
/// Colours mix in premultiplied sRGB, as CSS transitions do (CSS Color 4, 12.3).
package struct ColorMix: Hashable, Sendable {
    /// The share of the glyph's own colour, 0…1.
    package var ownShare: Double
    /// The rest: premultiplied red, green, blue, alpha, 0…1 each.
    package var rest: SIMD4<Double>

    /// The glyph's own colour.
    package static let own = ColorMix(ownShare: 1, rest: .zero)

    private init(ownShare: Double, rest: SIMD4<Double>) {
        self.ownShare = ownShare
        self.rest = rest
    }

    package init(_ color: Color) {
        self.init(ownShare: 0, rest: color.premultiplied)
    }

    /// Returns the mix at a progress to another; an overshoot counts as its end.
    package func mixed(with other: ColorMix, progress: Double) -> ColorMix {
        let progress = min(max(progress, 0), 1)
        return ColorMix(
            ownShare: ownShare + (other.ownShare - ownShare) * progress,
            rest: rest + (other.rest - rest) * progress)
    }

    /// Returns premultiplied red, green, blue and alpha on a glyph of a colour, 0…1 each.
    package func premultiplied(own: Color) -> SIMD4<Double> {
        rest + own.premultiplied * ownShare
    }

    /// Returns the colour on a glyph of a colour.
    package func color(own: Color) -> Color {
        ownShare == 1 ? own : Color(premultiplied: premultiplied(own: own))
    }
}

extension Color {
    /// Premultiplied red, green, blue, alpha, 0…1 each.
    package var premultiplied: SIMD4<Double> {
        let alpha = Double(alpha) / 255
        return SIMD4(
            Double(red) / 255 * alpha, Double(green) / 255 * alpha, Double(blue) / 255 * alpha,
            alpha)
    }
}

/// The position and look of one glyph at one instant.
///
/// Offsets are relative to the glyph's position in the finished layout, so the pose at rest draws
/// the text exactly as it was typeset. The glyph is skewed, scaled, then turned, about the centre
/// of its box, then moved; blur and stroke are in its own coordinates.
package struct Pose: Equatable, Sendable {
    /// 0…1.
    package var opacity = 1.0
    /// CSS pixels, positive to the right.
    package var offsetX = 0.0
    /// CSS pixels, positive downwards.
    package var offsetY = 0.0
    /// The factor across: `scale` times `scaleX`.
    package var scaleX = 1.0
    /// The factor down: `scale` times `scaleY`.
    package var scaleY = 1.0
    /// Degrees clockwise.
    package var rotation = 0.0
    /// Degrees by which upright lines lean, their lower ends to the right.
    package var skewX = 0.0
    /// Degrees by which level lines fall to the right.
    package var skewY = 0.0
    /// The standard deviation of a Gaussian, in CSS pixels before scaling; at least 0.
    package var blur = 0.0
    /// The colour in place of the glyph's.
    package var fill = ColorMix.own
    /// The length of the line along each contour, as a share of the longest contour's, 0…1.
    package var draw = 1.0
    /// CSS pixels before scaling; at least 0.
    package var strokeWidth = 0.0
    /// 0…1.
    package var fillOpacity = 1.0
    /// 0…1.
    package var strokeOpacity = 0.0
    /// The part of the canvas, in CSS pixels, outside which nothing is drawn; nil for all of it.
    package var clip: Rect?

    package static let rest = Pose()
    package static let hidden = Pose(opacity: 0)

    /// True if a line is drawn along the contours.
    package var hasStroke: Bool { strokeOpacity > 0 && strokeWidth > 0 && draw > 0 }

    private var isSkewed: Bool { skewX != 0 || skewY != 0 }

    /// The map about the glyph's centre.
    package var linear: Affine {
        let linear = .rotation(rotation) * .scale(SIMD2(scaleX, scaleY))
        return isSkewed ? linear * .skew(x: skewX, y: skewY) : linear
    }

    /// The ellipse that `linear` makes of a circle: half its axes for a radius of 1, and the turn
    /// that takes upright axes to them.
    private var ellipse: (axes: SIMD2<Double>, turn: Affine) {
        guard isSkewed else { return (SIMD2(abs(scaleX), abs(scaleY)), .rotation(rotation)) }
        // The eigenvalues and the eigenvectors of the map times its transpose.
        let (across, down) = (linear.across, linear.down)
        let (x, y) = (across * across + down * down, across.x * across.y + down.x * down.y)
        let (middle, half) = ((x.x + x.y) / 2, (x.x - x.y) / 2)
        let long = (middle + (half * half + y * y).squareRoot()).squareRoot()
        let short = long > 0 ? abs(linear.determinant) / long : 0
        return (SIMD2(long, short), .rotation(atan2(y, half) / 2 * 180 / .pi))
    }

    /// The factors of a blur along the axes that `turn` makes of upright ones.
    package var stretch: SIMD2<Double> { ellipse.axes }

    /// The part of `linear` that keeps lengths.
    package var turn: Affine { ellipse.turn }

    /// The part of `linear` before `turn`; along its axes blurs can be computed apart.
    package var unturned: Affine {
        isSkewed ? turn.inverse * linear : .scale(SIMD2(scaleX, scaleY))
    }

    /// True if a circle becomes an ellipse whose axes are not upright.
    package var isTurnedUnevenly: Bool {
        isSkewed || rotation != 0 && abs(scaleX) != abs(scaleY)
    }

    /// The offset of the glyph's centre.
    package var offset: SIMD2<Double> { SIMD2(offsetX, offsetY) }
}
