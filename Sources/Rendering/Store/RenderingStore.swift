/// Counters and sizes of the renderings that are kept.
package struct StoreMetrics: Equatable, Sendable {
    /// Requests that found a kept rendering.
    package var hits = 0
    /// Requests that found none.
    package var misses = 0
    /// Renderings that were evicted.
    package var evictions = 0
    /// Renderings that are kept.
    package var entries = 0
    /// Bytes that they take.
    package var bytes = 0
}

/// All renderings that are being made or kept, as a state machine without locks, threads or clocks.
///
/// Under its key a rendering is in one state at a time:
///
/// | state | has | ends with |
/// |---|---|---|
/// | queued | its waiters | `begin` |
/// | rendering | its waiters | `finish`, `start`, `fail` |
/// | compressing | the plain file, waiters for its gzip variant | `finishCompression` |
/// | streaming | the pieces made so far, its readers | `finishPiece`, `failPiece`, `leave` |
/// | kept | the file | eviction |
///
/// A kept file stays kept while it is compressed. A stream that is too long to be kept, or whose
/// producer ran out of time, leaves its key: later requests make the rendering again. Its readers
/// follow it to the end of the pieces that are held, then each has a stream of its own.
///
/// A caller makes a transition under a lock and carries out what it returns outside of the lock. Of
/// the receivers' code only `RenderingReceiver.isAbandoned` runs under the lock.
struct RenderingStore: Sendable {
    struct Limits: Sendable {
        /// Bytes of all kept renderings together; 0 keeps none.
        var keptBytes: Int
        /// Bytes that streams may hold together: what their producers need, and their pieces.
        var streamBytes: Int
        /// Nanoseconds that render threads may spend on one request.
        var duration: Int64

        /// The largest rendering that is kept, in bytes: a few must not push out all others.
        var largestEntry: Int { keptBytes / 8 }
    }

    /// A receiver that waits for a rendering.
    struct Waiter: Sendable {
        let receiver: any RenderingReceiver
        let wantsGzip: Bool
        /// The instant, in nanoseconds of the clock, until which render threads may work for it.
        let deadline: Int64
    }

    struct StreamID: Hashable, Sendable {
        fileprivate let number: Int
    }

    struct ReaderID: Hashable, Sendable {
        fileprivate let number: Int
    }

    /// The result that a waiter gets.
    enum Delivery: Sendable {
        case file(RenderedFile, isGzip: Bool)
        case stream(ReaderID, RenderedHead)
        case failure(RenderingError)
    }

    /// Takes one piece of a stream.
    typealias PieceHandler = @Sendable (RenderedPiece) -> Void

    /// The work that a transition leaves to be done outside of the lock, in this order.
    struct Effects: Sendable {
        /// True if the files that are delivered were kept before they were requested.
        var isCached = false
        /// A complete stream that is to be kept: its pieces are joined and passed to `keep` before the
        /// last piece is delivered.
        var joining: (stream: StreamID, pieces: [[UInt8]], head: RenderedHead)?
        var deliveries: [(waiter: Waiter, delivery: Delivery)] = []
        var pieces: [(handler: PieceHandler, piece: RenderedPiece)] = []
        /// Values that are released, so that they are not freed under the lock.
        fileprivate var released: [any Sendable] = []
    }

    /// A rendering that is not finished.
    private struct Making: Sendable {
        enum Stage: Sendable {
            case queued
            /// Being rendered since an instant of the clock.
            case rendering(Int64)
            case compressing(RenderedFile)
            case streaming(StreamID)
        }

        var stage: Stage
        var waiters: [Waiter] = []
        /// True if a file that was kept is to be compressed.
        var isCached = false
        /// Bytes of the streams' memory that are reserved for it.
        var reserved = 0
    }

    private struct Stream: Sendable {
        enum Stage: Equatable, Sendable {
            /// All requests for the rendering read it.
            case shared
            /// Only one reader, or none, gets the pieces that are made from now on.
            case exclusive(ReaderID?)
            /// All pieces were made.
            case whole
            case failed
        }

