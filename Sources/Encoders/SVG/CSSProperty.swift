import Motion

/// A CSS property that animations change, with the function in which its value is written.
enum CSSProperty {
    case opacity, translate, rotate, scale
    case skewX, skewY
    /// A second translation beside the first, where nothing is skewed.
    case transform
    /// A translation across by multiples of the glyph's own offset, and down.
    case ownTranslate
    case blur
    /// Colours of a glyph whose own colour is opaque.
    case fill
    /// Colours with alpha, instead of the fill's opacity.
    case fillWithAlpha
    case fillOpacity, strokeOpacity, strokeWidth
    /// 1 for visible, 0 for hidden.
    case visibility
    /// The share of the longest contour that is drawn.
    case dash
    /// The same for a line without dashes at rest: viewers that do not know `pathLength` would show
    /// them.
    case lineDash

    /// True if keyframes state all of its values, even the value of the element without animation.
    var isExplicit: Bool { self == .fillWithAlpha || self == .lineDash }

    var isSkew: Bool { self == .skewX || self == .skewY }

    /// True if each of its changes has an animation of its own in a loop, even one with two
    /// keyframes.
    var isDelayedAlways: Bool {
        switch self {
        case .opacity, .translate, .ownTranslate, .rotate, .scale, .transform: false
        default: true
        }
    }

    /// The value that leaves the element as it was drawn.
    var identity: CSSValue {
        switch self {
        case .opacity, .fillOpacity, .dash, .lineDash, .visibility: .number(1)
        case .translate, .ownTranslate, .transform: .pair(0, 0)
        case .scale: .pair(1, 1)
        case .fill, .fillWithAlpha: .paint(.own)
        case .rotate, .skewX, .skewY, .blur, .strokeOpacity, .strokeWidth: .number(0)
        }
    }

    /// The values that can be drawn; nil for all.
    var range: ClosedRange<Double>? {
        switch self {
        case .opacity, .dash, .lineDash, .fillOpacity, .strokeOpacity: 0...1
        case .blur, .strokeWidth: 0...Double.infinity
        default: nil
        }
    }
}

/// The value of a property.
///
/// It does not depend on the glyph's own colour, so that animations are the same under both colour
/// schemes except for the text of their keyframes. Opacities of fill and stroke are shares of that
/// colour's alpha.
enum CSSValue: Equatable {
    case number(Double)
    /// The values across and down.
    case pair(Double, Double)
    case paint(ColorMix)
}
