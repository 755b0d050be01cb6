import Motion

/// The coordinates that glyphs are written in.
struct SVGCoordinates {
    /// The origin on the canvas, rounded as it is written.
    var origin: Point
    /// CSS pixels in one unit, which is a font unit where outlines are drawn.
    let scale: Double
    /// The decimals that positions need.
    let decimals: Int
}

/// Neighbouring glyphs of one line that are drawn in the same units and colour.
struct SVGGroup {
    /// The largest error of a glyph's position, in CSS pixels.
    static let positionTolerance = 0.01

    let block: Int
    let color: Color
    let hasBlockColor: Bool
    let coordinates: SVGCoordinates
    /// Indices of its glyphs in drawing order.
    private(set) var glyphs: [Int]

    static func groups(of scene: Scene, usesPivots: Bool) -> [SVGGroup] {
        var groups: [SVGGroup] = []
        var previous = -1
        scene.layout.glyphs.withUnsafeBufferPointer { glyphs in
            for index in drawingOrder(glyphs) where glyphs[index].ink != nil {
                // Of a still scene only the finished text is drawn.
                guard scene.isFinished[index] || scene.duration > .zero else { continue }
                let last = groups.count - 1
                let scale = glyphs[index].ink?.shape?.scale
                if last >= 0, glyphs[index].isNeighbour(of: glyphs[previous]),
                    scale == nil || scale == groups[last].coordinates.scale
                {
                    groups[last].glyphs.append(index)
                } else {
                    groups.append(
                        SVGGroup(
                            index, glyphs[index], scale: scale ?? 1, scene, usesPivots: usesPivots))
                }
                previous = index
            }
        }
        return groups
    }

    /// Returns the glyphs in reading order, decoys by the glyph that they stand for.
    ///
    /// Decoys never overlap, and so ordered they pack better.
    private static func drawingOrder(_ glyphs: UnsafeBufferPointer<Glyph>) -> [Int] {
        // By index, because a glyph that is looked at is copied.
        let first = glyphs.indices.first { glyphs[$0].role == .decoy } ?? glyphs.count
        let end = (first..<glyphs.count).first { glyphs[$0].role != .decoy } ?? glyphs.count
        let decoys = (first..<end).sorted {
            (glyphs[$0].standsFor ?? 0, $0) < (glyphs[$1].standsFor ?? 0, $1)
        }
        return Array(0..<first) + decoys + Array(end..<glyphs.count)
    }

    /// Begins a group with a glyph.
    private init(
        _ index: Int, _ glyph: Glyph, scale: Double, _ scene: Scene, usesPivots: Bool
    ) {
        block = glyph.block
        color = glyph.color
        hasBlockColor = glyph.hasBlockColor
        let line = scene.layout.blocks[glyph.block].lines[glyph.line].rect
        // Glyphs with pivots are drawn about the centres of their boxes, others on the baseline.
        let y = usesPivots ? glyph.rect.center.y : glyph.baseline
        coordinates = SVGCoordinates(
            origin: Point(x: Self.written(line.x), y: Self.written(y)), scale: scale,
            decimals: SVGNumber.decimals(unit: scale, error: Self.positionTolerance))
        glyphs = [index]
    }

    /// Returns a length rounded to the three decimals that it is written with.
    private static func written(_ length: Double) -> Double {
        (length * 1000).rounded() / 1000
    }
}

extension Glyph {
    /// Returns true if both glyphs stand on one baseline and have the same colour.
    fileprivate func isNeighbour(of other: Glyph) -> Bool {
        block == other.block && line == other.line && baseline == other.baseline
            && color == other.color && hasBlockColor == other.hasBlockColor
    }
}
