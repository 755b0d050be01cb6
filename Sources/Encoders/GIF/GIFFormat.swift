import Bytes
package import Motion
import Raster

/// Frames of at most 256 colours (GIF89a).
package struct GIFFormat: FittedFormat {
    package static let name = "gif"
    package static let title = "GIF"
    package static let mediaType = "image/gif"
    package static let fileExtension = "gif"

    var settings: FrameSettings
    let budget: SizeBudget?
    private let poster: Poster
    /// The colour with which translucent pixels are blended; nil where none are.
    private let matte: Color?
    private let extent: FrameExtent

    private static let usualLevels = 32
    /// The levels where glyphs are blurred, which make a file half as large again. Steps of two of
    /// 255 would make it twice as large.
    private static let blurredLevels = 64
    /// The levels where shadows are blurred, which take all colours of a palette.
    private static let glowLevels = 128

    package init(_ parameters: inout ParameterReader) {
        let framesPerSecond = parameters.framesPerSecond()
        let levels = parameters.levels()
        let quality = parameters.quality()
        poster = parameters.poster()
        matte = parameters.matte()
        settings = FrameSettings(
            framesPerSecond: framesPerSecond, levels: levels, quality: quality,
            scale: parameters.scale())
        settings.mostFrames = parameters.mostFrames()
        budget = parameters.sizeBudget()
        extent = parameters.choice(
            "frames", default: .auto,
            "GIF: full makes each frame as large as the picture, for mail programs that show smaller "
                + "ones in the wrong place.")
    }

    package func price(of scene: Scene, _ context: EncodingContext) throws(EncodingError) -> Price {
        let times = try times(of: scene, limit: context.limits.frames)
        let work = try WorkEstimate(
            of: scene, times, scale: scale, encodings: WorkEstimate.gifEncodings(of: scene),
            coversCanvas: extent == .full, context)
        return price(
            ofEach: work.price(
                ofPicture: scene.pixelSize(scale: scale), frames: times.frames.count))
    }

    private func times(of scene: Scene, limit: Int) throws(EncodingError) -> FrameTimes {
        try scene.frameTimes(
            in: .hundredths, framesPerSecond: settings.framesPerSecond,
            most: settings.mostFrames, limit: limit, poster: poster)
    }

    package func memory(of scene: Scene) -> Int {
        DeltaFrames<PaletteIndices<ColorIndexer>>.memory(of: scene, scale: scale)
    }

    package func begin(
        _ scene: Scene, frameLimit: Int, _ context: EncodingContext
    ) throws(EncodingError) -> StreamedFile {
        let times = try times(of: scene, limit: frameLimit)
        let make = GIFMaker(
            scene: scene, times: times, settings: settings, coversCanvas: extent == .full)
        let levels = settings.levels ?? Self.usualLevels(for: scene)
        let card = scene.appearance.card
        guard matte != nil || card.hidesPage else {
            return make.file(
                try SampledIndexer(halftoneOf: scene, levels: levels, scale: scale, context))
        }
        let background = PaletteBackground(card.backdrop, matte: matte ?? card.backdrop)
        if let color = scene.inkColor {
            return make.file(RampIndexer(color, over: background, levels: levels))
        }
        return try make.file(over: background, levels: levels, context)
    }

    func resolvedSettings(for scene: Scene) -> FrameSettings {
        settings.resolved(
            levels: Self.usualLevels(for: scene), quality: FrameSettings.exactQuality)
    }

    /// Returns the levels of each colour: more for blurs, in which steps are seen.
    private static func usualLevels(for scene: Scene) -> Int {
        guard scene.appearance.card.hidesPage else { return usualLevels }
        if scene.blocks.contains(where: { $0.paint.shadows.contains { $0.blurRadius > 0 } }) {
            return glowLevels
        }
        return scene.tracks.contains(where: \.isBlurred) ? blurredLevels : usualLevels
    }

    package func unsupported(in scene: Scene) -> [Warning] {
        let card = scene.appearance.card
        guard matte == nil, !card.background.isOpaque, !card.hidesPage else { return [] }
        let message =
            "GIF has no partly transparent pixels, so edges are hard, fades are patterns of dots, and soft "
            + "shadows are left out. Give it a background, or the page's colour as matte."
        return [Warning(code: .halftone, message: message, block: nil)]
    }
}

/// The part of the picture that each frame covers.
private enum FrameExtent: String, CaseIterable {
    /// The changes.
    case auto
    /// The whole picture.
    case full
}

extension Card {
    /// True if a picture without partly transparent pixels has the card's colour everywhere.
    fileprivate var hidesPage: Bool {
        guard let flatColor else { return isOpaque }
        return flatColor.alpha >= 128
    }
}

private struct GIFMaker: PaletteFileMaker {
    let scene: Scene
    let times: FrameTimes
    let settings: FrameSettings
    let coversCanvas: Bool

    var scale: Double { settings.scale }

    func file(_ indexer: some PixelIndexer) -> StreamedFile {
        StreamedFile(GIFFile(scene, times, settings, coversCanvas: coversCanvas, indexer))
    }
}

