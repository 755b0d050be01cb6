package import Motion
import Raster

/// Animated WebP (RFC 9649): frames with full alpha, lossless unless the request gives a quality.
package struct WebPFormat: FittedFormat {
    package static let name = "webp"
    package static let title = "WebP"
    package static let mediaType = "image/webp"
    package static let fileExtension = "webp"
    /// Browsers name it whenever they ask for a page.
    package static let isNegotiable = false

    var settings: FrameSettings
    let budget: SizeBudget?
    private let poster: Poster

    /// The longest side of a picture, in pixels (RFC 9649, 3.4).
    private static let longestSide = 16_383
    /// The bytes of frames that are kept while the others are encoded.
    fileprivate static let keptLength = 32 << 20

    package init(_ parameters: inout ParameterReader) {
        let framesPerSecond = parameters.framesPerSecond()
        let levels = parameters.levels()
        let quality = parameters.quality()
        poster = parameters.poster()
        settings = FrameSettings(
            framesPerSecond: framesPerSecond, levels: levels, quality: quality,
            scale: parameters.scale())
        settings.mostFrames = parameters.mostFrames()
        budget = parameters.sizeBudget()
    }

    package func price(of scene: Scene, _ context: EncodingContext) throws(EncodingError) -> Price {
        let times = try times(of: scene, limit: context.limits.frames)
        let size = scene.pixelSize(scale: scale)
        let effort = effort(for: size, times)
        let work = try WorkEstimate(
            of: scene, times, scale: scale,
            encodings: WorkEstimate.webpEncodings(of: scene, further: effort.passes), context)
        return price(
            ofEach: work.price(ofPicture: size, frames: times.frames.count))
    }

    /// Returns the effort for a file; less for one that is encoded several times until it fits.
    private func effort(for size: PixelSize, _ times: FrameTimes) -> WebPEffort {
        WebPEffort.of(size, frames: mostEncodings * times.frames.count)
    }

    private func times(of scene: Scene, limit: Int) throws(EncodingError) -> FrameTimes {
        try check(scene.pixelSize(scale: scale))
        return try scene.frameTimes(
            in: .milliseconds, framesPerSecond: settings.framesPerSecond,
            most: settings.mostFrames, limit: limit, poster: poster)
    }

    func resolvedSettings(for scene: Scene) -> FrameSettings {
        guard scene.inkColor != nil || settings.levels != nil else {
            return settings.resolved(quality: FrameSettings.exactQuality)
        }
        // Pictures of one ink are exact at every quality.
        var resolved = settings.resolved(levels: 256)
        if scene.inkColor != nil { resolved.quality = nil }
        return resolved
    }

    package func memory(of scene: Scene) -> Int {
        // The present encoder, a copy from after the kept frames, and these frames.
        2 * DeltaFrames<StraightColors>.memory(of: scene, scale: scale) + Self.keptLength
    }

    package func begin(
        _ scene: Scene, frameLimit: Int, _ context: EncodingContext
    ) throws(EncodingError) -> StreamedFile {
        let times = try times(of: scene, limit: frameLimit)
        let backdrop = scene.appearance.card.backdrop
        let levels = settings.levels.map(AlphaLevels.init)
        let make = WebPMaker(
            scene: scene, times: times, settings: settings,
            effort: effort(for: scene.pixelSize(scale: scale), times),
            levels: levels ?? AlphaLevels(count: 255))
        if let color = scene.inkColor {
            return make.file(as: StraightRamp(color, over: backdrop, levels: levels))
        }
        guard let levels else {
            return make.file(as: StraightColors(over: backdrop, levels: nil))
        }
        if scene.isPainted, !scene.appearance.card.isOpaque {
            let indexer = try AlphaIndexer(scene, levels: levels.count, scale: scale, context)
            return make.file(as: WebPPalette(indexer, size: scene.pixelSize(scale: scale)))
        }
        // Pixels through which the page shows are not blended, so there is no matte.
        let background = PaletteBackground(backdrop, matte: backdrop)
        return try make.file(over: background, levels: levels.count, context)
    }

    private func check(_ size: PixelSize) throws(EncodingError) {
        let side = max(size.width, size.height)
        guard side > Self.longestSide else { return }
        let name = size.width == side ? "width" : "height"
        throw .sideTooLong(
            parameter: scale > 1 ? "scale" : name, pixels: side, limit: Self.longestSide)
    }
}

private struct WebPMaker: PaletteFileMaker {
    let scene: Scene
    let times: FrameTimes
    let settings: FrameSettings
    let effort: WebPEffort
    let levels: AlphaLevels

    var scale: Double { settings.scale }

    func file<Indexer: PixelIndexer>(_ indexer: Indexer) -> StreamedFile
    where Indexer.Pixel == ColorPixel {
        file(
            as: WebPPalette(
                indexer, over: scene.appearance.card.backdrop, levels: levels,
                size: scene.pixelSize(scale: scale)))
    }

