/// Each item grows past its size and settles.
package struct Pop: Effect {
    package static let name = "pop"
    package static let title = "Pop"

    private static let interval = ParameterKey.seconds(
        "interval", default: 0.03, "Seconds between one item's start and the next one's.")
    private static let duration = ParameterKey.seconds(
        "duration", default: 0.4, "Seconds that each item grows.")
    private static let easing = ParameterKey.easing(
        "easing", default: .backOut, "How each item grows.")
    private static let fromScale = ParameterKey.number(
        "fromScale", default: 0.2, in: 0...10, "The size from which each item grows, as a factor.")

    package static let parameters = [
        Grouping.key.definition, ItemOrder.key.definition, interval.definition,
        duration.definition, easing.definition, fromScale.definition,
    ]

    private let stagger: Stagger
    private let duration: Double
    private let easing: Easing
    private let fromScale: Double

    package init(_ values: ParameterValues) {
        stagger = Stagger(
            grouping: values[Grouping.key], order: values[ItemOrder.key],
            interval: values[Self.interval])
        duration = values[Self.duration]
        easing = values[Self.easing]
        fromScale = values[Self.fromScale]
    }

    package func entrance(of block: EffectBlock) -> Phase {
        stagger.phase(of: block, lasting: duration) { start in
            var tracks = PhaseTracks.fading(from: start, for: duration / 2)
            tracks.moves = [
                (
                    .scale,
                    [PhaseKeyframe(start, fromScale, easing), PhaseKeyframe(start + duration, 1)]
                )
            ]
            return tracks
        }
    }
}
