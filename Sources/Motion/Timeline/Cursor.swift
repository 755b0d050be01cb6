/// The shapes that a typing cursor has.
package enum CursorShape: String, CaseIterable, Sendable {
    case none, bar, block, underscore

    /// The size of a cursor beside a glyph.
    ///
    /// - Parameters:
    ///   - em: The block's font size.
    ///   - lineHeight: The height of the first line's box.
    /// - Returns: The size in CSS pixels.
    package func size(em: Double, lineHeight: Double) -> (width: Double, height: Double) {
        switch self {
        case .none: (0, 0)
        case .bar: (0.06 * em, lineHeight)
        case .block: (0.5 * em, lineHeight)
        case .underscore: (0.5 * em, 0.06 * em)
        }
    }
}

/// The positions that a block's cursor can take.
package struct CursorPositions: Sendable {
    private let shape: CursorShape
    private let size: (width: Double, height: Double)
    private let lines: [Line]
    private let glyphs: ArraySlice<Glyph>
    /// True for each glyph whose run goes from right to left.
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

    /// Returns the position at the trailing edge of a glyph of the block.
    package func behind(_ glyph: Int) -> Rect {
        position(at: glyph, isTrailing: true)
    }

    /// The position at the leading edge of the block's first glyph.
    package var start: Rect {
        position(at: 0, isTrailing: false)
    }

    private func position(at index: Int, isTrailing: Bool) -> Rect {
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

/// The way of a cursor that follows the glyph that began to show last.
struct CursorPath {
    struct Step {
        let instant: Instant
        let position: Rect
        /// Index in the block of the glyph beside it.
        let glyph: Int
    }

    private let positions: CursorPositions
    private let glyphs: ArraySlice<Glyph>
    /// The spans in which each glyph shows.
    private let shown: [[Range<Instant>]]

    /// - Parameters:
    ///   - positions: The positions beside the block's glyphs.
    ///   - glyphs: The block's glyphs.
    ///   - shown: The spans in which each glyph shows.
    init(_ positions: CursorPositions, glyphs: ArraySlice<Glyph>, shown: [[Range<Instant>]]) {
        self.positions = positions
        self.glyphs = glyphs
        self.shown = shown
    }

    /// Returns the positions with the instants from which on it has them, the first at `start`.
    func steps(from start: Instant, to end: Instant) -> [Step] {
        var instants: Set<Instant> = [start]
        for spans in shown {
            for span in spans {
                for edge in [span.lowerBound, span.upperBound] where edge > start && edge < end {
                    instants.insert(edge)
                }
            }
        }
        var steps: [Step] = []
        for instant in instants.sorted() {
            let beside = glyph(at: instant)
            let position = beside.map(positions.behind) ?? positions.start
            if steps.last?.position != position {
                steps.append(Step(instant: instant, position: position, glyph: beside ?? 0))
            }
        }
        return steps
    }

    /// Returns the glyph before the cursor; nil while none shows.
    private func glyph(at instant: Instant) -> Int? {
        var newest: (since: Instant, glyph: Int)?
        for (index, spans) in shown.enumerated()
        where !glyphs[glyphs.startIndex + index].isWhitespace {
            guard let since = Self.since(spans, instant) else { continue }
            if since >= newest?.since ?? .zero { newest = (since, index) }
        }
        guard var glyph = newest?.glyph else { return nil }
        // It stands after the visible white space that follows on the line.
        let line = glyphs[glyphs.startIndex + glyph].line
        while glyph + 1 < shown.count, glyphs[glyphs.startIndex + glyph + 1].isWhitespace,
            glyphs[glyphs.startIndex + glyph + 1].line == line,
            Self.since(shown[glyph + 1], instant) != nil
        {
            glyph += 1
        }
        return glyph
    }

    private static func since(_ spans: [Range<Instant>], _ instant: Instant) -> Instant? {
        spans.first { $0.contains(instant) }?.lowerBound
    }
}
