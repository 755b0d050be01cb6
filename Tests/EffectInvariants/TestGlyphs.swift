package import Motion

/// Glyphs without a typesetter: boxes of ten by twenty pixels in one row.
package enum TestGlyphs {
    package static func glyphs(_ text: String, block: Int = 0) -> [Glyph] {
        var word = 0
        var wasSpace = false
        return text.enumerated().map { index, character in
            if character != " ", wasSpace { word += 1 }
            wasSpace = character == " "
            return Glyph(
                block: block, line: 0, word: word, text: String(character),
                start: index, length: 1, isWhitespace: character == " ",
                paint: .color(Color(red: 0, green: 0, blue: 0)), hasBlockPaint: true,
                rect: Rect(x: Double(10 * index), y: 0, width: 10, height: 20), baseline: 15,
                size: 16, ink: nil)
        }
    }

    package static func layout(_ texts: [String]) -> Layout {
        var layout = Layout(
            glyphs: [], blocks: [], definitions: Definitions(), width: 100, height: 100,
            warnings: [])
        for (block, text) in texts.enumerated() {
            let first = layout.glyphs.count
            layout.glyphs += glyphs(text, block: block)
            let rect = Rect(x: 0, y: 0, width: Double(10 * text.count), height: 20)
            let line = Line(rect: rect, baseline: 15, direction: .leftToRight, runs: [])
            layout.blocks.append(
                BlockLayout(
                    text: text, glyphs: first..<layout.glyphs.count, lines: [line], size: 16,
                    rect: rect))
        }
        return layout
    }

    package static func block(_ effect: any Effect, cursor: CursorShape = .none)
        -> Choreography.Block
    {
        Choreography.Block(
            effect: effect, named: ("test", "Test"), cursor: cursor, cursorBlink: 1,
            paint: TextPaint(fill: .color(Color(red: 0, green: 0, blue: 0))))
    }

    package static let appearance = Appearance(
        card: Card(background: .transparent), title: "", seed: 3, digest: 0)
}
