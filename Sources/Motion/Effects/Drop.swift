/// Each item falls from above and bounces.
package struct Drop: Effect {
    package static let name = "drop"
    package static let title = "Drop"

    private static let accelerating = Easing.cubic(
        CubicBezier(x1: 1 / 3, y1: 0, x2: 2 / 3, y2: 1 / 3))
    private static let slowing = Easing.cubic(
        CubicBezier(x1: 1 / 3, y1: 2 / 3, x2: 2 / 3, y2: 1))

    /// Penner's easeOutBounce, whose four parabolas are exact cubic curves: share of the time,
    /// share of the way, and the curve to the next stop.
    private static let bounce: [(time: Double, way: Double, easing: Easing)] = [
        (0, 0, accelerating), (4.0 / 11, 1, slowing), (6.0 / 11, 0.75, accelerating),
        (8.0 / 11, 1, slowing), (9.0 / 11, 0.9375, accelerating), (10.0 / 11, 1, slowing),
        (21.0 / 22, 0.984375, accelerating), (1, 1, .linear),
    ]

    private let stagger: Stagger
    private let duration: Double
    private let distance: Double

    package init(_ parameters: inout ParameterReader) {
        stagger = Stagger(
            &parameters, interval: 0.04, "Seconds between one item's start and the next one's.")
        duration = parameters.seconds(
            "duration", default: 0.7, "Seconds that each item falls and bounces.")
        distance = parameters.number(
            "distance", default: 1, in: 0...10, unit: .em, "The height from which each item falls.")
    }

    package func entrance(of block: EffectBlock) -> Phase {
        let height = distance * block.em
        return stagger.phase(of: block, lasting: duration) { start in
            var tracks = PhaseTracks.fading(from: start, for: duration / 4)
            let fall = Self.bounce.map { stop in
                PhaseKeyframe(
                    start + stop.time * duration, value: -(1 - stop.way) * height,
                    easing: stop.easing)
            }
            tracks.moves = [(.offsetY, fall)]
            return tracks
        }
    }
}
