import Bytes
package import Motion
import Raster

/// Animated PNG: frames with full alpha (PNG third edition).
package struct APNGFormat: FittedFormat {
    package static let name = "apng"
    package static let title = "APNG"
    /// `image/apng` is unknown to image proxies.
    package static let mediaType = "image/png"
    package static let fileExtension = "apng"
    package static let isNegotiable = false

    var settings: FrameSettings
    let budget: SizeBudget?
    private let poster: Poster
    /// The fewest frames of an animation.
    private let leastFrames: Int

    package init(_ parameters: inout ParameterReader) {
        let framesPerSecond = parameters.framesPerSecond()
        let levels = parameters.levels()
        poster = parameters.poster()
        settings = FrameSettings(
            framesPerSecond: framesPerSecond, levels: levels, scale: parameters.scale())
        settings.mostFrames = parameters.mostFrames()
        budget = parameters.sizeBudget()
        leastFrames = parameters.integer(
            "minFrames", default: 1, in: 1...20,
            "APNG: the fewest frames of an animation; long frames are divided.")
    }

    package func price(of scene: Scene, _ context: EncodingContext) throws(EncodingError) -> Price {
        let times = try times(of: scene, limit: context.limits.frames)
        let work = try WorkEstimate(of: scene, times, scale: scale, context)
        // One frame more where the picture is not part of the animation.
        return price(
            ofEach: work.price(
                ofPicture: scene.pixelSize(scale: scale), frames: times.frames.count + 1))
    }

    private func times(of scene: Scene, limit: Int) throws(EncodingError) -> FrameTimes {
        // The picture for viewers that never play is no frame of the animation, but one of the file.
        let isPosed = poster.isEnd(of: scene) && scene.duration > .zero
        let most = settings.mostFrames.map { isPosed ? $0 - 1 : $0 }
        var times = try scene.frameTimes(
            in: .hundredths, framesPerSecond: settings.framesPerSecond, most: most, limit: limit)
        times.divide(until: min(leastFrames, most ?? leastFrames))
        return times
    }

    func resolvedSettings(for scene: Scene) -> FrameSettings { settings.resolved(levels: 256) }

    package func memory(of scene: Scene) -> Int {
        scene.inkColor == nil && settings.levels == nil
            ? DeltaFrames<TrueColorPixels>.memory(of: scene, scale: scale)
            : DeltaFrames<PalettePixels>.memory(of: scene, scale: scale)
    }

    package func begin(
        _ scene: Scene, frameLimit: Int, _ context: EncodingContext
    ) throws(EncodingError) -> StreamedFile {
        let times = try times(of: scene, limit: frameLimit)
        let card = scene.appearance.card
        func file(_ pixels: some PNGPixels) -> StreamedFile {
            StreamedFile(
                APNGFile(
                    scene, times, beginsFinished: poster.isEnd(of: scene), scale: scale, pixels))
        }
        if let color = scene.inkColor {
            return file(
                PalettePixels(
                    color, over: card.backdrop, used: [Bool](repeating: true, count: 256),
                    levels: settings.levels.map(AlphaLevels.init), needsTransparentPixel: true))
        }
        guard let levels = settings.levels else { return file(TrueColorPixels(over: card)) }
        let indexer = try AlphaIndexer(scene, levels: levels, scale: scale, context)
        return file(SampledPixels(indexer, over: card))
    }
}

/// Encodes an animated PNG, one frame a piece.
private struct APNGFile<Pixels: PNGPixels>: FrameEncoder {
    private var frames: DeltaFrames<Pixels>
    private let file: PNGFile<Pixels>
    let frameCount: Int
    private let loop: Loop
    /// True if viewers that never play show the finished text.
    private let beginsFinished: Bool
    private var isBegun = false
    /// The next sequence number of an fcTL or fdAT chunk.
    private var sequence: UInt32 = 0

    init(
        _ scene: Scene, _ times: FrameTimes, beginsFinished: Bool, scale: Double, _ pixels: Pixels
    ) {
        frames = DeltaFrames(
            of: scene, times, scale: scale, as: pixels, DeltaRules(keepsUnchanged: true))
        file = PNGFile(size: frames.size, pixels: pixels)
        frameCount = times.frames.count
        loop = scene.loop
        self.beginsFinished = beginsFinished
    }

    var progress: Double { frames.progress }

    var isFinished: Bool { frames.isFinished }

    mutating func next(_ context: EncodingContext) throws(EncodingError) -> [UInt8] {
        var sink = ByteSink()
        if !isBegun { try writeStart(context, to: &sink) }
        isBegun = true
        if let frame = try frames.next(context) { try write(frame, context, to: &sink) }
        if frames.isFinished { sink.append(chunk: "IEND", []) }
        return sink.bytes()
    }

    private mutating func writeStart(
        _ context: EncodingContext, to sink: inout ByteSink
    ) throws(EncodingError) {
        file.writeHeader(to: &sink)
        var control: [UInt8] = []
        control.append(bigEndian: UInt32(frameCount))
        let plays: UInt32 = if case .count(let count) = loop { UInt32(count) } else { 0 }
        control.append(bigEndian: plays)
        sink.append(chunk: "acTL", control)
        guard beginsFinished else { return }
        // A default image without fcTL is not a part of the animation.
        let picture = try frames.still(at: .finished, context)
        sink.append(chunk: "IDAT", try compressed(picture, context))
    }

    private mutating func write(
        _ frame: DeltaFrames<Pixels>.Frame, _ context: EncodingContext, to sink: inout ByteSink
    ) throws(EncodingError) {
        let (content, isOver) = try smallest(frame, context)
        writeControl(
            frame.block.rect, delay: frame.end - frame.start, isOver: isOver, to: &sink)
        if frame.behind == nil, !beginsFinished {
            sink.append(chunk: "IDAT", content)
        } else {
            var numbered: [UInt8] = []
            numbered.append(bigEndian: takeSequence())
            sink.append(chunk: "fdAT", numbered + content)
        }
    }

    /// Returns a frame compressed as it is, or with unchanged pixels transparent.
    ///
    /// The better one has fewer runs of equal values.
    private func smallest(
        _ frame: DeltaFrames<Pixels>.Frame, _ context: EncodingContext
    ) throws(EncodingError) -> (content: [UInt8], isOver: Bool) {
        guard let behind = frame.behind, let transparentPixel = file.pixels.transparentPixel,
            let changes = frame.block.changes(since: behind, else: transparentPixel),
            changes.runCount < frame.block.runCount
        else { return (try compressed(frame.block, context), false) }
        return (try compressed(changes, context), true)
    }

    private func compressed(
        _ block: PixelBlock<Pixels.Value>, _ context: EncodingContext
    ) throws(EncodingError) -> [UInt8] {
        try context.checkDeadline()
        let deflater = try context.deflater(of: APNGFormat.self, .frame)
        return try file.deflated(block, deflater, context)
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
