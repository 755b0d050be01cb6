/// Finds the glyphs of a scene whose ink meets, such as letters that join.
///
/// Drawn one after another, such glyphs would be darker where they meet while they are translucent.
struct JoinedInk {
    private let scene: Scene
    /// True for each block whose paint is partly translucent under some colour scheme, or over
    /// which light passes.
    private let isTranslucent: [Bool]
    /// True for each motion in which glyphs are translucent; nil if that is not known yet.
    private var fades: [Bool?]

    /// - Parameter scene: The scene, whose first nodes are the glyphs of its text.
    private init(_ scene: Scene) {
        self.scene = scene
        isTranslucent = scene.blocks.indices.map { block in
            scene.blocks[block].paint.isTranslucent
                || scene.shimmers.contains { $0.block == block }
        }
        fades = [Bool?](repeating: nil, count: scene.tracks.count)
    }

    /// Finds the sets of glyphs that are to be blended once.
    ///
    /// In a block whose ink meets, each glyph is in a set with its neighbours on the line that have
    /// the same paint, and are translucent together with it.
    ///
    /// - Parameters:
    ///   - scene: The scene.
    ///   - count: The number of its glyphs.
    ///   - deadline: The end of the work.
    /// - Returns: The number of each glyph's set, nil for none; empty if there is no set.
    /// - Throws: `SceneError.deadline`.
    static func sets(
        of scene: Scene, glyphs count: Int, until deadline: WorkDeadline
    ) throws(SceneError) -> [Int?] {
        guard mayShow(in: scene, glyphs: count) else { return [] }
        var ink = JoinedInk(scene)
        var sets: [Int?] = []
        var number = 0
        for block in scene.blocks.indices {
            let glyphs = scene.blocks[block].layout.glyphs
            guard try ink.doMeet(glyphs, until: deadline) else { continue }
            if sets.isEmpty { sets = [Int?](repeating: nil, count: count) }
            var last: Int?
            for index in glyphs where scene.shape(ofNode: index) != nil {
                if let last, !ink.showTogether(last, index) { number += 1 }
                sets[index] = number
                last = index
            }
            number += 1
        }
        return sets
    }

    /// Returns false if no glyphs are translucent together, as in most scenes; takes few steps for
    /// each.
    private static func mayShow(in scene: Scene, glyphs count: Int) -> Bool {
        if !scene.shimmers.isEmpty
            || scene.blocks.indices.contains(where: { scene.blocks[$0].paint.isTranslucent })
        {
            return true
        }
        return (0..<count).contains { index in
            !scene.nodes[index].glyph.hasBlockPaint
                || index > 0 && scene.haveOneMotion(index, index - 1)
        }
    }

    /// Returns true if the ink of some glyphs visibly meets.
    private mutating func doMeet(
        _ glyphs: Range<Int>, until deadline: WorkDeadline
    ) throws(SceneError) -> Bool {
        var (last, beforeLast): (Int?, Int?)
        for index in glyphs where scene.shape(ofNode: index) != nil {
            if let last, showTogether(last, index) {
                try deadline.checkScene(every: 16)
                if meet(last, index) { return true }
                // A mark may stand between letters that join.
                if let beforeLast, meet(beforeLast, index) { return true }
                beforeLast = last
            } else {
                beforeLast = nil
            }
            last = index
        }
        return false
    }

    /// Returns true if neighbours would visibly meet: on one line, in one paint, while both are
    /// translucent.
    private mutating func showTogether(_ one: Int, _ other: Int) -> Bool {
        let (track, outline) = scene.nodes.withUnsafeBufferPointer { nodes in
            (nodes[other].track, nodes[other].outlineTrack)
        }
        // Others may stand in for the fill, and fade as its outline does.
        guard
            isTranslucent(other)
                || scene.haveOneMotion(one, other)
                    && (fades(track) || outline != track && fades(outline))
        else { return false }
        return scene.nodes.withUnsafeBufferPointer { nodes in
            nodes[one].glyph.line == nodes[other].glyph.line
                && nodes[one].glyph.hasBlockPaint == nodes[other].glyph.hasBlockPaint
                && nodes[one].glyph.paint == nodes[other].glyph.paint
        }
    }

    private mutating func fades(_ track: Int) -> Bool {
        if let known = fades[track] { return known }
        let found =
            scene.tracks[track].fades
            || scene.tracks[track].fill?.keyframes.contains {
                !$0.value.color(own: Color(red: 0, green: 0, blue: 0)).isOpaque
            } ?? false
        fades[track] = found
        return found
    }

    private func isTranslucent(_ index: Int) -> Bool {
        scene.nodes.withUnsafeBufferPointer { nodes in
            isTranslucent[nodes[index].glyph.block]
                || !nodes[index].glyph.hasBlockPaint && !nodes[index].glyph.paint.isOpaque
        }
    }

