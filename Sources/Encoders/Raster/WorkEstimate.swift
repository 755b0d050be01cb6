import Motion
import Raster

/// The pixels that a rendering has to compose, estimated before anything is painted.
///
/// Some of the many frames in which a glyph moves stand for all. Changes are summed up by motion
/// and then by frame: O(samples · glyphs + frames · motions).
struct WorkEstimate {
    /// The work in pixels: each takes as long as one that is drawn on the canvas.
    private(set) var pixels = 0.0

    /// The most frames of one motion that are examined, besides as many frames nearest to
    /// keyframes.
    private static let mostSamples = 24
    /// The pixels that take as long as the preparation of a tile, as a segment of a filled outline,
    /// and as a segment of a line.
    private static let tilePixels = (base: 2000.0, filled: 150.0, segment: 500.0)
    /// The passes over a pixel of a changed rectangle, which is cleared, compared, and compressed:
    /// where it takes a byte, and where it takes four.
    private static let encodings = (palette: 6.0, trueColor: 18.0)
    /// The further passes where a card has to be drawn, which compresses badly.
    private static let cardEncodings = 24.0
    /// The further passes over a picture that does not compress. Other pictures have a share of
    /// them: the size of the picture's file divided by the size of its pixels.
    private static let pictureEncodings = 60.0
    /// Returns the passes for a GIF, which searches for phrases, and for the nearest of the
    /// palette's colours if the ink has several.
    static func gifEncodings(of scene: Scene) -> Double { scene.inkColor != nil ? 20 : 60 }
    /// Returns the passes for a WebP: libwebp takes twice the time of libdeflate, and three times
    /// in few colours.
    static func webpEncodings(of scene: Scene) -> Double {
        let isPalette = scene.inkColor != nil
        return (isPalette ? 3 : 2) * encodings(of: scene, isPalette: isPalette)
    }

    /// The passes over a pixel that a GIF writes although it has not changed.
    private static let unchangedEncodings = 2.0

    /// The passes over a pixel of a tile for its fill, its line, and its blur. A wide blur is
    /// computed on fewer samples; a turned one on more, and in smaller parts.
    private static let passes = (
        fill: 2.0, stroke: 8.0, blur: 8.0, wideBlur: 3.0, turnedBlur: 16.0
    )
    /// The factors of these passes for pictures, which are filtered unless they are upright and in
    /// their own size.
    private static let pictureFactor = (upright: 4.0, filtered: 16.0)

    /// The pixels that take as long as one of several pictures or lines in a glyph, besides its
    /// own.
    private static let pictureBase = 30_000.0
    /// The pixels of a bitmap that are not counted, about as many as emoji have. Each further pixel
    /// is copied, and read where the picture is smaller than the bitmap.
    private static let freeBitmapPixels = 20_000

    /// The pixels that take as long as examining a part of a glyph: once a frame, and once for each
    /// changed rectangle of the frame.
    private static let partPixels = (frame: 12.0, rectangle: 3.0)
    /// The most rectangles of a frame that are painted one by one.
    private static let mostRectangles = 48.0

    /// Returns the price of an animation, or a still picture, of so many frames.
    func price(ofPicture size: PixelSize, frames: Int) -> Price {
        // At worst pixels are stored as they are, with some bytes for each row and each block.
        let frame = 4.2 * Double(size.count) + Double(8 * size.height) + 2048
        return Price(bytes: frame * Double(frames) + 4096, work: pixels / 1_000_000)
    }

    /// Adds the work to write so many whole pictures of a scene.
    mutating func addPictures(_ count: Int, of scene: Scene, scale: Double) {
        let encodings = Self.encodings(of: scene, isPalette: scene.inkColor != nil)
        pixels += Double(count) * Double(scene.pixelSize(scale: scale).count) * encodings
    }

