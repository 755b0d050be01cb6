/// A band of light passes over text that stands.
package struct Shimmer: Effect, Parameterized {
    package static let name = "shimmer"
    package static let title = "Shimmer"

    private let duration: Double
    private let easing: TimingFunction
    private let band: ShimmerBand
    private let hasColor: Bool

    package init(_ parameters: inout ParameterReader) {
        duration = parameters.seconds(
            "duration", default: 1.2, "Seconds in which the light passes.")
        easing = parameters.easing("easing", default: .easeInOut, "How it travels.")
        let color = parameters.optionalColor(
            "shimmerColor", "The colour of the light; white over dark text, black over light text.")
        hasColor = color != nil
        band = ShimmerBand(
            color: color ?? .transparent,
            degrees: parameters.number(
                "shimmerAngle", default: 110, in: -360...360, unit: .degrees,
                "The direction of the light, clockwise from upwards: 90° is to the right."),
            width: parameters.number(
                "shimmerWidth", default: 40, in: 1...200, unit: .percent,
                "The width of the band, in percent of its way across the text."))
    }

    package var isEmphasis: Bool { true }

    /// The interval is long, because a band that passes over a whole text is much to draw for
    /// pages, and much to see.
    package var emphasisInterval: Double { 4 }

    package func entrance(of block: EffectBlock) throws(SceneError) -> Phase {
        var phase = Phase.standing(block)
        phase.duration = duration
        guard duration > 0 else { return phase }
        var band = band
        if !hasColor { band.color = Self.color(over: block.glyphs) }
        phase.shimmer = PhaseShimmer(band: band, easing: easing)
        return phase
    }

    package func exit(of block: EffectBlock) throws(SceneError) -> Phase { .vanishing(block) }

    /// Returns the colour of the light over glyphs, by the first one's.
    private static func color(over glyphs: ArraySlice<Glyph>) -> Color {
        let own = glyphs.first?.paint.firstColor ?? .transparent
        let part: UInt8 = own.luminance < 0.5 ? 255 : 0
        return Color(red: part, green: part, blue: part, alpha: 192)
    }
}

/// A band of light that passes in a phase, from its start to its end.
package struct PhaseShimmer: Sendable {
    package var band: ShimmerBand
    package var easing: TimingFunction
}
