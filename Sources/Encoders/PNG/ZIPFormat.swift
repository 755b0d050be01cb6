import Bytes
package import Motion
import Raster

/// The frames of a cycle as PNG files in a ZIP archive, at a constant rate, for video editors.
///
/// A frame is the file that `PNGFormat` makes for its instant.
package struct ZIPFormat: StreamedFormat {
    package static let name = "zip"
    package static let title = "ZIP"
    package static let mediaType = "application/zip"
    package static let fileExtension = "zip"
    package static let isNegotiable = false

    private let framesPerSecond: Double
    private let scale: Double

    package init(_ parameters: inout ParameterReader) {
        framesPerSecond = parameters.framesPerSecond()
        scale = parameters.scale()
    }

    package var enlargingParameter: String? { scale > 1 ? "scale" : nil }

    package func price(of scene: Scene, _ context: EncodingContext) throws(EncodingError) -> Price {
        let count = try frames(of: scene, limit: context.limits.frames).count
        // Unchanged frames are neither painted nor compressed again.
        let changing = try scene.frameTimes(
            in: .milliseconds, framesPerSecond: framesPerSecond, limit: context.limits.frames)
        var work = try WorkEstimate(of: scene, changing, scale: scale, context)
        work.addPictures(changing.frames.count, of: scene, scale: scale)
        return work.price(ofPicture: scene.pixelSize(scale: scale), frames: count)
    }

    package func memory(of scene: Scene) -> Int {
        // A picture as it is drawn, as rows, and as a file.
        scene.encoderMemory(scale: scale, fileBytesOfPixel: 3 * MemoryLayout<UInt32>.size)
    }

    package func begin(
        _ scene: Scene, frameLimit: Int, _ context: EncodingContext
    ) throws(EncodingError) -> StreamedFile {
        let frames = try frames(of: scene, limit: frameLimit)
        let card = scene.appearance.card
        guard let color = scene.inkColor else {
            return StreamedFile(
                FrameArchive<ColorPixel>(scene, frames, scale: scale) {
                    canvas, context throws(EncodingError) in
                    try PNGFormat.bytes(of: canvas, over: card, context)
                })
        }
        return StreamedFile(
            FrameArchive<CoveragePixel>(scene, frames, scale: scale) {
                canvas, context throws(EncodingError) in
                try PNGFormat.bytes(of: canvas, in: color, over: card, context)
            })
    }

    private func frames(of scene: Scene, limit: Int) throws(EncodingError) -> ConstantRate {
        try ConstantRate(of: scene, framesPerSecond, repeats: false, limit: limit)
    }
}

/// Encodes an archive of pictures, one a piece.
private struct FrameArchive<Pixel: RasterPixel>: FrameEncoder {
    private let frames: ConstantRate
    private let encode: @Sendable (Canvas<Pixel>, EncodingContext) throws(EncodingError) -> [UInt8]
    private var painter: FramePainter<Pixel>
    private var archive = ZipArchive()
    private var next = 0
    /// The file of the last frame, which is also the next frame's where nothing changes.
    private var picture: [UInt8] = []

    init(
        _ scene: Scene, _ frames: ConstantRate, scale: Double,
        _ encode:
            @escaping @Sendable (Canvas<Pixel>, EncodingContext) throws(EncodingError) -> [UInt8]
    ) {
        self.frames = frames
        self.encode = encode
        painter = FramePainter(scene, scale: scale)
    }

    var frameCount: Int { frames.count }

    var progress: Double { Double(next) / Double(frames.count) }

    var isFinished: Bool { next == frames.count }

    mutating func next(_ context: EncodingContext) throws(EncodingError) -> [UInt8] {
        let changes = try painter.paint(.instant(frames.instant(ofFrame: next)), context)
        if picture.isEmpty || !changes.isEmpty { picture = try encode(painter.canvas, context) }
        next += 1
        let name = NumberText.padded("\(next)", to: 4) + ".png"
        let file = ZipArchive.File(name, .stored(picture))
        guard archive.hasRoom(for: file, reserve: 0) else {
            throw .tooManyBytes(
                count: Double(picture.count) * Double(frames.count),
                limit: Double(UInt32.max), parameter: "scale")
        }
        archive.add(file)
        return isFinished ? file.bytes + archive.end() : file.bytes
    }
}
