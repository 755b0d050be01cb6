import Motion
import Raster

/// The pixels that a rendering has to compose, estimated before anything is painted.
///
/// Some of the many frames in which a glyph moves stand for all. Changes are summed up by motion
/// and then by frame: O(samples · glyphs + frames · motions).
struct WorkEstimate {
    /// The work in pixels: each takes as long as one that is drawn on the canvas.
    private(set) var pixels = 0.0
    /// False where it was given up, because the work is past the limit anyway.
    private(set) var isWhole = true

    /// The passes over a pixel of a changed rectangle, which is cleared, compared, and compressed:
    /// where it takes a byte, and where it takes four.
    private static let encodings = (palette: 6.0, trueColor: 18.0)
    /// The further passes where a card has to be drawn, which compresses badly.
    private static let cardEncodings = 24.0
    /// Returns the passes for a GIF, which searches for phrases, and for the nearest of the
    /// palette's colours if the ink has several.
    static func gifEncodings(of scene: Scene) -> Double { scene.inkColor != nil ? 20 : 60 }
    /// Returns the passes for a WebP: with the least effort, libwebp takes twice the time of
    /// libdeflate, and three times in few colours.
    ///
    /// - Parameters:
    ///   - scene: The scene.
    ///   - further: The passes for more effort, in few colours and in many.
    /// - Returns: The passes over a pixel.
    static func webpEncodings(
        of scene: Scene, further: (few: Double, many: Double)
    ) -> Double {
        let isPalette = scene.inkColor != nil
        return (isPalette ? 3 : 2) * encodings(of: scene, isPalette: isPalette)
            + (isPalette ? further.few : further.many)
    }

    /// Returns the passes for a frame of a video, which is not compressed here but turned into
    /// planes.
    static func videoEncodings(of scene: Scene) -> Double {
        scene.appearance.card.background.gradient == nil ? 6 : 16
    }

    /// The passes over a pixel that a GIF writes although it has not changed.
    private static let unchangedEncodings = 2.0

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
        guard pixels <= 1_000_000 * context.limits.work else {
            isWhole = false
            return
        }
        let parts = scene.pictureParts
        var loads = try FrameLoads(of: scene, instants, context)
        for part in parts {
            try context.checkDeadline(every: 8)
            loads.add(part, of: scene, on: canvas, work: &pixels)
        }
        loads.addChanges(of: scene, on: canvas)
        for frame in loads.frames {
            let rectangles = Swift.min(Double(frame.changedParts), Self.mostRectangles)
            pixels += Double(parts.count) * Self.partPixels.rectangle * rectangles
        }
        var shown = Load()
        for frame in loads.frames {
            shown.add(frame.added)
            if frame.movesPaint { pixels += VisibleArea.pictureFactor.upright * shown.area }
            let box = frame.change
            guard box.area > 0 else { continue }
            // The number of times that a pixel is drawn on.
            let depth = shown.area / Swift.max(loads.extent.area, 1)
            pixels += box.area * (encodings + depth) + shown.repeatedWork(on: canvas)
            pixels += shown.pictureEncodings(in: box)
            if coversCanvas { pixels += (canvas.area - box.area) * Self.unchangedEncodings }
        }
    }
}
