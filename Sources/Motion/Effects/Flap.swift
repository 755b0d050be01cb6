/// Letters turn over as on a departure board: letters of the alphabet up to each letter's own, each
/// folding its upper half down and unfolding its lower half.
package struct Flap: Effect, Parameterized {
    package static let name = "flap"
    package static let title = "Departure board"

    private let interval: ItemInterval
    private let tick: Double
    private let flaps: Int
    /// The characters that stand before any glyph; nil if each glyph has its own.
    private let charset: [String]?

    package init(_ parameters: inout ParameterReader) {
        interval = ItemInterval(
            &parameters, usually: 0.06, "Seconds between one letter's start and the next one's")
        tick = parameters.seconds(
            "tick", default: 0.14, in: 0.01...10, "Seconds in which a letter turns over.")
        flaps = parameters.integer(
            "flaps", default: 4, in: 0...20, "Letters that pass before each letter.")
        charset = parameters.optionalText(
            "charset", .characters(1...256),
            "The characters that pass, in their order, without white space; by default the "
                + "alphabet of each letter."
        ).map { $0.map(String.init) }
    }

    package func characters(for text: String) -> [String] {
        charset ?? DecoyCharacters.all(for: text)
    }

    package func entrance(of block: EffectBlock) throws(SceneError) -> Phase {
        let letters = block.glyphs.count { !$0.isWhitespace }
        let interval = interval.seconds(ofItems: letters)
        try block.checkLimit(14 * letters * (flaps + 1))
        let characters = DecoyCharacters(in: block.characters, charset: charset)
        return try .settling(block, every: interval) { index, glyph, start, phase in
            var board = SplitFlap(of: index, glyph.rect, tick: tick, from: start)
            for character in characters.leading(to: glyph, count: flaps) {
                board.turn(to: .character(character), staysUp: false, in: &phase)
            }
            board.turn(to: .glyph, staysUp: true, in: &phase)
            return board.time
        }
    }
}

/// The two halves that show a letter, which turn over to the next one.
private struct SplitFlap {
    let glyph: Int
    let halves: [PhaseNode.Mask]
    let tick: Double
    /// Seconds from the phase's start to the end of the last turn.
    private(set) var time: Double
    /// The motions that each half has, by the shape that it shows.
    private var known: [[PhaseNode.Shape: Int]] = [[:], [:]]

    init(of glyph: Int, _ box: Rect, tick: Double, from start: Double) {
        self.glyph = glyph
        self.tick = tick
        time = start
        // At a whole pixel no seam shows between the halves.
        let (top, middle) = (box.y, box.center.y.rounded())
        let upper = Rect(x: box.x, y: top, width: box.width, height: middle - top)
        let lower = Rect(x: box.x, y: middle, width: box.width, height: box.maxY - middle)
        halves = [.box(upper, .bottom), .box(lower, .top)]
    }

    /// Turns to a shape, whose upper half folds after that unless it stays up.
    mutating func turn(to shape: PhaseNode.Shape, staysUp: Bool, in phase: inout Phase) {
        let (shown, flat) = (time + tick / 2, time + tick)
        let end = staysUp ? flat : flat + tick / 2
        // A shape may show more than once, and holds between its changes.
        let unfolding = [
            Keyframe(shown, value: 0.0, easing: .easeOut),
            Keyframe(flat, value: 1, easing: .hold), Keyframe(end, value: 1),
        ]
        let folding = [
            Keyframe(shown, value: 1.0, easing: .hold),
            Keyframe(flat, value: 1, easing: .easeIn), Keyframe(end, value: 0),
        ]
        phase.show(
            shape, for: glyph, (shown, end), scaleY: staysUp ? [] : folding, within: halves[0],
            known: &known[0])
        phase.show(
            shape, for: glyph, (shown, end), scaleY: unfolding, within: halves[1],
            known: &known[1])
        time = flat
    }
}
