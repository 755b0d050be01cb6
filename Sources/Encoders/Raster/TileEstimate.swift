import Motion
import Raster

extension WorkEstimate {
    /// Tiles that are shown at once.
    struct Load {
        /// The further passes over a picture that does not compress. Other pictures have a share of
        /// them: the size of the picture's file divided by the size of its pixels.
        private static let pictureEncodings = 60.0

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
            Self.pictureEncodings * Swift.max(Swift.min(roughArea, box.area), 0)
        }

        /// Returns the work to make tiles again that are not kept.
        func repeatedWork(on canvas: VisibleArea) -> Double {
            bytes > canvas.tileBytes ? work * (1 - canvas.tileBytes / bytes) : 0
        }
    }

    /// The tile of a part of a glyph.
    struct TileEstimate {
        static let nothing = TileEstimate(box: .none, bytes: 0, work: 0)

        let box: Box
        let bytes: Double
        let work: Double
        /// The size of its pictures' files as a share of the size of their pixels, 0…1.
        var roughness = 0.0
    }

    /// A box in pixels.
    struct Box {
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

    /// The part of the canvas that is painted, with the tiles of a scene's parts on it.
    struct VisibleArea {
        /// The pixels that take as long as the preparation of a tile, as a segment of a filled
        /// outline, and as a segment of a line.
        private static let tilePixels = (base: 2000.0, filled: 150.0, segment: 500.0)
        /// The passes over a pixel of a tile for its fill, its line, and its blur. A wide blur is
        /// computed on fewer samples; a turned one on more, and in smaller parts.
        private static let passes = (
            fill: 2.0, stroke: 8.0, blur: 8.0, wideBlur: 3.0, turnedBlur: 16.0
        )
        /// The factors of these passes for pictures, which are filtered unless they are upright and
        /// in their own size.
        static let pictureFactor = (upright: 4.0, filtered: 16.0)

        /// The pixels that take as long as one of several pictures or lines in a glyph, besides its
        /// own.
        private static let pictureBase = 30_000.0
        /// The pixels of a bitmap that are not counted, about as many as emoji have. Each further
        /// pixel is copied, and read where the picture is smaller than the bitmap.
        private static let freeBitmapPixels = 20_000

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
            tileBytes = Double(TileBudget.bytes(for: scene.pixelSize(scale: scale), of: scene))
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
                pixels += Swift.max(bitmap.width * bitmap.height - Self.freeBitmapPixels, 0)
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
            var passes = Self.passes.fill
            let segments = segmentCount(of: ink)
            var preparation = Self.tilePixels.base + Self.tilePixels.filled * segments
            if part.content.hasStroke(in: pose) {
                passes += Self.passes.stroke
                preparation += Self.tilePixels.segment * segments
            }
            if let blur {
                let samples = 1 / (blur.spacing.x * blur.spacing.y)
                if blur.isTurned {
                    passes += Self.passes.turnedBlur * Swift.max(samples, 1)
                } else {
                    passes +=
                        samples < 1 ? Self.passes.wideBlur : Self.passes.blur
                }
            }
            let isPicture = part.content.kind(of: ink) == .picture
            var roughness = 0.0
            if ink.hasPicture {
                roughness = isPicture ? self.roughness(of: ink) : 0
                let isFiltered = pose.linear != .identity
                passes *= isFiltered ? Self.pictureFactor.filtered : Self.pictureFactor.upright
                preparation += Double(bitmapPixels(of: ink))
                if ink.details.count > 1 {
                    // The details may overlap.
                    let areas = ink.details.reduce(0) { sum, detail in
                        sum + self.box(around: detail.bounds, about: center, in: pose, reach).area
                    }
                    passes *= Swift.max(areas / Swift.max(box.area, 1), 1)
                    preparation += Self.pictureBase * Double(ink.details.count)
                }
            } else if isPicture {
                passes *= Self.pictureFactor.upright
            }
            return TileEstimate(
                box: box, bytes: box.area * (isPicture ? 4 : 1),
                work: box.area > 0 ? box.area * passes + preparation : 0, roughness: roughness)
        }
    }
}
