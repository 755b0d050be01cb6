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

    package func begin(
        _ scene: Scene, frameLimit: Int, _ context: EncodingContext
    ) throws(EncodingError) -> StreamedFile {
        let times = try scene.frameTimes(framesPerSecond: framesPerSecond, limit: frameLimit)
        try context.check(WorkEstimate(of: scene, times, scale: scale))
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
    private let file: PNGFile<Pixels>
    private var painter: FramePainter<Pixels.Pixel>
    private var shown: APNGCanvas
    private var next = 0
    private var isFinished = false
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
        shown = APNGCanvas(size: file.size, bytesPerPixel: pixels.bytesPerPixel)
    }

    var progress: Double { Double(next) / Double(times.frames.count) }

    mutating func next(_ context: EncodingContext) throws(EncodingError) -> [UInt8]? {
        guard !isFinished else { return nil }
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
        sink.append(chunk: "IDAT", try compressed(picture(of: PixelRect(file.size)), context))
    }

    private mutating func writeFrame(
        _ context: EncodingContext, to sink: inout ByteSink
    ) throws(EncodingError) {
        let frame = times.frames[next]
        let dirty = try paint(.instant(frame.instant), context)
        let isFirst = next == 0
        next += 1
        let end = next < times.frames.count ? times.frames[next].start : times.total
        let picture = isFirst ? picture(of: PixelRect(file.size)) : change(in: dirty)
        let (content, isOver) = try smallest(picture, isFirst: isFirst, context)
        shown.show(picture)
        writeControl(picture.rect, delay: end - frame.start, isOver: isOver, to: &sink)
        if isFirst, poster == .start {
            sink.append(chunk: "IDAT", content)
        } else {
            var numbered: [UInt8] = []
            numbered.append(bigEndian: takeSequence())
            sink.append(chunk: "fdAT", numbered + content)
        }
    }

    /// Returns the smallest picture with all that has changed, and at least one pixel.
    private func change(in dirty: [PixelRect]) -> APNGCanvas.Picture {
        let painted = picture(of: dirty.reduce(.empty) { $0.union($1) })
        let rect = shown.difference(from: painted)
        return picture(of: rect.isEmpty ? PixelRect(PixelSize(width: 1, height: 1)) : rect)
    }

    private func picture(of rect: PixelRect) -> APNGCanvas.Picture {
        APNGCanvas.Picture(rect: rect, rows: painter.canvas.rows(rect, as: file.pixels))
    }

    /// Returns a picture compressed as it is, or with unchanged pixels transparent.
    ///
    /// The better one has fewer runs of equal bytes.
    private func smallest(
        _ picture: APNGCanvas.Picture, isFirst: Bool, _ context: EncodingContext
    ) throws(EncodingError) -> (content: [UInt8], isOver: Bool) {
        guard !isFirst, let transparentPixel = file.pixels.transparentPixel,
            let rows = shown.changedPixels(of: picture, else: transparentPixel),
            rows.runCount < picture.rows.runCount
        else { return (try compressed(picture, context), false) }
        return (
            try compressed(APNGCanvas.Picture(rect: picture.rect, rows: rows), context), true
        )
    }

    private func compressed(
        _ picture: APNGCanvas.Picture, _ context: EncodingContext
    ) throws(EncodingError) -> [UInt8] {
        file.deflated(
            picture.rows, width: picture.rect.width, try context.frameCompressor())
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

extension [UInt8] {
    /// The number of runs of equal bytes.
    fileprivate var runCount: Int {
        withUnsafeBufferPointer { bytes in
            var count = 1
            for index in bytes.indices.dropFirst() {
                count &+= bytes[index] == bytes[index &- 1] ? 0 : 1
            }
            return count
        }
    }
}

/// The viewer's canvas as a PNG's unfiltered bytes.
struct APNGCanvas {
    private let width: Int
    private let bytesPerPixel: Int
    private var bytes: [UInt8]

    struct Picture {
        let rect: PixelRect
        /// The bytes of its pixels, each row behind its filter type.
        let rows: [UInt8]
    }

    init(size: PixelSize, bytesPerPixel: Int) {
        width = size.width
        self.bytesPerPixel = bytesPerPixel
        bytes = [UInt8](repeating: 0, count: size.count * bytesPerPixel)
    }

    /// Returns the smallest rectangle around all pixels in which a picture differs.
    func difference(from picture: Picture) -> PixelRect {
        var difference = PixelRect.empty
        forEachRow(of: picture) { y, old, new in
            guard let (first, last) = Self.difference(old, new) else { return }
            let left = picture.rect.minX
            difference = difference.union(
                PixelRect(
                    minX: left + first / bytesPerPixel, minY: y,
                    maxX: left + last / bytesPerPixel + 1, maxY: y + 1))
        }
        return difference
    }

    /// Returns the first and the last index at which two rows of equal length differ; nil where they
    /// are equal.
    private static func difference(
        _ old: UnsafeBufferPointer<UInt8>, _ new: UnsafeBufferPointer<UInt8>
    ) -> (first: Int, last: Int)? {
        let (olds, news) = (UnsafeRawBufferPointer(old), UnsafeRawBufferPointer(new))
        // Eight bytes at once, for most are equal.
        func areEqual(from index: Int) -> Bool {
            olds.loadUnaligned(fromByteOffset: index, as: UInt64.self)
                == news.loadUnaligned(fromByteOffset: index, as: UInt64.self)
        }
        var first = 0
        while first + 8 <= old.count, areEqual(from: first) { first += 8 }
        while first < old.count, old[first] == new[first] { first += 1 }
        guard first < old.count else { return nil }
        var last = old.count - 1
        while last - 7 > first, areEqual(from: last - 7) { last -= 8 }
        while old[last] == new[last] { last -= 1 }
        return (first, last)
    }

    /// Returns a picture's rows with a transparent pixel in place of each that does not differ; nil
    /// where all differ.
    func changedPixels(of picture: Picture, else transparentPixel: [UInt8]) -> [UInt8]? {
        var rows = picture.rows
        var isChanged = false
        let bytesPerPixel = bytesPerPixel
        rows.withUnsafeMutableBufferPointer { rows in
            var start = 1
            forEachRow(of: picture) { _, old, new in
                if bytesPerPixel == 1 {
                    // Without branches, so that many pixels are compared at once.
                    var anyEqual: UInt8 = 0
                    for x in 0..<new.count {
                        let equal: UInt8 = old[x] == new[x] ? 0xFF : 0
                        rows[start &+ x] = new[x] & ~equal | transparentPixel[0] & equal
                        anyEqual |= equal
                    }
                    if anyEqual != 0 { isChanged = true }
                } else {
                    for pixel in stride(from: 0, to: new.count, by: bytesPerPixel)
                    where (0..<bytesPerPixel).allSatisfy({ old[pixel + $0] == new[pixel + $0] }) {
                        for offset in 0..<bytesPerPixel {
                            rows[start + pixel + offset] = transparentPixel[offset]
                        }
                        isChanged = true
                    }
                }
                start += 1 + new.count
            }
        }
        return isChanged ? rows : nil
    }

    /// Draws a picture.
    mutating func show(_ picture: Picture) {
        let rowBytes = picture.rect.width * bytesPerPixel
        for y in 0..<picture.rect.height {
            let target = ((picture.rect.minY + y) * width + picture.rect.minX) * bytesPerPixel
            let source = y * (1 + rowBytes) + 1
            bytes.replaceSubrange(
                target..<target + rowBytes, with: picture.rows[source..<source + rowBytes])
        }
    }

    /// Calls `body` with the y of each row of a picture and its bytes here and in the picture.
    private func forEachRow(
        of picture: Picture,
        _ body: (Int, UnsafeBufferPointer<UInt8>, UnsafeBufferPointer<UInt8>) -> Void
    ) {
        let rect = picture.rect
        let rowBytes = rect.width * bytesPerPixel
        bytes.withUnsafeBufferPointer { bytes in
            picture.rows.withUnsafeBufferPointer { rows in
                for y in 0..<rect.height {
                    let old = ((rect.minY + y) * width + rect.minX) * bytesPerPixel
                    let new = y * (1 + rowBytes) + 1
                    body(
                        rect.minY + y, UnsafeBufferPointer(rebasing: bytes[old..<old + rowBytes]),
                        UnsafeBufferPointer(rebasing: rows[new..<new + rowBytes]))
                }
            }
        }
    }
}
