/// The Secret label as rewritten: every item fades in by its own random delay and duration.
package struct Fade: Effect {
    package static let name = "fade"
    package static let title = "Random fade"

    private static let minDuration = ParameterKey.seconds(
        "minDuration", default: 0.25, "Seconds of the shortest fade.")
    private static let maxDuration = ParameterKey.seconds(
        "maxDuration", default: 0.745, "Seconds of the longest fade.")
    private static let maxDelay = ParameterKey.seconds(
        "maxDelay", default: 0.198, "Seconds that an item may wait before it fades.")
    private static let easing = ParameterKey.easing(
        "easing", default: .easeInOut, "How each fade travels.")

    package static let parameters = [
        Grouping.key.definition, minDuration.definition, maxDuration.definition,
        maxDelay.definition, easing.definition,
    ]

    private let grouping: Grouping
    private let durations: (shortest: Double, longest: Double)
    private let maxDelay: Double
    private let easing: Easing

    package init(_ values: ParameterValues) throws(ParameterFault) {
        grouping = values[Grouping.key]
        durations = (values[Self.minDuration], values[Self.maxDuration])
        maxDelay = values[Self.maxDelay]
        easing = values[Self.easing]
        guard durations.longest >= durations.shortest else {
            throw ParameterFault(
                parameter: Self.maxDuration.definition.name,
                message: "must not be below minDuration, "
                    + "\(NumberText.of(durations.shortest)) seconds; "
                    + "got \(NumberText.of(durations.longest))")
        }
    }

    package func entrance(of block: EffectBlock) -> Phase {
        phase(of: block, from: 0, to: 1)
    }

    package func exit(of block: EffectBlock) -> Phase {
        phase(of: block, from: 1, to: 0)
    }

    private func phase(of block: EffectBlock, from start: Double, to goal: Double) -> Phase {
        let items = Items(block.glyphs, by: grouping)
        var end = 0.0
        let tracks = (0..<items.count).map { item -> PhaseTracks in
            let share = block.randomness.unit(.duration, item: item)
            let duration = durations.shortest + share * (durations.longest - durations.shortest)
            let delay = block.randomness.unit(.delay, item: item) * maxDelay
            end = max(end, delay + duration)
            return PhaseTracks(opacity: [
                PhaseKeyframe(delay, start, easing), PhaseKeyframe(delay + duration, goal),
            ])
        }
        return Phase(items: items, tracks: tracks, duration: end)
    }
}
