package import Motion
import Raster

/// Frames of at most 256 colours (GIF89a).
package struct GIFFormat: StreamedFormat {
    package static let name = "gif"
    package static let title = "GIF"
    package static let mediaType = "image/gif"
    package static let fileExtension = "gif"
    package static let isText = false
    package static let isNegotiable = true
    package static let isAnimated = true
    package static let hasDarkColors = false

    private let framesPerSecond: Double
    private let levels: Int
    private let poster: Poster
    private let matte: Color
    private let scale: Double

    private static let usualLevels = 32

    package init(_ parameters: inout ParameterReader) {
        framesPerSecond = parameters.framesPerSecond()
        levels = parameters.levels() ?? Self.usualLevels
        poster = parameters.poster()
        matte = parameters.color(
            "matte", default: Color(red: 255, green: 255, blue: 255),
            "What partly transparent pixels are blended with.")
        scale = parameters.scale()
    }

    package var enlargingParameter: String? { scale > 1 ? "scale" : nil }

    package func price(of scene: Scene, _ context: EncodingContext) throws(EncodingError) -> Price {
        let times = try times(of: scene, limit: context.limits.frames)
        let work = try WorkEstimate(
            of: scene, times, scale: scale, encodings: WorkEstimate.gifEncodings, context)
        return work.price(
            ofPicture: scene.pixelSize(scale: scale), frames: times.frames.count)
    }

    private func times(of scene: Scene, limit: Int) throws(EncodingError) -> FrameTimes {
        try scene.frameTimes(
            in: .hundredths, framesPerSecond: framesPerSecond, limit: limit,
            from: try scene.origin(for: poster))
    }

    package func memory(of scene: Scene) -> Int { scene.painterMemory(scale: scale) }

    package func begin(
        _ scene: Scene, frameLimit: Int, _ context: EncodingContext
    ) throws(EncodingError) -> StreamedFile {
        let times = try times(of: scene, limit: frameLimit)
        let background = PaletteBackground(scene.appearance.card.ground, matte: matte)
        if let color = scene.inkColor {
            let indexer = RampIndexer(color, over: background, levels: levels)
            return StreamedFile(GIFFile(scene, times, scale: scale, indexer))
        }
        if scene.isPainted {
            let indexer = try SampledIndexer(
                scene, over: background, levels: levels, scale: scale, context)
            return StreamedFile(GIFFile(scene, times, scale: scale, indexer))
        }
        let indexer = try ColorIndexer(scene, over: background, levels: levels, context)
        return StreamedFile(GIFFile(scene, times, scale: scale, indexer))
    }
}

/// Encodes a GIF, one frame a piece.
///
/// A frame is written when the next one is known, which decides its duration and whether it is
/// erased.
private struct GIFFile<Indexer: PixelIndexer>: FrameEncoder {
    private let scene: Scene
    private let times: FrameTimes
    private var painter: FramePainter<Indexer.Pixel>
    private var indexer: Indexer
    private var planes: GIFPlanes
    /// The number of frames that are painted.
    private var next = 0
    /// The start of the frame that is painted but not yet written, in hundredths of a second.
    private var start = 0
    private(set) var isFinished = false

    init(_ scene: Scene, _ times: FrameTimes, scale: Double, _ indexer: Indexer) {
        self.scene = scene
        self.times = times
        self.indexer = indexer
        painter = FramePainter(scene, scale: scale)
        planes = GIFPlanes(size: painter.canvas.size)
    }

    var progress: Double { Double(next) / Double(times.frames.count) }

    mutating func next(_ context: EncodingContext) throws(EncodingError) -> [UInt8] {
        var sink = ByteSink()
        if next == 0 {
            let writer = GIFWriter(size: planes.size, palette: indexer.palette)
            writer.writeHeader(loop: scene.duration > .zero ? scene.loop : .count(1), to: &sink)
            try paint(context)
            planes.show(nil)
        }
        // Frames that show nothing new are left out.
        while next < times.frames.count {
            let frame = times.frames[next]
            let changed = try paint(context)
            guard !changed.isEmpty else { continue }
            let erased = indexer.hasTransparency ? planes.erased(in: changed) : .empty
            write(until: frame.start, erased: erased, context, to: &sink)
            planes.show(changed)
            start = frame.start
            return sink.bytes()
        }
        write(until: times.total, erased: .empty, context, to: &sink)
        sink.append(UInt8(0x3B))
        isFinished = true
        return sink.bytes()
    }

    /// Paints the next frame as indices.
    ///
    /// - Returns: The smallest rectangle around all pixels that change.
    @discardableResult
    private mutating func paint(_ context: EncodingContext) throws(EncodingError) -> PixelRect {
        let instant = times.frames[next].instant
        let dirty = try painter.paint(.instant(instant), context)
        let isFirst = next == 0
        next += 1
        return planes.index(
            isFirst ? [PixelRect(planes.size)] : dirty, of: painter.canvas, with: &indexer,
            isFirst: isFirst)
    }

    private mutating func write(
        until end: Int, erased: PixelRect, _ context: EncodingContext, to sink: inout ByteSink
    ) {
        let image = planes.takeImage(erasing: erased)
        GIFWriter(size: planes.size, palette: indexer.palette).write(
            image, delay: end - start, context, to: &sink)
    }
}

/// Writes a GIF's blocks (GIF89a, 17 to 27).
private struct GIFWriter {
    let size: PixelSize
    let palette: Palette

    /// The longest duration of one frame, in hundredths of a second.
    private static let longestDelay = 65_535

    /// Writes the header, the palette, and the number of repetitions.
    func writeHeader(loop: Loop, to sink: inout ByteSink) {
        let bits = palette.indexBits
        sink.append("GIF89a")
        sink.append(littleEndian: size.width)
        sink.append(littleEndian: size.height)
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
        var rest = delay
        writeControl(delay: min(rest, Self.longestDelay), isErased: image.isErased, to: &sink)
        writeDescriptor(image.rect, to: &sink)
        context.encodeLZW(image, to: &sink)
        rest -= Self.longestDelay
        while rest > 0, !image.isErased {
            writeControl(delay: min(rest, Self.longestDelay), isErased: false, to: &sink)
            writeDescriptor(PixelRect(minX: 0, minY: 0, maxX: 1, maxY: 1), to: &sink)
            // One transparent pixel: clear, 0, end.
            sink.append([2, 2, 0x44, 0x01, 0])
            rest -= Self.longestDelay
        }
    }

    private func writeRepeats(_ count: Int, to sink: inout ByteSink) {
        sink.append([0x21, 0xFF, 11])
        sink.append("NETSCAPE2.0")
        sink.append([3, 1])
        sink.append(littleEndian: count)
        sink.append(UInt8(0))
    }

    private func writeControl(delay: Int, isErased: Bool, to sink: inout ByteSink) {
        // Keep, or restore to background; the transparent index is given.
        sink.append([0x21, 0xF9, 4, (isErased ? 2 : 1) << 2 | 1])
        sink.append(littleEndian: delay)
        sink.append([0, 0])
    }

    private func writeDescriptor(_ rect: PixelRect, to sink: inout ByteSink) {
        sink.append(UInt8(0x2C))
        for value in [rect.minX, rect.minY, rect.width, rect.height] {
            sink.append(littleEndian: value)
        }
        sink.append(UInt8(0))
    }
}

extension ByteSink {
    /// Appends the low 16 bits.
    fileprivate mutating func append(littleEndian value: Int) {
        append(UInt8(truncatingIfNeeded: value))
        append(UInt8(truncatingIfNeeded: value >> 8))
    }
}
