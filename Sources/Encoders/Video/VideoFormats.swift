package import Motion
import Raster

extension ParameterReader {
    /// Reads the parameters that most videos have.
    ///
    /// - Parameter usual: The quality where the request gives none.
    /// - Returns: The settings of its frames, the first frame, the frames that are shown, and its
    ///   budget.
    fileprivate mutating func videoSettings(
        usual: Int
    ) -> (FrameSettings, Poster, VideoPart, SizeBudget?) {
        let framesPerSecond = framesPerSecond()
        let quality = quality()
        let settings = FrameSettings(
            framesPerSecond: framesPerSecond, quality: quality ?? usual, scale: scale())
        return (settings, poster(), videoPart(), sizeBudget())
    }
}

/// VP9 with alpha (WebM).
package struct WebMFormat: VideoFormat {
    package static let name = "webm"
    package static let title = "WebM"
    package static let mediaType = "video/webm"
    package static let fileExtension = "webm"

    var settings: FrameSettings
    let poster: Poster
    let part: VideoPart
    let budget: SizeBudget?
    let matte: Color? = nil

    package init(_ parameters: inout ParameterReader) {
        (settings, poster, part, budget) = parameters.videoSettings(usual: 100)
    }

    func encoding(of size: PixelSize, isOpaque: Bool) -> VideoEncoding {
        let quality = settings.quality ?? 100
        // Constant quality, 0…63; the fastest mode of libvpx that does not depend on the clock.
        let level = (63 * (100 - quality) + 50) / 100
        return VideoEncoding(
            layout: .subsampled(hasAlpha: !isOpaque),
            // Without constant quality, a rate control that takes a bit rate for its goal adds key
            // frames to the colours, but not to alpha, which no decoder can seek to.
            arguments: (quality == 100 ? ["-lossless", "1"] : []) + [
                "-crf", "\(level)", "-b:v", "0",
                "-c:v", "libvpx-vp9", "-deadline", "realtime", "-cpu-used", "7",
                "-tune-content", "screen", "-lag-in-frames", "0", "-auto-alt-ref", "0",
                "-row-mt", "0", "-f", "webm",
            ],
            memory: (72 << 20, isOpaque ? 95 : 180), work: isOpaque ? (1.6, 1.1) : (2.5, 1.9),
            bytesOfPixel: quality == 100 ? 2 : 0.5)
    }
}

/// H.264 (MP4).
package struct MP4Format: VideoFormat {
    package static let name = "mp4"
    package static let title = "MP4"
    package static let mediaType = "video/mp4"
    package static let fileExtension = "mp4"
    static let isEven = true

    var settings: FrameSettings
    let poster: Poster
    let part: VideoPart
    let budget: SizeBudget?
    let matte: Color?

    package init(_ parameters: inout ParameterReader) {
        (settings, poster, part, budget) = parameters.videoSettings(usual: 75)
        matte = parameters.matte()
    }

    func encoding(of size: PixelSize, isOpaque: Bool) -> VideoEncoding {
        // Constant quality, 1…51: 0 would be lossless, in a profile that few players know.
        let level = max((51 * (100 - (settings.quality ?? 100)) + 50) / 100, 1)
        return VideoEncoding(
            layout: .subsampled(hasAlpha: false),
            arguments: [
                "-c:v", "libx264", "-profile:v", "high", "-preset", "veryfast",
                "-tune", "animation", "-crf", "\(level)",
                // Threads that share a frame, few references, and a short lookahead take half of
                // the memory.
                "-x264-params",
                "cpu-independent=1:sliced-threads=1:ref=1:bframes=1:rc-lookahead=2",
                // The first frame is at 0 without an edit list, which not all players follow.
                "-use_editlist", "0", "-movflags", "+faststart+negative_cts_offsets",
                "-f", "mp4",
            ],
            memory: (60 << 20, 38), work: (1.3, 0.8), bytesOfPixel: 0.5)
    }
}

