import Motion

/// Neighbouring glyphs that are drawn in the same units and colour.
struct SVGGroup {
    /// How far a glyph may be drawn from its place, in CSS pixels.
    static let placeTolerance = 0.01

    let block: Int
    let color: Color
    let hasBlockColor: Bool
    /// Where the group's coordinates begin, as exact as it is written.
    let origin: Point
    /// CSS pixels in one of the group's units, which are the font's where it draws outlines.
    let scale: Double
    /// Indices of drawn glyphs in reading order.
    var glyphs: [Int]

    /// With which places in the group are exact enough.
    var decimals: Int { SVGNumber.decimals(unit: scale, error: Self.placeTolerance) }

    static func groups(of scene: Scene) -> [SVGGroup] {
        var groups: [SVGGroup] = []
        var line = (block: -1, line: -1, baseline: 0.0)
        for (index, glyph) in scene.layout.glyphs.enumerated() {
            guard let ink = glyph.ink else { continue }
            if let last = groups.indices.last,
                line == (glyph.block, glyph.line, glyph.baseline),
                groups[last].color == glyph.color,
                groups[last].hasBlockColor == glyph.hasBlockColor,
                ink.shape == nil || ink.shape?.scale == groups[last].scale
            {
                groups[last].glyphs.append(index)
                continue
            }
            line = (glyph.block, glyph.line, glyph.baseline)
            let rect = scene.layout.blocks[glyph.block].lines[glyph.line].rect
            groups.append(
                SVGGroup(
                    block: glyph.block, color: glyph.color, hasBlockColor: glyph.hasBlockColor,
                    origin: Point(x: written(rect.x), y: written(glyph.baseline)),
                    scale: ink.shape?.scale ?? 1, glyphs: [index]))
        }
        return groups
    }

    /// A length as its three decimals say it.
    private static func written(_ length: Double) -> Double {
        (length * 1000).rounded() / 1000
    }
}
