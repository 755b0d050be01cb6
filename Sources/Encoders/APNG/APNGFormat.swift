package import Motion
import Raster

/// Animated PNG: frames with full alpha (PNG third edition).
package struct APNGFormat: StreamedFormat {
    package static let name = "apng"
    package static let title = "APNG"
    /// Not image/apng, which image proxies do not know.
    package static let mediaType = "image/png"
    package static let fileExtension = "apng"
    package static let isText = false
    package static let isNegotiable = false
    package static let isAnimated = true
    package static let hasDarkColors = false

    private let framesPerSecond: Double
    private let poster: Poster
    private let scale: Double

    package init(_ parameters: inout ParameterReader) {
        framesPerSecond = parameters.framesPerSecond()
        poster = parameters.poster()
        scale = parameters.scale()
    }

    package var enlargingParameter: String? { scale > 1 ? "scale" : nil }

    package func price(of scene: Scene, _ context: EncodingContext) throws(EncodingError) -> Price {
        let times = try times(of: scene, limit: context.limits.frames)
        let work = try WorkEstimate(of: scene, times, scale: scale, context)
        // One frame more where the picture is not of the animation.
        return work.price(
            ofPicture: scene.pixelSize(scale: scale), frames: times.frames.count + 1)
    }

    private func times(of scene: Scene, limit: Int) throws(EncodingError) -> FrameTimes {
        try scene.frameTimes(in: .hundredths, framesPerSecond: framesPerSecond, limit: limit)
    }

    package func memory(of scene: Scene) -> Int { scene.painterMemory(scale: scale) }

    package func begin(
        _ scene: Scene, frameLimit: Int, _ context: EncodingContext
    ) throws(EncodingError) -> StreamedFile {
        let times = try times(of: scene, limit: frameLimit)
        let card = scene.appearance.card
        guard let color = scene.inkColor else {
            let pixels = TrueColorPixels(over: card)
            return StreamedFile(APNGFile(scene, times, poster: poster, scale: scale, pixels))
        }
        let pixels = PalettePixels(
            color, over: card.ground,
            used: [Bool](repeating: true, count: 256),
            needsTransparentPixel: true)
        return StreamedFile(APNGFile(scene, times, poster: poster, scale: scale, pixels))
    }
}

/// Encodes an animated PNG, one frame a piece.
private struct APNGFile<Pixels: PNGPixels>: FrameEncoder {
    private let scene: Scene
    private let times: FrameTimes
    private let poster: Poster
    private var file: PNGFile<Pixels>
    private var painter: FramePainter<Pixels.Pixel>
    private var shown: ViewerCanvas<Pixels.Value>
    private var next = 0
    private(set) var isFinished = false
    /// The next sequence number of an fcTL or fdAT chunk.
    private var sequence: UInt32 = 0

    init(
        _ scene: Scene, _ times: FrameTimes, poster: Poster, scale: Double, _ pixels: Pixels
    ) {
        self.scene = scene
        self.times = times
        self.poster = poster
        painter = FramePainter(scene, scale: scale)
        file = PNGFile(size: painter.canvas.size, pixels: pixels)
        shown = ViewerCanvas(size: file.size)
    }

    var progress: Double { Double(next) / Double(times.frames.count) }

    mutating func next(_ context: EncodingContext) throws(EncodingError) -> [UInt8] {
        var sink = ByteSink()
        if next == 0 { try writeStart(context, to: &sink) }
        if next < times.frames.count { try writeFrame(context, to: &sink) }
        if next == times.frames.count {
            sink.append(chunk: "IEND", [])
            isFinished = true
        }
        return sink.bytes()
    }

    private mutating func writeStart(
        _ context: EncodingContext, to sink: inout ByteSink
    ) throws(EncodingError) {
        file.writeHeader(to: &sink)
        var control: [UInt8] = []
        control.append(bigEndian: UInt32(times.frames.count))
        let plays: UInt32 = if case .count(let count) = scene.loop { UInt32(count) } else { 0 }
        control.append(bigEndian: plays)
        sink.append(chunk: "acTL", control)
        guard poster == .end else { return }
        // A default image without fcTL is not a part of the animation.
        _ = try paint(.finished, context)
        sink.append(chunk: "IDAT", try compressed(block(PixelRect(file.size), context), context))
    }

    private mutating func writeFrame(
        _ context: EncodingContext, to sink: inout ByteSink
    ) throws(EncodingError) {
        let frame = times.frames[next]
        let dirty = try paint(.instant(frame.instant), context)
        let isFirst = next == 0
        next += 1
        let end = next < times.frames.count ? times.frames[next].start : times.total
        let block =
            isFirst ? try block(PixelRect(file.size), context) : try change(in: dirty, context)
        let (content, isOver) = try smallest(block, isFirst: isFirst, context)
        shown.show(block)
        writeControl(block.rect, delay: end - frame.start, isOver: isOver, to: &sink)
        if isFirst, poster == .start {
            sink.append(chunk: "IDAT", content)
        } else {
            var numbered: [UInt8] = []
            numbered.append(bigEndian: takeSequence())
            sink.append(chunk: "fdAT", numbered + content)
        }
    }

    /// Returns the smallest block with all that has changed, and at least one pixel.
    private mutating func change(
        in dirty: [PixelRect], _ context: EncodingContext
    ) throws(EncodingError) -> PixelBlock<Pixels.Value> {
        let painted = try block(dirty.reduce(.empty) { $0.union($1) }, context)
        let rect = shown.difference(from: painted)
        return rect.isEmpty
            ? try block(PixelRect(PixelSize(width: 1, height: 1)), context)
            : painted.cropped(to: rect)
    }

    private mutating func block(
        _ rect: PixelRect, _ context: EncodingContext
    ) throws(EncodingError) -> PixelBlock<Pixels.Value> {
        try painter.canvas.block(rect, as: &file.pixels, context)
    }

    /// Returns a block compressed as it is, or with unchanged pixels transparent.
    ///
    /// The better one has fewer runs of equal values.
    private func smallest(
        _ block: PixelBlock<Pixels.Value>, isFirst: Bool, _ context: EncodingContext
    ) throws(EncodingError) -> (content: [UInt8], isOver: Bool) {
        guard !isFirst, let transparentPixel = file.pixels.transparentPixel,
            let changes = shown.changes(of: block, else: transparentPixel),
            changes.runCount < block.runCount
        else { return (try compressed(block, context), false) }
        return (try compressed(changes, context), true)
    }

    private func compressed(
        _ block: PixelBlock<Pixels.Value>, _ context: EncodingContext
    ) throws(EncodingError) -> [UInt8] {
        try context.checkDeadline()
        return try file.deflated(block, try context.frameCompressor(), context)
    }

    private mutating func paint(
        _ moment: Moment, _ context: EncodingContext
    ) throws(EncodingError) -> [PixelRect] {
        try painter.paint(moment, context)
    }

    private mutating func takeSequence() -> UInt32 {
        defer { sequence += 1 }
        return sequence
    }

    private mutating func writeControl(
        _ rect: PixelRect, delay: Int, isOver: Bool, to sink: inout ByteSink
    ) {
        var control: [UInt8] = []
        control.append(bigEndian: takeSequence())
        for value in [rect.width, rect.height, rect.minX, rect.minY] {
            control.append(bigEndian: UInt32(value))
        }
        control.append(bigEndian: UInt16(clamping: delay))
        control.append(bigEndian: UInt16(100))
        // No disposal; a frame replaces its rectangle, or is drawn over it.
        control += [0, isOver ? 1 : 0]
        sink.append(chunk: "fcTL", control)
    }
}
