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
    /// The request of the whole, with its duration.
    private let request: RenderRequest
    /// Where each text stands that is seen with others.
    private let places: [Int: StackPlace]
    private let identity: String

    /// Divides a request; nil for one whose texts depend on others at other times, or have none.
    ///
    /// - Parameters:
    ///   - request: A request of texts at times.
    ///   - rate: The frames of a second.
    ///   - schema: The parameters of requests.
    ///   - worker: A worker of the calling thread.
    /// - Throws: The reason why its texts cannot be drawn.
    package init?(
        of request: RenderRequest, at rate: FrameRate, schema: RequestSchema,
        on worker: RenderWorker
    ) throws(RenderingError) {
        guard request.isDivisible else { return nil }
        let pipeline = RenderPipeline(limits: FilmRenderer.limits, schema: schema)
        let film = try Film(of: request, pipeline, worker, needsEnds: true)
        self.request = film.request
        identity = Digest(request.identity).text
        var places: [Int: StackPlace] = [:]
        for part in film.parts where part.texts.count > 1 {
            let layout = try worker.attempt { () throws(RenderingError) in
                try pipeline.layout(of: Array(request.texts[part.texts]), request.canvas, worker)
            }
            for (text, place) in zip(part.texts, layout.stackPlaces) { places[text] = place }
        }
        self.places = places
        clips = request.texts.indices.compactMap { text in
            let start = request.choreography.blocks[text].time?.start ?? 0
            let first = rate.firstFrame(from: Instant(seconds: start))
            let end = rate.firstFrame(from: film.ends[text])
            guard first < end else { return nil }
            return Clip(text: text, title: request.texts[text].text.spelled, frames: first..<end)
        }.sorted { ($0.frames.lowerBound, $0.text) < ($1.frames.lowerBound, $1.text) }
        unseen = request.texts.count - clips.count
    }

    /// Returns the request of a clip whose frames are numbered as those of the film: a video has some of them.
    package func film(of clip: Clip) -> RenderRequest {
        // Names in pages depend on it. That of the whole, again for each clip, would take time.
        let canonical = "\(identity) \(clip.text)"
        var own = request.part(clip.text..<clip.text + 1, canonical: canonical)
        own.texts[0].stackPlace = places[clip.text]
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
