/// A pen follows the outlines of each item, then its ink appears.
package struct Draw: Effect, Parameterized {
    package static let name = "draw"
    package static let title = "Draw"

    private let stagger: Stagger
    private let duration: Double
    private let strokeWidth: Double
    private let easing: TimingFunction

    package init(_ parameters: inout ParameterReader) {
        stagger = Stagger(&parameters, interval: 0.06)
        duration = parameters.seconds(
            "duration", default: 1.2, "Seconds for each item: half for the line, half for the ink.")
        easing = parameters.easing("easing", default: .easeInOut, "How the line is drawn.")
        strokeWidth = parameters.number(
            "strokeWidth", default: 0.03, in: 0.005...0.2, unit: .em, "The width of the line.")
    }

    package func entrance(of block: EffectBlock) throws(SceneError) -> Phase {
        let line = KeyframeMotion.ramp(from: 0, to: 1, easing)
        try block.checkLimit(block.glyphs.count * (line.count + 8))
        let schedule = stagger.schedule(of: block, lasting: duration)
        let starts = schedule.starts
        var phase = Phase(
            items: schedule.items, tracks: starts.map { drawn(from: $0, line, em: block.em) },
            duration: schedule.end)
        // Pictures have no outlines, so an item may have two kinds of tracks.
        guard block.glyphs.contains(where: \.isPicture) else { return phase }
        phase.tracks += starts.map { PhaseTracks.fading(from: $0, for: duration) }
        for (index, glyph) in block.glyphs.enumerated() where glyph.isPicture {
            phase.assignment[index] += schedule.items.count
        }
        return phase
    }

    private func drawn(
        from start: Double, _ line: [(share: Double, value: Double, easing: Easing)], em: Double
    ) -> PhaseTracks {
        let (middle, end) = (start + duration / 2, start + duration)
        return PhaseTracks(
            opacity: start > 0
                ? [Keyframe(0, value: 0, easing: .hold), Keyframe(start, value: 1)]
                : [Keyframe(0, value: 1)],
            moves: [
                (
                    .draw,
                    line.map {
                        Keyframe(
                            start + $0.share * duration / 2, value: $0.value, easing: $0.easing)
                    }
                ),
                (.strokeWidth, [Keyframe(start, value: strokeWidth * em)]),
                (.fillOpacity, [Keyframe(middle, value: 0), Keyframe(end, value: 1)]),
                (.strokeOpacity, [Keyframe(middle, value: 1), Keyframe(end, value: 0)]),
            ])
    }
}

extension Glyph {
    /// True if it is drawn as a picture, without an outline.
    fileprivate var isPicture: Bool {
        guard let ink else { return false }
        return ink.shape == nil && ink.hasPicture
    }
}
