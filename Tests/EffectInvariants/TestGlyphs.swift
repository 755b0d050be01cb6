package import Motion

/// Glyphs without a typesetter: boxes of ten by twenty pixels, in a row for each line.
package enum TestGlyphs {
    package static func glyphs(_ text: String, block: Int = 0) -> [Glyph] {
        var (word, line, column) = (0, 0, 0)
        var wasSpace = false
        return text.enumerated().compactMap { index, character in
            guard character != "\n" else {
                (line, column, wasSpace) = (line + 1, 0, true)
                return nil
            }
            if character != " ", wasSpace { word += 1 }
            wasSpace = character == " "
            column += 1
            let (x, y) = (Double(10 * (column - 1)), Double(20 * line))
            return Glyph(
                block: block, line: line, word: word, text: String(character),
                start: index, length: 1, isWhitespace: character == " ",
                paint: .color(Color(red: 0, green: 0, blue: 0)), hasBlockPaint: true,
                rect: Rect(x: x, y: y, width: 10, height: 20), baseline: y + 15,
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
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
            let width = Double(10 * (lines.map(\.count).max() ?? 0))
            let boxes = lines.indices.map { line in
                let y = Double(20 * line)
                return Line(
                    rect: Rect(x: 0, y: y, width: Double(10 * lines[line].count), height: 20),
                    baseline: y + 15, direction: .leftToRight, runs: [])
            }
            layout.blocks.append(
                BlockLayout(
                    text: text, glyphs: first..<layout.glyphs.count, lines: boxes, size: 16,
                    rect: Rect(x: 0, y: 0, width: width, height: Double(20 * lines.count))))
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
