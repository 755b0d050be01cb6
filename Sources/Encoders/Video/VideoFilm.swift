package import Motion

/// A video of scenes one after another on one canvas, of which one at a time is in memory.
///
/// Frame n shows the instant n/fps of the whole, whatever scene it belongs to.
package struct VideoFilm {
    private let format: any VideoFormat
    private let rate: FrameRate
    private var writer: VideoWriter
    /// The number of frames so far.
    package private(set) var frameCount = 0

    /// Starts a film.
    ///
    /// - Parameters:
    ///   - format: The format.
    ///   - scene: The first scene, which decides the size, and whether there is alpha.
    ///   - context: The context of the thread that makes the film.
    /// - Returns: Nil for a format that is no video.
    /// - Throws: `EncodingError` where the scene cannot be encoded.
    package init?(
        as format: any OutputFormat, from scene: Scene, _ context: EncodingContext
    ) throws(EncodingError) {
        guard let format = format as? any VideoFormat else { return nil }
        self.format = format
        rate = FrameRate(format.settings.framesPerSecond)
        writer = try format.writer(of: scene, rate, context)
    }

    /// The number of frames of so many seconds, one at least.
    package func frameCount(of seconds: Double) -> Int {
        Int(max((seconds * rate.perSecond - 1e-6).rounded(.up), 1))
    }

    /// Writes the frames of a scene, which stands still after its end.
    ///
    /// - Parameters:
    ///   - scene: The scene.
    ///   - start: The instant of the whole with which it begins.
    ///   - end: The end of its last frame.
    ///   - isLast: True if the film ends with it; its last frame shows the end, as that of a video does.
    ///   - context: The context.
    ///   - watch: Called after each frame.
    /// - Throws: The reason why the encoder takes no more frames.
    package mutating func append(
        _ scene: Scene, from start: Instant, until end: Instant, isLast: Bool,
        _ context: EncodingContext, watch: () -> Void
    ) throws(EncodingError) {
        writer.show(format.pictures(of: scene))
        while case var instant = rate.time(ofFrame: frameCount), instant < end {
            frameCount += 1
            if isLast, rate.time(ofFrame: frameCount) >= end { instant = end }
            try writer.write(Instant(ticks: max(instant.ticks - start.ticks, 0)), context)
            watch()
        }
    }

    /// Waits until the encoder has finished its file.
    package func finish(_ context: EncodingContext) throws(EncodingError) {
        _ = try writer.finish(context)
    }
}
