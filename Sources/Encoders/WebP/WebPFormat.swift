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
    /// The bytes of frames that are kept while the others are encoded.
    fileprivate static let keptLength = 32 << 20

    package init(_ parameters: inout ParameterReader) {
        framesPerSecond = parameters.framesPerSecond()
        levels = parameters.levels()
        poster = parameters.poster()
        scale = parameters.scale()
    }

    package var enlargingParameter: String? { scale > 1 ? "scale" : nil }

    package func price(of scene: Scene, _ context: EncodingContext) throws(EncodingError) -> Price {
        let times = try times(of: scene, limit: context.limits.frames)
        let work = try WorkEstimate(
            of: scene, times, scale: scale, encodings: WorkEstimate.webpEncodings(of: scene),
            context)
        return work.price(
            ofPicture: scene.pixelSize(scale: scale), frames: times.frames.count)
    }

    private func times(of scene: Scene, limit: Int) throws(EncodingError) -> FrameTimes {
        try check(scene.pixelSize(scale: scale))
        return try scene.frameTimes(
            in: .milliseconds, framesPerSecond: framesPerSecond, limit: limit,
            from: try scene.origin(for: poster))
    }

    package func memory(of scene: Scene) -> Int {
        // The encoder with its pending frame, the same as it was behind the frames that are kept, and
        // these.
        let pending = 4 * scene.pixelSize(scale: scale).count
        return 2 * (scene.painterMemory(scale: scale) + pending) + Self.keptLength
    }

    package func begin(
        _ scene: Scene, frameLimit: Int, _ context: EncodingContext
    ) throws(EncodingError) -> StreamedFile {
        let size = scene.pixelSize(scale: scale)
        let times = try times(of: scene, limit: frameLimit)
        let ground = scene.appearance.card.ground
        let levels = levels.map(AlphaLevels.init)
        if let color = scene.inkColor {
            return file(scene, times, WebPRamp(color, over: ground, levels: levels))
        }
        guard let levels else {
            return file(scene, times, WebPColors(over: ground, levels: nil))
        }
        // What shows through is not blended, so there is no matte.
        let background = PaletteBackground(ground, matte: ground)
        if scene.isPainted {
            let indexer = try SampledIndexer(
                scene, over: background, levels: levels.count, scale: scale, context)
            return file(
                scene, times, WebPPalette(indexer, over: ground, levels: levels, size: size))
        }
        let indexer = try ColorIndexer(scene, over: background, levels: levels.count, context)
        return file(scene, times, WebPPalette(indexer, over: ground, levels: levels, size: size))
    }

    private func file<Form: PixelForm>(
        _ scene: Scene, _ times: FrameTimes, _ form: Form
    ) -> StreamedFile where Form.Value == UInt32 {
        StreamedFile(WebPFile(scene, times, scale: scale, form))
    }

    private func check(_ size: PixelSize) throws(EncodingError) {
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
/// anything to send. Up to some size they are kept meanwhile; those of a longer file are encoded
/// again.
private struct WebPFile<Form: PixelForm>: FrameEncoder where Form.Value == UInt32 {
    private var frames: WebPFrames<Form>
    private let loop: Loop
    private var isMeasured = false
    /// The bytes of all frames that are encoded.
    private var length = 0
    /// The frames that are encoded and not yet returned; once all are encoded the last one first.
    private var kept: [[UInt8]] = []
    /// The encoder as it was behind the last frame that is kept; nil while all are.
    private var rest: WebPFrames<Form>?

    /// The length up to which a file is one piece.
    private static var wholeLength: Int { 8 << 20 }

    init(_ scene: Scene, _ times: FrameTimes, scale: Double, _ form: Form) {
        frames = WebPFrames(scene, times, scale: scale, form)
        loop = scene.loop
    }

    var progress: Double { (frames.progress + (isMeasured ? 1 : 0)) / 2 }

    var isFinished: Bool { isMeasured && kept.isEmpty && frames.isFinished }

    mutating func next(_ context: EncodingContext) throws(EncodingError) -> [UInt8] {
        if let frame = isMeasured ? kept.popLast() : nil { return frame }
        let frame = try frames.next(context)
        if isMeasured { return frame }
        length += frame.count
        if rest == nil {
            kept.append(frame)
            if length >= WebPFormat.keptLength { rest = frames }
        }
        return frames.isFinished ? start() : []
    }

    /// Returns the first piece, which is the whole file where that is short.
    private mutating func start() -> [UInt8] {
        isMeasured = true
        let writer = WebPWriter(size: frames.size)
        if let frame = kept.first, frame.count == length {
            kept = []
            return writer.still(frame)
        }
        var file = writer.header(hasAlpha: frames.hasAlpha, loop: loop, length: length)
        if length <= Self.wholeLength {
            file.reserveCapacity(file.count + length)
            for frame in kept { file += frame }
            kept = []
        }
        kept.reverse()
        if let rest { frames = rest }
        return file
    }
}

/// Encodes the frames of a scene one after another, in the smallest rectangles that change.
///
/// A frame is written when the next one is known, which decides its duration and whether it is
/// erased.
private struct WebPFrames<Form: PixelForm>: Sendable where Form.Value == UInt32 {
    private let times: FrameTimes
    private var form: Form
    private let ground: Ground
    private var painter: FramePainter<Form.Pixel>
    /// What a viewer shows with the pending frame.
    private var shown: ViewerCanvas<UInt32>
    /// The number of frames that are painted.
    private var next = 0
    /// The frame that is encoded but not yet written.
    private var pending: Image?
    /// True if some pixel of a frame is not opaque.
    private(set) var hasAlpha = false

    private enum Ground {
        /// Frames may be drawn over others.
        case opaque
        /// Erased rectangles are as they are wanted.
        case transparent
        case other
    }

    private struct Image {
        let block: PixelBlock<UInt32>
        let chunk: [UInt8]
        /// In milliseconds from the file's beginning.
        let start: Int
        var isErased = false
    }

    /// The share of the runs of equal pixels below which unchanged pixels are left out.
    private static var fewRuns: Double { 0.8 }
    /// The share of the area below which it is worth it to erase what is behind.
    private static var smallArea: Double { 0.9 }

    init(_ scene: Scene, _ times: FrameTimes, scale: Double, _ form: Form) {
        self.times = times
        self.form = form
        let card = scene.appearance.card
        ground = card.isOpaque ? .opaque : card.ground.isTransparent ? .transparent : .other
        painter = FramePainter(scene, scale: scale)
        shown = ViewerCanvas(size: painter.canvas.size)
    }

    var size: PixelSize { painter.canvas.size }
    var progress: Double { Double(next) / Double(times.frames.count) }

    var isFinished: Bool { next == times.frames.count && pending == nil }

    /// Returns the next frame as an `ANMF` chunk.
    mutating func next(_ context: EncodingContext) throws(EncodingError) -> [UInt8] {
        // Frames that show nothing new are left out.
        while next < times.frames.count {
            let frame = times.frames[next]
            let dirty = try painter.paint(.instant(frame.instant), context)
            next += 1
            guard let block = try change(in: dirty, context) else { continue }
            let written = writePending(until: frame.start)
            pending = try encode(block, start: frame.start, context)
            if !written.isEmpty { return written }
        }
        return writePending(until: times.total)
    }

    /// Returns the smallest block with all that has changed; nil where nothing has.
    private mutating func change(
        in dirty: [PixelRect], _ context: EncodingContext
    ) throws(EncodingError) -> PixelBlock<UInt32>? {
        guard let pending else {
            return try painter.canvas.block(PixelRect(size), as: &form, context)
        }
        let area = dirty.reduce(PixelRect.empty) { $0.union($1) }
        guard let block = try difference(in: area, context) else { return nil }
        guard ground == .transparent else { return block }
        shown.clear(pending.block.rect)
        if let other = try difference(in: area.union(pending.block.rect), context),
            Double(other.values.count) < Self.smallArea * Double(block.values.count)
        {
            self.pending?.isErased = true
            return other
        }
        shown.show(pending.block)
        return block
    }

    /// Returns the smallest block around the pixels that differ from those shown, which begins at
    /// even coordinates; nil where there are none.
    private mutating func difference(
        in area: PixelRect, _ context: EncodingContext
    ) throws(EncodingError) -> PixelBlock<UInt32>? {
        let painted = try painter.canvas.block(area.evenOrigin, as: &form, context)
        let rect = shown.difference(from: painted)
        return rect.isEmpty ? nil : painted.cropped(to: rect.evenOrigin)
    }

    private mutating func encode(
        _ block: PixelBlock<UInt32>, start: Int, _ context: EncodingContext
    ) throws(EncodingError) -> Image {
        var image = block
        let isFirst = next == 1
        if ground == .opaque, !isFirst, let changes = shown.changes(of: block, else: 0),
            Double(changes.runCount) < Self.fewRuns * Double(block.runCount)
        {
            image = changes
        }
        shown.show(block)
        try context.checkDeadline()
        let chunk = try LosslessWebP.chunk(of: image, isFirst ? .more : .usual, context.deadline)
        hasAlpha = hasAlpha || LosslessWebP.hasAlpha(chunk)
        return Image(block: block, chunk: chunk, start: start)
    }

    /// Returns the pending frame as an `ANMF` chunk; nothing where none is pending.
    private mutating func writePending(until end: Int) -> [UInt8] {
        guard let image = pending else { return [] }
        pending = nil
        return WebPWriter(size: size).frame(
            image.chunk, in: image.block.rect, duration: end - image.start,
            isOver: ground == .opaque, isErased: image.isErased)
    }
}

extension PixelRect {
    /// The rectangle with at most one column and one row more, so that it begins at even ones.
    fileprivate var evenOrigin: PixelRect {
        PixelRect(minX: minX & ~1, minY: minY & ~1, maxX: maxX, maxY: maxY)
    }
}