        let key: RenderKey
        let head: RenderedHead
        let source: StreamSource
        /// Bytes of memory that a producer needs.
        let producerBytes: Int
        /// Bytes that are reserved for the producer, as long as there is one.
        var reserved: Int
        var stage: Stage
        /// Nil while a thread makes a piece, and before the first.
        var producer: StreamProducer?
        /// Bytes of the file that the producer skips when it begins.
        var skippedBytes = 0
        /// Pieces from the file's beginning; empty if no reader needs them any more.
        var pieces: [[UInt8]] = []
        var heldBytes = 0
        var readers: Set<ReaderID> = []
        /// The readers that wait for the piece that is being made, in the order of their requests.
        var waiting: [ReaderID] = []
        /// True from the request for a piece to its arrival, and while the pieces are joined.
        var isBusy = false
        /// The instant at which a thread began with the present piece.
        var begun: Int64 = 0
    }

    private struct Reader: Sendable {
        var stream: StreamID
        /// The index of the next of the pieces that are held.
        var index = 0
        /// Bytes that were delivered to it.
        var offset = 0
        /// True if the last piece was delivered to it.
        var isAtEnd = false
        /// Nanoseconds that render threads may still work for it.
        var timeLeft: Int64
        /// The handler of the piece that it waits for.
        var handler: PieceHandler?
        /// The instant since which it waits.
        var waitingSince: Int64 = 0
    }

    let limits: Limits
    private var makings: [RenderKey: Making] = [:]
    private var kept = LeastRecentlyUsed<RenderKey, RenderedFile>()
    private var streams: [StreamID: Stream] = [:]
    private var readers: [ReaderID: Reader] = [:]
    private var lastNumber = 0
    private var counters = StoreMetrics()
    /// Bytes that streams hold, or have reserved.
    private(set) var streamBytes = 0

    init(_ limits: Limits) {
        self.limits = limits
    }

    var metrics: StoreMetrics {
        var metrics = counters
        metrics.entries = kept.count
        metrics.bytes = kept.cost
        return metrics
    }

    // MARK: Requests

    enum RequestStep: Sendable {
        /// The rendering is at hand.
        case deliver(Delivery)
        /// It is the first request: a job that calls `begin` is to be queued; if the queue is full,
        /// `refuse` follows.
        case enqueue
        /// The rendering was requested before.
        case wait
    }

    /// Requests a rendering.
    mutating func request(
        _ key: RenderKey, for receiver: any RenderingReceiver, wantsGzip: Bool,
        now: @autoclosure () -> Int64
    ) -> RequestStep {
        if let file = file(for: key) {
            if !wantsGzip || file.gzip != nil {
                return .deliver(.file(file, isGzip: wantsGzip))
            }
            if makings[key] == nil {
                makings[key] = Making(stage: .compressing(file), isCached: true)
            }
        } else {
            switch makings[key]?.stage {
            case .compressing(let file) where !wantsGzip:
                return .deliver(.file(file, isGzip: false))
            case .streaming(let stream):
                let head = streams[stream]?.head
                let reader = addReader(to: stream, timeLeft: limits.duration)
                if let head { return .deliver(.stream(reader, head)) }
            case nil: makings[key] = Making(stage: .queued)
            case .queued, .rendering, .compressing: break
            }
        }
        let waiter = Waiter(
            receiver: receiver, wantsGzip: wantsGzip, deadline: now() + limits.duration)
        makings[key]?.waiters.append(waiter)
        return makings[key]?.waiters.count == 1 ? .enqueue : .wait
    }

    /// Returns the head of a rendering; nil if it is neither kept nor being sent.
    mutating func head(of key: RenderKey) -> (head: RenderedHead, file: RenderedFile?)? {
        if let file = file(for: key) { return (file.head, file) }
        guard case .streaming(let stream)? = makings[key]?.stage else { return nil }
        return streams[stream].map { ($0.head, nil) }
    }

