package import Encoders
package import Motion
import Typesetting

/// Renders texts that come and go at times of their own as a video of any length, on the calling
/// thread.
///
/// The texts that are seen together are a scene, which is made when its first frame is due, and given
/// up after its last: memory is that of one scene. Each has its texts at their times in the whole, and
/// the duration of the whole, so its frames are those of a scene of all texts.
package struct FilmRenderer {
    /// The warnings so far, the first one of each code.
    package private(set) var warnings: [Warning] = []
    private let film: Film
    private let format: any OutputFormat
    private let worker: RenderWorker
    private let pipeline: RenderPipeline
    /// The part that is shown.
    private var shown: Int
    private var file: VideoFile

    /// The limits of a film: none but the pixels of a picture.
    package static var limits: RenderLimits {
        var limits = OneShotRenderer.limits
        (limits.graphemes, limits.marks, limits.pictures) = (.max, .max, .max)
        (limits.timedTexts, limits.captionBytes) = (.max, .max)
        (limits.scene.cycleSeconds, limits.scene.keyframes) = (.infinity, .max)
        limits.file.frames = .max
        return limits
    }

    /// Begins a film, and its file; nil for a format that is no video.
    ///
    /// - Parameters:
    ///   - request: A request of texts at times.
    ///   - entry: Its format.
    ///   - schema: The parameters of requests.
    ///   - encoder: The program that encodes and writes the file.
    ///   - worker: A worker of the calling thread.
    ///   - frames: The frames that are shown; nil for all.
    /// - Throws: The reason why the request cannot be rendered.
    package init?(
        of request: RenderRequest, as entry: FormatCatalog.Entry, schema: RequestSchema,
        by encoder: any VideoEncoder, on worker: RenderWorker, frames: Range<Int>? = nil
    ) throws(RenderingError) {
        let format = try RenderingError.catching({ .invalid([$0]) }) {
            () throws(ParameterFault) in
            try request.format(entry)
        }
        let pipeline = RenderPipeline(limits: Self.limits, schema: schema)
        let film = try Film(of: request, pipeline, worker)
        // The last one has the finished text, with which a video may begin.
        shown = film.parts.count - 1
        let scene = try film.scene(shown, pipeline, worker)
        worker.context.limits = Self.limits.file
        worker.context.videoEncoder = encoder
        let file = try RenderingError.catching(RenderingError.init) { () throws(EncodingError) in
            try VideoFile.begin(scene, as: format, frames: frames, worker.context)
        }
        guard let file else { return nil }
        (self.film, self.format, self.worker) = (film, format, worker)
        (self.pipeline, self.file) = (pipeline, file)
        warnings.append(firstOfEachCode: format.warnings(of: scene))
    }

    package var frameCount: Int { file.frameCount }

    /// The share of the frames that are written, 0…1.
    package var progress: Double { file.progress }

    package var isFinished: Bool { file.isFinished }

    /// Writes the next frame, and ends the file with the last one.
    ///
    /// - Throws: The reason why it cannot be drawn or written.
    package mutating func next() throws(RenderingError) {
        let part = part(at: file.instant.seconds)
        if part != shown {
            shown = part
            let scene = try film.scene(part, pipeline, worker)
            file.show(scene)
            warnings.append(firstOfEachCode: format.warnings(of: scene))
        }
        _ = try RenderingError.catching(RenderingError.init) { () throws(EncodingError) in
            try file.next(worker.context)
        }
    }

    /// Returns the part that is shown at a second of the whole.
    private func part(at seconds: Double) -> Int {
        let parts = film.parts
        let isNow = parts[shown].start <= seconds
        if isNow, shown + 1 == parts.count || seconds < parts[shown + 1].start { return shown }
        return parts.lastIndex { $0.start <= seconds } ?? 0
    }
}

extension [Warning] {
    /// Appends the first warning of each code that has none yet.
    package mutating func append(firstOfEachCode warnings: [Warning]) {
        for warning in warnings where !contains(where: { $0.code == warning.code }) {
            append(warning)
        }
    }
}

/// The parts of a film.
struct Film {
    /// The request of the whole, with its duration if `ends` are known.
    private(set) var request: RenderRequest
    /// The texts that are seen together, and the second of the whole at which their part begins.
    private(set) var parts: [(texts: Range<Int>, start: Double)] = []
    /// The end of each text; empty for a request that is not divided.
    private(set) var ends: [Instant] = []

    /// Divides a request where no text is seen.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - pipeline: The pipeline of its scenes.
    ///   - worker: A worker of the calling thread.
    ///   - needsEnds: True if the ends of a divisible request are to be known even if it is one part.
    /// - Throws: The reason why the last text, which may decide the end, cannot be drawn.
    init(
        of request: RenderRequest, _ pipeline: RenderPipeline, _ worker: RenderWorker,
        needsEnds: Bool = false
    ) throws(RenderingError) {
        self.request = request
        guard request.isDivisible else {
            parts = [(request.texts.indices, 0)]
            return
        }
        let times = request.choreography.blocks.compactMap(\.time)
        // The first start from each text on.
        var starts = times.map(\.start)
        for index in starts.indices.dropLast().reversed() {
            starts[index] = min(starts[index], starts[index + 1])
        }
        var (first, end) = (0, 0.0)
        for (index, time) in times.enumerated() {
            if index > first, starts[index] >= end {
                parts.append((first..<index, parts.isEmpty ? 0 : starts[first]))
                first = index
            }
            end = max(end, time.end ?? .infinity)
        }
        parts.append((first..<times.count, parts.isEmpty ? 0 : starts[first]))
        guard parts.count > 1 || needsEnds else { return }
        ends = times.map { Instant(seconds: $0.end ?? 0) }
        if end == .infinity {
            // The last ones, which nothing ends.
            let scene = try scene(parts.count - 1, pipeline, worker)
            for (text, block) in zip(first..., scene.blocks) where times[text].end == nil {
                ends[text] = block.exit?.upperBound ?? .zero
            }
        }
        let duration = ends.max() ?? .zero
        let cycle = request.choreography.timing.cycle.seconds(for: duration.seconds)
        self.request.choreography.timing.cycle = CycleLength(least: cycle)
    }

    /// Returns the scene of a part.
    func scene(
        _ index: Int, _ pipeline: RenderPipeline, _ worker: RenderWorker
    ) throws(RenderingError) -> Scene {
        // Names in pages depend on the canonical form, which no video has.
        let part =
            parts.count > 1 ? request.part(parts[index].texts, canonical: "") : request
        return try worker.attempt { () throws(RenderingError) in
            try pipeline.scene(of: part, on: worker)
        }
    }
}

extension RenderRequest {
    /// True if a text is drawn alike whatever other texts there are at other times.
    var isDivisible: Bool {
        choreography.sequence == .timed && choreography.isAnimated
            && choreography.timing.cycle.most == nil && canvas.width != nil && canvas.height != nil
            && canvas.fit.mode == .none && choreography.blocks.allSatisfy { $0.time != nil }
    }

    /// Returns the request of some of its texts, at their times and with their numbers in the whole.
    func part(_ texts: Range<Int>, canonical: String) -> RenderRequest {
        var part = self
        part.texts = Array(self.texts[texts])
        part.choreography.blocks = Array(choreography.blocks[texts])
        part.choreography.firstBlock = texts.lowerBound
        (part.canonical, part.sources) = (canonical, [])
        return part
    }
}
