/// The Secret label as rewritten: every item fades in by its own random delay and duration.
package struct Fade: Effect, Parameterized {
    package static let name = "fade"
    package static let title = "Random fade"

    private let grouping: Grouping
    private let durations: (shortest: Double, longest: Double)
    private let maxDelay: Double
    private let easing: TimingFunction

    package init(_ parameters: inout ParameterReader) throws(ParameterFault) {
        grouping = parameters.grouping()
        durations = (
            parameters.seconds("minDuration", default: 0.25, "Seconds of the shortest fade."),
            parameters.seconds("maxDuration", default: 0.745, "Seconds of the longest fade.")
        )
        maxDelay = parameters.seconds(
            "maxDelay", default: 0.198, "Seconds that an item may wait before it fades.")
        easing = parameters.easing("easing", default: .easeInOut, "How each fade proceeds.")
        try parameters.checkOrder(
            ("minDuration", durations.shortest), ("maxDuration", durations.longest), "seconds")
    }

    package func entrance(of block: EffectBlock) throws(SceneError) -> Phase {
        try phase(of: block, from: 0, to: 1)
    }

    package func exit(of block: EffectBlock) throws(SceneError) -> Phase {
        try phase(of: block, from: 1, to: 0)
    }

    private func phase(
        of block: EffectBlock, from start: Double, to goal: Double
    ) throws(SceneError) -> Phase {
        let words = block.timedItems(by: grouping)
        let items = words?.items ?? Items(block.glyphs, by: grouping)
        var keyframes = ItemKeyframes()
        keyframes.add(.opacity, [(0, .number(start), easing), (1, .number(goal), .linear)])
        let motion = KeyframeMotion(keyframes)
        try block.checkLimit(block.glyphs.count * motion.keyframeCount)
        var end = 0.0
        let tracks = (0..<items.count).map { item -> PhaseTracks in
            let share = block.randomness.unit(.duration, item: item)
            let duration = durations.shortest + share * (durations.longest - durations.shortest)
            let delay =
                words?.starts[item] ?? block.randomness.unit(.delay, item: item) * maxDelay
            end = max(end, delay + duration)
            var tracks = motion.tracks(of: KeyframeMotion.Item(duration: duration, em: block.em))
            tracks.delay = delay
            return tracks
        }
        var phase = Phase(items: items, tracks: tracks, duration: end)
        phase.followsWords = words != nil
        return phase
    }
}
