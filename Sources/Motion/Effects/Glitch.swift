/// Standing text that jumps apart for an instant: its upper and its lower third to opposite sides,
/// with two colours behind it.
package struct Glitch: Effect, Parameterized {
    package static let name = "glitch"
    package static let title = "Glitch"

    private let duration: Double
    private let distance: Double
    private let leftColor: Color
    private let rightColor: Color

    package init(_ parameters: inout ParameterReader) {
        duration = parameters.seconds(
            "duration", default: 0.8, "Seconds of the effect, with a jump every 0.4 seconds.")
        distance = parameters.number(
            "distance", default: 0.12, in: 0...2, unit: .em,
            "The longest jump of the parts of the text.")
        leftColor = parameters.color(
            "leftColor", default: Color(red: 0x00, green: 0xD8, blue: 0xF0),
            "The colour on the left.")
        rightColor = parameters.color(
            "rightColor", default: Color(red: 0xFF, green: 0x2D, blue: 0x6F),
            "The colour on the right.")
    }

    package var isEmphasis: Bool { true }

    package func entrance(of block: EffectBlock) throws(SceneError) -> Phase {
        var phase = Phase.standing(block)
        phase.tracks = [PhaseTracks(opacity: [])]
        guard duration > 0 else { return phase }
        phase.duration = duration
        let jumps = jumps(of: block)
        try block.checkLimit(4 * (block.glyphs.count + 3 * jumps.count))
        let lines = Items(block.glyphs, by: .line)
        let thirdsOfLine = lines.unions(of: block.glyphs.map(\.rect)).map { box in
            (0..<3).map { third in
                let height = box.height / 3
                return Rect(
                    x: box.x, y: box.y + Double(third) * height, width: box.width, height: height)
            }
        }
        let thirds = lines.itemOfGlyph.map { thirdsOfLine[$0] }
        func addCopies(
            _ shape: PhaseNode.Shape, mask: (Int) -> PhaseNode.Mask? = { _ in nil },
            at x: (Jump) -> Double
        ) {
            for glyph in thirds.indices {
                phase.nodes.append(
                    PhaseNode(
                        glyph: glyph, shape: shape, motion: phase.motions.count,
                        mask: mask(glyph)))
            }
            let offsets = jumps.map { Keyframe($0.start, value: x($0), easing: .hold) }
            // Masks do not cut shadows.
            phase.motions.append(
                PhaseMotion(
                    spans: jumps.map { ($0.start, $0.end) },
                    moves: [(.offsetX, offsets), (.shadowOpacity, [Keyframe(0, value: 0)])]))
        }
        addCopies(.glyph, mask: { .box(thirds[$0][0], .bottom) }, at: \.upper)
        addCopies(.glyph, mask: { .box(thirds[$0][2], .top) }, at: \.lower)
        addCopies(.shade(leftColor)) { -$0.spread }
        addCopies(.shade(rightColor), at: \.spread)
        phase.masks = PhaseMasks(
            boxes: thirds.map { $0[1] }, edges: [.top, .bottom],
            spans: jumps.map { ($0.start, $0.end) }, holdsOutlines: false)
        return phase
    }

    package func exit(of block: EffectBlock) -> Phase { .vanishing(block) }

    /// The offsets of the parts of the text for an instant.
    private struct Jump {
        /// Seconds from the phase's start.
        var start: Double
        var end: Double
        /// CSS pixels to the right.
        var upper: Double
        var lower: Double
        /// The distance of both colours from the text, in CSS pixels.
        var spread: Double
    }

    /// Returns jumps in pairs, so far apart in time that they are no more than three flashes a
    /// second.
    private func jumps(of block: EffectBlock) -> [Jump] {
        // The addition keeps rounding from taking a jump away.
        let count = max(Int(duration / 0.4 + 1e-9), 1)
        let period = duration / Double(count)
        let length = min(0.2 * period, 0.08)
        return (0..<2 * count).map { number in
            func size(_ draw: Int, from least: Double) -> Double {
                let unit = block.randomness.unit(.distance, item: number, draw: draw)
                return (least + (1 - least) * unit) * distance * block.em
            }
            let middle = (Double(number / 2) + 0.5) * period
            let start = number.isMultiple(of: 2) ? middle - length : middle
            let side = number.isMultiple(of: 2) ? 1.0 : -1
            return Jump(
                start: start, end: start + length, upper: side * size(0, from: 0.4),
                lower: -side * size(1, from: 0.4), spread: size(2, from: 0.2) / 2)
        }
    }
}
