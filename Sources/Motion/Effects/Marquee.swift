/// Lines run through the canvas, each followed by itself. In standing text only lines longer than
/// the canvas run.
package struct Marquee: Effect, Parameterized {
    package static let name = "marquee"
    package static let title = "Marquee"

    /// CSS pixels that a line may reach beyond the canvas and stand.
    private static let slack = 0.01

    private let rate: Double
    private let gap: Double
    /// True if lines that fit stand.
    private var onlyLong = false

    package init(_ parameters: inout ParameterReader) {
        rate = parameters.number(
            "rate", default: 80, in: 1...2000, unit: .pixelsPerSecond,
            "How fast lines run.")
        gap = parameters.number(
            "marqueeGap", default: 2, in: 0...100, unit: .em,
            "The space between the end of a line and its beginning, which follows it.")
    }

    package var isEmphasis: Bool { true }

    package var ofStandingText: any Effect {
        var effect = self
        effect.onlyLong = true
        return effect
    }

    package func entrance(of block: EffectBlock) throws(SceneError) -> Phase {
        var phase = Phase.standing(block)
        phase.tracks = [PhaseTracks(opacity: [])]
        guard !block.places.contains(where: { $0 != nil }) else { return phase }
        let runs = block.lines.enumerated().map { number, line in
            let isCut =
                line.rect.x < block.canvas.x - Self.slack
                || line.rect.maxX > block.canvas.maxX + Self.slack
            // Marks do not move with text, so lines with marks stand.
            return (isCut || !onlyLong) && !block.markedLines.contains(number)
        }
        guard runs.contains(true) else { return phase }
        try block.checkLimit(8 * block.glyphs.count)
        let way = way(of: block, runs)
        phase.duration = way / rate
        phase.leavesCanvas = [.left, .right]
        var motions: [Direction: (own: Int, ofCopy: Int)] = [:]
        for (index, glyph) in block.glyphs.enumerated() where runs[glyph.line] {
            let direction = block.lines[glyph.line].direction
            // The repeated line comes from the side to which lines are read.
            let distance = direction == .leftToRight ? way : -way
            let motion =
                motions[direction] ?? (own: phase.tracks.count, ofCopy: phase.motions.count)
            if motions[direction] == nil {
                motions[direction] = motion
                let moves = running(by: -distance, in: phase.duration)
                phase.tracks.append(PhaseTracks(opacity: [], moves: moves))
                phase.motions.append(PhaseMotion(spans: [(0, phase.duration)], moves: moves))
            }
            phase.assignment[index] = motion.own
            phase.nodes.append(
                PhaseNode(
                    glyph: index, shape: .glyph, motion: motion.ofCopy,
                    offset: SIMD2(distance, 0)))
        }
        return phase
    }

    package func exit(of block: EffectBlock) -> Phase { .vanishing(block) }

    /// Returns the way of a run, in whole CSS pixels: the length of the longest line with the gap,
    /// or more, so that each line has left the canvas when its repetition is in its place.
    private func way(of block: EffectBlock, _ runs: [Bool]) -> Double {
        var drawn = block.lines.map(\.rect)
        for glyph in block.glyphs {
            if let ink = glyph.ink { drawn[glyph.line] = drawn[glyph.line].union(ink.bounds) }
        }
        var way = 0.0
        for line in block.lines.indices where runs[line] {
            let box = drawn[line].grown(by: block.margins)
            way = max(
                way, block.lines[line].rect.width + gap * block.em,
                box.maxX - block.canvas.x, block.canvas.maxX - box.x)
        }
        // Sums of lengths may be too large by a rounding error.
        return (way - 1e-6).rounded(.up)
    }

    private func running(
        by distance: Double, in duration: Double
    ) -> [(property: Property, keyframes: [Keyframe<Double, Double>])] {
        [
            (
                .offsetX,
                [
                    Keyframe(0, value: 0), Keyframe(duration, value: distance, easing: .hold),
                    Keyframe(duration, value: 0),
                ]
            )
        ]
    }
}
