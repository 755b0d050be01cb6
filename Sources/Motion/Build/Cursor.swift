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
        size = shape.size(
            em: block.size, cell: Self.cell(of: glyphs),
            lineHeight: block.lines.first?.rect.height ?? 0)
        var isRightToLeft = [Bool](repeating: false, count: glyphs.count)
        for line in block.lines {
            for run in line.runs where run.direction == .rightToLeft {
                for glyph in run.glyphs { isRightToLeft[glyph - block.glyphs.lowerBound] = true }
            }
        }
        self.isRightToLeft = isRightToLeft
    }

    /// The largest difference between the widths of glyphs that count as equally wide, in CSS
    /// pixels.
    private static let tolerance = 0.01

    /// Returns the width of some glyphs if all have the same, as in monospaced fonts; nil
    /// otherwise.
    private static func cell(of glyphs: ArraySlice<Glyph>) -> Double? {
        guard let width = glyphs.first?.rect.width, width > 0, glyphs.count > 1 else { return nil }
        let isCommon = glyphs.allSatisfy { abs($0.rect.width - width) <= tolerance }
        return isCommon ? width : nil
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

/// The path of a cursor, which follows the glyph that began to show last.
struct CursorPath {
    struct Step {
        let instant: Instant
        var position: Rect
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

    /// Returns the positions of the cursor with the instants at which they begin, the first at
    /// `start`.
    ///
    /// The edges of spans are passed in their order: O(n·log n) in their number.
    func steps(
        from start: Instant, to end: Instant, until deadline: WorkDeadline = WorkDeadline()
    ) throws(SceneError) -> [Step] {
        var edges: [(instant: Instant, glyph: Int)] = []
        for (glyph, spans) in shown.enumerated() {
            for span in spans {
                for edge in [span.lowerBound, span.upperBound] where edge > start && edge < end {
                    edges.append((edge, glyph))
                }
            }
        }
        edges.sort { $0.instant < $1.instant }
        var letters = ShownGlyphs(count: shown.count)
        for glyph in shown.indices { letters.move(glyph, to: start, along: shown[glyph], glyphs) }
        var steps = [step(at: start, letters)]
        var next = 0
        while next < edges.count {
            try deadline.checkScene(every: 32)
            let instant = edges[next].instant
            while next < edges.count, edges[next].instant == instant {
                let glyph = edges[next].glyph
                letters.move(glyph, to: instant, along: shown[glyph], glyphs)
                next += 1
            }
            let step = step(at: instant, letters)
            if steps.last?.position != step.position { steps.append(step) }
        }
        return steps
    }

    private func step(at instant: Instant, _ letters: borrowing ShownGlyphs) -> Step {
        let beside = glyph(letters)
        let position = beside.map(positions.behind) ?? positions.start
        return Step(instant: instant, position: position, glyph: beside ?? 0)
    }

    /// Returns the glyph before the cursor; nil while none shows.
    private func glyph(_ letters: borrowing ShownGlyphs) -> Int? {
        guard var glyph = letters.newest else { return nil }
        // The cursor stands after the visible white space that follows on the line.
        let line = glyphs[glyphs.startIndex + glyph].line
        while glyph + 1 < shown.count, glyphs[glyphs.startIndex + glyph + 1].isWhitespace,
            glyphs[glyphs.startIndex + glyph + 1].line == line, letters.since[glyph + 1] != nil
        {
            glyph += 1
        }
        return glyph
    }
}

/// The glyphs that show at an instant; the instant only moves on.
private struct ShownGlyphs: ~Copyable {
    /// The instant since which each glyph shows; nil while it does not.
    private(set) var since: [Instant?]
    /// The index of the first span of each glyph that is not over.
    private var spans: [Int]
    /// The letters in order of the instants since which they show, then of their places; some show
    /// no longer, or show since another instant.
    private var order: [(since: Instant, glyph: Int)] = []

    init(count: Int) {
        since = [Instant?](repeating: nil, count: count)
        spans = [Int](repeating: 0, count: count)
    }

    /// The letter, never white space, that began to show last; the last one of several.
    var newest: Int? { order.last?.glyph }

    /// Brings a glyph to an instant.
    mutating func move(
        _ glyph: Int, to instant: Instant, along all: [Range<Instant>],
        _ glyphs: ArraySlice<Glyph>
    ) {
        while spans[glyph] < all.count, all[spans[glyph]].upperBound <= instant {
            spans[glyph] += 1
        }
        var start: Instant?
        if spans[glyph] < all.count, all[spans[glyph]].lowerBound <= instant {
            start = all[spans[glyph]].lowerBound
        }
        guard since[glyph] != start else { return }
        since[glyph] = start
        if let start, !glyphs[glyphs.startIndex + glyph].isWhitespace {
            // The place is almost always after all others.
            var place = order.count
            while place > 0, (order[place - 1].since, order[place - 1].glyph) > (start, glyph) {
                place -= 1
            }
            order.insert((start, glyph), at: place)
        }
        while let last = order.last, since[last.glyph] != last.since { order.removeLast() }
    }
}
