import Motion

/// A GIF on its way: one frame a piece.
///
/// A frame is written when the next one is known, which says how long it stands and whether it
/// has to make room.
struct GIFFile<Indexer: PixelIndexer>: Sendable {
    private let scene: Scene
    private let times: FrameTimes
    private var painter: FramePainter<Indexer.Pixel>
    private var indexer: Indexer
    private var planes: GIFPlanes
    /// The frame to be painted next.
    private var next = 0
    /// When the frame that is painted but not yet written starts.
    private var start = 0
    private var isFinished = false

    init(_ scene: Scene, _ times: FrameTimes, _ options: OutputOptions, _ indexer: Indexer) {
        self.scene = scene
        self.times = times
        self.indexer = indexer
        painter = FramePainter(scene, scale: options.scale)
        planes = GIFPlanes(size: painter.canvas.size)
    }

    var progress: Double { Double(next) / Double(times.frames.count) }

    mutating func next(_ workshop: Workshop) throws(EncodingError) -> [UInt8]? {
        guard !isFinished else { return nil }
        var sink = ByteSink()
        if next == 0 {
            let writer = GIFWriter(size: planes.size, palette: indexer.palette)
            writer.writeHeader(loop: scene.duration > .zero ? scene.loop : .count(1), to: &sink)
            try paint(workshop)
            planes.show(nil)
        }
        // Frames that show nothing new are passed over.
        while next < times.frames.count {
            let frame = times.frames[next]
            let changed = try paint(workshop)
            guard !changed.isEmpty else { continue }
            let erased = indexer.hasTransparency ? planes.erased(in: changed) : .empty
            write(until: frame.start, erased: erased, workshop, to: &sink)
            planes.show(changed)
            start = frame.start
            return sink.bytes()
        }
        write(until: times.total, erased: .empty, workshop, to: &sink)
        sink.append(UInt8(0x3B))
        isFinished = true
        return sink.bytes()
    }

    /// Paints the next frame as indices.
    ///
    /// - Returns: The smallest rectangle around all that differs from what is shown.
    @discardableResult
    private mutating func paint(_ workshop: Workshop) throws(EncodingError) -> PixelRect {
        let instant = times.frames[next].instant
        let dirty = try painter.paint(.instant(instant), workshop)
        let isFirst = next == 0
        next += 1
        return planes.index(
            isFirst ? [PixelRect(planes.size)] : dirty, of: painter.canvas, with: &indexer,
            isFirst: isFirst)
    }

    private mutating func write(
        until end: Int, erased: PixelRect, _ workshop: Workshop, to sink: inout ByteSink
    ) {
        let image = planes.takeImage(erasing: erased)
        GIFWriter(size: planes.size, palette: indexer.palette).write(
            image, delay: end - start, workshop.lzw, to: &sink)
    }
}
