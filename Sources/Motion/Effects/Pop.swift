/// Each item grows past its size and settles.
package struct Pop: Effect {
    package static let name = "pop"
    package static let title = "Pop"

    private let stagger: Stagger
    private let duration: Double
    private let easing: Easing
    private let fromScale: Double

    package init(_ parameters: inout ParameterReader) {
        stagger = Stagger(
            &parameters, interval: 0.03, "Seconds between one item's start and the next one's.")
        duration = parameters.seconds("duration", default: 0.4, "Seconds that each item grows.")
        easing = parameters.easing("easing", default: .backOut, "How each item grows.")
        fromScale = parameters.number(
            "fromScale", default: 0.2, in: 0...10,
            "The size from which each item grows, as a factor.")
    }

    package func entrance(of block: EffectBlock) -> Phase {
        stagger.phase(of: block, lasting: duration) { start in
            var tracks = PhaseTracks.fading(from: start, for: duration / 2)
            tracks.moves = [
                (
                    .scale,
                    [
                        PhaseKeyframe(start, value: fromScale, easing: easing),
                        PhaseKeyframe(start + duration, value: 1),
                    ]
                )
            ]
            return tracks
        }
    }
}
