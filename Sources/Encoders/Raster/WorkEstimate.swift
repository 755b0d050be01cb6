import Motion
import Raster

/// The pixels that a rendering has to compose, estimated before anything is painted.
///
/// It costs a little for each pose that the motions have, not for each glyph of each frame: of
/// many frames in which a glyph moves some stand for all.
struct WorkEstimate {
    /// In pixels: each as much work as one that is drawn on the canvas.
    private(set) var pixels = 0.0

    /// The most frames of one motion that are looked at.
    private static let mostSamples = 24
    /// The pixels that take as long as a tile's preparation.
    private static let tilePixels = 2000.0
    /// The times that a pixel of a changed rectangle is gone over: cleared, compared, compressed.
    static let encodings = 6.0
    /// The same in a GIF, where phrases are searched for.
    static let gifEncodings = 20.0
    /// The times that a pixel of a tile is gone over for its fill, its line, and its blur, which is
    /// computed on fewer samples where it is wide.
    private static let passes = (fill: 2.0, stroke: 8.0, blur: 8.0, wideBlur: 3.0)
    /// The standard deviation of a wide blur, in pixels.
    private static let wide = 8.0
    /// The standard deviations that a Gaussian reaches.
    private static let reach = 3.5

    /// Estimates the work of one picture.
    init(of scene: Scene, at moment: Moment, scale: Double) {
        let canvas = Canvas(scene, scale: scale)
        pixels = Self.encodings * canvas.area
        for (index, glyph) in scene.layout.glyphs.enumerated() {
            guard let ink = glyph.ink else { continue }
            let pose = scene.pose(ofGlyph: index, at: moment)
            guard pose.opacity > 0 else { continue }
            pixels += canvas.tile(of: ink, glyph, in: pose).work
        }
    }

    /// Estimates the work of frames.
    ///
    /// - Parameters:
    ///   - scene: The scene.
    ///   - times: Its frames.
    ///   - scale: Pixels in one CSS pixel.
    ///   - encodings: The times that a pixel of a changed rectangle is gone over.
    init(
        of scene: Scene, _ times: FrameTimes, scale: Double,
        encodings: Double = WorkEstimate.encodings
    ) {
        let canvas = Canvas(scene, scale: scale)
        let instants = times.frames.map(\.instant).sorted()
        let motions = scene.tracks.map { Motion(of: $0, in: instants) }
        var changes = [Box?](repeating: nil, count: times.frames.count)
        // The pixels of all glyphs at rest.
        var resting = 0.0
        for (index, glyph) in scene.layout.glyphs.enumerated() {
            guard let ink = glyph.ink else { continue }
            resting += canvas.tile(of: ink, glyph, in: .rest).box.area
            let motion = motions[scene.trackOfGlyph[index]]
            guard !motion.poses.isEmpty else { continue }
            var (work, box) = (0.0, Box.none)
            for pose in motion.poses where pose.opacity > 0 {
                let tile = canvas.tile(of: ink, glyph, in: pose)
                work += tile.work
                box = box.union(tile.box)
            }
            pixels += work / Double(motion.poses.count) * Double(motion.frameCount)
            for frames in motion.frames {
                for frame in frames { changes[frame] = changes[frame]?.union(box) ?? box }
            }
        }
        changes[0] = canvas.box
        let depth = resting / max(canvas.area, 1)
        for case .some(let box) in changes { pixels += box.area * (encodings + depth) }
    }

    /// The frames in which a motion changes the picture, and some of its poses in them.
    private struct Motion {
        var frames: [Range<Int>] = []
        var frameCount = 0
        var poses: [Pose] = []

        init(of tracks: GlyphTracks, in all: [Instant]) {
            var first = 0
            for change in tracks.changes {
                // The first frame that shows some of the change, and the first that shows its end.
                let start = Swift.max(all.index(at: change.lowerBound), first)
                let end = Swift.min(all.index(at: change.upperBound) + 1, all.count)
                guard start < end else { continue }
                frames.append(start..<end)
                first = end
            }
            if frames.isEmpty || frames[0].lowerBound > 0 { frames.insert(0..<1, at: 0) }
            frameCount = frames.reduce(0) { $0 + $1.count }
            let stride = Swift.max((frameCount + mostSamples - 1) / mostSamples, 1)
            var skipped = 0
            for range in frames {
                for frame in range {
                    if skipped % stride == 0 { poses.append(tracks.pose(at: all[frame])) }
                    skipped += 1
                }
            }
        }
    }

    /// A box in pixels.
    private struct Box {
        var low: SIMD2<Double>
        var high: SIMD2<Double>

        static var none: Box {
            Box(low: SIMD2(repeating: .infinity), high: SIMD2(repeating: -.infinity))
        }

        var area: Double {
            let size = pointwiseMax(high - low, .zero)
            return size.x.isFinite && size.y.isFinite ? size.x * size.y : 0
        }

        func union(_ other: Box) -> Box {
            Box(low: pointwiseMin(low, other.low), high: pointwiseMax(high, other.high))
        }

        func intersection(_ other: Box) -> Box {
            Box(low: pointwiseMax(low, other.low), high: pointwiseMin(high, other.high))
        }
    }

    private struct Canvas {
        let scale: Double
        let box: Box

        var area: Double { box.area }

        init(_ scene: Scene, scale: Double) {
            self.scale = scale
            box = Box(
                low: .zero, high: SIMD2(scene.layout.width, scene.layout.height) * scale)
        }

        /// Returns the box of a glyph in a pose, and the work of its tile.
        func tile(of ink: Ink, _ glyph: Glyph, in pose: Pose) -> (box: Box, work: Double) {
            let center = glyph.rect.center
            let factor = SIMD2(abs(pose.scaleX), abs(pose.scaleY))
            var margin = reach * pose.blur
            if pose.hasStroke { margin += pose.strokeWidth / 2 }
            let bounds = ink.bounds
            // The corner that is furthest from the centre says how far it reaches when turned.
            var half = pointwiseMax(
                SIMD2(abs(bounds.x - center.x), abs(bounds.y - center.y)),
                SIMD2(abs(bounds.maxX - center.x), abs(bounds.maxY - center.y)))
            half = (half + margin) * factor
            if pose.rotation != 0 { half = SIMD2(repeating: Swift.max(half.x, half.y)) }
            let middle = SIMD2(center.x + pose.offsetX, center.y + pose.offsetY)
            var box = Box(low: (middle - half) * scale, high: (middle + half) * scale)
                .intersection(self.box)
            if let clip = pose.clip {
                box = box.intersection(
                    Box(
                        low: SIMD2(clip.x, clip.y) * scale,
                        high: SIMD2(clip.maxX, clip.maxY) * scale))
            }
            var passes = WorkEstimate.passes.fill
            if pose.hasStroke { passes += WorkEstimate.passes.stroke }
            if pose.blur > 0 {
                let isWide = pose.blur * scale * factor.min() >= wide
                passes += isWide ? WorkEstimate.passes.wideBlur : WorkEstimate.passes.blur
            }
            if !ink.details.isEmpty { passes *= 2 }
            return (box, box.area * passes + tilePixels)
        }
    }
}

extension [Instant] {
    /// Returns the index of the first of rising instants that is not before a tick, or the last.
    fileprivate func index(at ticks: Int) -> Int {
        var (low, high) = (0, count - 1)
        while low < high {
            let middle = (low + high) / 2
            if self[middle].ticks < ticks { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
