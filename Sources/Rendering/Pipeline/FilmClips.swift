import Bytes
package import Encoders
import Motion
import Typesetting

/// The texts of a film, each of which is rendered as a clip of its own: it shows what the film shows of the text.
package struct FilmClips {
    package struct Clip {
        /// The number of its text.
        fileprivate let text: Int
        /// What it shows, for people.
        package let title: String
        /// The frames of the film in which it is seen.
        package let frames: Range<Int>
    }

    /// The clips in the order of their starts.
    package let clips: [Clip]
    /// The number of texts that no frame shows, which have no clip.
    package let unseen: Int
    /// The request of the whole.
    private var request: RenderRequest
    /// Where each text stands that is seen with others.
    private let places: [Int: StackPlace]
    private let identity: String

    /// - Parameters:
    ///   - request: A request of texts at times.
    ///   - rate: The frames of a second.
    ///   - schema: The parameters of requests.
    ///   - worker: A worker of the calling thread.
    /// - Throws: The reason why its texts cannot be divided, or drawn.
    package init(
        of request: RenderRequest, at rate: FrameRate, schema: RequestSchema,
        on worker: RenderWorker
    ) throws(RenderingError) {
        let times = request.choreography.blocks.compactMap(\.time)
        guard request.isDivisible, times.count == request.texts.count else {
            throw .invalid([
                ParameterFault(
                    parameter: "split",
                    message: "needs texts with times that move, width and height, and neither fit "
                        + "nor a longest cycle")
            ])
        }
        self.request = request
        identity = Digest(request.identity).text
        let pipeline = RenderPipeline(limits: FilmRenderer.limits, schema: schema)
        let film = try Film(of: request, pipeline, worker)
        var places: [Int: StackPlace] = [:]
        for part in film.parts where part.texts.count > 1 {
            let layout = try worker.attempt { () throws(RenderingError) in
                try pipeline.layout(of: Array(request.texts[part.texts]), request.canvas, worker)
            }
            for (text, place) in zip(part.texts, layout.stackPlaces) { places[text] = place }
        }
        self.places = places
        var ends = times.map { $0.end.map(Instant.init(seconds:)) }
        if ends.contains(nil) {
            // The last ones, which nothing ends.
            let part = film.parts.count - 1
            let scene = try film.scene(part, pipeline, worker)
            for (text, block) in zip(film.parts[part].texts, scene.blocks) where ends[text] == nil {
                ends[text] = block.exit?.upperBound ?? scene.duration
            }
        }
        // The duration of the whole.
        let end = ends.reduce(Instant.zero) { max($0, $1 ?? $0) }.seconds
        let cycle = request.choreography.timing.cycle.seconds(for: end)
        self.request.choreography.timing.cycle = CycleLength(least: cycle)
        clips = times.indices.compactMap { text in
            let start = rate.firstFrame(from: Instant(seconds: times[text].start))
            let end = rate.firstFrame(from: ends[text] ?? .zero)
            guard start < end else { return nil }
            return Clip(
                text: text, title: request.texts[text].text.spelled, frames: start..<end)
        }.sorted { ($0.frames.lowerBound, $0.text) < ($1.frames.lowerBound, $1.text) }
        unseen = times.count - clips.count
    }

    /// Returns the request of a clip whose frames are numbered as those of the film: a video has some of them.
    package func film(of clip: Clip) -> RenderRequest {
        var own = request
        own.texts = [request.texts[clip.text]]
        own.texts[0].stackPlace = places[clip.text]
        own.choreography.blocks = [request.choreography.blocks[clip.text]]
        own.choreography.firstBlock = clip.text
        // Names in pages depend on it. That of the whole, again for each clip, would take time.
        (own.canonical, own.sources) = ("\(identity) \(clip.text)", [])
        return own
    }

    /// Returns the request of a clip that begins at once, and ends with its text.
    package func picture(of clip: Clip) -> RenderRequest {
        var own = film(of: clip)
        guard let time = own.choreography.blocks[0].time else { return own }
        let start = time.start
        own.choreography.blocks[0].time = BlockTime(
            from: 0, to: time.end.map { $0 - start }, spoken: time.spoken)
        own.texts[0].time = 0...max((time.end ?? .infinity) - start, 0)
        for word in own.texts[0].timedWords.indices {
            own.texts[0].timedWords[word].start -= start
            own.texts[0].timedWords[word].end -= start
        }
        own.choreography.timing.cycle = CycleLength()
        return own
    }
}