/// Encodes a GIF, one frame a piece.
private struct GIFFile<Indexer: PixelIndexer>: FrameEncoder {
    private var frames: DeltaFrames<PaletteIndices<Indexer>>
    private let writer: GIFWriter
    private let loop: Loop
    private var isBegun = false

    init(
        _ scene: Scene, _ times: FrameTimes, _ settings: FrameSettings, coversCanvas: Bool,
        _ indexer: Indexer
    ) {
        frames = DeltaFrames(
            of: scene, times, scale: settings.scale, as: PaletteIndices(indexer: indexer),
            DeltaRules(
                erasure: indexer.hasTransparency ? .whereNeeded : .never,
                coversCanvas: coversCanvas))
        writer = GIFWriter(
            size: frames.size, palette: indexer.palette, coversCanvas: coversCanvas,
            near: settings.lossyQuality.map { quality in
                NearColors(
                    in: indexer.palette, over: scene.appearance.card.backdrop, quality: quality)
            })
        loop = scene.duration > .zero ? scene.loop : .count(1)
    }

    var frameCount: Int { frames.count }

    var progress: Double { frames.progress }

    var isFinished: Bool { frames.isFinished }

    mutating func next(_ context: EncodingContext) throws(EncodingError) -> [UInt8] {
        var sink = ByteSink()
        if !isBegun { writer.writeHeader(loop: loop, to: &sink) }
        isBegun = true
        if let frame = try frames.next(context) {
            let image = GIFImage(frame.block, over: frame.behind, isErased: frame.isErased)
            writer.write(image, delay: frame.end - frame.start, context, to: &sink)
        }
        if frames.isFinished { sink.append(UInt8(0x3B)) }
        return sink.bytes()
    }
}

/// Writes a GIF's blocks (GIF89a, 17 to 27).
private struct GIFWriter {
    let size: PixelSize
    let palette: Palette
    /// True if every image is as large as the canvas.
    let coversCanvas: Bool
    /// The colours that may stand for others; nil in a file without loss.
    let near: NearColors?

    /// The longest duration of one frame, in hundredths of a second.
    private static let longestDelay = 65_535

    /// Writes the header, the palette, and the number of repetitions.
    func writeHeader(loop: Loop, to sink: inout ByteSink) {
        let bits = palette.indexBits
        sink.append("GIF89a")
        sink.append(littleEndian: size.width, bytes: 2)
        sink.append(littleEndian: size.height, bytes: 2)
        sink.append([0xF0 | UInt8(bits - 1), 0, 0])
        for color in palette.colors { sink.append([color.red, color.green, color.blue]) }
        for _ in palette.colors.count..<1 << bits { sink.append([0, 0, 0]) }
        switch loop {
        case .infinite: writeRepeats(0, to: &sink)
        // The number counts the plays after the first.
        case .count(let count) where count > 1: writeRepeats(count - 1, to: &sink)
        case .count: break
        }
    }

    /// Writes a frame with its duration in hundredths of a second.
    func write(
        _ image: GIFImage, delay: Int, _ context: EncodingContext, to sink: inout ByteSink
    ) {
        write(image, delayOfOne: min(delay, Self.longestDelay), context, to: &sink)
        guard !image.isErased else { return }
        var rest = delay - Self.longestDelay
        while rest > 0 {
            let pixel = PixelSize(width: 1, height: 1)
            let nothing = PixelBlock<UInt8>(PixelRect(coversCanvas ? size : pixel))
            write(
                GIFImage(nothing, over: nothing, isErased: false),
                delayOfOne: min(rest, Self.longestDelay), context, to: &sink)
            rest -= Self.longestDelay
        }
    }

    /// Writes one image with its duration, which must not exceed the longest.
    private func write(
        _ image: GIFImage, delayOfOne delay: Int, _ context: EncodingContext,
        to sink: inout ByteSink
    ) {
        writeControl(delay: delay, isErased: image.isErased, to: &sink)
        writeDescriptor(image.rect, to: &sink)
        context.scratch(of: GIFFormat.self) { LZWEncoder() }.value.encode(
            image, near: near, into: &sink)
    }

    private func writeRepeats(_ count: Int, to sink: inout ByteSink) {
        sink.append([0x21, 0xFF, 11])
        sink.append("NETSCAPE2.0")
        sink.append([3, 1])
        sink.append(littleEndian: count, bytes: 2)
        sink.append(UInt8(0))
    }

    private func writeControl(delay: Int, isErased: Bool, to sink: inout ByteSink) {
        // Keep, or restore to background; the transparent index is given.
        sink.append([0x21, 0xF9, 4, (isErased ? 2 : 1) << 2 | 1])
        sink.append(littleEndian: delay, bytes: 2)
        sink.append([0, 0])
    }

    private func writeDescriptor(_ rect: PixelRect, to sink: inout ByteSink) {
        sink.append(UInt8(0x2C))
        for value in [rect.minX, rect.minY, rect.width, rect.height] {
            sink.append(littleEndian: value, bytes: 2)
        }
        sink.append(UInt8(0))
    }
}
