package import Motion
import Raster

/// A video, which is encoded one frame after another; all of its bytes come with the last one.
///
/// Its scene may be replaced between two frames: a film of many texts has a scene for those that
/// are seen together, so that one at a time is in memory.
package struct VideoFile: FrameEncoder {
    private let format: any VideoFormat
    private let frames: ConstantRate
    private let background: Color
    private let process: any EncoderProcess
    /// Nil for a moment: the pictures of two scenes would take twice the memory.
    private var pictures: (any VideoPictures)?
    private var planes: VideoPlanes
    private var next = 0

    /// Starts the video of a scene, or of several scenes of its size, its card, and its duration.
    init(
        _ format: some VideoFormat, _ frames: ConstantRate, of scene: Scene,
        _ context: EncodingContext
    ) throws(EncodingError) {
        (self.format, self.frames) = (format, frames)
        background = format.background(of: scene)
        pictures = format.pictures(of: scene, over: background)
        (planes, process) = try format.start(of: scene, frames.rate, context)
    }

    /// Starts the video of a scene in a format.
    ///
    /// - Parameters:
    ///   - scene: The scene.
    ///   - format: The format.
    ///   - frames: The frames that are shown; nil for all.
    ///   - context: The context.
    /// - Returns: Nil for a format that is no video.
    /// - Throws: The reason why the scene cannot be encoded.
    package static func begin(
        _ scene: Scene, as format: any OutputFormat, frames: Range<Int>?,
        _ context: EncodingContext
    ) throws(EncodingError) -> VideoFile? {
        try (format as? any VideoFormat)?.video(
            of: scene, frameLimit: .max, shown: frames, context)
    }

    package var frameCount: Int { frames.count }

    package var progress: Double { Double(next) / Double(frames.count) }

    package var isFinished: Bool { next == frames.count }

    /// The instant of the cycle that the next frame shows.
    package var instant: Instant { frames.instant(ofFrame: next) }

    /// Shows another scene from the next frame on.
    package mutating func show(_ scene: Scene) {
        pictures = nil
        pictures = format.pictures(of: scene, over: background)
    }

    package mutating func next(_ context: EncodingContext) throws(EncodingError) -> [UInt8] {
        let check = { () throws(EncodingError) in try context.checkDeadline() }
        let instant = instant
        try pictures?.paint(instant, on: &planes, context)
        try process.write(planes.bytes, check: check)
        next += 1
        return isFinished ? try process.finish(check: check) : []
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
        var changed = PixelRect.empty
        for rect in isFirst ? [picture.rect] : changes {
            try painter.canvas.write(
                rect, as: &form, isSmallChange: false, to: &picture, context)
            changed = changed.union(rect)
        }
        isFirst = false
        guard !changed.isEmpty else { return }
        try planes.write(
            picture, changed: changed, fillsClear: fillsClear, context)
    }
}
