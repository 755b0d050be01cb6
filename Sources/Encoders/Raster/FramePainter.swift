import Motion

/// Paints one moment of a scene after another, again only where something has changed.
struct FramePainter<Pixel: RasterPixel>: Sendable {
    private let scene: Scene
    private let scale: Double
    private(set) var canvas: Canvas<Pixel>
    private var motions: [MotionState]
    private var glyphs: [DrawnGlyph]
    /// For each of `glyphs` the part of the canvas that it covers; empty while it is hidden.
    private var rects: [PixelRect]

    /// A glyph as it was painted last.
    private struct DrawnGlyph {
        let index: Int
        var pose = Pose.hidden
        var tile = Tile.empty
    }

    /// From so many glyphs on that change at once, one rectangle around all is painted.
    private static var manyChanges: Int { 48 }

    init(_ scene: Scene, scale: Double) {
        self.scene = scene
        self.scale = scale
        canvas = Canvas(
            size: PixelSize(
                width: Int((scene.layout.width * scale).rounded(.up)),
                height: Int((scene.layout.height * scale).rounded(.up))))
        motions = scene.tracks.map(MotionState.init)
        glyphs = scene.layout.glyphs.indices
            .filter { scene.layout.glyphs[$0].ink != nil }
            .map { DrawnGlyph(index: $0) }
        rects = [PixelRect](repeating: .empty, count: glyphs.count)
    }

    /// Paints a moment.
    ///
    /// - Returns: The rectangles outside which nothing has changed since the last moment.
    mutating func paint(
        _ moment: Moment, _ workshop: Workshop
    ) throws(EncodingError) -> [PixelRect] {
        move(to: moment)
        var changed: [PixelRect] = []
        for place in glyphs.indices {
            let pose = pose(of: glyphs[place].index, at: moment)
            guard pose != glyphs[place].pose else { continue }
            let before = rects[place]
            try workshop.checkDeadline(every: 8)
            try EncodingError.catching { () throws(LibraryFault) in
                try draw(&glyphs[place], in: pose, workshop.painter)
            }
            rects[place] = glyphs[place].tile.rect
            let rect = before.union(rects[place])
            if !rect.isEmpty { changed.append(rect) }
        }
        if changed.count >= Self.manyChanges {
            changed = [changed.reduce(.empty) { $0.union($1) }]
        }
        for rect in changed { compose(rect) }
        return changed
    }

    private mutating func move(to moment: Moment) {
        guard case .instant(let wanted) = moment else { return }
        let instant = min(wanted, scene.duration)
        for index in motions.indices where !motions[index].steady.contains(instant.ticks) {
            motions[index].move(to: instant, along: scene.tracks[index])
        }
    }

    private func pose(of glyph: Int, at moment: Moment) -> Pose {
        switch moment {
        case .instant: motions[scene.trackOfGlyph[glyph]].pose
        case .finished: scene.isFinished[glyph] ? .rest : .hidden
        }
    }

    /// Gives a glyph a pose; it is rasterised again where its shape or place differs.
    private func draw(
        _ drawn: inout DrawnGlyph, in pose: Pose, _ painter: any GlyphPainter
    ) throws(LibraryFault) {
        let isInPlace =
            pose.offsetX == drawn.pose.offsetX && pose.offsetY == drawn.pose.offsetY
            && pose.scale == drawn.pose.scale && pose.rotation == drawn.pose.rotation
        drawn.pose = pose
        guard pose.opacity > 0 else {
            // What is hidden need not be remembered.
            drawn.tile = .empty
            return
        }
        let glyph = scene.layout.glyphs[drawn.index]
        if let ink = glyph.ink, !isInPlace || drawn.tile.rect.isEmpty {
            drawn.tile = try painter.tile(
                of: ink, of: glyph, in: pose, scene.layout, scale: scale, canvas: canvas.size)
        }
    }

    /// Paints all that there is in a rectangle.
    private mutating func compose(_ rect: PixelRect) {
        canvas.clear(rect)
        for place in rects.indices {
            let common = rects[place].intersection(rect)
            guard !common.isEmpty else { continue }
            Pixel.draw(
                glyphs[place].tile, UInt32((glyphs[place].pose.opacity * 65_536).rounded()),
                scene.layout.glyphs[glyphs[place].index].color, within: common, on: &canvas)
        }
    }
}

extension Scene {
    /// The colour of all ink, if it has one only and no pictures.
    var inkColor: Color? {
        var common: Color?
        for glyph in layout.glyphs {
            guard let ink = glyph.ink else { continue }
            let isPlain = ink.details.allSatisfy { if case .line = $0 { true } else { false } }
            guard isPlain, common == nil || common == glyph.color else { return nil }
            common = glyph.color
        }
        return common ?? .transparent
    }
}