    /// Estimates the work of one picture.
    ///
    /// - Throws: `EncodingError.deadline`.
    init(
        of scene: Scene, at moment: Moment, scale: Double, _ context: EncodingContext
    ) throws(EncodingError) {
        let canvas = VisibleArea(scene, scale: scale)
        var shown = Load()
        let color = moment == .finished ? scene.finishedInkColor : scene.inkColor
        pixels = canvas.area * Self.encodings(of: scene, isPalette: color != nil)
        let parts = scene.pictureParts
        pixels += Double(parts.count) * (Self.partPixels.frame + Self.partPixels.rectangle)
        for part in parts {
            try context.checkDeadline(every: 8)
            let pose = scene.pose(ofNode: part.node, in: part.part, at: moment)
            guard pose.opacity > 0 else { continue }
            shown.add(canvas.tile(of: part, in: pose))
        }
        pixels += shown.area + shown.work + shown.repeatedWork(on: canvas)
        pixels += shown.pictureEncodings(in: canvas.box)
    }

    private static func encodings(of scene: Scene, isPalette: Bool) -> Double {
        let card = scene.appearance.card.flatColor == nil ? cardEncodings : 0
        return card + (isPalette ? encodings.palette : encodings.trueColor)
    }

    /// Estimates the work of frames.
    ///
    /// - Parameters:
    ///   - scene: The scene.
    ///   - times: Its frames.
    ///   - scale: Pixels in one CSS pixel.
    ///   - encodings: The passes over a pixel of a changed rectangle; nil for an APNG's.
    ///   - coversCanvas: True if each frame that changes is written as the whole canvas.
    ///   - context: The state that encoders share.
    /// - Throws: `EncodingError.deadline`.
    init(
        of scene: Scene, _ times: FrameTimes, scale: Double, encodings: Double? = nil,
        coversCanvas: Bool = false, _ context: EncodingContext
    ) throws(EncodingError) {
        let encodings =
            encodings ?? Self.encodings(of: scene, isPalette: scene.inkColor != nil)
        let canvas = VisibleArea(scene, scale: scale)
        let instants = times.frames.map(\.instant).sorted()
        let count = SceneTally(scene, in: scene.lightLayers).nodes
        pixels = Double(count) * Double(instants.count) * Self.partPixels.frame
        // With so many pixels the rest of the estimate would take long too.
        guard pixels <= 1_000_000 * context.limits.work else { return }
        let parts = scene.pictureParts
        var motions: [MotionSamples] = []
        motions.reserveCapacity(scene.tracks.count)
        for index in scene.tracks.indices {
            try context.checkDeadline(every: 8)
            motions.append(MotionSamples(of: scene.tracks[index], in: instants))
        }
        // The box of each motion's glyphs, and the tiles that they add to each frame.
        var boxes = [Box](repeating: .none, count: motions.count)
        var added = [Load](repeating: Load(), count: instants.count + 1)
        var extent = Box.none
        // The box that is painted anew in each frame in which paint moves.
        let paintChanges = scene.paintChanges
        var painted = scene.movingBackground == nil ? Box.none : canvas.box
        for part in parts {
            try context.checkDeadline(every: 8)
            let motion = part.track
            for sample in motions[motion].samples where sample.pose.opacity > 0 {
                let pose = scene.placed(sample.pose, ofNode: part.node)
                let tile = canvas.tile(of: part, in: pose)
                pixels += tile.work * sample.paintings
                boxes[motion] = boxes[motion].union(tile.box)
                added[sample.frames.lowerBound].add(tile)
                added[sample.frames.upperBound].add(tile, -1)
            }
            extent = extent.union(boxes[motion])
            if part.paint != nil { painted = painted.union(boxes[motion]) }
        }
        var changes = [Box](repeating: .none, count: instants.count)
        // The number of parts whose motions change in each frame.
        var changed = [Int](repeating: 0, count: instants.count)
        var partsOfMotion = [Int](repeating: 0, count: motions.count)
        for part in parts { partsOfMotion[part.track] += 1 }
        for (motion, count) in zip(motions, partsOfMotion) where count > 0 {
            for frames in motion.frames {
                for frame in frames { changed[frame] += count }
            }
        }
        for count in changed {
            let rectangles = Swift.min(Double(count), Self.mostRectangles)
            pixels += Double(parts.count) * Self.partPixels.rectangle * rectangles
        }
        for (motion, box) in zip(motions, boxes) where box.area > 0 {
            for frames in motion.frames {
                for frame in frames { changes[frame] = changes[frame].union(box) }
            }
        }
        for span in scene.masks.joined() where span.opening != nil {
            for frame in instants.index(at: span.start.ticks)...instants.index(at: span.end.ticks) {
                changes[frame] = canvas.box
            }
        }
        changes[0] = canvas.box
        var shown = Load()
        var change = 0
        for ((var box, more), instant) in zip(zip(changes, added), instants) {
            shown.add(more)
            while change < paintChanges.count, paintChanges[change].upperBound < instant.ticks {
                change += 1
            }
            if change < paintChanges.count, paintChanges[change].lowerBound <= instant.ticks {
                box = box.union(painted)
                pixels += Self.pictureFactor.upright * shown.area
            }
            guard box.area > 0 else { continue }
            // The number of times that a pixel is drawn on.
            let depth = shown.area / Swift.max(extent.area, 1)
            pixels += box.area * (encodings + depth) + shown.repeatedWork(on: canvas)
            pixels += shown.pictureEncodings(in: box)
            if coversCanvas { pixels += (canvas.area - box.area) * Self.unchangedEncodings }
        }
    }