    func file<Form: PixelForm>(as form: Form) -> StreamedFile where Form.Value == UInt32 {
        StreamedFile(WebPFile(scene, times, settings, effort, form))
    }
}

/// Encodes a WebP.
///
/// The length of the whole file is among its first bytes, so all frames are encoded before there is
/// anything to send. Frames are kept meanwhile up to some size; further frames of a longer file are
/// encoded again.
private struct WebPFile<Form: PixelForm>: FrameEncoder where Form.Value == UInt32 {
    private var frames: WebPFrames<Form>
    private let loop: Loop
    private var isMeasured = false
    /// The bytes of all frames that are encoded.
    private var length = 0
    /// The frames that are encoded and not yet returned; in reverse order once all are encoded.
    private var kept: [[UInt8]] = []
    /// The encoder as it was after the last kept frame; nil while all frames are kept.
    private var rest: WebPFrames<Form>?

    /// The length up to which a file is one piece.
    private static var wholeLength: Int { 8 << 20 }

    init(
        _ scene: Scene, _ times: FrameTimes, _ settings: FrameSettings, _ effort: WebPEffort,
        _ form: Form
    ) {
        frames = WebPFrames(scene, times, settings, effort, form)
        loop = scene.loop
    }

    var frameCount: Int { frames.count }

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

    /// Returns the first piece, which is the whole of a short file.
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

/// Encodes the frames of a scene one after another, each as an `ANMF` chunk.
private struct WebPFrames<Form: PixelForm>: Sendable where Form.Value == UInt32 {
    private var frames: DeltaFrames<Form>
    private let effort: WebPEffort
    /// The fidelity of lossy pictures, 1…100; nil where all are lossless.
    private let quality: Int?
    /// True if some pixel of a frame is not opaque.
    private(set) var hasAlpha = false

    /// The share of the runs of equal pixels below which unchanged pixels are left out.
    private static var fewRuns: Double { 0.95 }
    /// The colours of a palette, with which a picture is smaller without loss.
    private static var mostPaletteColors: Int { 256 }

    init(
        _ scene: Scene, _ times: FrameTimes, _ settings: FrameSettings, _ effort: WebPEffort,
        _ form: Form
    ) {
        let card = scene.appearance.card
        // Erased pixels are transparent, so pixels without ink have to be transparent too.
        let isErasable = !card.isOpaque && card.backdrop.isTransparent
        frames = DeltaFrames(
            of: scene, times, scale: settings.scale, as: form,
            DeltaRules(erasure: isErasable ? .whereSmaller : .never, hasEvenOrigins: true))
        self.effort = effort
        quality = settings.lossyQuality
    }

    var size: PixelSize { frames.size }
    var count: Int { frames.count }
    var progress: Double { frames.progress }
    var isFinished: Bool { frames.isFinished }

    /// Returns the next frame; empty after the last one.
    mutating func next(_ context: EncodingContext) throws(EncodingError) -> [UInt8] {
        guard let frame = try frames.next(context) else { return [] }
        try context.checkDeadline()
        let changes = changes(in: frame)
        var image = changes ?? frame.block
        var coding = effort.lossless(image, isOnly: frame.behind == nil)
        var isOver = changes != nil
        if let quality, image.hasMoreColors(than: Self.mostPaletteColors) {
            (image, isOver) = (frame.block, false)
            coding = effort.lossy(quality)
        }
        let chunks = try WebPEncoder.chunks(of: image, coding, context.deadline)
        hasAlpha = hasAlpha || WebPEncoder.hasAlpha(chunks)
        return WebPWriter(size: size).frame(
            chunks, in: image.rect, duration: frame.end - frame.start, isOver: isOver,
            isErased: frame.isErased)
    }

    /// Returns a frame with unchanged pixels transparent, if it can be drawn over the pixels behind
    /// it and compresses better so.
    private func changes(in frame: DeltaFrames<Form>.Frame) -> PixelBlock<UInt32>? {
        guard let behind = frame.behind, frame.block.isOpaque(whereChangedFrom: behind),
            let changes = frame.block.changes(since: behind, else: 0),
            Double(changes.runCount) < Self.fewRuns * Double(frame.block.runCount)
        else { return nil }
        return changes
    }
}

extension PixelBlock<UInt32> {
    /// Returns true if every pixel that differs from the pixels before is opaque.
    fileprivate func isOpaque(whereChangedFrom behind: PixelBlock) -> Bool {
        values.withUnsafeBufferPointer { new in
            behind.values.withUnsafeBufferPointer { old in
                // Without branches, so that many pixels are examined at once.
                var least = UInt32.max
                for index in 0..<new.count {
                    least &= old[index] == new[index] ? .max : new[index]
                }
                return least >> 24 == 255
            }
        }
    }
}
