/// A band of light: transparent at its edges.
package struct ShimmerBand: Hashable, Sendable {
    package var color: Color
    /// The direction in which it moves, clockwise from upwards.
    package var degrees: Double
    /// Percent of the way across the text.
    package var width: Double

    /// The gradient of the band before it has set out: it ends where the text begins.
    package var gradient: Gradient {
        let edge = color.withAlpha(0)
        let angle = degrees.truncatingRemainder(dividingBy: 360)
        return Gradient(
            .linear(.angle(angle < 0 ? angle + 360 : angle)),
            stops: [(edge, -width), (color, -width / 2), (edge, 0)])
    }
}
