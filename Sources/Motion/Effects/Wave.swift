/// A crest runs through text that is there from the start.
package struct Wave: Effect {
    package static let name = "wave"
    package static let title = "Wave"

    private static let interval = ParameterKey.seconds(
        "interval", default: 0.05, "Seconds between one item's crest and the next one's.")
    private static let duration = ParameterKey.seconds(
        "duration", default: 0.6, "Seconds that each item rises and falls.")
    private static let amplitude = ParameterKey.number(
        "amplitude", default: 0.25, in: 0...10, unit: .em, "The height of the crest.")

    package static let parameters = [
        Grouping.key.definition, ItemOrder.key.definition, interval.definition,
        duration.definition, amplitude.definition,
    ]

    private let stagger: Stagger
    private let duration: Double
    private let amplitude: Double

    package init(_ values: ParameterValues) {
        stagger = Stagger(
            grouping: values[Grouping.key], order: values[ItemOrder.key],
            interval: values[Self.interval])
        duration = values[Self.duration]
        amplitude = values[Self.amplitude]
    }

    package func entrance(of block: EffectBlock) -> Phase {
        stagger.phase(of: block, lasting: duration) { start in
            var tracks = PhaseTracks.appearing(at: 0)
            tracks.moves = [
                (
                    .offsetY,
                    [
                        PhaseKeyframe(start, 0, .easeInOut),
                        PhaseKeyframe(start + duration / 2, -amplitude * block.em, .easeInOut),
                        PhaseKeyframe(start + duration, 0),
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