    /// The frames in which a motion changes the picture, and some of its poses in them.
    private struct MotionSamples {
        /// A pose that stands for the poses of some frames.
        struct Sample {
            let pose: Pose
            /// The frames up to the next sample, unchanged ones included.
            let frames: Range<Int>
            /// The number of times that a tile is made in these frames.
            let paintings: Double
        }

        private(set) var frames: [Range<Int>] = []
        private(set) var samples: [Sample] = []

        init(of tracks: GlyphTracks, in all: [Instant]) {
            var first = 0
            for change in tracks.changes {
                // The first frame that shows a part of the change, and the first that shows its
                // end.
                let start = Swift.max(all.index(at: change.lowerBound), first)
                let end = Swift.min(all.index(at: change.upperBound) + 1, all.count)
                guard start < end else { continue }
                frames.append(start..<end)
                first = end
            }
            if frames.isEmpty || frames[0].lowerBound > 0 { frames.insert(0..<1, at: 0) }
            let chosen = chosenFrames(tracks, all)
            let poses = chosen.map { tracks.pose(at: all[$0.frame]) }
            let count = frames.reduce(0) { $0 + $1.count }
            for (index, (frame, number)) in chosen.enumerated() {
                let isLast = index + 1 == chosen.count
                let changes = (isLast ? count : chosen[index + 1].number) - number
                // A glyph keeps its tile if only its opacity changes.
                let isMoved = !isLast && !poses[index].hasTile(of: poses[index + 1])
                samples.append(
                    Sample(
                        pose: poses[index],
                        frames: frame..<(isLast ? all.count : chosen[index + 1].frame),
                        paintings: Double(isMoved ? changes : 1)))
            }
        }