/// AV1 with alpha (AVIF), as a picture that moves.
package struct AVIFFormat: VideoFormat {
    package static let name = "avif"
    package static let title = "AVIF"
    package static let mediaType = "image/avif"
    package static let fileExtension = "avif"
    /// Browsers name it whenever they ask for a page.
    package static let isNegotiable = false

    var settings: FrameSettings
    let poster: Poster
    let part: VideoPart
    let budget: SizeBudget?
    let matte: Color? = nil

    package init(_ parameters: inout ParameterReader) {
        (settings, poster, part, budget) = parameters.videoSettings(usual: 50)
    }

    /// The frames that libaom looks ahead, with the bytes that each pixel takes, without and with
    /// alpha.
    private static let lags: [(frames: Int, opaque: Double, translucent: Double)] = [
        (35, 420, 600), (19, 300, 400), (8, 230, 270), (0, 70, 110),
    ]
    /// Bytes that ffmpeg takes besides those.
    private static let programBytes = 105 << 20
    /// The most bytes that looking ahead may take.
    private static let mostBytes = 400 << 20

    /// Returns the most frames to look ahead for which there is memory on any machine, so that the
    /// bytes of a file do not depend on it.
    private static func lag(
        for size: PixelSize, isOpaque: Bool
    ) -> (frames: Int, bytesOfPixel: Double) {
        let most = Double(mostBytes - programBytes) / Double(max(size.count, 1))
        var chosen = (frames: 0, bytesOfPixel: 0.0)
        for (frames, opaque, translucent) in lags.reversed() {
            let bytes = isOpaque ? opaque : translucent
            if frames == 0 || bytes <= most { chosen = (frames, bytes) }
        }
        return chosen
    }

    func encoding(of size: PixelSize, isOpaque: Bool) -> VideoEncoding {
        let lag = Self.lag(for: size, isOpaque: isOpaque)
        // Constant quality, 1…63: at 0 libaom changes to a lossless mode, whose fast variant is far
        // from lossless (alpha is off by up to 144 of 255).
        let level = max((63 * (100 - (settings.quality ?? 100)) + 50) / 100, 1)
        return VideoEncoding(
            layout: .fullRange(hasAlpha: !isOpaque), dividesAlpha: true, threads: 1,
            arguments: [
                "-c:v", "libaom-av1", "-usage", "good", "-cpu-used", "6",
                "-lag-in-frames", "\(lag.frames)", "-row-mt", "0",
                // Nobody seeks in a picture. Where libaom looks for key frames itself, it fails for
                // some: with an assertion (av1_twopass_postencode_update in 3.6).
                "-g", "250", "-keyint_min", "250",
                "-crf", "\(level)", "-b:v", "0",
                "-f", "avif",
            ],
            memory: (Self.programBytes, lag.bytesOfPixel), work: isOpaque ? (12, 8) : (16, 10),
            bytesOfPixel: 0.5)
    }
}

/// ProRes 4444 with straight alpha (QuickTime).
package struct MOVFormat: VideoFormat {
    package static let name = "mov"
    package static let title = "ProRes"
    package static let mediaType = "video/quicktime"
    package static let fileExtension = "mov"

    var settings: FrameSettings
    let poster: Poster
    let part: VideoPart
    let budget: SizeBudget? = nil
    let matte: Color? = nil

    private let timecode: Timecode?

    package init(_ parameters: inout ParameterReader) throws(ParameterFault) {
        let framesPerSecond = parameters.framesPerSecond()
        settings = FrameSettings(framesPerSecond: framesPerSecond, scale: parameters.scale())
        poster = parameters.poster()
        part = parameters.videoPart()
        timecode = try parameters.timecode(at: FrameRate(framesPerSecond))
    }

    func encoding(of size: PixelSize, isOpaque: Bool) -> VideoEncoding {
        // Each thread has a frame of its own, for which there is no memory in 4K.
        let isLarge = size.count > 4_000_000
        return VideoEncoding(
            layout: .full, threads: isLarge ? 1 : 2,
            arguments: [
                "-c:v", "prores_ks", "-profile:v", "4444", "-alpha_bits", "16",
                "-qscale:v", "1", "-vendor", "apl0",
            ] + (timecode.map { ["-timecode", $0.text] } ?? []) + [
                "-movflags", "+faststart", "-f", "mov",
            ],
            memory: (55 << 20, isLarge ? 29 : 50), work: (2.6, 2), bytesOfPixel: 0.5)
    }
}
