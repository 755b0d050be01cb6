import Encoders
import Motion
package import Raster
import Supervision
import Synchronization
package import Typesetting

/// Renders requests on its own threads and keeps the results.
///
/// Concurrent requests for the same rendering share it.
package final class Renderer: Sendable {
    /// The revision of the drawing.
    ///
    /// It is raised when a request that was valid gets other bytes, once a release (docs/release.md).
    package static let revision: UInt16 = 4

    package let settings: RenderingSettings
    package let glyphs: SharedGlyphCache
    /// The memory that all that is rendered and kept is taken from.
    package let budget: MemoryBudget
    private let memory: MemoryWatch
    private let store: Mutex<RenderingStore>
    private let pool: RenderPool
    /// The threads that videos are rendered on, which wait for ffmpeg; nil where there are none.
    private let videoPool: RenderPool?
    private let pipeline: RenderPipeline
    private let reading: CurrentFonts
    private let permalinks: Mutex<Deflater>
    private let health = RenderHealth()
    /// True while a sample is rendered.
    private let isTrying = Atomic(false)
    /// True once no work may go on.
    private let isEnding = Atomic(false)
    private let now: @Sendable () -> Int64
    private let didRender: @Sendable (_ format: String, _ nanoseconds: Int64) -> Void

    /// - Parameters:
    ///   - settings: The settings of renderings.
    ///   - catalog: The fonts that are installed.
    ///   - now: Returns the nanoseconds of a monotonic clock.
    ///   - didRender: Called after each rendering, or the beginning of a stream, with the time that it
    ///     took on a render thread.
    /// - Throws: The fault that keeps it from rendering.
    package init(
        _ settings: RenderingSettings, catalog: FontCatalog,
        now: @escaping @Sendable () -> Int64,
        didRender: @escaping @Sendable (_ format: String, _ nanoseconds: Int64) -> Void
    ) throws(LibraryFault) {
        let settings = settings.withVideoMemory
        self.settings = settings
        self.now = now
        self.didRender = didRender
        let (seconds, attoseconds) = settings.deadline.components
        budget = MemoryBudget(capacity: settings.memoryBytes)
        memory = MemoryWatch(budget, expectedBytes: settings.programBytes)
        budget.set(.connections, to: settings.connectionBytes)
        store = Mutex(
            RenderingStore(
                RenderingStore.Limits(
                    keptBytes: settings.cacheBytes, streamBytes: settings.streamBytes,
                    budget: budget,
                    duration: seconds * 1_000_000_000 + attoseconds / 1_000_000_000)))
        pipeline = RenderPipeline(limits: settings.limits, schema: settings.schema)
        permalinks = Mutex(try Deflater(.permalink))
        reading = CurrentFonts(FontReading(catalog))
        glyphs = SharedGlyphCache(capacity: settings.glyphCacheBytes, budget: budget)
        let makeWorker = {
            @Sendable [glyphs, health, memory, reading] () throws(LibraryFault) in
            let worker = try RenderWorker(
                catalog: reading.value.catalog, cache: glyphs, health: health,
                memory: memory, restingFonts: settings.restingFonts)
            worker.slot = settings.journal?.takeSlot()
            return worker
        }
        let rest = { @Sendable [glyphs] in glyphs.rest() }
        pool = try RenderPool(
            workers: settings.workers, queueLength: settings.queueLength, makeWorker: makeWorker,
            rest: rest)
        guard settings.videoThreads > 0 else {
            videoPool = nil
            return
        }
        videoPool = try RenderPool(
            workers: settings.videoThreads, maximumSpareThreads: 0,
            queueLength: settings.queueLength, makeWorker: makeWorker, rest: rest)
    }

    private func pool(for request: ResolvedRequest) -> RenderPool {
        request.formatType.isVideo ? videoPool ?? pool : pool
    }

    /// Ends all work and the render threads.
    ///
    /// - Returns: False if some threads have not ended in time.
    @discardableResult
    package func stop(within duration: Duration = .seconds(2)) -> Bool {
        isEnding.store(true, ordering: .relaxed)
        // Both end at the same time.
        let hasVideoEnded = videoPool?.stop(within: duration) ?? true
        return pool.stop(within: duration) && hasVideoEnded
    }

    // MARK: Fonts

    /// The reading of the fonts that new requests are to be rendered with; a request that was begun
    /// with an older reading keeps it.
    package var fonts: FontReading { reading.value }

    /// Tries fonts, which takes a while.
    ///
    /// - Returns: The reading, to be used by `use(_:)`.
    /// - Throws: The fault of the fonts, which a sample shows.
    package func tried(_ catalog: FontCatalog) throws(LibraryFault) -> FontReading {
        _ = try RenderWorker(catalog: catalog, cache: glyphs, health: health)
        return FontReading(catalog)
    }

    /// Renders with other fonts from now on, and removes all kept renderings.
    package func use(_ fonts: FontReading) {
        reading.value = fonts
        carryOut(store.withLock { $0.removeAll() })
    }

    // MARK: Observation

    package var metrics: StoreMetrics { store.withLock { $0.metrics } }

    /// Bytes that streams hold, or have reserved.
    var streamBytes: Int { store.withLock { $0.streamBytes } }

    /// Renderings that wait for a render thread.
    package var waiting: Int { pool.waiting + (videoPool?.waiting ?? 0) }

    /// The times for which renderings have waited for a render thread.
    package var waits: Histogram { pool.waits }

    /// Takes and releases the locks that requests need; does not return while one is held for good.
    package func visitLocks() { _ = (waiting, streamBytes) }

    /// The faults of each library that has failed, or can, in a fixed order.
    package var faultCounts: [(library: String, count: Int)] { health.counts }

    /// The reasons why renderings fail; empty if the last one succeeded.
    package var failures: [String] { health.reasons }

    /// Renders a sample, unless one is being rendered; if it succeeds, `failures` are cleared.
    package func trySample() {
        let isFree = isTrying.compareExchange(
            expected: false, desired: true, ordering: .acquiringAndReleasing
        ).exchanged
        guard isFree else { return }
        let end: @Sendable () -> Void = { [self] in isTrying.store(false, ordering: .releasing) }
        let outcome = pool.submit(
            RenderJob(for: .anonymous, refuse: end) { [self] worker in
                defer { end() }
                worker.use(fonts.catalog)
                _ = try? worker.attempt { () throws(RenderingError) in
                    try RenderingError.catching(worker.warmUp)
                }
            })
        if outcome != .taken { end() }
    }

    // MARK: Requests

    /// Returns the path that always means the same as a request: its own, or its permalink's.
    package func location(of request: ResolvedRequest) -> String {
        permalinks.withLock { deflater in
            Permalink.location(of: request.request, as: request.formatType, deflater)
        }
    }

    /// Delivers the rendering of a request, which is kept or made.
    package func render(
        _ request: ResolvedRequest, wantsGzip: Bool, for receiver: any RenderingReceiver
    ) {
        deliver(wantsGzip ? .gzip : .plain, of: request, to: receiver)
    }

    /// Delivers a rendering whose content is not read (HEAD); the content of a stream is not made.
    ///
    /// The length would take the whole rendering to know, so it stays unknown.
    package func describe(
        _ request: ResolvedRequest, wantsGzip: Bool, for receiver: any RenderingReceiver
    ) {
        deliver(
            request.isStreamed ? .head : wantsGzip ? .gzip : .plain, of: request, to: receiver)
    }

    /// Delivers the head of a rendering, none of whose content is made.
    package func examine(_ request: ResolvedRequest, for receiver: any RenderingReceiver) {
        deliver(.head, of: request, to: receiver)
    }

    private func deliver(
        _ part: RenderedPart, of request: ResolvedRequest, to receiver: any RenderingReceiver
    ) {
        let step = store.withLock { store in
            store.request(request.key, for: receiver, of: receiver.client, part, now: now())
        }
        switch step {
        case .deliver(let delivery): receiver.receive(result(of: delivery, isCached: true))
        case .wait: break
        case .enqueue(let client, let isLong): enqueue(request, for: client, isLong: isLong)
        }
    }

    /// Asks for a render thread; `isLong` where a spare one has left the rendering.
    private func enqueue(
        _ request: ResolvedRequest, for client: ClientID, isLong: Bool
    ) {
        let key = request.key
        let refuse: @Sendable (RenderingError) -> Void = { [self] error in
            carryOut(store.withLock { $0.refuse(key, to: client, with: error) }, of: request)
        }
        let job = RenderJob(
            for: client, isLong: isLong, canBeLeft: true,
            isNeeded: { [self] in store.withLock { $0.isQueued(key) } },
            refuse: { refuse(.queueShare) }
        ) { [self] worker in
            render(request, isLong: isLong, on: worker)
        }
        guard !isLong else {
            if !pool(for: request).resume(job) { refuse(.stopped) }
            return
        }
        switch pool(for: request).submit(job) {
        case .taken, .takenWithoutThread: break
        case .full: refuse(.queueFull)
        case .overShare: refuse(.queueShare)
        case .closed: refuse(.stopped)
        }
    }

    // MARK: On render threads

    private func render(_ request: ResolvedRequest, isLong: Bool, on worker: RenderWorker) {
        let key = request.key
        memory.look(now: now())
        let (step, effects) = store.withLock { $0.begin(key, isLong: isLong, now: now()) }
        carryOut(effects, of: request)
        switch step {
        case .nothing: break
        case .compress(let file): compress(file, request, on: worker)
        case .render:
            let start = now()
            let isWanted = { [self] (now: Int64) in
                !isEnding.load(ordering: .relaxed) && !worker.hasToYield
                    && store.withLock { $0.isWanted(key, now: now) }
            }
            do throws(RenderingError) {
                try worker.attempt(at: key, while: isWanted, now) { () throws(RenderingError) in
                    try render(request, since: start, on: worker)
                }
            } catch {
                carryOut(store.withLock { $0.fail(key, with: error, now: now()) }, of: request)
            }
        }
    }

    private func render(
        _ request: ResolvedRequest, since start: Int64, on worker: RenderWorker
    ) throws(RenderingError) {
        let scene = try scene(of: request, on: worker)
        let price = try pipeline.price(of: scene, as: request.format, on: worker)
        let head = RenderedHead(
            width: scene.width, height: scene.height,
            duration: scene.duration.seconds, warnings: request.format.warnings(of: scene),
            price: price, location: location(of: request))
        guard let format = request.format.streamed else {
            return try renderWhole(request, scene, price, head, since: start, on: worker)
        }
        let source = StreamSource { [pipeline] worker throws(RenderingError) in
            try pipeline.file(of: scene, as: format, on: worker)
        }
        // To begin may mean to paint some frames.
        guard !deliverHead(head, of: request) else { return }
        try reserve(
            format.memory(of: scene) + RenderingMemory.estimate(of: scene), for: request)
        let producer = StreamProducer(try source.begin(worker))
        let (first, isWhole) = try producer.nextPiece(worker.context)
        if isWhole {
            return finish(
                request, with: RenderedFile(head: head, bytes: first), since: start, on: worker)
        }
        startStream(request, from: source, producer, first: first, head, since: start)
    }

    /// Delivers the head to the waiters that want nothing else.
    ///
    /// - Returns: True if nobody waits for more.
    private func deliverHead(_ head: RenderedHead, of request: ResolvedRequest) -> Bool {
        let (effects, isOver) = store.withLock { $0.finishHead(request.key, head) }
        carryOut(effects, of: request)
        return isOver
    }

    /// Reserves the memory that a rendering needs; caches, and streams of clients that hold more than
    /// their share, make room for it.
    ///
    /// - Throws: The limit that was met, if there is no room.
    private func reserve(
        _ bytes: Int, for request: ResolvedRequest
    ) throws(RenderingError) {
        guard bytes > 0 else { return }
        let key = request.key
        func attempt() -> Bool {
            let (isReserved, effects) = store.withLock { $0.reserve(bytes, for: key) }
            carryOut(effects, of: request)
            return isReserved
        }
        if attempt() { return }
        glyphs.shrink(by: bytes)
        if attempt() { return }
        carryOut(store.withLock { $0.cutExcess(for: bytes, of: key) }, of: request)
        if attempt() { return }
        throw budget.hasRoom(for: bytes) ? .streamMemoryFull : .memoryFull
    }

    /// The lengths from which a text and a video are sent in pieces.
    private static let (longText, longVideo) = (1 << 20, 8 << 20)

    /// Encodes a file that is not streamed; a long one waits for its clients in counted pieces.
    private func renderWhole(
        _ request: ResolvedRequest, _ scene: Scene, _ price: Price, _ head: RenderedHead,
        since start: Int64, on worker: RenderWorker
    ) throws(RenderingError) {
        let key = request.key
        guard !deliverHead(head, of: request) else { return }
        try reserve(
            RenderingMemory.estimate(of: scene, for: request, price, settings.limits)
                + RenderingMemory.estimate(of: scene),
            for: request)
        let whole = try pipeline.wholeFile(of: scene, as: request.format, on: worker)
        let bytes = whole.bytes
        var head = head
        head.fitted = whole.fitted
        let file = RenderedFile(head: head, bytes: bytes)
        let isVideo = request.formatType.isVideo
        let isLong =
            request.formatType.isText && bytes.count > Self.longText
            || isVideo && bytes.count > Self.longVideo
        guard isLong else { return finish(request, with: file, since: start, on: worker) }
        store.withLock { $0.releaseReservation(for: key) }
        try reserve(bytes.count, for: request)
        // A text is written again where it is needed again, rather than kept.
        let kept = isVideo ? bytes : nil
        let source = StreamSource { [self] worker throws(RenderingError) in
            if let kept { return StreamedFile(kept, pieceLength: StreamProducer.pieceBytes) }
            let scene = try self.scene(of: request, on: worker)
            let whole = try pipeline.wholeFile(of: scene, as: request.format, on: worker)
            return StreamedFile(whole.bytes, pieceLength: StreamProducer.pieceBytes)
        }
        let producer = StreamProducer(
            StreamedFile(bytes, pieceLength: StreamProducer.pieceBytes))
        let (first, _) = try producer.nextPiece(worker.context)
        startStream(request, from: source, producer, first: first, head, since: start)
    }

    /// Begins to hand out a file whose first piece is made.
    private func startStream(
        _ request: ResolvedRequest, from source: StreamSource, _ producer: StreamProducer,
        first: [UInt8], _ head: RenderedHead, since start: Int64
    ) {
        didRender(request.formatType.name, now() - start)
        carryOut(
            store.withLock { store in
                store.start(
                    request.key, from: source, producer, first: first, head: head, now: now())
            }, of: request)
    }

    private func finish(
        _ request: ResolvedRequest, with file: RenderedFile, since start: Int64,
        on worker: RenderWorker
    ) {
        didRender(request.formatType.name, now() - start)
        let (effects, isToBeCompressed) = store.withLock { $0.finish(request.key, with: file) }
        carryOut(effects, of: request)
        if isToBeCompressed { compress(file, request, on: worker) }
    }

    private func compress(
        _ file: RenderedFile, _ request: ResolvedRequest, on worker: RenderWorker
    ) {
        var file = file
        file.gzip = worker.gzip.deflated(file.bytes)
        carryOut(
            store.withLock { $0.finishCompression(request.key, with: file) }, of: request)
    }

    private func scene(
        of request: ResolvedRequest, on worker: RenderWorker
    ) throws(RenderingError) -> Scene {
        worker.use(request.fonts.catalog)
        return try pipeline.scene(of: request.request, on: worker)
    }

    // MARK: Streams

    private func nextPiece(
        for reader: RenderingStore.ReaderID, _ handler: @escaping RenderingStore.PieceHandler
    ) {
        let (step, effects) = store.withLock { store in
            store.nextPiece(for: reader, now: now(), handler)
        }
        carryOut(effects)
        switch step {
        case .deliver(let piece): handler(piece)
        case .wait: break
        case .enqueue(let stream, let client): enqueuePiece(of: stream, for: client)
        }
    }

    private func enqueuePiece(of stream: RenderingStore.StreamID, for client: ClientID) {
        let refuse: @Sendable () -> Void = { [self] in
            carryOut(store.withLock { $0.failPiece(of: stream, with: .stopped, now: now()) })
        }
        let job = RenderJob(for: client, refuse: refuse) { [self] worker in
            makePiece(of: stream, on: worker)
        }
        if !pool.resume(job) { refuse() }
    }

    private func makePiece(of stream: RenderingStore.StreamID, on worker: RenderWorker) {
        let start = now()
        let (work, effects) = store.withLock { $0.beginPiece(of: stream, now: start) }
        carryOut(effects)
        guard let work else { return }
        let isWanted = { [self] (now: Int64) in
            !isEnding.load(ordering: .relaxed)
                && store.withLock { $0.isWanted(stream, now: now) }
        }
        do throws(RenderingError) {
            let (producer, bytes, isLast) = try worker.attempt(
                at: work.key, while: isWanted, now
            ) {
                () throws(RenderingError) in
                let producer = try StreamProducer.resumed(work, on: worker)
                let (bytes, isLast) = try producer.nextPiece(
                    worker.context, until: { worker.hasToYield })
                return (producer, bytes, isLast)
            }
            carryOut(
                store.withLock { store in
                    store.finishPiece(of: stream, producer, bytes, isLast: isLast, now: now())
                })
        } catch {
            carryOut(store.withLock { $0.failPiece(of: stream, with: error, now: now()) })
        }
    }

    // MARK: Effects

    /// Carries out the effects of a transition, for the rendering of a request or for a stream.
    private func carryOut(_ effects: RenderingStore.Effects, of request: ResolvedRequest? = nil) {
        if let (stream, pieces, head) = effects.joining {
            var bytes: [UInt8] = []
            bytes.reserveCapacity(pieces.reduce(0) { $0 + $1.count })
            for piece in pieces { bytes += piece }
            let file = RenderedFile(head: head, bytes: bytes)
            carryOut(store.withLock { $0.keep(stream, as: file) })
        }
        for (waiter, delivery) in effects.deliveries {
            waiter.receiver.receive(result(of: delivery, isCached: effects.isCached))
        }
        for (handler, piece) in effects.pieces { handler(piece) }
        if let request {
            for client in effects.repeated { enqueue(request, for: client, isLong: true) }
        }
        if let (stream, client) = effects.repeatedPiece { enqueuePiece(of: stream, for: client) }
    }

    private func result(
        of delivery: RenderingStore.Delivery, isCached: Bool
    ) -> Result<RenderedOutput, RenderingError> {
        switch delivery {
        case .failure(let error): return .failure(error)
        case .head(let head):
            return .success(
                RenderedOutput(content: .omitted, head: head, isCached: isCached ? true : nil))
        case .file(let file, let isGzip):
            let content =
                (isGzip ? file.gzip.map(RenderedOutput.Content.gzip) : nil) ?? .plain(file.bytes)
            return .success(
                RenderedOutput(content: content, head: file.head, isCached: isCached))
        case .stream(let reader, let head):
            let stream = RenderedStream(
                next: { [self] handler in nextPiece(for: reader, handler) },
                leave: { [self] in carryOut(store.withLock { $0.leave(reader) }) })
            return .success(
                RenderedOutput(content: .stream(stream), head: head, isCached: isCached))
        }
    }
}
