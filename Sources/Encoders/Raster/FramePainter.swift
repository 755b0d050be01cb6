import Motion
import Raster

/// Paints one moment of a scene after another, each time only the parts that change.
struct FramePainter<Pixel: RasterPixel>: Sendable {
    private let scene: Scene
    private let scale: Double
    private(set) var canvas: Canvas<Pixel>
    private var motions: [MotionState]
    private var glyphs: [DrawnGlyph]
    /// For each of `glyphs` the part of the canvas that it covers; empty while it is hidden.
    private var rects: [PixelRect]

    /// A glyph in the pose in which it was painted last.
    private struct DrawnGlyph {
        let index: Int
        var pose = Pose.hidden
        var tile = Tile.empty
    }

    /// The fewest changed glyphs for which one rectangle around all is painted.
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
        _ moment: Moment, _ context: EncodingContext
    ) throws(EncodingError) -> [PixelRect] {
        move(to: moment)
        var changed: [PixelRect] = []
        for index in glyphs.indices {
            let pose = pose(of: glyphs[index].index, at: moment)
            guard pose != glyphs[index].pose else { continue }
            let before = rects[index]
            try context.checkDeadline(every: 8)
            try EncodingError.catching { () throws(LibraryFault) in
                try draw(&glyphs[index], in: pose, context.painter)
            }
            rects[index] = glyphs[index].tile.rect
            let rect = before.union(rects[index])
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
        case .finished: return scene.isFinished[glyph] ? .rest : .hidden
        case .instant(let instant):
            var pose = motions[scene.trackOfGlyph[glyph]].pose
            pose.clip = scene.clip(ofGlyph: glyph, at: min(instant, scene.duration))
            return pose
        }
    }

    /// Gives a glyph a pose, and rasterises it again unless only its opacity differs.
    private func draw(
        _ drawn: inout DrawnGlyph, in pose: Pose, _ painter: any GlyphPainter
    ) throws(LibraryFault) {
        var unmoved = drawn.pose
        unmoved.opacity = pose.opacity
        let isUnmoved = unmoved == pose
        drawn.pose = pose
        guard pose.opacity > 0 else {
            // Hidden glyphs take no memory.
            drawn.tile = .empty
            return
        }
        let glyph = scene.layout.glyphs[drawn.index]
        if let ink = glyph.ink, !isUnmoved || drawn.tile.rect.isEmpty {
            drawn.tile = try painter.tile(
                of: ink, of: glyph, in: pose, scene.layout, scale: scale, canvas: canvas.size)
        }
    }

    /// Paints all glyphs in a rectangle.
    private mutating func compose(_ rect: PixelRect) {
        canvas.clear(rect)
        for index in rects.indices {
            let common = rects[index].intersection(rect)
            guard !common.isEmpty else { continue }
            Pixel.draw(
                glyphs[index].tile, UInt32((glyphs[index].pose.opacity * 65_536).rounded()),
                scene.layout.glyphs[glyphs[index].index].color, within: common, on: &canvas)
        }
    }
}

extension Scene {
    /// The colour of all ink; nil where there are several or pictures.
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

/// The pose that one of a scene's motions has at an instant, and how long it has it.
private struct MotionState: Sendable {
    /// The ticks at which the pose changes.
    private let changes: [ClosedRange<Int>]
    /// The ticks at which the pose is as it is now.
    private(set) var steady = 1...1
    private(set) var pose = Pose.hidden

    init(_ tracks: GlyphTracks) {
        changes = tracks.changes
        move(to: .zero, along: tracks)
    }

    /// Changes the pose to that of another instant; O(number of keyframes).
    mutating func move(to instant: Instant, along tracks: GlyphTracks) {
        pose = tracks.pose(at: instant)
        let ticks = instant.ticks
        // The first change that is not over.
        guard let next = changes.firstIndex(where: { $0.upperBound >= ticks }) else {
            steady = (changes.last?.upperBound ?? .min)...(.max)
            return
        }
        if changes[next].upperBound == ticks {
            let end = next + 1 < changes.count ? changes[next + 1].lowerBound - 1 : .max
            steady = ticks...end
        } else if changes[next].contains(ticks) {
            steady = ticks...ticks
        } else {
            let start = next > 0 ? changes[next - 1].upperBound : .min
            steady = start...(changes[next].lowerBound - 1)
        }
    }
}
