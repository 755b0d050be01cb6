import Motion

/// Neighbouring glyphs that are drawn in the same units and colour.
struct SVGGroup {
    /// How far a glyph may be drawn from its place, in CSS pixels.
    static let placeTolerance = 0.01

    let block: Int
    let color: Color
    let hasBlockColor: Bool
    /// Where the group's coordinates begin, as exact as it is written.
    var origin: Point
    /// CSS pixels in one of the group's units, which are the font's where it draws outlines.
    let scale: Double
    /// Indices of drawn glyphs in reading order.
    var glyphs: [Int]

    /// With which places in the group are exact enough.
    let decimals: Int

    static func groups(of scene: Scene, turns: Bool) -> [SVGGroup] {
        var groups: [SVGGroup] = []
        var previous = -1
        scene.layout.glyphs.withUnsafeBufferPointer { glyphs in
            for index in drawingOrder(glyphs) where glyphs[index].ink != nil {
                // What never shows need not be there.
                guard scene.isFinished[index] || scene.duration > .zero else { continue }
                let last = groups.count - 1
                let scale = glyphs[index].ink?.shape?.scale
                if last >= 0, glyphs[index].isNeighbour(of: glyphs[previous]),
                    scale == nil || scale == groups[last].scale
                {
                    groups[last].glyphs.append(index)
                } else {
                    groups.append(
                        SVGGroup(index, glyphs[index], scale: scale ?? 1, scene, turns: turns))
                }
                previous = index
            }
        }
        return groups
    }

    /// Reading order; decoys, which never overlap, by the place that they hold, which packs better.
    private static func drawingOrder(_ glyphs: UnsafeBufferPointer<Glyph>) -> [Int] {
        // By index, because a glyph that is looked at is copied.
        let first = glyphs.indices.first { glyphs[$0].role == .decoy } ?? glyphs.count
        let end = (first..<glyphs.count).first { glyphs[$0].role != .decoy } ?? glyphs.count
        let decoys = (first..<end).sorted {
            (glyphs[$0].standsFor ?? 0, $0) < (glyphs[$1].standsFor ?? 0, $1)
        }
        return Array(0..<first) + decoys + Array(end..<glyphs.count)
    }

    /// A group that begins with a glyph.
    private init(
        _ index: Int, _ glyph: Glyph, scale: Double, _ scene: Scene, turns: Bool
    ) {
        block = glyph.block
        color = glyph.color
        hasBlockColor = glyph.hasBlockColor
        let line = scene.layout.blocks[glyph.block].lines[glyph.line].rect
        // Glyphs that turn count from the middle of their boxes, others from the baseline.
        let y = turns ? glyph.rect.center.y : glyph.baseline
        origin = Point(x: Self.written(line.x), y: Self.written(y))
        self.scale = scale
        glyphs = [index]
        decimals = SVGNumber.decimals(unit: scale, error: Self.placeTolerance)
    }

    /// A length as its three decimals say it.
    private static func written(_ length: Double) -> Double {
        (length * 1000).rounded() / 1000
    }
}

extension Glyph {
    /// Whether it stands on the line of another glyph and looks like it.
    fileprivate func isNeighbour(of other: Glyph) -> Bool {
        block == other.block && line == other.line && baseline == other.baseline
            && color == other.color && hasBlockColor == other.hasBlockColor
    }
}