    private mutating func file(for key: RenderKey) -> RenderedFile? {
        let file = kept.use(key)
        if file == nil { counters.misses += 1 } else { counters.hits += 1 }
        return file
    }

    /// Ends the wait for a full queue; those who wait only for compression get the plain file.
    mutating func refuse(_ key: RenderKey, with error: RenderingError) -> Effects {
        guard let making = makings.removeValue(forKey: key) else { return Effects() }
        var effects = Effects()
        var delivery = Delivery.failure(error)
        if case .compressing(let file) = making.stage {
            delivery = .file(file, isGzip: false)
            effects.isCached = true
        }
        effects.deliveries = making.waiters.map { ($0, delivery) }
        return effects
    }

    // MARK: Rendering

    enum BeginStep: Sendable {
        /// It is not needed any more.
        case nothing
        /// It is to be rendered; `finish`, `start` or `fail` follows.
        case render
        /// It is to be compressed; `finishCompression` follows.
        case compress(RenderedFile)
    }

    /// Begins with a rendering on a render thread.
    mutating func begin(_ key: RenderKey, now: Int64) -> (BeginStep, Effects) {
        var effects = Effects()
        guard var making = makings.removeValue(forKey: key) else { return (.nothing, effects) }
        guard making.waiters.contains(where: { !$0.receiver.isAbandoned }) else {
            effects.released.append(making)
            return (.nothing, effects)
        }
        if case .compressing(let file) = making.stage {
            makings[key] = making
            return (.compress(file), effects)
        }
        let isLate = making.waiters.partition { $0.deadline <= now }
        for waiter in making.waiters[isLate...] {
            effects.deliveries.append((waiter, .failure(.deadline)))
        }
        making.waiters.removeSubrange(isLate...)
        guard !making.waiters.isEmpty else { return (.nothing, effects) }
        making.stage = .rendering(now)
        makings[key] = making
        return (.render, effects)
    }

    /// The deadline of a rendering: the latest of its waiters', but no later than one request's time
    /// after its beginning.
    func deadline(of key: RenderKey) -> Int64 {
        guard let making = makings[key], case .rendering(let start) = making.stage else {
            return .min
        }
        return min(
            making.waiters.reduce(.min) { max($0, $1.deadline) }, start + limits.duration)
    }

    /// Ends a rendering with an error.
    mutating func fail(_ key: RenderKey, with error: RenderingError) -> Effects {
        var effects = Effects()
        guard let making = makings.removeValue(forKey: key) else { return effects }
        streamBytes -= making.reserved
        effects.deliveries = making.waiters.map { ($0, .failure(error)) }
        return effects
    }

    /// Ends a rendering with the whole file.
    ///
    /// - Returns: The effects, and true if `finishCompression` has to follow.
    mutating func finish(_ key: RenderKey, with file: RenderedFile) -> (Effects, Bool) {
        var effects = Effects()
        guard let making = makings.removeValue(forKey: key) else {
            insert(file, for: key, &effects)
            return (effects, false)
        }
        streamBytes -= making.reserved
        var compressed: [Waiter] = []
        for waiter in making.waiters {
            if waiter.wantsGzip {
                compressed.append(waiter)
            } else {
                effects.deliveries.append((waiter, .file(file, isGzip: false)))
            }
        }
        guard !compressed.isEmpty else {
            insert(file, for: key, &effects)
            return (effects, false)
        }
        // It is kept with its gzip variant; until then others get it from here.
        makings[key] = Making(stage: .compressing(file), waiters: compressed)
        return (effects, true)
    }

    /// Ends the compression of a file.
    ///
    /// The file comes with its gzip variant.
    mutating func finishCompression(_ key: RenderKey, with file: RenderedFile) -> Effects {
        var effects = Effects()
        insert(file, for: key, &effects)
        guard let making = makings.removeValue(forKey: key) else { return effects }
        effects.isCached = making.isCached
        effects.deliveries = making.waiters.map { ($0, .file(file, isGzip: true)) }
        return effects
    }

