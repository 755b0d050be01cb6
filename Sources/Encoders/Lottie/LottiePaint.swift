import Bytes
import Motion

/// The fill and the stroke of one glyph's shapes over the cycle, as properties of Lottie.
struct LottiePaint {
    /// A line along the contours, over the fill.
    struct Stroke {
        /// The property of its opacity.
        let opacity: [UInt8]
        /// CSS pixels.
        let width: [Keyframe<Instant, Double>]
    }

    /// The colours of fill and stroke.
    enum Colors {
        /// The property of a colour.
        case property([UInt8])
        case gradient(LottieGradient)
    }

    let colors: Colors
    /// The slot of the colours; nil for none.
    let slot: LottieSlot?
    /// The property of the fill's opacity.
    let opacity: [UInt8]
    /// True if overlaps of shapes do not show while the glyph is opaque.
    let isOpaque: Bool
    let stroke: Stroke?
    /// The drawn length of a line along contours, as a share of the longest contour's length; empty
    /// for all of it.
    let draw: [Keyframe<Instant, Double>]

    /// Makes the paint of shapes that do not change.
    init(_ ink: LottieInk, in slot: LottieSlot? = nil, _ keyframes: inout LottieKeyframes) {
        self.slot = slot
        isOpaque = ink.isOpaque
        stroke = nil
        draw = []
        var share = 100.0
        switch ink {
        case .color(let color):
            colors = .property(keyframes.property(of: LottieFill(nil, own: color).colors, in: slot))
            share = (Double(color.alpha) / 255 * 100 * 10).rounded(.up) / 10
        case .gradient(let gradient):
            colors = .gradient(gradient)
        }
        opacity = keyframes.property(of: [Keyframe(.zero, value: share)], decimals: 1)
    }

    /// - Parameters:
    ///   - tracks: The glyph's motion.
    ///   - ink: The ink of its shapes, except where its motion changes that.
    ///   - slot: The slot of the ink; nil for none.
    ///   - isWhole: True if fill and stroke have the glyph's opacity; false if its layer has.
    ///   - keyframes: The writer of properties.
    init(
        _ tracks: GlyphTracks, _ ink: LottieInk, in slot: LottieSlot?, isWhole: Bool,
        _ keyframes: inout LottieKeyframes
    ) {
        self.slot = slot
        var factors = isWhole ? [ShareTrack.keyframes(of: tracks.opacity.keyframes)] : []
        // In percent; a colour that does not change adds its alpha at the end.
        var whole = 100.0
        switch ink {
        case .color(let own):
            let fill = LottieFill(tracks.fill, own: own)
            isOpaque = fill.isOpaque
            colors = .property(keyframes.property(of: fill.colors, in: slot))
            if let alpha = fill.alpha { factors.append(alpha) }
            if fill.alpha == nil { whole = Double(own.alpha) / 2.55 }
        case .gradient(let gradient):
            isOpaque = gradient.isOpaque
            colors = .gradient(gradient)
        }
        func opacity(_ property: Property) -> [UInt8] {
            let own = tracks[property].map { [ShareTrack.keyframes(of: $0.keyframes)] } ?? []
            return keyframes.property(
                of: JoinedTracks.product(factors + own), scale: whole, decimals: 2)
        }
        self.opacity = opacity(.fillOpacity)
        draw = tracks[.draw]?.keyframes ?? []
        guard tracks.hasStroke else {
            stroke = nil
            return
        }
        stroke = Stroke(
            opacity: opacity(.strokeOpacity),
            width: tracks[.strokeWidth]?.keyframes ?? [])
    }
}

extension GlyphTracks {
    /// True if the shapes change in another way than by the glyph's opacity.
    var isPainted: Bool {
        fill != nil || self[.fillOpacity] != nil || hasStroke
    }

    /// The largest width of the line along the contours, in CSS pixels; 0 without one.
    var largestStrokeWidth: Double {
        guard hasStroke, let width = self[.strokeWidth] else { return 0 }
        return width.keyframes.reduce(0) { max($0, $1.value) }
    }
}

/// The colours of a glyph over the cycle.
///
/// Lottie mixes colours and opacities separately, a scene mixes them premultiplied: changes of
/// alpha need more keyframes.
private struct LottieFill {
    /// The largest distance of a mixed colour from the right one.
    private static let tolerance = 1.0 / 255

