package import Motion
import Raster

/// Animated WebP (RFC 9649): lossless frames with full alpha.
package struct WebPFormat: StreamedFormat {
    package static let name = "webp"
    package static let title = "WebP"
    package static let mediaType = "image/webp"
    package static let fileExtension = "webp"
    package static let isText = false
    /// Browsers name it whenever they want a page.
    package static let isNegotiable = false
    package static let isAnimated = true
    package static let hasDarkColors = false

    private let framesPerSecond: Double
    private let levels: Int?
    private let poster: Poster
    private let scale: Double

    /// The longest side of a picture, in pixels (RFC 9649, 3.4).
    private static let longestSide = 16_383

    package init(_ parameters: inout ParameterReader) {
        framesPerSecond = parameters.framesPerSecond()
        levels = parameters.levels()
        poster = parameters.poster()
        scale = parameters.scale()
    }

    package func begin(
        _ scene: Scene, frameLimit: Int, _ context: EncodingContext
    ) throws(EncodingError) -> StreamedFile {
        try checkSize(of: scene)
        let times = try scene.frameTimes(
            in: .milliseconds, framesPerSecond: framesPerSecond, limit: frameLimit,
            from: try scene.origin(for: poster))
        try context.check(WorkEstimate(of: scene, times, scale: scale))
        let ground = scene.appearance.card.ground
        if let color = scene.inkColor {
            let form = WebPRamp(color, over: ground, levels: levels.map(AlphaLevels.init))
            return StreamedFile(WebPFile(scene, times, scale: scale, form))
        }
        return StreamedFile(
            WebPFile(scene, times, scale: scale, WebPColors(background: ground)))
    }

    private func checkSize(of scene: Scene) throws(EncodingError) {
        let size = scene.pixelSize(scale: scale)
        let side = max(size.width, size.height)
        guard side > Self.longestSide else { return }
        let name = size.width == side ? "width" : "height"
        throw .sideTooLong(
            parameter: scale > 1 ? "scale" : name, pixels: side, limit: Self.longestSide)
    }
}

/// Encodes a WebP.
///
/// The length of the whole file is among its first bytes, so all frames are encoded before there is
/// anything to send. Up to some size the file is kept meanwhile; the frames of a longer one are
/// encoded again.
private struct WebPFile<Form: PixelForm>: FrameEncoder
where Form.Value == UInt32 {
    private var frames: WebPFrames<Form>
    private let loop: Loop
    /// The frames that are encoded and not yet sent.
    private var kept: [UInt8] = []
    /// The encoder as it was behind the last of `kept`; nil while all frames are kept.
    private var rest: WebPFrames<Form>?
    /// The bytes of all frames that are encoded.
    private var length = 0
    private var isMeasured = false

    /// The bytes of frames that are kept at least, if there are so many.
    private static var keptLength: Int { 8 << 20 }

    init(_ scene: Scene, _ times: FrameTimes, scale: Double, _ form: Form) {
        frames = WebPFrames(scene, times, scale: scale, form)
        loop = scene.loop
    }

    var progress: Double { frames.progress }

    mutating func next(_ context: EncodingContext) throws(EncodingError) -> [UInt8]? {
        if isMeasured { return try frames.next(context) }
        if let frame = try frames.next(context) {
            length += frame.count
            guard rest == nil else { return [] }
            kept += frame
            if kept.count >= Self.keptLength { rest = frames }
            return []
        }
        isMeasured = true
        var sink = ByteSink(capacity: kept.count + 64)
        WebPWriter(size: frames.size).writeHeader(
            hasAlpha: frames.hasAlpha, loop: loop, frameCount: frames.count, length: length,
            to: &sink)
        sink.append(frames.count == 1 ? Array(kept.dropFirst(WebPWriter.frameHeaderLength)) : kept)
        kept = []
        if let rest { frames = rest }
        return sink.bytes()
    }
}

