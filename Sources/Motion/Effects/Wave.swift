/// A crest runs through text that is there from the start.
package struct Wave: Effect {
    package static let name = "wave"
    package static let title = "Wave"

    private let stagger: Stagger
    private let duration: Double
    private let amplitude: Double

    package init(_ parameters: inout ParameterReader) {
        stagger = Stagger(
            &parameters, interval: 0.05, "Seconds between one item's crest and the next one's.")
        duration = parameters.seconds(
            "duration", default: 0.6, "Seconds that each item rises and falls.")
        amplitude = parameters.number(
            "amplitude", default: 0.25, in: 0...10, unit: .em, "The height of the crest.")
    }

    package func entrance(of block: EffectBlock) -> Phase {
        stagger.phase(of: block, lasting: duration) { start in
            var tracks = PhaseTracks.appearing(at: 0)
            tracks.moves = [
                (
                    .offsetY,
                    [
                        PhaseKeyframe(start, value: 0, easing: .easeInOut),
                        PhaseKeyframe(
                            start + duration / 2, value: -amplitude * block.em, easing: .easeInOut),
                        PhaseKeyframe(start + duration, value: 0),
                    ]
                )
            ]
            return tracks
        }
    }

    package func exit(of block: EffectBlock) -> Phase {
        .vanishing(block)
    }
}