    /// Returns true if the outlines of two glyphs cross.
    private func meet(_ one: Int, _ other: Int) -> Bool {
        let common = scene.nodes.withUnsafeBufferPointer { nodes in
            guard let first = nodes[one].glyph.ink?.bounds,
                let second = nodes[other].glyph.ink?.bounds
            else { return Rect?.none }
            return first.overlap(with: second)
        }
        guard let common, let first = scene.shape(ofNode: one),
            var second = scene.shape(ofNode: other)
        else { return false }
        // Strokes of one height, such as head lines, lie on each other: half a font unit makes them
        // cross.
        second.origin.y += second.scale / 2
        let outlines = scene.definitions.outlines
        return InkEdges(first, outlines[first.outline], within: common)
            .cross(InkEdges(second, outlines[second.outline], within: common))
    }
}

/// The lines and chords of a shape that may lie in a box, in CSS pixels.
private struct InkEdges {
    private var edges: [(start: SIMD2<Double>, end: SIMD2<Double>)] = []

    /// The chords of a curve.
    private static let chords = 8
    /// The most pairs that are compared: shapes of more edges are taken to cross.
    private static let mostPairs = 1 << 10

    init(_ shape: Ink.Shape, _ outline: Outline, within box: Rect) {
        let origin = SIMD2(shape.origin.x, shape.origin.y)
        func placed(_ point: Point) -> SIMD2<Double> {
            origin + shape.scale * SIMD2(point.x, point.y)
        }
        var (start, current) = (origin, origin)
        func add(_ end: SIMD2<Double>) {
            if box.meets(current, end) { edges.append((current, end)) }
            current = end
        }
        func add(_ first: SIMD2<Double>, _ second: SIMD2<Double>, to end: SIMD2<Double>) {
            let from = current
            let low = pointwiseMin(pointwiseMin(from, first), pointwiseMin(second, end))
            let high = pointwiseMax(pointwiseMax(from, first), pointwiseMax(second, end))
            guard box.meets(low, high) else {
                current = end
                return
            }
            for chord in 1..<Self.chords {
                let t = Double(chord) / Double(Self.chords)
                let u = 1 - t
                add(
                    u * u * u * from + 3 * u * u * t * first + 3 * u * t * t * second
                        + t * t * t * end)
            }
            add(end)
        }
        for segment in outline.segments {
            switch segment {
            case .move(let point):
                add(start)
                (start, current) = (placed(point), placed(point))
            case .line(let point): add(placed(point))
            case .quadratic(let control, let end):
                let (control, end) = (placed(control), placed(end))
                add(current + (control - current) * 2 / 3, end + (control - end) * 2 / 3, to: end)
            case .cubic(let first, let second, let end):
                add(placed(first), placed(second), to: placed(end))
            case .close: add(start)
            }
        }
        add(start)
    }

    /// Returns true if an edge crosses an edge of another shape; edges that only touch do not
    /// cross.
    func cross(_ other: InkEdges) -> Bool {
        guard edges.count * other.edges.count <= Self.mostPairs else { return true }
        return edges.contains { one in
            other.edges.contains { Self.cross(one, $0) }
        }
    }

    private static func cross(
        _ one: (start: SIMD2<Double>, end: SIMD2<Double>),
        _ other: (start: SIMD2<Double>, end: SIMD2<Double>)
    ) -> Bool {
        let (first, second) = (one.end - one.start, other.end - other.start)
        func side(of direction: SIMD2<Double>, _ vector: SIMD2<Double>) -> Double {
            direction.x * vector.y - direction.y * vector.x
        }
        return side(of: first, other.start - one.start) * side(of: first, other.end - one.start) < 0
            && side(of: second, one.start - other.start)
                * side(of: second, one.end - other.start) < 0
    }
}

extension Scene {
    fileprivate func haveOneMotion(_ one: Int, _ other: Int) -> Bool {
        nodes[one].track == nodes[other].track
    }
}

extension Rect {
    /// Returns true if the rectangle touches the box of two points.
    fileprivate func meets(_ one: SIMD2<Double>, _ other: SIMD2<Double>) -> Bool {
        min(one.x, other.x) <= maxX && max(one.x, other.x) >= x
            && min(one.y, other.y) <= maxY && max(one.y, other.y) >= y
    }
}

extension TextPaint {
    /// True if a colour of the paint is translucent under some colour scheme, except for colours of
    /// markup.
    fileprivate var isTranslucent: Bool {
        !fill.isOpaque || darkFill.map { !$0.isOpaque } ?? false
            || darkColors.contains { !$0.dark.isOpaque }
            || outline.map { !$0.color.isOpaque || !($0.darkColor?.isOpaque ?? true) } ?? false
            || shadows.contains { !$0.color.isOpaque }
            || darkShadows?.contains { !$0.color.isOpaque } ?? false
    }
}
