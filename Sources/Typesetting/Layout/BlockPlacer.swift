import Motion

/// Puts set blocks on the canvas: stacked, each line aligned, nothing of the ink cut off where the
/// canvas is automatic.
struct BlockPlacer {
    private let canvas: CanvasRequest
    private let texts: [BlockText]
    private var layout = Layout(
        glyphs: [], blocks: [], outlines: [], bitmaps: [], width: 0, height: 0, warnings: [])

    init(_ canvas: CanvasRequest, _ texts: [BlockText]) {
        self.canvas = canvas
        self.texts = texts
    }

    mutating func place(
        _ blocks: [SetBlock], _ inks: InkTable
    ) throws(TypesettingError) -> Layout {
        layout.outlines = inks.outlines
        layout.bitmaps = inks.bitmaps
        layout.glyphs.reserveCapacity(blocks.reduce(0) { $0 + $1.glyphs.count })
        let widest = blocks.reduce(0) { max($0, $1.width) }
        let width = canvas.width.map { $0 - 2 * canvas.padding } ?? widest
        let highest = blocks.reduce(0) { max($0, $1.height) }
        var top = 0.0
        for (index, block) in blocks.enumerated() {
            if canvas.isOverlaid {
                place(block, index, top: (highest - block.height) * verticalShare, width: width)
            } else {
                place(block, index, top: top, width: width)
                top += block.height + canvas.spacing
            }
        }
        let height = canvas.isOverlaid ? highest : top - canvas.spacing
        try fit(Rect(x: 0, y: 0, width: width, height: height), ink: inkBounds)
        return layout
    }

    /// Lines at their places counted from the text's top left corner.
    private mutating func place(_ block: SetBlock, _ index: Int, top: Double, width: Double) {
        let first = layout.glyphs.count
        layout.glyphs += block.glyphs
        var lines: [Line] = []
        lines.reserveCapacity(block.lines.count)
        var y = top
        for line in block.lines {
            let x = max(width - line.width, 0) * share(of: line.direction)
            let baseline = y + line.ascent
            for glyph in line.glyphs { layout.glyphs[first + glyph].move(byX: x, y: baseline) }
            var runs = line.runs
            if first > 0 {
                for run in runs.indices {
                    runs[run].glyphs = runs[run].glyphs.map { $0 + first }
                }
            }
            lines.append(
                Line(
                    rect: Rect(x: x, y: y, width: line.width, height: line.height),
                    baseline: baseline, direction: line.direction, runs: runs))
            y += line.height
        }
        let rect = lines.dropFirst().reduce(lines[0].rect) { $0.union($1.rect) }
        var placed = BlockLayout(
            text: texts[index].text.text, glyphs: first..<layout.glyphs.count, lines: lines,
            size: texts[index].text.base.size, rect: rect)
        placed.characters = block.characters
        layout.blocks.append(placed)
        layout.warnings += block.warnings
    }

    /// Which share of the room beside a line lies on its left.
    private func share(of direction: Direction) -> Double {
        switch canvas.alignment {
        case .left: 0
        case .center: 0.5
        case .right: 1
        case .start: direction == .leftToRight ? 0 : 1
        case .end: direction == .leftToRight ? 1 : 0
        }
    }

    private var inkBounds: Rect? {
        var bounds: Rect?
        for index in layout.glyphs.indices {
            guard let ink = layout.glyphs[index].ink?.bounds else { continue }
            bounds = bounds?.union(ink) ?? ink
        }
        return bounds
    }

    /// All places in which cursors may stand.
    private var cursorBounds: Rect? {
        var bounds: Rect?
        for (index, text) in texts.enumerated() where text.cursor != .none {
            let block = layout.blocks[index]
            let places = CursorPositions(
                text.cursor, block: block, glyphs: layout.glyphs[block.glyphs])
            bounds = bounds?.union(places.start) ?? places.start
            for glyph in 0..<block.glyphs.count {
                bounds = bounds?.union(places.behind(glyph))
            }
        }
        return bounds
    }

    /// Moves everything to its place on the canvas, and makes the canvas as large as it needs.
    private mutating func fit(_ text: Rect, ink: Rect?) throws(TypesettingError) {
        let all = [ink, cursorBounds].reduce(text) { all, part in
            part.map { all.union($0) } ?? all
        }
        let padding = canvas.padding
        let x = canvas.width == nil ? padding - all.x : padding
        let y: Double
        if let height = canvas.height {
            let room = max(height - 2 * padding - text.height, 0)
            y = padding + room * verticalShare
        } else {
            y = padding - all.y
        }
        layout.width = try length("width", canvas.width, needed: all.width + 2 * padding)
        layout.height = try length("height", canvas.height, needed: all.height + 2 * padding)
        move(byX: x, y: y)
        warn(ink?.offset(byX: x, y: y))
    }

    private var verticalShare: Double {
        switch canvas.verticalAlignment {
        case .top: 0
        case .middle: 0.5
        case .bottom: 1
        }
    }

    /// A side of the canvas: as given, or what is needed rounded up to whole pixels, forgiving
    /// what arithmetic adds.
    private func length(
        _ name: String, _ given: Double?, needed: Double
    ) throws(TypesettingError) -> Double {
        if let given { return given }
        let whole = max((needed - 1e-6).rounded(.up), 1)
        guard whole <= canvas.maximumSide else {
            throw .canvasTooLarge(name: name, length: whole, limit: canvas.maximumSide)
        }
        return whole
    }

    private mutating func move(byX x: Double, y: Double) {
        for index in layout.glyphs.indices {
            layout.glyphs[index].move(byX: x, y: y)
            layout.glyphs[index].snapLines()
        }
        for block in layout.blocks.indices {
            layout.blocks[block].rect = layout.blocks[block].rect.offset(byX: x, y: y)
            for line in layout.blocks[block].lines.indices {
                let rect = layout.blocks[block].lines[line].rect
                layout.blocks[block].lines[line].rect = rect.offset(byX: x, y: y)
                layout.blocks[block].lines[line].baseline += y
            }
        }
    }

    private mutating func warn(_ ink: Rect?) {
        guard let ink else { return }
        let slack = 0.01
        let isTooWide = ink.x < -slack || ink.maxX > layout.width + slack
        let isTooHigh = ink.y < -slack || ink.maxY > layout.height + slack
        guard isTooWide || isTooHigh else { return }
        let sides = [isTooWide ? "width" : nil, isTooHigh ? "height" : nil].compactMap { $0 }
        layout.warnings.append(
            Warning(
                code: .clipped,
                message: "the text is larger than the given \(sides.joined(separator: " and "))",
                block: nil))
    }
}

extension Glyph {
    /// Lets the lines of neighbours meet at whole pixels, where no seam shows.
    fileprivate mutating func snapLines() {
        guard let details = ink?.details, !details.isEmpty else { return }
        ink?.details = details.map { detail in
            guard case .line(let line) = detail else { return detail }
            let (left, right) = (line.x.rounded(), line.maxX.rounded())
            return .line(Rect(x: left, y: line.y, width: right - left, height: line.height))
        }
    }
}
