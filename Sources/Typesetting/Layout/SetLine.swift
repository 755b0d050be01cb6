import Motion

/// One line of a block before it is placed: glyphs count x from its left end and y from its
/// baseline.
struct SetLine {
    /// Indices into the block's glyphs.
    var glyphs: Range<Int>
    var runs: [Run]
    var width: Double
    /// From the baseline up to the upper edge of the highest box.
    var ascent: Double
    var height: Double
    var direction: Direction
}

/// One block before it is placed.
struct SetBlock {
    var glyphs: [Glyph] = []
    var lines: [SetLine] = []
    var warnings: [Warning] = []
    /// What the block's effect shows besides the text.
    var characters: [Glyph] = []

    var width: Double { lines.reduce(0) { max($0, $1.width) } }
    var height: Double { lines.reduce(0) { $0 + $1.height } }
}

/// The height of a glyph's box, its font's ascent and descent centred in it (CSS's half-leading).
struct BoxMetrics {
    /// From the baseline up to the upper edge.
    var top: Double
    var height: Double

    init(_ face: FontFace, _ style: TypeStyle) {
        height = style.lineHeight * style.size
        let scale = style.size / face.unitsPerEm
        top = (height + (face.ascent - face.descent) * scale) / 2
    }
}
