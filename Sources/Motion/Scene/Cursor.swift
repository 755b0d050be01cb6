/// The shapes that a typing cursor has.
package enum CursorShape: String, CaseIterable, Sendable {
    case none, bar, block, underscore

    /// Its size beside a glyph, in CSS pixels.
    ///
    /// `em` is the block's font size, `lineHeight` the height of the first line's box.
    package func size(em: Double, lineHeight: Double) -> (width: Double, height: Double) {
        switch self {
        case .none: (0, 0)
        case .bar: (0.06 * em, lineHeight)
        case .block: (0.5 * em, lineHeight)
        case .underscore: (0.5 * em, 0.06 * em)
        }
    }
}

/// Where a block's cursor may stand.
package struct CursorPlaces: Sendable {
    private let shape: CursorShape
    private let size: (width: Double, height: Double)
    private let lines: [Line]
    private let glyphs: ArraySlice<Glyph>
    /// For each glyph whether its run goes from right to left.
    private let isRightToLeft: [Bool]

    package init(_ shape: CursorShape, block: BlockLayout, glyphs: ArraySlice<Glyph>) {
        self.shape = shape
        self.glyphs = glyphs
        lines = block.lines
        size = shape.size(em: block.size, lineHeight: block.lines.first?.rect.height ?? 0)
        var isRightToLeft = [Bool](repeating: false, count: glyphs.count)
        for line in block.lines {
            for run in line.runs where run.direction == .rightToLeft {
                for glyph in run.glyphs { isRightToLeft[glyph - block.glyphs.lowerBound] = true }
            }
        }
        self.isRightToLeft = isRightToLeft
    }

    /// At the trailing edge of a glyph of the block.
    package func behind(_ glyph: Int) -> Rect {
        place(at: glyph, isTrailing: true)
    }

    /// At the leading edge of the block's first glyph.
    package var start: Rect {
        place(at: 0, isTrailing: false)
    }

    private func place(at index: Int, isTrailing: Bool) -> Rect {
        guard index < glyphs.count else { return Rect(x: 0, y: 0, width: 0, height: 0) }
        let glyph = glyphs[glyphs.startIndex + index]
        let isAtRight = isTrailing != isRightToLeft[index]
        let edge = isAtRight ? glyph.rect.maxX : glyph.rect.x
        return Rect(
            x: isRightToLeft[index] ? edge - size.width : edge,
            y: shape == .underscore ? glyph.baseline : lines[glyph.line].rect.y,
            width: size.width, height: size.height)
    }
}
