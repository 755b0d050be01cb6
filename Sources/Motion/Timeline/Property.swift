/// A number of a glyph that changes over time: the table that every format reads.
package enum Property: Int, CaseIterable, Sendable {
    case opacity, offsetX, offsetY, scale, scaleX, scaleY, rotation, blur
    case draw, strokeWidth, fillOpacity, strokeOpacity

    /// The name in the JSON rendering.
    package var name: StaticString {
        switch self {
        case .opacity: "opacity"
        case .offsetX: "offsetX"
        case .offsetY: "offsetY"
        case .scale: "scale"
        case .scaleX: "scaleX"
        case .scaleY: "scaleY"
        case .rotation: "rotation"
        case .blur: "blur"
        case .draw: "draw"
        case .strokeWidth: "strokeWidth"
        case .fillOpacity: "fillOpacity"
        case .strokeOpacity: "strokeOpacity"
        }
    }

    /// The value that draws the glyph as it was typeset.
    package var identity: Double {
        switch self {
        case .opacity, .scale, .scaleX, .scaleY, .draw, .fillOpacity: 1
        case .offsetX, .offsetY, .rotation, .blur, .strokeWidth, .strokeOpacity: 0
        }
    }

    /// The unit of its values; nil for shares and factors.
    package var unit: Parameter.Unit? {
        switch self {
        case .offsetX, .offsetY, .blur, .strokeWidth: .pixels
        case .rotation: .degrees
        case .opacity, .scale, .scaleX, .scaleY, .draw, .fillOpacity, .strokeOpacity: nil
        }
    }

    /// True if it changes the fill and the line along the contours, and not what lies beneath them.
    var isOfFill: Bool {
        switch self {
        case .draw, .strokeWidth, .fillOpacity, .strokeOpacity: true
        default: false
        }
    }

    /// True if it scales or turns the glyph about the centre of its box.
    package var isAboutCenter: Bool {
        switch self {
        case .scale, .scaleX, .scaleY, .rotation: true
        default: false
        }
    }
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

    /// True if a glyph is scaled or turned about the centre of its box.
    package var usesCenter: Bool {
        Property.allCases.contains { $0.isAboutCenter && contains($0) }
    }
}

/// A colour of which a part may be the glyph's own.
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

    /// Returns the mix at a share of the way to another; an overshoot counts as its end.
    package func mixed(with other: ColorMix, share: Double) -> ColorMix {
        let share = min(max(share, 0), 1)
        return ColorMix(
            ownShare: ownShare + (other.ownShare - ownShare) * share,
            rest: rest + (other.rest - rest) * share)
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
/// the text exactly as it was typeset. The glyph is scaled, then turned, about the centre of its
/// box, then moved; blur and stroke are in its own coordinates.
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
    /// The standard deviation of a Gaussian, in CSS pixels before scaling; at least 0.
    package var blur = 0.0
    /// Instead of the glyph's colour.
    package var fill = ColorMix.own
    /// The share of its longest contour's length that a line along each contour has, 0…1.
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

    /// Sets a property's value; those outside of its range count as the nearest within.
    mutating func set(_ property: Property, _ value: Double) {
        switch property {
        case .opacity: opacity = min(max(value, 0), 1)
        case .offsetX: offsetX = value
        case .offsetY: offsetY = value
        case .scale:
            scaleX *= value
            scaleY *= value
        case .scaleX: scaleX *= value
        case .scaleY: scaleY *= value
        case .rotation: rotation = value
        case .blur: blur = max(value, 0)
        case .draw: draw = min(max(value, 0), 1)
        case .strokeWidth: strokeWidth = max(value, 0)
        case .fillOpacity: fillOpacity = min(max(value, 0), 1)
        case .strokeOpacity: strokeOpacity = min(max(value, 0), 1)
        }
    }
}
