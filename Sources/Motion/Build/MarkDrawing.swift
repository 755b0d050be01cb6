/// Adds the marks of a block to a scene, one after another: a node for each stroke.
struct MarkDrawing {
    private let block: Int
    private let randomness: PhaseRandomness
    /// The number of strokes so far, by which chance differs.
    private var strokes = 0

    init(of block: Int, numbered number: Int, seed: UInt64) {
        self.block = block
        randomness = PhaseRandomness(seed: seed, block: number, phase: .entrance)
    }

    /// Adds a mark.
    ///
    /// - Parameters:
    ///   - style: The style of the mark.
    ///   - words: The marked words, line by line.
    ///   - scene: The scene.
    ///   - isFinished: True if the finished text shows it.
    ///   - track: Returns the index of the track of a stroke, which has a part of the mark's time,
    ///     as shares of that time; may add the track to the scene.
    mutating func add(
        _ style: MarkStyle, _ words: [MarkedWords], to scene: inout Scene, isFinished: Bool,
        track: (_ share: ClosedRange<Double>, _ scene: inout Scene) -> Int
    ) {
        guard let em = words.first?.em else { return }
        scene.marks.append(
            SceneMark(
                style.kind, isBehind: style.isBehind,
                line: style.line(beside: scene.blocks[block].paint, em: em)))
        let shapes = words.map { MarkShape(style, around: $0) }
        let whole = shapes.reduce(0) { $0 + $1.lengths.reduce(0, +) }
        var drawn = 0.0
        for (shape, words) in zip(shapes, words) {
            let origin = Point(x: words.rect.x, y: words.baseline)
            let first = strokes
            let outlines = shape.drawn(from: origin) { line, draw in
                2 * randomness.unit(.hand, item: first + line, draw: draw) - 1
            }
            for (outline, length) in zip(outlines, shape.lengths) {
                let start = drawn / whole
                drawn += length
                // All strokes of an exact kind come together.
                let share = style.kind.isExact ? 0...1 : start...max(start, drawn / whole)
                let index = track(share, &scene)
                scene.nodes.append(
                    SceneNode(
                        scene.stroke(outline, origin, words, of: block),
                        as: .mark(scene.marks.count - 1), track: index, isFinished: isFinished))
            }
            strokes += outlines.count
        }
    }
}

extension Scene {
    /// Adds the outline of a stroke, whose coordinates count from a point of the canvas, and
    /// returns the glyph that draws it.
    fileprivate mutating func stroke(
        _ outline: Outline, _ origin: Point, _ words: MarkedWords, of block: Int
    ) -> Glyph {
        definitions.outlines.append(outline)
        let shape = Ink.Shape(outline: definitions.outlines.count - 1, origin: origin, scale: 1)
        return Glyph(
            block: block, line: words.line, word: words.word, text: "", start: 0, length: 0,
            isWhitespace: false, paint: .color(marks[marks.count - 1].line.color),
            hasBlockPaint: false, rect: words.rect, baseline: words.baseline, size: words.em,
            ink: Ink(
                shape: shape, details: [],
                bounds: outline.bounds.offset(byX: origin.x, y: origin.y)))
    }
}
