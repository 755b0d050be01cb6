import Motion
import Raster

/// A format of videos, which ffmpeg encodes.
protocol VideoFormat: FittedFormat {
    /// True if sides have to be even; by default false.
    static var isEven: Bool { get }
    /// The colour behind translucent pixels in a format without alpha; nil where the scene decides
    /// it.
    var matte: Color? { get }
    /// The first frame.
    var poster: Poster { get }
    /// The frames that are shown; a part is of one cycle.
    var part: VideoPart { get }

    /// Returns the encoding of pictures of a size by ffmpeg.
    func encoding(of size: PixelSize, isOpaque: Bool) -> VideoEncoding
}

/// The encoding of frames by ffmpeg.
struct VideoEncoding {
    let layout: VideoPlanes.Layout
    /// True if alpha is a video of its own in the file.
    var dividesAlpha = false
    /// The threads of the encoder. The machine does not decide them, because bytes or memory may
    /// depend on them.
    var threads = 2
    /// The arguments of the encoder and the container.
    let arguments: [String]
    /// Bytes that ffmpeg takes, and those for each pixel of a frame.
    let memory: (program: Int, pixel: Double)
    /// The work of encoding a megapixel of a changed frame and of an unchanged one; a unit is a
    /// hundredth of a second. The unit is ten times as long as for the composing of other pictures,
    /// because ffmpeg has a low priority, and few processes.
    let work: (changed: Double, unchanged: Double)
    /// The most bytes of a frame's pixel in the file.
    let bytesOfPixel: Double
}

extension VideoFormat {
    /// The bytes of a file for which there must be room.
    private static var leastBytes: Int { 4 << 20 }
    /// The work of ffmpeg's start.
    private static var startWork: Double { 10 }
    /// The most seconds from one key frame to the next, which is what a player decodes to show an
    /// instant.
    private static var keyFrameSeconds: Int { 2 }
    /// The units of a megapixel that is composed for a video: its threads are as few as ffmpeg's
    /// processes.
    private static var paintingWork: Double { 0.1 }
    /// The share of an encoder's work that text on a ground of one colour takes.
    private static var flatShare: Double { 0.6 }

    static var isEven: Bool { false }

    package static var isVideo: Bool { true }

    /// Players need the length first.
    package var streamed: (any StreamedFormat)? { nil }

    package func price(of scene: Scene, _ context: EncodingContext) throws(EncodingError) -> Price {
        let limit = context.limits.frames
        let frames = try self.frames(of: scene, limit: limit)
        let bytes = bytes(of: scene, frames: frames.count)
        try checkMemory(for: scene, fileBytes: bytes, context.limits)
        // Unchanged frames are not painted again.
        let changing = try scene.frameTimes(
            in: .milliseconds, framesPerSecond: settings.framesPerSecond, limit: limit)
        let painted = try WorkEstimate(
            of: scene, changing, scale: scale,
            encodings: WorkEstimate.videoEncodings(of: scene), context)
        let pixels = scene.pixelSize(scale: scale).count
        let encoding = encoding(of: scene)
        let changed = min(Double(changing.frames.count) * frames.cycles, Double(frames.count))
        let isFlat =
            scene.appearance.card.background.gradient == nil && scene.backdropPicture == nil
        let megapixels = Double(pixels) / 1_000_000 * (isFlat ? Self.flatShare : 1)
        let painting = painted.isWhole ? Self.paintingWork : 1
        let work =
            painting * painted.pixels / 1_000_000 * frames.cycles + Self.startWork
            + megapixels
            * (changed * encoding.work.changed
                + (Double(frames.count) - changed) * encoding.work.unchanged)
        return price(ofEach: Price(bytes: bytes, work: work))
    }

    /// Checks that there is memory for a video, and for a small file at least.
    ///
    /// - Throws: `EncodingError.tooMuchMemory`.
    private func checkMemory(
        for scene: Scene, fileBytes: Double, _ limits: EncodingLimits
    ) throws(EncodingError) {
        guard fileLimit(for: scene, limits) < Self.leastBytes else { return }
        let most = Int(min(fileBytes, Double(limits.videoBytes)))
        let memory = memory(of: scene)
        throw .tooMuchMemory(
            bytes: memory + Self.leastBytes, limit: limits.videoMemory,
            option: limits.memoryOption(for: memory + max(most, Self.leastBytes)),
            parameter: enlargingParameter ?? "width")
    }

    /// Returns the most bytes of a file with so many frames.
    private func bytes(of scene: Scene, frames: Int) -> Double {
        let pixels = Double(scene.pixelSize(scale: scale).count) * Double(frames)
        return 65_536 + pixels * encoding(of: scene).bytesOfPixel
    }

    private func frames(of scene: Scene, limit: Int) throws(EncodingError) -> ConstantRate {
        var frames = try ConstantRate(
            of: scene, settings.framesPerSecond, repeats: part == .all, limit: limit)
        frames.begin(with: poster, of: scene)
        try frames.show(part, of: scene)
        return frames
    }

    private func encoding(of scene: Scene) -> VideoEncoding {
        encoding(
            of: scene.pixelSize(scale: scale), isOpaque: scene.appearance.card.isOpaque)
    }

    package func memory(of scene: Scene) -> Int {
        let size = scene.pixelSize(scale: scale)
        let encoding = encoding(of: scene)
        let bytes = VideoPlanes.byteCount(of: size, as: encoding.layout)
        return scene.encoderMemory(scale: scale, fileBytesOfPixel: 6) + bytes
            + childMemory(size, encoding)
    }