    private mutating func insert(
        _ file: RenderedFile, for key: RenderKey, _ effects: inout Effects
    ) {
        let cost = file.cost + key.cost
        guard cost <= limits.largestEntry else { return }
        kept.insert(file, for: key, cost: cost)
        let removed = kept.shrink(to: limits.keptBytes)
        counters.evictions += removed.count
        effects.released += removed
    }

    /// Removes all kept renderings.
    mutating func removeAll() -> Effects {
        var effects = Effects()
        effects.released.append(kept)
        kept = LeastRecentlyUsed()
        return effects
    }

    // MARK: Streams

    /// Reserves the memory that a stream's producer needs.
    ///
    /// The first stream always succeeds, since its size has a limit of its own.
    ///
    /// - Returns: False if too little is left.
    mutating func reserve(_ bytes: Int, for key: RenderKey) -> Bool {
        guard makings[key] != nil, reserve(bytes) else { return false }
        makings[key]?.reserved += bytes
        return true
    }

    private mutating func reserve(_ bytes: Int) -> Bool {
        guard streamBytes == 0 || streamBytes + bytes <= limits.streamBytes else { return false }
        streamBytes += bytes
        return true
    }

    /// Ends a rendering with the first piece of a long file, which its waiters read from now on.
    mutating func start(
        _ key: RenderKey, from source: StreamSource, _ producer: StreamProducer, first: [UInt8],
        head: RenderedHead, now: Int64
    ) -> Effects {
        var effects = Effects()
        guard let making = makings.removeValue(forKey: key) else { return effects }
        let isAlone = streamBytes == making.reserved
        guard isAlone || streamBytes + first.count <= limits.streamBytes else {
            streamBytes -= making.reserved
            effects.deliveries = making.waiters.map { ($0, .failure(.streamMemoryFull)) }
            return effects
        }
        streamBytes += first.count
        let id = StreamID(number: nextNumber())
        streams[id] = Stream(
            key: key, head: head, source: source, producerBytes: making.reserved,
            reserved: making.reserved, stage: .shared, producer: producer, pieces: [first],
            heldBytes: first.count)
        makings[key] = Making(stage: .streaming(id))
        for waiter in making.waiters {
            let reader = addReader(to: id, timeLeft: waiter.deadline - now)
            effects.deliveries.append((waiter, .stream(reader, head)))
        }
        trim(id, &effects)
        return effects
    }

    private mutating func nextNumber() -> Int {
        lastNumber += 1
        return lastNumber
    }

    private mutating func addReader(to stream: StreamID, timeLeft: Int64) -> ReaderID {
        let id = ReaderID(number: nextNumber())
        readers[id] = Reader(stream: stream, timeLeft: timeLeft)
        streams[stream]?.readers.insert(id)
        return id
    }

    enum PieceStep: Sendable {
        case deliver(RenderedPiece)
        /// A job that calls `beginPiece` is to be queued; if that fails, `failPiece` follows.
        case enqueue(StreamID)
        case wait
    }

    /// Requests a reader's next piece.
    mutating func nextPiece(
        for id: ReaderID, now: @autoclosure () -> Int64, _ handler: @escaping PieceHandler
    ) -> (PieceStep, Effects) {
        var effects = Effects()
        guard let reader = readers[id], let stream = streams[reader.stream] else {
            return (.deliver(.end), effects)
        }
        if reader.isAtEnd {
            remove(id, &effects)
            return (.deliver(.end), effects)
        }
        if reader.index < stream.pieces.count {
            let piece = stream.pieces[reader.index]
            readers[id]?.index += 1
            readers[id]?.offset += piece.count
            trim(reader.stream, &effects)
            return (.deliver(.bytes(piece)), effects)
        }
        switch stream.stage {
        case .whole, .failed:
            remove(id, &effects)
            return (.deliver(stream.stage == .whole ? .end : .failed), effects)
        case .exclusive(let owner) where owner != id:
            guard let own = separate(id, from: stream, &effects) else {
                remove(id, &effects)
                return (.deliver(.failed), effects)
            }
            return (wait(for: own, reader: id, now: now(), handler: handler), effects)
        case .shared, .exclusive:
            return (wait(for: reader.stream, reader: id, now: now(), handler: handler), effects)
        }
    }

