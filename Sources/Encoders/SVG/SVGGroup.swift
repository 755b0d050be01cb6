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

/// The colour of glyphs, which may differ under a dark colour scheme.
struct SVGColors: Equatable {
    var color: Color
    /// Nil where it does not differ.
    var dark: Color?

    /// Stands for colours where only their alpha counts.
    static let opaque = SVGColors(color: Color(red: 0, green: 0, blue: 0))

    var areOpaque: Bool { color.isOpaque && dark?.isOpaque ?? true }
}

/// Neighbouring glyphs of one line that are drawn in the same units, colour and mask, with lines of
/// the same width.
struct SVGGroup {
    /// The largest error of a glyph's position, in CSS pixels.
    static let positionTolerance = 0.01

    let block: Int
    let colors: SVGColors
    /// The index of its glyphs' mask in the scene; nil for none.
    let mask: Int?
    /// The width of the line along contours in CSS pixels, where it never changes.
    let strokeWidth: Double?
    let coordinates: SVGCoordinates
    /// Indices of its glyphs in drawing order.
    private(set) var glyphs: [Int]

    /// Returns the groups of a scene in drawing order.
    ///
    /// - Parameters:
    ///   - scene: The scene.
    ///   - usesPivots: True if glyphs are drawn about the centres of their boxes.
    ///   - hasStrokes: True if lines are drawn along contours.
    /// - Returns: The groups.
    static func groups(
        of scene: Scene, usesPivots: Bool, hasStrokes: Bool
    ) -> [SVGGroup] {
        var groups: [SVGGroup] = []
        var previous = -1
        scene.layout.glyphs.withUnsafeBufferPointer { glyphs in
            for index in drawingOrder(glyphs) where glyphs[index].ink != nil {
                // Of a still scene only the finished text is drawn.
                guard scene.isFinished[index] || scene.duration > .zero else { continue }
                let last = groups.count - 1
                let scale = glyphs[index].ink?.shape?.scale
                if last >= 0, glyphs[index].isNeighbour(of: glyphs[previous]),
                    scale == nil || scale == groups[last].coordinates.scale,
                    scene.maskIndex(ofGlyph: index) == groups[last].mask,
                    !hasStrokes
                        || scene.strokeWidth(ofGlyph: index) == groups[last].strokeWidth
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
        colors = SVGColors(
            color: glyph.color,
            dark: glyph.hasBlockPaint ? scene.blocks[glyph.block].paint.darkFill?.firstColor : nil)
        mask = scene.maskIndex(ofGlyph: index)
        strokeWidth = scene.strokeWidth(ofGlyph: index)
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

extension Scene {
    /// Returns the width of the line along a glyph's contours, where it never changes.
    fileprivate func strokeWidth(ofGlyph index: Int) -> Double? {
        for other in tracks[trackOfGlyph[index]].others where other.property == .strokeWidth {
            return other.track.keyframes.count == 1 ? other.track.keyframes[0].value : nil
        }
        return nil
    }
}

extension Glyph {
    /// Returns true if both glyphs stand on one baseline and have the same colour.
    fileprivate func isNeighbour(of other: Glyph) -> Bool {
        block == other.block && line == other.line && baseline == other.baseline
            && color == other.color && hasBlockPaint == other.hasBlockPaint
    }
}