/// Encodes the frames of a scene one after another, in the smallest rectangles that change.
///
/// A frame is written when the next one is known, which decides its duration.
private struct WebPFrames<Form: PixelForm>: Sendable where Form.Value == UInt32 {
    private let times: FrameTimes
    private let form: Form
    /// True if viewers may draw one frame over another and show the same.
    private let isOpaque: Bool
    private var painter: FramePainter<Form.Pixel>
    private var shown: ViewerCanvas<UInt32>
    /// The number of frames that are painted.
    private var next = 0
    /// The frame that is encoded but not yet written.
    private var pending: Image?
    /// The number of frames that are written.
    private(set) var count = 0
    /// True if some pixel of a frame is not opaque.
    private(set) var hasAlpha: Bool

    private struct Image {
        let rect: PixelRect
        /// In milliseconds from the file's beginning.
        let start: Int
        let isOver: Bool
        let chunk: [UInt8]
    }

    /// The share of the runs of equal pixels below which unchanged pixels are left out.
    private static var fewRuns: Double { 0.8 }

    init(_ scene: Scene, _ times: FrameTimes, scale: Double, _ form: Form) {
        self.times = times
        self.form = form
        isOpaque = scene.appearance.card.isOpaque
        hasAlpha = !isOpaque
        painter = FramePainter(scene, scale: scale)
        shown = ViewerCanvas(size: painter.canvas.size)
    }

    var size: PixelSize { painter.canvas.size }
    var progress: Double { Double(next) / Double(times.frames.count) }

    /// Returns the next frame as an `ANMF` chunk; nil after the last.
    mutating func next(_ context: EncodingContext) throws(EncodingError) -> [UInt8]? {
        while next < times.frames.count {
            let frame = times.frames[next]
            let dirty = try painter.paint(.instant(frame.instant), context)
            next += 1
            guard let block = change(in: dirty, isFirst: next == 1) else { continue }
            let written = pending.map { write($0, until: frame.start) }
            pending = try encode(block, start: frame.start)
            if let written { return written }
        }
        guard let last = pending else { return nil }
        pending = nil
        return write(last, until: times.total)
    }

    /// Returns the smallest block with all that has changed, which begins at even coordinates; nil
    /// where nothing has.
    private func change(in dirty: [PixelRect], isFirst: Bool) -> PixelBlock<UInt32>? {
        if isFirst { return painter.canvas.block(PixelRect(size), as: form) }
        let painted = painter.canvas.block(
            dirty.reduce(PixelRect.empty) { $0.union($1) }.evenOrigin, as: form)
        let rect = shown.difference(from: painted)
        return rect.isEmpty ? nil : painted.cropped(to: rect.evenOrigin)
    }

    private mutating func encode(
        _ block: PixelBlock<UInt32>, start: Int
    ) throws(EncodingError) -> Image {
        var image = block
        var isOver = false
        if next > 1, isOpaque, let changes = shown.changes(of: block, else: 0),
            Double(changes.runCount) < Self.fewRuns * Double(block.runCount)
        {
            (image, isOver, hasAlpha) = (changes, true, true)
        }
        shown.show(block)
        let chunk = try EncodingError.catching { () throws(LibraryFault) in
            try LosslessWebP.chunk(of: image, .little)
        }
        return Image(rect: block.rect, start: start, isOver: isOver, chunk: chunk)
    }

    private mutating func write(_ image: Image, until end: Int) -> [UInt8] {
        count += 1
        var sink = ByteSink()
        WebPWriter(size: size).write(
            image.chunk, in: image.rect, duration: end - image.start, isOver: image.isOver,
            to: &sink)
        return sink.bytes()
    }
}

extension PixelRect {
    /// The rectangle with at most one column and one row more, so that it begins at even ones.
    fileprivate var evenOrigin: PixelRect {
        PixelRect(minX: minX & ~1, minY: minY & ~1, maxX: maxX, maxY: maxY)
    }
}