    private mutating func wait(
        for stream: StreamID, reader id: ReaderID, now: Int64, handler: @escaping PieceHandler
    ) -> PieceStep {
        readers[id]?.handler = handler
        readers[id]?.waitingSince = now
        streams[stream]?.waiting.append(id)
        guard streams[stream]?.isBusy == false else { return .wait }
        streams[stream]?.isBusy = true
        return .enqueue(stream)
    }

    /// Gives a reader a stream of its own from its position; returns nil if memory is short.
    private mutating func separate(
        _ id: ReaderID, from stream: Stream, _ effects: inout Effects
    ) -> StreamID? {
        guard let reader = readers[id], reserve(stream.producerBytes) else { return nil }
        let own = StreamID(number: nextNumber())
        streams[own] = Stream(
            key: stream.key, head: stream.head, source: stream.source,
            producerBytes: stream.producerBytes, reserved: stream.producerBytes,
            stage: .exclusive(id), skippedBytes: reader.offset, readers: [id])
        streams[reader.stream]?.readers.remove(id)
        readers[id]?.stream = own
        readers[id]?.index = 0
        trim(reader.stream, &effects)
        return own
    }

    /// The work for one piece of a stream.
    struct PieceWork: Sendable {
        let source: StreamSource
        /// The producer; nil if the file is to be begun.
        let producer: StreamProducer?
        /// Bytes of the file's beginning that are skipped.
        let skippedBytes: Int
    }

    /// Begins with a piece on a render thread; `finishPiece` or `failPiece` follows.
    ///
    /// - Returns: Nil if no reader waits for it, or none that waits has time left.
    mutating func beginPiece(of id: StreamID, now: Int64) -> (PieceWork?, Effects) {
        var effects = Effects()
        guard streams[id] != nil else { return (nil, effects) }
        streams[id]?.begun = now
        guard deadline(of: id) > now, let stream = streams[id] else {
            endWaiting(for: id, &effects)
            return (nil, effects)
        }
        streams[id]?.producer = nil
        let work = PieceWork(
            source: stream.source, producer: stream.producer, skippedBytes: stream.skippedBytes)
        return (work, effects)
    }

    /// Delivers `failed` to those who wait for a piece.
    private mutating func endWaiting(for id: StreamID, _ effects: inout Effects) {
        streams[id]?.isBusy = false
        for reader in streams[id]?.waiting ?? [] {
            if let handler = readers[reader]?.handler { effects.pieces.append((handler, .failed)) }
            remove(reader, &effects)
        }
        trim(id, &effects)
    }

    /// The deadline of the present piece of a stream, by the reader with the most time left.
    func deadline(of id: StreamID) -> Int64 {
        guard let stream = streams[id] else { return .min }
        return stream.waiting.reduce(.min) { latest, id in
            guard let reader = readers[id] else { return latest }
            return max(latest, max(stream.begun, reader.waitingSince) + reader.timeLeft)
        }
    }

    /// Ends the making of a piece.
    mutating func finishPiece(
        of id: StreamID, _ producer: StreamProducer, _ bytes: [UInt8], isLast: Bool, now: Int64
    ) -> Effects {
        var effects = Effects()
        guard var stream = streams[id] else { return effects }
        let waiting = stream.waiting
        stream.waiting = []
        stream.isBusy = false
        stream.producer = producer
        if stream.stage == .shared {
            let isHeld = streamBytes + bytes.count <= limits.streamBytes
            if isHeld {
                stream.pieces.append(bytes)
                stream.heldBytes += bytes.count
                streamBytes += bytes.count
            }
            if isHeld, isLast {
                stream.stage = .whole
                stream.isBusy = true
                effects.joining = (id, stream.pieces, stream.head)
            } else if !isHeld || stream.heldBytes > limits.largestEntry {
                // The first waiter continues the file.
                stream.stage = .exclusive(waiting.first)
                unlink(id, from: stream.key)
            }
        }
        if isLast { release(&stream, &effects) }
        let held = stream.pieces.count
        streams[id] = stream
        for reader in waiting {
            chargeTime(reader, since: stream.begun, now)
            guard let handler = readers[reader]?.handler else { continue }
            readers[reader]?.handler = nil
            readers[reader]?.index = held
            readers[reader]?.offset += bytes.count
            readers[reader]?.isAtEnd = isLast
            effects.pieces.append((handler, .bytes(bytes)))
        }
        trim(id, &effects)
        return effects
    }

