/// Fades in at random; every item leaves by dropping, turning and fading.
package struct Fall: Effect, Parameterized {
    package static let name = "fall"
    package static let title = "Fall"

    private let grouping: Grouping
    private let maxDelay: Double
    private let distances: (shortest: Double, longest: Double)
    private let angle: Double

    package init(_ parameters: inout ParameterReader) throws(ParameterFault) {
        grouping = parameters.grouping()
        maxDelay = parameters.seconds(
            "maxDelay", default: 0.198, "Seconds that an item may wait before it moves.")
        distances = (
            parameters.number(
                "minDistance", default: 25, in: 0...1000, unit: .pixels, "The shortest way down."),
            parameters.number(
                "maxDistance", default: 74, in: 0...1000, unit: .pixels, "The longest way down.")
        )
        angle = parameters.number(
            "angle", default: 45, in: -360...360, unit: .degrees,
            "How far an item may turn in either direction.")
        try parameters.checkOrder(
            ("minDistance", distances.shortest), ("maxDistance", distances.longest), "px")
    }

    package func entrance(of block: EffectBlock) -> Phase {
        phase(of: block, lasting: 0.3...1.29) { _, start, end in
            PhaseTracks(opacity: [
                Keyframe(start, value: 0, easing: .easeInOut), Keyframe(end, value: 1),
            ])
        }
    }

    package func exit(of block: EffectBlock) -> Phase {
        phase(of: block, lasting: 0.35...1.142) { item, start, end in
            let way =
                distances.shortest + block.randomness.unit(.distance, item: item)
                * (distances.longest - distances.shortest)
            let turn = angle * (2 * block.randomness.unit(.angle, item: item) - 1)
            func track(_ from: Double, _ to: Double) -> [Keyframe<Double, Double>] {
                [
                    Keyframe(start, value: from, easing: .easeInOut),
                    Keyframe(end, value: to),
                ]
            }
            return PhaseTracks(
                opacity: track(1, 0),
                moves: [(.offsetY, track(0, way)), (.rotation, track(0, turn))])
        }
    }

    /// Returns a phase in which each item has its own random delay and duration.
    private func phase(
        of block: EffectBlock, lasting range: ClosedRange<Double>,
        _ tracks: (_ item: Int, _ start: Double, _ end: Double) -> PhaseTracks
    ) -> Phase {
        let words = block.timedItems(by: grouping)
        let items = words?.items ?? Items(block.glyphs, by: grouping)
        var last = 0.0
        let all = (0..<items.count).map { item in
            let share = block.randomness.unit(.duration, item: item)
            let duration = range.lowerBound + share * (range.upperBound - range.lowerBound)
            let start =
                words?.starts[item] ?? block.randomness.unit(.delay, item: item) * maxDelay
            last = max(last, start + duration)
            return tracks(item, start, start + duration)
        }
        var phase = Phase(items: items, tracks: all, duration: last)
        phase.followsWords = words != nil
        return phase
    }
}