    private func childMemory(_ size: PixelSize, _ encoding: VideoEncoding) -> Int {
        encoding.memory.program + Int(encoding.memory.pixel * Double(size.count))
    }

    package func workingMemory(for scene: Scene, _ limits: EncodingLimits) -> Int {
        let frames = (try? self.frames(of: scene, limit: .max).count) ?? 1
        let limit = fileLimit(for: scene, limits)
        return memory(of: scene) + Int(min(bytes(of: scene, frames: frames), Double(limit)))
    }

    /// Returns the most bytes of a file, which is written to memory.
    private func fileLimit(for scene: Scene, _ limits: EncodingLimits) -> Int {
        min(limits.videoBytes, limits.videoMemory - memory(of: scene))
    }

    package func begin(
        _ scene: Scene, frameLimit: Int, _ context: EncodingContext
    ) throws(EncodingError) -> StreamedFile {
        StreamedFile(try video(of: scene, frameLimit: frameLimit, context))
    }

    /// Starts the video of a scene, or of some of its frames.
    func video(
        of scene: Scene, frameLimit: Int, shown: Range<Int>? = nil, _ context: EncodingContext
    ) throws(EncodingError) -> VideoFile {
        var frames = try frames(of: scene, limit: frameLimit)
        if let shown { frames.show(shown) }
        return try VideoFile(self, frames, of: scene, context)
    }

    /// Starts ffmpeg, and returns it with the planes of the frames that it reads.
    func start(
        of scene: Scene, _ rate: FrameRate, _ context: EncodingContext
    ) throws(EncodingError) -> (VideoPlanes, any EncoderProcess) {
        guard let program = context.videoEncoder else {
            throw .videoEncoder(EncodingError.absenceOfVideoEncoder)
        }
        let size = scene.pixelSize(scale: scale)
        let encoding = encoding(of: scene)
        let planes = VideoPlanes(of: Self.isEven ? size.even : size, as: encoding.layout)
        let process = try program.start(
            Self.arguments(encoding, planes.size, rate), memory: childMemory(size, encoding),
            fileLimit: fileLimit(for: scene, context.limits))
        return (planes, process)
    }

    /// Returns the colour behind a scene, which is opaque in a format without alpha.
    func background(of scene: Scene) -> Color {
        let background = scene.appearance.card.backdrop
        guard !encoding(of: scene).layout.hasAlpha, !background.isOpaque else { return background }
        return background.over(matte ?? scene.contrastingColor)
    }

    /// Returns the pictures of a scene.
    func pictures(of scene: Scene, over background: Color) -> any VideoPictures {
        let hasAlpha = encoding(of: scene).layout.hasAlpha
        guard let color = scene.inkColor else {
            return ScenePictures(
                of: scene, scale: scale, StraightColors(over: background, levels: nil),
                fillsClear: hasAlpha)
        }
        return ScenePictures(
            of: scene, scale: scale,
            StraightRamp(color, over: background, levels: nil, keepsColor: hasAlpha),
            fillsClear: false)
    }

    /// Returns the arguments of ffmpeg, which reads frames from its standard input.
    private static func arguments(
        _ encoding: VideoEncoding, _ size: PixelSize, _ rate: FrameRate
    ) -> [String] {
        let input = [
            "-nostdin", "-hide_banner", "-loglevel", "error", "-protocol_whitelist", "pipe,file",
            "-threads", "1", "-filter_threads", "1",
            "-f", "rawvideo", "-pixel_format", encoding.layout.name,
            "-video_size", "\(size.width)x\(size.height)", "-framerate", rate.text,
            "-i", "pipe:0",
        ]
        let range = encoding.layout.range
        let colors = "range=\(range):colorspace=bt709:color_primaries=bt709:color_trc=bt709"
        let isDivided = encoding.dividesAlpha && encoding.layout.hasAlpha
        let filter =
            isDivided
            ? [
                "-filter_complex",
                "[0:v]setparams=\(colors),split[all][other];[other]alphaextract[alpha];"
                    // A copy, unless the range were left to it.
                    + "[all]scale=in_range=\(range):out_range=\(range),"
                    + "format=\(encoding.layout.withoutAlpha.name)[colors]",
                "-map", "[colors]", "-map", "[alpha]", "-color_range:v:1", "pc",
            ] : ["-vf", "setparams=\(colors)"]
        let interval = (keyFrameSeconds * rate.numerator - 1) / rate.denominator + 1
        // The same bytes on any machine.
        let output = [
            "-color_range:v:0", range, "-colorspace", "bt709",
            "-color_primaries", "bt709", "-color_trc", "bt709",
            "-map_metadata", "-1", "-fflags", "+bitexact", "-flags:v", "+bitexact",
            "-threads", "\(encoding.threads)", "-g", "\(interval)",
        ]
        return input + filter + output + encoding.arguments
    }
}

extension Scene {
    /// White, or black where its texts are light.
    fileprivate var contrastingColor: Color {
        var light = 0.0
        // On a picture, the texts decide, and not the picture or the card.
        for node in nodes.dropLast(backdropPicture == nil ? 0 : cardNodeCount) {
            let color = node.glyph.color
            let luma =
                0.2126 * Double(color.red) + 0.7152 * Double(color.green)
                + 0.0722 * Double(color.blue)
            light += luma - 160
        }
        let part: UInt8 = light > 0 ? 0 : 255
        return Color(red: part, green: part, blue: part)
    }
}