    /// Releases the memory of a producer that is not needed any more.
    private mutating func release(_ stream: inout Stream, _ effects: inout Effects) {
        if let producer = stream.producer { effects.released.append(producer) }
        stream.producer = nil
        streamBytes -= stream.reserved
        stream.reserved = 0
    }

    private mutating func unlink(_ id: StreamID, from key: RenderKey) {
        if isLinked(id, to: key) { makings[key] = nil }
    }

    /// Returns true if requests for the rendering read a stream.
    private func isLinked(_ id: StreamID, to key: RenderKey) -> Bool {
        guard case .streaming(let stream)? = makings[key]?.stage else { return false }
        return stream == id
    }

    private mutating func chargeTime(_ id: ReaderID, since begun: Int64, _ now: Int64) {
        guard let reader = readers[id] else { return }
        readers[id]?.timeLeft -= now - max(begun, reader.waitingSince)
    }

    /// Ends the making of a piece with an error, which its waiters get.
    ///
    /// Other readers continue by themselves if only the waiters' time was over.
    mutating func failPiece(of id: StreamID, with error: RenderingError) -> Effects {
        var effects = Effects()
        guard var stream = streams[id] else { return effects }
        unlink(id, from: stream.key)
        let isForAll = stream.stage == .shared && error != .deadline
        stream.stage = isForAll ? .failed : .exclusive(nil)
        release(&stream, &effects)
        streams[id] = stream
        endWaiting(for: id, &effects)
        return effects
    }

    /// Keeps a complete stream as a file.
    mutating func keep(_ id: StreamID, as file: RenderedFile) -> Effects {
        var effects = Effects()
        guard let stream = streams[id] else { return effects }
        insert(file, for: stream.key, &effects)
        unlink(id, from: stream.key)
        streams[id]?.isBusy = false
        trim(id, &effects)
        return effects
    }

    /// Ends the reading of a stream before its end.
    mutating func leave(_ id: ReaderID) -> Effects {
        var effects = Effects()
        remove(id, &effects)
        return effects
    }

    private mutating func remove(_ id: ReaderID, _ effects: inout Effects) {
        guard let reader = readers.removeValue(forKey: id) else { return }
        effects.released.append(reader)
        streams[reader.stream]?.readers.remove(id)
        streams[reader.stream]?.waiting.removeAll { $0 == id }
        trim(reader.stream, &effects)
    }

    /// Releases the pieces that no reader of a stream needs.
    private mutating func trim(_ id: StreamID, _ effects: inout Effects) {
        guard let stream = streams[id] else { return }
        if stream.readers.isEmpty, !stream.isBusy {
            unlink(id, from: stream.key)
            streams[id] = nil
            streamBytes -= stream.reserved + stream.heldBytes
            effects.released.append(stream)
        } else if !isLinked(id, to: stream.key) {
            let first = stream.readers.reduce(stream.pieces.count) { least, reader in
                min(least, readers[reader]?.index ?? least)
            }
            for index in 0..<first where !stream.pieces[index].isEmpty {
                streamBytes -= stream.pieces[index].count
                streams[id]?.heldBytes -= stream.pieces[index].count
                effects.released.append(stream.pieces[index])
                streams[id]?.pieces[index] = []
            }
        }
    }
}
