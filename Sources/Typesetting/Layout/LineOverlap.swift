import Motion

/// Finds neighbouring lines of a block whose ink overlaps.
struct LineOverlap {
    private let layout: Layout
    private let deadline: WorkDeadline
    /// The edges of the glyphs whose ink was looked at, by their indices.
    private var edges: [Int: [Edge]] = [:]

    /// A straight part of an outline, in CSS pixels.
    private struct Edge {
        var start: Point
        var end: Point
    }

    /// How many straight parts stand for a curve.
    private static let partsOfCurve = 8
    /// The distance of the rows in which ink is looked for, in CSS pixels.
    private static let rowHeight = 0.5

    /// Returns a warning for each block with lines that overlap.
    ///
    /// - Throws: `TypesettingError.deadline`.
    static func warnings(
        of layout: Layout, _ deadline: WorkDeadline
    ) throws(TypesettingError) -> [Warning] {
        var warnings: [Warning] = []
        for (index, block) in layout.blocks.enumerated() where block.lines.count > 1 {
            var finder = LineOverlap(layout: layout, deadline: deadline)
            guard let line = try finder.firstOverlap(in: block) else { continue }
            warnings.append(
                Warning(
                    code: .linesOverlap,
                    message: "lines \(line + 1) and \(line + 2) overlap: a larger lineHeight "
                        + "would separate them",
                    block: index))
        }
        return warnings
    }

    private init(layout: Layout, deadline: WorkDeadline) {
        self.layout = layout
        self.deadline = deadline
    }

    /// Returns the first line whose ink overlaps the ink of the next line.
    private mutating func firstOverlap(in block: BlockLayout) throws(TypesettingError) -> Int? {
        var upper: [Int] = []
        var line = 0
        var lower: [Int] = []
        for glyph in block.glyphs where layout.glyphs[glyph].ink != nil {
            while layout.glyphs[glyph].line > line {
                if try overlap(upper, lower) { return line - 1 }
                (upper, lower) = (lower, [])
                line += 1
            }
            lower.append(glyph)
        }
        return try overlap(upper, lower) ? line - 1 : nil
    }

    /// Returns true if the ink of a line's glyphs overlaps the ink of the next line's glyphs.
    private mutating func overlap(
        _ upper: [Int], _ lower: [Int]
    ) throws(TypesettingError) -> Bool {
        let bottom = upper.reduce(-Double.infinity) { max($0, bounds(of: $1).maxY) }
        let top = lower.reduce(Double.infinity) { min($0, bounds(of: $1).y) }
        guard top < bottom else { return false }
        let below = lower.filter { bounds(of: $0).y < bottom }
        for glyph in upper where bounds(of: glyph).maxY > top {
            try deadline.look(every: 16)
            for other in below where try overlap(glyph, other) { return true }
        }
        return false
    }

    private func bounds(of glyph: Int) -> Rect {
        layout.glyphs[glyph].ink?.bounds ?? layout.glyphs[glyph].rect
    }

    private mutating func overlap(_ one: Int, _ other: Int) throws(TypesettingError) -> Bool {
        let (box, otherBox) = (bounds(of: one), bounds(of: other))
        guard box.x < otherBox.maxX, otherBox.x < box.maxX else { return false }
        let bottom = min(box.maxY, otherBox.maxY)
        var y = max(box.y, otherBox.y) + Self.rowHeight / 2
        while y < bottom {
            try deadline.look(every: 16)
            let spans = spans(of: one, at: y)
            if !spans.isEmpty {
                let others = self.spans(of: other, at: y)
                if spans.contains(where: { span in others.contains { $0.overlaps(span) } }) {
                    return true
                }
            }
            y += Self.rowHeight
        }
        return false
    }

    /// Returns where a glyph has ink at a height.
    private mutating func spans(of glyph: Int, at y: Double) -> [ClosedRange<Double>] {
        guard let ink = layout.glyphs[glyph].ink else { return [] }
        var spans = ink.details.map(\.bounds).filter { $0.y < y && $0.maxY > y }.map {
            $0.x...max($0.x, $0.maxX)
        }
        if edges[glyph] == nil { edges[glyph] = ink.shape.map(edges) ?? [] }
        let crossings = (edges[glyph] ?? []).compactMap { edge -> (x: Double, turn: Int)? in
            let (start, end) = (edge.start, edge.end)
            guard (start.y <= y) != (end.y <= y) else { return nil }
            let share = (y - start.y) / (end.y - start.y)
            return (start.x + (end.x - start.x) * share, start.y < end.y ? 1 : -1)
        }
        var winding = 0
        var left = 0.0
        for crossing in crossings.sorted(by: { $0.x < $1.x }) {
            if winding == 0 { left = crossing.x }
            winding += crossing.turn
            if winding == 0 { spans.append(left...crossing.x) }
        }
        return spans
    }

    private func edges(of shape: Ink.Shape) -> [Edge] {
        var edges: [Edge] = []
        var (first, last) = (shape.origin, shape.origin)
        func placed(_ point: Point) -> Point {
            Point(
                x: shape.origin.x + point.x * shape.scale,
                y: shape.origin.y + point.y * shape.scale)
        }
        func add(to end: Point) {
            edges.append(Edge(start: last, end: end))
            last = end
        }
        func addCurve(_ one: Point, _ two: Point, to end: Point) {
            let start = last
            for part in 1...Self.partsOfCurve {
                let share = Double(part) / Double(Self.partsOfCurve)
                let rest = 1 - share
                let weights = (
                    rest * rest * rest, 3 * rest * rest * share, 3 * rest * share * share,
                    share * share * share
                )
                add(
                    to: Point(
                        x: weights.0 * start.x + weights.1 * one.x + weights.2 * two.x
                            + weights.3 * end.x,
                        y: weights.0 * start.y + weights.1 * one.y + weights.2 * two.y
                            + weights.3 * end.y))
            }
        }
        for segment in layout.definitions.outlines[shape.outline].segments {
            switch segment {
            case .move(let point):
                first = placed(point)
                last = first
            case .line(let point):
                add(to: placed(point))
            case .quadratic(let control, let end):
                let (start, control, end) = (last, placed(control), placed(end))
                addCurve(
                    start.twoThirds(towards: control), end.twoThirds(towards: control), to: end)
            case .cubic(let one, let two, let end):
                addCurve(placed(one), placed(two), to: placed(end))
            case .close:
                add(to: first)
            }
        }
        return edges
    }
}

extension Point {
    /// Returns the point two thirds of the way to another one: a control point of the cubic curve that a
    /// quadratic one is.
    fileprivate func twoThirds(towards control: Point) -> Point {
        Point(x: x + (control.x - x) * 2 / 3, y: y + (control.y - y) * 2 / 3)
    }
}
