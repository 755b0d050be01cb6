import Motion

/// An animated PNG on its way: one frame a piece.
struct APNGFile<Pixels: PNGPixels>: Sendable {
    private let scene: Scene
    private let times: FrameTimes
    private let options: OutputOptions
    private let file: PNGFile<Pixels>
    private var painter: FramePainter<Pixels.Pixel>
    private var shown: APNGPlane
    private var next = 0
    private var isFinished = false
    /// Of the chunks that say how and what frames are.
    private var sequence: UInt32 = 0

    init(_ scene: Scene, _ times: FrameTimes, _ options: OutputOptions, _ pixels: Pixels) {
        self.scene = scene
        self.times = times
        self.options = options
        painter = FramePainter(scene, scale: options.scale)
        file = PNGFile(size: painter.canvas.size, pixels: pixels)
        shown = APNGPlane(size: file.size, bytesPerPixel: pixels.bytesPerPixel)
    }

    var progress: Double { Double(next) / Double(times.frames.count) }

    mutating func next(_ workshop: Workshop) throws(EncodingError) -> [UInt8]? {
        guard !isFinished else { return nil }
        var sink = ByteSink()
        if next == 0 { try writeStart(workshop, to: &sink) }
        if next < times.frames.count { try writeFrame(workshop, to: &sink) }
        if next == times.frames.count {
            sink.append(chunk: "IEND", [])
            isFinished = true
        }
        return sink.bytes()
    }

    private mutating func writeStart(
        _ workshop: Workshop, to sink: inout ByteSink
    ) throws(EncodingError) {
        file.writeHeader(to: &sink)
        var control: [UInt8] = []
        control.append(bigEndian: UInt32(times.frames.count))
        let plays: UInt32 = if case .count(let count) = scene.loop { UInt32(count) } else { 0 }
        control.append(bigEndian: plays)
        sink.append(chunk: "acTL", control)
        guard options.poster == .end else { return }
        // A default image without a frame control is not part of the animation.
        _ = try paint(.finished, workshop)
        sink.append(chunk: "IDAT", try compressed(picture(of: PixelRect(file.size)), workshop))
    }

    private mutating func writeFrame(
        _ workshop: Workshop, to sink: inout ByteSink
    ) throws(EncodingError) {
        let frame = times.frames[next]
        let dirty = try paint(.instant(frame.instant), workshop)
        let isFirst = next == 0
        next += 1
        let end = next < times.frames.count ? times.frames[next].start : times.total
        let picture = isFirst ? picture(of: PixelRect(file.size)) : change(in: dirty)
        let (content, isOver) = try smallest(picture, isFirst: isFirst, workshop)
        shown.show(picture)
        writeControl(picture.rect, delay: end - frame.start, isOver: isOver, to: &sink)
        if isFirst, options.poster == .start {
            sink.append(chunk: "IDAT", content)
        } else {
            var numbered: [UInt8] = []
            numbered.append(bigEndian: takeSequence())
            sink.append(chunk: "fdAT", numbered + content)
        }
    }

    /// The smallest picture that brings what is shown up to date; it has at least one pixel.
    private func change(in dirty: [PixelRect]) -> APNGPlane.Picture {
        let painted = picture(of: dirty.reduce(.empty) { $0.union($1) })
        let rect = shown.difference(from: painted)
        return picture(of: rect.isEmpty ? PixelRect(PixelSize(width: 1, height: 1)) : rect)
    }

    private func picture(of rect: PixelRect) -> APNGPlane.Picture {
        APNGPlane.Picture(rect: rect, rows: painter.canvas.rows(rect, as: file.pixels))
    }

    /// A picture compressed as it is, or with holes where nothing changes, whichever is plainer.
    private func smallest(
        _ picture: APNGPlane.Picture, isFirst: Bool, _ workshop: Workshop
    ) throws(EncodingError) -> (content: [UInt8], isOver: Bool) {
        guard !isFirst, let hole = file.pixels.hole,
            let pierced = shown.pierced(picture, with: hole),
            pierced.runCount < picture.rows.runCount
        else { return (try compressed(picture, workshop), false) }
        return (
            try compressed(APNGPlane.Picture(rect: picture.rect, rows: pierced), workshop), true
        )
    }

    private func compressed(
        _ picture: APNGPlane.Picture, _ workshop: Workshop
    ) throws(EncodingError) -> [UInt8] {
        let deflater = try EncodingError.catching(workshop.frames)
        return file.deflated(picture.rows, width: picture.rect.width, deflater)
    }

    private mutating func paint(
        _ moment: Moment, _ workshop: Workshop
    ) throws(EncodingError) -> [PixelRect] {
        try painter.paint(moment, workshop)
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
        // Nothing is disposed of; a frame replaces its rectangle, or lies over what is there.
        control += [0, isOver ? 1 : 0]
        sink.append(chunk: "fcTL", control)
    }
}

extension [UInt8] {
    /// The number of runs of equal bytes.
    fileprivate var runCount: Int {
        zip(self, dropFirst()).reduce(1) { $0 + ($1.0 == $1.1 ? 0 : 1) }
    }
}