        /// Returns some of the frames, each with its number among the frames that change.
        private func chosenFrames(
            _ tracks: GlyphTracks, _ all: [Instant]
        ) -> [(frame: Int, number: Int)] {
            let count = frames.reduce(0) { $0 + $1.count }
            let stride = Swift.max((count + mostSamples - 1) / mostSamples, 1)
            // The intervals are irregular, because changes may be regular.
            var numbers: Set = [0, count - 1]
            for (index, start) in Swift.stride(from: 0, to: count, by: stride).enumerated() {
                // The multiples of the golden ratio lie evenly within 0…1 and never repeat.
                let share = (Double(index) * 0.618_033_988_749_895)
                    .truncatingRemainder(dividingBy: 1)
                numbers.insert(Swift.min(start + Int(share * Double(stride)), count - 1))
            }
            let ticks = tracks.keyframeTicks
            let step = Swift.max((ticks.count + mostSamples - 1) / mostSamples, 1)
            let near = Set(
                Swift.stride(from: 0, to: ticks.count, by: step).map { all.index(at: ticks[$0]) })
            var chosen: [(frame: Int, number: Int)] = []
            var number = 0
            for range in frames {
                for frame in range {
                    if numbers.contains(number) || near.contains(frame) {
                        chosen.append((frame, number))
                    }
                    number += 1
                }
            }
            return chosen
        }
    }

    /// Tiles that are shown at once.
    private struct Load {
        private(set) var area = 0.0
        /// The work to make them.
        private(set) var work = 0.0
        private var bytes = 0.0
        /// The area that does not compress.
        private var roughArea = 0.0

        mutating func add(_ tile: TileEstimate, _ sign: Double = 1) {
            area += sign * tile.box.area
            work += sign * tile.work
            bytes += sign * tile.bytes
            roughArea += sign * tile.box.area * tile.roughness
        }

        mutating func add(_ other: Load) {
            area += other.area
            work += other.work
            bytes += other.bytes
            roughArea += other.roughArea
        }

        /// Returns the work to compress pictures in a box, beyond the work for other pixels.
        func pictureEncodings(in box: Box) -> Double {
            WorkEstimate.pictureEncodings * Swift.max(Swift.min(roughArea, box.area), 0)
        }

        /// Returns the work to make tiles again that are not kept.
        func repeatedWork(on canvas: VisibleArea) -> Double {
            bytes > canvas.tileBytes ? work * (1 - canvas.tileBytes / bytes) : 0
        }
    }

    private struct TileEstimate {
        static let nothing = TileEstimate(box: .none, bytes: 0, work: 0)

        let box: Box
        let bytes: Double
        let work: Double
        /// The size of its pictures' files as a share of the size of their pixels, 0…1.
        var roughness = 0.0
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

    private struct VisibleArea {
        let scale: Double
        let box: Box
        /// The bytes of tiles that the painter keeps.
        let tileBytes: Double
        private let nodes: [SceneNode]
        private let outlines: [Outline]
        private let bitmaps: [Bitmap]

        var area: Double { box.area }

        init(_ scene: Scene, scale: Double) {
            self.scale = scale
            nodes = scene.nodes
            outlines = scene.definitions.outlines
            bitmaps = scene.definitions.bitmaps
            box = Box(
                low: .zero, high: SIMD2(scene.width, scene.height) * scale)
            tileBytes = Double(TileBudget.bytes(for: scene.pixelSize(scale: scale)))
        }

        private func segmentCount(of ink: Ink) -> Double {
            guard let outline = ink.shape?.outline, outlines.indices.contains(outline)
            else { return 0 }
            return Double(outlines[outline].commands.count)
        }

        /// Returns a box around a rectangle in a pose, grown by the reach of its blur in CSS
        /// pixels.
        private func box(
            around bounds: Rect, about center: Point, in pose: Pose, _ reach: SIMD2<Double>
        ) -> Box {
            let center = center.vector
            let stretched = pose.unturned.taking(center, to: center)
                .bounds(of: bounds)
                .grown(by: Margins(left: reach.x, top: reach.y, right: reach.x, bottom: reach.y))
            let covered = pose.turn.taking(center, to: center + pose.offset).bounds(of: stretched)
            return Box(
                low: SIMD2(covered.x, covered.y) * scale,
                high: SIMD2(covered.maxX, covered.maxY) * scale
            )
            .intersection(box)
        }

