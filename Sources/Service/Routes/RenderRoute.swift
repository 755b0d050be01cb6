import Encoders
import HTTP
import Motion
import Rendering

/// Answers `/render` and `/r/…`: at once where nothing has to be rendered, else from a render
/// thread, where all who ask for the same meanwhile share one rendering.
final class RenderRoute: Sendable {
    /// Somebody who waits for a rendering.
    private struct Passenger: Sendable {
        let asked: AskedRendering
        let reply: Reply
    }

    private enum Outcome {
        case finished(Rendering)
        case begun(SharedFile, location: String, duration: String)
    }

    private let pipeline: RenderPipeline
    private let settings: ServiceSettings
    private let pool: RenderPool
    private let answers: RenderingAnswers
    private let cache: RenderCache
    private let metrics: Metrics
    private let drain: DrainSignal
    private let flights = Flights<Passenger>()
    private let files = LiveFiles()
    private let memo: RequestMemo
    private let budget: StreamBudget
    private let fonts: CurrentFonts

    init(
        _ settings: ServiceSettings, _ fonts: CurrentFonts, _ pool: RenderPool,
        _ cache: RenderCache, _ metrics: Metrics, _ drain: DrainSignal
    ) throws(LibraryFault) {
        pipeline = RenderPipeline(limits: settings.limits)
        self.settings = settings
        self.pool = pool
        self.cache = cache
        self.metrics = metrics
        self.drain = drain
        self.fonts = fonts
        memo = RequestMemo(cacheCapacity: settings.cacheBytes)
        budget = StreamBudget(capacity: settings.streamBytes)
        answers = try RenderingAnswers(settings)
    }

    func answer(_ source: AskedRendering.Source, _ reply: Reply) {
        let asked: AskedRendering
        let fonts = fonts.current
        do throws(Problem) {
            asked = try memo.asked(reply.request, fonts: fonts) { () throws(Problem) in
                try AskedRendering(reply.request, source, settings, fonts: fonts)
            }
        } catch {
            return reply.fail(error)
        }
        if let response = answers.notModified(asked, for: reply.request) {
            return reply.send(response)
        }
        if let response = response(atOnce: asked) { return reply.send(response, cache: "hit") }
        let deadline = RenderDeadline(settings.renderDeadline, now: settings.clock.monotonic)
        if reply.request.method == .head, asked.format is any StreamedFormat.Type {
            return answerHead(asked, reply, deadline)
        }
        guard flights.board(Passenger(asked: asked, reply: reply), for: asked.key) else { return }
        let isQueued = pool.submit { [self] worker in render(asked, deadline, on: worker) }
        if !isQueued { refuse(asked.key) }
    }

    /// Answers those for whom no render thread is free.
    private func refuse(_ key: RenderKey) {
        let kept = cache.peek(key)
        for passenger in flights.land(key) {
            if let kept {
                // It was to be compressed.
                passenger.reply.send(answers.plain(passenger.asked, kept), cache: "hit")
            } else {
                passenger.reply.fail(drain.isDraining ? .draining : .busy)
            }
        }
    }

    /// The answer where the rendering is kept or on its way.
    private func response(atOnce asked: AskedRendering) -> Response? {
        if let rendering = cache.rendering(for: asked.key) {
            guard asked.wantsGzip else {
                return answers.response(asked, rendering, gzip: nil)
            }
            // The first compression is a render thread's.
            return rendering.gzip.map { answers.response(asked, rendering, gzip: $0) }
        }
        return files.file(for: asked.key).flatMap { live in
            live.file.reader().map {
                answers.response(asked, $0, location: live.location, duration: live.duration)
            }
        }
    }

    // MARK: On render threads

    /// What a file holds of each pixel while it is made, at most: ink, and what is shown.
    private static var bytesPerPixel: Double { 12 }

    private func render(
        _ asked: AskedRendering, _ deadline: RenderDeadline, on worker: RenderWorker
    ) {
        let key = asked.key
        if flights.cancel(key, unless: { !$0.reply.isAbandoned }) { return }
        if let rendering = cache.peek(key) {
            return land(.finished(rendering), key, cache: "hit", on: worker)
        }
        do throws(RenderingError) {
            let start = settings.clock.monotonic()
            let outcome = try worker.attempt { () throws(RenderingError) -> Outcome in
                try self.outcome(of: asked, deadline, on: worker)
            }
            metrics.rendered(asked.format.name, nanoseconds: settings.clock.monotonic() - start)
            land(outcome, key, cache: "miss", on: worker)
        } catch {
            for passenger in flights.land(key) { passenger.reply.fail(Problem(error)) }
        }
    }