    /// Straight red, green, and blue, 0…1 each; a still colour is one keyframe.
    private(set) var colors: [Keyframe<Instant, SIMD4<Double>>] = []
    /// The alpha, 0…1; nil without a track.
    private(set) var alpha: [Keyframe<Instant, Double>]?
    let isOpaque: Bool

    init(_ track: Track<ColorMix>?, own: Color) {
        guard let track, let last = track.keyframes.last else {
            colors = [Keyframe(.zero, value: own.straight)]
            isOpaque = own.isOpaque
            return
        }
        isOpaque = track.keyframes.allSatisfy { $0.value.color(own: own).isOpaque }
        var alphas: [Keyframe<Instant, Double>] = []
        for (from, to) in zip(track.keyframes, track.keyframes.dropFirst()) {
            alphas.append(
                Keyframe(from.time, value: from.value.alpha(own: own), easing: from.easing))
            addColors(from: from, to: to, own: own)
        }
        colors.append(Keyframe(last.time, value: last.value.color(own: own).straight))
        alphas.append(Keyframe(last.time, value: last.value.alpha(own: own)))
        let isStill = alphas.allSatisfy { $0.value == alphas[0].value }
        alpha = isStill ? Array(alphas.suffix(1)) : alphas
    }

    /// Adds the colours from one keyframe to another, without the last colour.
    private mutating func addColors(
        from: Keyframe<Instant, ColorMix>, to: Keyframe<Instant, ColorMix>, own: Color
    ) {
        let (start, end) = (from.value, to.value)
        let (startAlpha, endAlpha) = (start.alpha(own: own), end.alpha(own: own))
        // A mix with a transparent colour has the other colour.
        if startAlpha == 0 || endAlpha == 0 || from.easing == .hold {
            let shown = startAlpha == 0 && from.easing != .hold ? end : start
            colors.append(
                Keyframe(from.time, value: shown.color(own: own).straight, easing: .hold))
            return
        }
        let way: [Keyframe<Instant, Double>] = [
            Keyframe(from.time, value: 0, easing: from.easing),
            Keyframe(to.time, value: 1),
        ]
        let mixed = JoinedTracks.joined(
            [way], tolerance: Self.tolerance, keepsEasings: startAlpha == endAlpha
        ) { values in
            start.mixed(with: end, progress: values[0]).straight(own: own)
        }
        colors += mixed.dropLast()
    }
}

extension Color {
    /// Straight red, green, and blue, 0…1 each.
    var straight: SIMD4<Double> {
        SIMD4(Double(red), Double(green), Double(blue), 0) / 255
    }
}

extension ColorMix {
    /// Returns the alpha on a glyph of a colour, 0…1.
    fileprivate func alpha(own: Color) -> Double {
        premultiplied(own: own).w
    }

    /// Returns straight red, green, and blue on a glyph of a colour, not rounded.
    fileprivate func straight(own: Color) -> SIMD4<Double> {
        var color = premultiplied(own: own)
        let alpha = color.w
        guard alpha > 0 else { return .zero }
        color.w = 0
        return color / alpha
    }
}

/// The part of overlapping paths that is inside, by its number in Lottie.
enum LottieFillRule: Int {
    case nonZero = 1
    case evenOdd = 2
}

extension ByteSink {
    /// Appends the fill of the shapes before it.
    mutating func append(lottieFill paint: LottiePaint, rule: LottieFillRule = .nonZero) {
        switch paint.colors {
        case .property(let color):
            append(",{\"ty\":\"fl\",\"c\":")
            append(color)
        case .gradient(let gradient):
            append(",{\"ty\":\"gf\"")
            append(lottieGradient: gradient, in: paint.slot)
        }
        append(",\"o\":")
        append(paint.opacity)
        append(",\"r\":")
        append(rule.rawValue)
        append("}")
    }

    /// Appends the line along the shapes before it, with the properties of its opacity and width.
    mutating func append(
        lottieLine paint: LottiePaint, opacity: [UInt8], width: [UInt8],
        cap: LineStyle.Cap = .butt
    ) {
        switch paint.colors {
        case .property(let color):
            append("{\"ty\":\"st\",\"c\":")
            append(color)
        case .gradient(let gradient):
            append("{\"ty\":\"gs\"")
            append(lottieGradient: gradient, in: paint.slot)
        }
        append(",\"o\":")
        append(opacity)
        append(",\"w\":")
        append(width)
        append(cap == .round ? ",\"lc\":2,\"lj\":2}" : ",\"lc\":1,\"lj\":2}")
    }
}