        /// Returns the counted pixels of the bitmaps that an ink draws.
        private func bitmapPixels(of ink: Ink) -> Int {
            var pixels = 0
            for case .picture(let picture) in ink.details {
                let bitmap = bitmaps[picture.bitmap]
                pixels += Swift.max(bitmap.width * bitmap.height - freeBitmapPixels, 0)
            }
            return pixels
        }

        /// Returns the size of a picture's file as a share of the size of its pixels, the largest
        /// among an ink's pictures.
        private func roughness(of ink: Ink) -> Double {
            var most = 0.0
            for case .picture(let picture) in ink.details {
                let bitmap = bitmaps[picture.bitmap]
                let bytes = Double(4 * bitmap.width * bitmap.height)
                most = Swift.max(most, Swift.min(Double(bitmap.source.count) / bytes, 1))
            }
            return most
        }

        /// Estimates the tile of a part of a glyph in a pose.
        func tile(of part: PicturePart, in pose: Pose) -> TileEstimate {
            let center = nodes[part.node].glyph.rect.center
            guard let ink = nodes[part.node].glyph.ink else { return .nothing }
            let blur = BlurGrid(sigma: part.content.blur(in: pose) * scale, in: pose)
            let reach = blur.map { $0.reach / scale } ?? .zero
            let box = box(
                around: part.content.box(of: ink, in: pose), about: center, in: pose, reach)
            var passes = WorkEstimate.passes.fill
            let segments = segmentCount(of: ink)
            var preparation = tilePixels.base + tilePixels.filled * segments
            if part.content.hasStroke(in: pose) {
                passes += WorkEstimate.passes.stroke
                preparation += tilePixels.segment * segments
            }
            if let blur {
                let samples = 1 / (blur.spacing.x * blur.spacing.y)
                if blur.isTurned {
                    passes += WorkEstimate.passes.turnedBlur * Swift.max(samples, 1)
                } else {
                    passes +=
                        samples < 1 ? WorkEstimate.passes.wideBlur : WorkEstimate.passes.blur
                }
            }
            let isPicture = part.content.kind(of: ink) == .picture
            var roughness = 0.0
            if ink.hasPicture {
                roughness = isPicture ? self.roughness(of: ink) : 0
                let isFiltered = pose.linear != .identity
                passes *= isFiltered ? pictureFactor.filtered : pictureFactor.upright
                preparation += Double(bitmapPixels(of: ink))
                if ink.details.count > 1 {
                    // The details may overlap.
                    let areas = ink.details.reduce(0) { sum, detail in
                        sum + self.box(around: detail.bounds, about: center, in: pose, reach).area
                    }
                    passes *= Swift.max(areas / Swift.max(box.area, 1), 1)
                    preparation += WorkEstimate.pictureBase * Double(ink.details.count)
                }
            } else if isPicture {
                passes *= pictureFactor.upright
            }
            return TileEstimate(
                box: box, bytes: box.area * (isPicture ? 4 : 1),
                work: box.area > 0 ? box.area * passes + preparation : 0, roughness: roughness)
        }
    }
}

extension Pose {
    /// Returns true if another pose has the same tile.
    fileprivate func hasTile(of other: Pose) -> Bool {
        var same = self
        (same.opacity, same.fill, same.clip) = (other.opacity, other.fill, other.clip)
        return same == other && (opacity > 0) == (other.opacity > 0)
    }
}

extension GlyphTracks {
    /// The instants of all keyframes, in ticks, track by track.
    fileprivate var keyframeTicks: [Int] {
        var ticks = opacity.keyframes.map(\.time.ticks)
        for other in others { ticks += other.track.keyframes.map(\.time.ticks) }
        if let fill { ticks += fill.keyframes.map(\.time.ticks) }
        return ticks
    }
}

extension [Instant] {
    /// Returns the index of the first of rising instants that is not before a tick, or of the last.
    fileprivate func index(at ticks: Int) -> Int {
        var (low, high) = (0, count - 1)
        while low < high {
            let middle = (low + high) / 2
            if self[middle].ticks < ticks { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
