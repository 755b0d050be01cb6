import Bytes
import Motion

/// The bytes that a raster file may have, and the settings that may be lowered for it.
struct SizeBudget: Equatable, Sendable {
    /// The most bytes.
    let most: Int
    /// True if the picture keeps its width and height.
    let keepsSize: Bool
}

/// The settings on which the size of a raster file depends most, besides its scene.
struct FrameSettings: Equatable, Sendable {
    /// Frames a second while something moves.
    var framesPerSecond: Double
    /// The most frames of a file, for which fewer are shown a second; nil for any number.
    var mostFrames: Int?
    /// Levels of each colour; nil where the format decides.
    var levels: Int?
    /// The fidelity of pictures, 1…100; nil for pictures exactly as drawn.
    var quality: Int?
    /// Pixels in one CSS pixel.
    var scale: Double

    /// The numbers of levels that are tried, from the best.
    private static let levels = [128, 64, 48, 32, 24, 16, 12, 8]
    /// The qualities that are tried, from the best, and those after levels.
    private static let qualities = [90, 80, 70, 60, 50, 40, 30, 20, 10]
    private static let fewQualities = [80, 60, 40, 20]
    /// The frames a second that are tried, from the best.
    private static let rates = [20.0, 16, 12, 10, 8]
    /// The factor from one tried scale to the next, and the smallest scale.
    private static let (shrinkage, leastScale) = (0.85, 0.5)

    /// The quality of pictures exactly as drawn, in formats that have them.
    static let exactQuality = 100

    /// The quality of lossy pictures; nil for pictures exactly as drawn.
    var lossyQuality: Int? { quality.flatMap { $0 < Self.exactQuality ? $0 : nil } }

    /// Returns the settings with values that a format decides where they have none.
    func resolved(levels: Int? = nil, quality: Int? = nil) -> FrameSettings {
        var resolved = self
        resolved.levels = self.levels ?? levels
        resolved.quality = self.quality ?? quality
        return resolved
    }

    /// Returns settings whose files become ever smaller: first with fewer levels, a lower quality,
    /// or both, then with fewer frames as well, then with fewer pixels.
    ///
    /// - Parameters:
    ///   - resolved: These settings with the quality or the levels that may be lowered.
    ///   - keepsSize: True if all have as many pixels.
    /// - Returns: At most 30 settings, without these.
    func smaller(than resolved: FrameSettings, keepsSize: Bool) -> [FrameSettings] {
        var steps: [FrameSettings] = []
        var next = self
        if let levels = resolved.levels {
            for count in Self.levels where count < levels {
                next.levels = count
                steps.append(next)
            }
        }
        if let quality = resolved.quality {
            let qualities = resolved.levels == nil ? Self.qualities : Self.fewQualities
            for lower in qualities where lower < quality {
                next.quality = lower
                steps.append(next)
            }
        }
        for rate in Self.rates where rate < framesPerSecond {
            next.framesPerSecond = rate
            steps.append(next)
        }
        while !keepsSize, next.scale > Self.leastScale {
            let scale = (next.scale * Self.shrinkage * 100).rounded() / 100
            next.scale = max(scale, Self.leastScale)
            steps.append(next)
        }
        return steps
    }

    /// Returns the settings that differ from others, as parameters of a request.
    func text(since others: FrameSettings) -> String {
        var parts: [String] = []
        if let levels, levels != others.levels { parts.append("levels=\(levels)") }
        if let quality, quality != others.quality { parts.append("quality=\(quality)") }
        if framesPerSecond != others.framesPerSecond {
            parts.append("fps=\(NumberText.of(framesPerSecond))")
        }
        if scale != others.scale { parts.append("scale=\(NumberText.of(scale))") }
        return parts.joined(separator: ", ")
    }
}

/// A format of frames whose files can be made to fit a number of bytes.
protocol FittedFormat: StreamedFormat {
    var settings: FrameSettings { get set }
    /// The bytes that a file may have; nil for any number.
    var budget: SizeBudget? { get }

    /// Returns the settings with the levels and the quality with which a scene is drawn where the
    /// request gives none, as far as they may be lowered; by default the settings.
    func resolvedSettings(for scene: Scene) -> FrameSettings
}

extension FittedFormat {
    /// The most times that a file is encoded: once as requested, and where it has to fit five times
    /// to find the best smaller one by bisection.
    var mostEncodings: Int { budget == nil ? 1 : 6 }
    /// The bytes after which the encoding of the smallest file stops, because it is too large.
    private static var mostBytes: Int { 16 << 20 }

    var scale: Double { settings.scale }

    func resolvedSettings(for scene: Scene) -> FrameSettings { settings }

    /// A file that has to fit is known only once it is whole.
    package var streamed: (any StreamedFormat)? { budget == nil ? self : nil }

    package var enlargingParameter: String? { scale > 1 ? "scale" : nil }

    /// Returns the price of a file for all the times that it may be encoded.
    func price(ofEach price: Price) -> Price {
        Price(bytes: price.bytes, work: price.work * Double(mostEncodings))
    }

    package func workingMemory(for scene: Scene, _ limits: EncodingLimits) -> Int {
        // The best file so far, and the next one.
        memory(of: scene) + 2 * Self.mostBytes
    }

    package func encode(
        _ scene: Scene, _ context: EncodingContext
    ) throws(EncodingError) -> [UInt8] {
        try file(of: scene, context).bytes
    }

    /// Returns the best file within the budget, among the settings that are tried.
    package func file(
        of scene: Scene, _ context: EncodingContext
    ) throws(EncodingError) -> EncodedFile {
        let most = budget?.most ?? .max
        let whole = try file(of: scene, with: settings, upTo: most, context)
        if whole.count <= most { return EncodedFile(bytes: whole.bytes) }
        let steps = settings.smaller(
            than: resolvedSettings(for: scene), keepsSize: budget?.keepsSize ?? false)
        var best: (bytes: [UInt8], step: Int)?
        var (low, high) = (0, steps.count)
        var smallest = (count: whole.count, step: -1)
        while low < high {
            let step = (low + high) / 2
            // The error states the whole length of the smallest file.
            let isLast = step == steps.count - 1
            let tried = try file(
                of: scene, with: steps[step], upTo: isLast ? Self.mostBytes : most, context)
            if tried.count <= most {
                best = (tried.bytes, step)
                high = step
            } else {
                smallest = (tried.count, step)
                low = step + 1
            }
        }
        if let best {
            return EncodedFile(
                bytes: best.bytes, fitted: steps[best.step].text(since: settings))
        }
        throw .doesNotFit(
            bytes: smallest.count, limit: most,
            settings: smallest.step < 0 ? "" : steps[smallest.step].text(since: settings))
    }

    /// Returns a file and its length. A file of more than `most` bytes is cut off after them, and
    /// its length is a lower bound; a video that is too long in any case has no bytes.
    private func file(
        of scene: Scene, with settings: FrameSettings, upTo most: Int, _ context: EncodingContext
    ) throws(EncodingError) -> (bytes: [UInt8], count: Int) {
        var format = self
        format.settings = settings
        let file = try format.begin(scene, frameLimit: context.limits.frames, context)
        var bytes: [UInt8] = []
        do throws(EncodingError) {
            while !file.isFinished, bytes.count <= most { bytes += try file.next(context) }
        } catch .videoTooLong(let limit, let option) {
            guard let budget else { throw .videoTooLong(limit: limit, option: option) }
            return ([], count: max(limit, budget.most + 1))
        }
        return (bytes, bytes.count)
    }
}
