import Motion
import Raster

/// Writes the frames of one scene after another to a program that encodes them.
struct VideoWriter: Sendable {
    private var pictures: any VideoPictures
    private var planes: VideoPlanes
    private let process: any EncoderProcess

    init(
        _ pictures: any VideoPictures, _ planes: VideoPlanes, _ process: any EncoderProcess
    ) {
        (self.pictures, self.planes, self.process) = (pictures, planes, process)
    }

    /// Shows another scene on a canvas of the same size from the next frame on.
    mutating func show(_ pictures: any VideoPictures) { self.pictures = pictures }

    /// Writes the frame that shows an instant of the scene.
    mutating func write(_ instant: Instant, _ context: EncodingContext) throws(EncodingError) {
        try pictures.paint(instant, on: &planes, context)
        try process.write(planes.bytes) { () throws(EncodingError) in
            try context.checkDeadline()
        }
    }

    /// Waits until the file is whole, and returns its bytes.
    func finish(_ context: EncodingContext) throws(EncodingError) -> [UInt8] {
        try process.finish { () throws(EncodingError) in try context.checkDeadline() }
    }
}

/// The pictures of a scene as planes.
protocol VideoPictures: Sendable {
    /// Paints the picture of an instant; the first one is painted whole.
    mutating func paint(
        _ instant: Instant, on planes: inout VideoPlanes, _ context: EncodingContext
    ) throws(EncodingError)
}

/// The pictures of a scene whose pixels have a form.
struct ScenePictures<Form: PixelForm<UInt32>>: VideoPictures {
    private var form: Form
    /// True if transparent pixels get the colour of the nearest ink.
    private let fillsClear: Bool
    private var painter: FramePainter<Form.Pixel>
    private var picture: PixelBlock<UInt32>
    private var isFirst = true

    init(of scene: Scene, scale: Double, _ form: Form, fillsClear: Bool) {
        (self.form, self.fillsClear) = (form, fillsClear)
        painter = FramePainter(scene, scale: scale)
        picture = PixelBlock(PixelRect(painter.canvas.size))
    }

    mutating func paint(
        _ instant: Instant, on planes: inout VideoPlanes, _ context: EncodingContext
    ) throws(EncodingError) {
        let changes = try painter.paint(.instant(instant), context)
        var (form, changed) = (form, PixelRect.empty)
        for rect in isFirst ? [picture.rect] : changes {
            try painter.canvas.write(
                rect, as: &form, isSmallChange: false, to: &picture, context)
            changed = changed.union(rect)
        }
        isFirst = false
        guard !changed.isEmpty else { return }
        try planes.write(
            picture, changedRows: changed.minY..<changed.maxY, fillsClear: fillsClear, context)
    }
}