    private func land(
        _ outcome: Outcome, _ key: RenderKey, cache word: String, on worker: RenderWorker
    ) {
        switch outcome {
        case .finished(let rendering):
            cache.keep(rendering, for: key)
            let passengers = flights.land(key)
            for passenger in passengers {
                let asked = passenger.asked
                let gzip = asked.wantsGzip ? rendering.gzip(worker.gzip) : nil
                passenger.reply.send(
                    answers.response(asked, rendering, gzip: gzip), cache: word)
            }
            // With what was compressed.
            if passengers.contains(where: \.asked.wantsGzip) { cache.keep(rendering, for: key) }
        case .begun(let file, let location, let duration):
            for passenger in flights.land(key) {
                guard let reader = file.reader() else {
                    passenger.reply.fail(.busy)
                    continue
                }
                passenger.reply.send(
                    answers.response(
                        passenger.asked, reader, location: location, duration: duration),
                    cache: word)
            }
        }
    }

    private func outcome(
        of asked: AskedRendering, _ deadline: RenderDeadline, on worker: RenderWorker
    ) throws(RenderingError) -> Outcome {
        let scene = try scene(of: asked, deadline, on: worker)
        let duration = NumberText.of(scene.duration.seconds)
        let location = answers.location(of: asked)
        guard let format = asked.format as? any StreamedFormat.Type else {
            let bytes = try pipeline.bytes(
                of: scene, as: asked.format, asked.request.output, on: worker)
            return .finished(Rendering(bytes: bytes, duration: duration, location: location))
        }
        let makeMaker = {
            @Sendable [pipeline, budget] (skipped: Int) throws(RenderingError) -> FileMaker in
            let bytes = Self.bytesPerPixel * pipeline.pixels(of: scene, asked.request.output)
            guard let share = budget.take(Int(bytes)) else { throw .streamMemoryFull }
            let file = try pipeline.file(of: scene, as: format, asked.request.output)
            return FileMaker(file, deadline, share, skipping: skipped)
        }
        let maker = try makeMaker(0)
        let (first, isWhole) = try maker.makePiece(on: worker)
        if isWhole {
            return .finished(Rendering(bytes: first, duration: duration, location: location))
        }
        let key = asked.key
        let file = SharedFile(
            first: first, maker, pool, keptBytes: cache.largestEntry,
            remake: { skipped in try? makeMaker(skipped) },
            onEnd: { [files, cache] bytes in
                files.remove(key)
                guard let bytes else { return }
                cache.keep(
                    Rendering(bytes: bytes, duration: duration, location: location), for: key)
            })
        files.insert(LiveFiles.Live(file: file, location: location, duration: duration), for: key)
        return .begun(file, location: location, duration: duration)
    }

    private func scene(
        of asked: AskedRendering, _ deadline: RenderDeadline, on worker: RenderWorker
    ) throws(RenderingError) -> Scene {
        guard !deadline.isOver else { throw .deadline }
        worker.use(asked.fonts.catalog)
        let scene = try pipeline.scene(of: asked.request, on: worker)
        guard !deadline.isOver else { throw .deadline }
        return scene
    }

    /// Nobody waits for a length that takes the whole rendering to know.
    private func answerHead(
        _ asked: AskedRendering, _ reply: Reply, _ deadline: RenderDeadline
    ) {
        let isQueued = pool.submit { [self] worker in
            do throws(RenderingError) {
                let scene = try worker.attempt { () throws(RenderingError) -> Scene in
                    try self.scene(of: asked, deadline, on: worker)
                }
                if let format = asked.format as? any StreamedFormat.Type {
                    _ = try pipeline.file(of: scene, as: format, asked.request.output)
                }
                reply.send(
                    answers.response(
                        asked, NoContent(), location: answers.location(of: asked),
                        duration: NumberText.of(scene.duration.seconds)))
            } catch {
                reply.fail(Problem(error))
            }
        }
        if !isQueued { reply.fail(drain.isDraining ? .draining : .busy) }
    }
}

/// Content of which only the absence of a length is wanted.
private final class NoContent: BodySource {
    func nextPiece(_ deliver: @escaping @Sendable (BodyPiece) -> Void) { deliver(.end) }
    func cancel() {}
}
