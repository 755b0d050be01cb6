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
/// | queued | its waiters | `begin`, `refuse` |
/// | rendering | its waiters | `finish`, `start`, `fail`, `finishHead` |
/// | compressing | the plain file, waiters for its gzip variant | `finishCompression` |
/// | streaming | the pieces made so far, its readers | `finishPiece`, `failPiece`, `leave` |
/// | kept | the file | eviction |
///
/// A kept file stays kept while it is compressed. A stream that is too long to be kept, or whose
/// producer ran out of time, leaves its key: later requests make the rendering again. Its readers
/// follow it to the end of the pieces that are held, then each has a stream of its own.
///
/// No work is done for clients that have gone: a rendering without a waiter is not begun, and
/// `isWanted` ends it. Each client with a waiter for a queued rendering has its own job in the
/// queue, so that no client depends on another's turn.
///
/// Memory is held by the client for whom a rendering was begun. When it runs out, streams of a
/// client that holds more than its share are cut for others.
///
/// A caller makes a transition under a lock and carries out the returned effects outside of the
/// lock. Only `RenderingReceiver.isAbandoned` of the receivers' code runs under the lock.
struct RenderingStore: Sendable {
    struct Limits: Sendable {
        /// Bytes of all kept renderings together; 0 keeps none.
        var keptBytes: Int
        /// Bytes that streams may hold together: memory of their producers, and their pieces.
        var streamBytes: Int
        /// The budget that kept renderings, streams and large renderings are taken from.
        var budget = MemoryBudget()
        /// Nanoseconds that render threads may spend on one request.
        var duration: Int64

        /// The most renderings that are kept although they are soon out of date.
        var mostPassing: Int { 16 }

        /// The largest rendering that is kept, in bytes: a few must not push out all others.
        var largestEntry: Int { keptBytes / 8 }
    }

    /// A receiver that waits for a rendering.
    struct Waiter: Sendable {
        let receiver: any RenderingReceiver
        let client: ClientID
        let part: RenderedPart
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
        case head(RenderedHead)
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
        /// The clients for whom the rendering is to be queued again: they asked for it after it had
        /// ended for the earlier waiters.
        var repeated: [ClientID] = []
        /// The same of a piece of a stream, with the client for whom it is made.
        var repeatedPiece: (stream: StreamID, client: ClientID)?
        /// Values that are released, so that they are not freed under the lock.
        fileprivate var released: [any Sendable] = []
    }

    /// A rendering that is not finished.
    fileprivate struct UnfinishedRendering: Sendable {
        enum Stage: Sendable {
            case queued
            /// Being rendered since an instant of the clock.
            case rendering(Int64)
            case compressing(RenderedFile)
            case streaming(StreamID)
        }

        var stage: Stage
        /// The client for whom it was begun.
        let owner: ClientID
        var waiters: [Waiter] = []
        /// True if a spare thread has left it, because it takes long.
        var isLong = false
        /// The clients that have a job in the queue for it.
        var queuedClients: [ClientID] = []
        /// True if a file that was kept is to be compressed.
        var isCached = false
        /// True once a render thread compresses it.
        var isBegun = false
        /// The head, once it is known.
        var head: RenderedHead?
        /// Bytes of memory that are reserved for it.
        var reserved = 0
        /// True if its memory was given to others while it was rendered.
        var isCut = false
        /// The number of waiters at which waiters that have gone are removed.
        var crowd = 64
    }

    fileprivate struct Stream: Sendable {
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
        let owner: ClientID
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
        let client: ClientID
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
    private var unfinished: [RenderKey: UnfinishedRendering] = [:]
    private var kept = LeastRecentlyUsed<RenderKey, RenderedFile>()
    /// The keys in `kept` of renderings that are soon out of date, from the oldest.
    private var passing: [RenderKey] = []
    private var streams: [StreamID: Stream] = [:]
    private var readers: [ReaderID: Reader] = [:]
    private var lastNumber = 0
    private var counters = StoreMetrics()
    /// Bytes that streams and large renderings hold, or have reserved.
    private(set) var streamBytes = 0
    /// The same of each client.
    private var heldBytes: [ClientID: Int] = [:]

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
        /// It is the client's first request for it: a job that calls `begin` is to be queued, as a long
        /// one if the rendering is; if that fails, `refuse` follows.
        case enqueue(ClientID, isLong: Bool)
        /// The client requested it before, or it was begun.
        case wait
    }

    /// Requests a rendering.
    mutating func request(
        _ key: RenderKey, for receiver: any RenderingReceiver,
        of client: @autoclosure () -> ClientID, _ part: RenderedPart,
        now: @autoclosure () -> Int64
    ) -> RequestStep {
        let file = file(for: key)
        if let file, part != .gzip || file.gzip != nil {
            return .deliver(.file(file, isGzip: part == .gzip))
        }
        // Asked once, and not for a kept file: the client is read from an address.
        let client = client()
        if let file {
            switch unfinished[key]?.stage {
            case nil:
                unfinished[key] = UnfinishedRendering(
                    stage: .compressing(file), owner: client, isCached: true)
            // Its readers are all that it still has; nobody compresses it.
            case .streaming: return .deliver(.file(file, isGzip: false))
            case .queued, .rendering, .compressing: break
            }
        } else {
            switch unfinished[key]?.stage {
            case .compressing(let file) where part != .gzip:
                return .deliver(.file(file, isGzip: false))
            case .streaming(let stream):
                guard let head = streams[stream]?.head else { break }
                guard part != .head else { return .deliver(.head(head)) }
                let reader = addReader(to: stream, of: client, timeLeft: limits.duration)
                return .deliver(.stream(reader, head))
            case .rendering where part == .head:
                if let head = unfinished[key]?.head { return .deliver(.head(head)) }
            case nil: unfinished[key] = UnfinishedRendering(stage: .queued, owner: client)
            case .queued, .rendering, .compressing: break
            }
        }
        let waiter = Waiter(
            receiver: receiver, client: client, part: part, deadline: now() + limits.duration)
        guard unfinished[key]?.add(waiter) == true else { return .wait }
        return .enqueue(client, isLong: unfinished[key]?.isLong == true)
    }

    private mutating func file(for key: RenderKey) -> RenderedFile? {
        let file = kept.use(key)
        if file == nil { counters.misses += 1 } else { counters.hits += 1 }
        return file
    }

    /// Ends the wait of one client, whose job has no place in the queue; waiters for compression
    /// only get the plain file.
    mutating func refuse(
        _ key: RenderKey, to client: ClientID, with error: RenderingError
    ) -> Effects {
        guard var rendering = unfinished[key], rendering.isQueued else { return Effects() }
        var effects = Effects()
        var delivery = Delivery.failure(error)
        if case .compressing(let file) = rendering.stage {
            delivery = .file(file, isGzip: false)
            effects.isCached = true
        }
        let first = rendering.waiters.partition { $0.client == client }
        effects.deliveries = rendering.waiters[first...].map { ($0, delivery) }
        rendering.waiters.removeSubrange(first...)
        rendering.queuedClients.removeAll { $0 == client }
        unfinished[key] = rendering.waiters.isEmpty ? nil : rendering
        return effects
    }

    /// True if somebody waits for a job that is queued.
    func isQueued(_ key: RenderKey) -> Bool {
        guard let rendering = unfinished[key], rendering.isQueued else { return false }
        return rendering.waiters.contains { !$0.receiver.isAbandoned }
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

    /// Begins a rendering on a render thread. Only its first job has something to do; a job that
    /// was queued before the rendering turned out to be long has nothing to do either.
    mutating func begin(
        _ key: RenderKey, isLong: Bool = false, now: Int64
    ) -> (BeginStep, Effects) {
        var effects = Effects()
        guard var rendering = unfinished[key], rendering.isQueued, isLong || !rendering.isLong
        else {
            return (.nothing, effects)
        }
        unfinished[key] = nil
        guard rendering.waiters.contains(where: { !$0.receiver.isAbandoned }) else {
            effects.released.append(rendering)
            return (.nothing, effects)
        }
        rendering.queuedClients = []
        if case .compressing(let file) = rendering.stage {
            rendering.isBegun = true
            unfinished[key] = rendering
            return (.compress(file), effects)
        }
        rendering.removeLate(now, &effects)
        guard !rendering.waiters.isEmpty else { return (.nothing, effects) }
        rendering.stage = .rendering(now)
        unfinished[key] = rendering
        return (.render, effects)
    }

    /// True while the work on a rendering may go on: a waiter's deadline has not passed, and the
    /// rendering itself has not taken longer than one request may.
    func isWanted(_ key: RenderKey, now: Int64) -> Bool {
        guard let rendering = unfinished[key], case .rendering(let start) = rendering.stage else {
            return false
        }
        return !rendering.isCut && now < start + limits.duration && rendering.isWanted(now)
    }

    /// Ends a rendering with an error.
    ///
    /// If it ended because all waiters had gone, it is made again for clients that have come since.
    mutating func fail(_ key: RenderKey, with error: RenderingError, now: Int64) -> Effects {
        var effects = Effects()
        guard var rendering = unfinished.removeValue(forKey: key) else { return effects }
        giveBack(rendering.reserved, of: rendering.owner)
        rendering.reserved = 0
        if rendering.isCut {
            effects.deliveries = rendering.waiters.map { ($0, .failure(.streamMemoryFull)) }
            return effects
        }
        if error == .deadline, case .rendering(let start) = rendering.stage,
            now < start + limits.duration, rendering.isWanted(now)
        {
            rendering.removeLate(now, &effects)
            rendering.stage = .queued
            rendering.isLong = true
            rendering.queuedClients = Array(Set(rendering.waiters.map(\.client)))
            unfinished[key] = rendering
            effects.repeated = rendering.queuedClients
            return effects
        }
        effects.deliveries = rendering.waiters.map { ($0, .failure(error)) }
        return effects
    }

    /// Delivers the head of a rendering to waiters that want nothing else.
    ///
    /// - Returns: The effects, and true if that was all: nobody waits for the rendering.
    mutating func finishHead(_ key: RenderKey, _ head: RenderedHead) -> (Effects, Bool) {
        var effects = Effects()
        guard var rendering = unfinished[key] else { return (effects, true) }
        let first = rendering.waiters.partition { $0.part == .head }
        effects.deliveries = rendering.waiters[first...].map { ($0, .head(head)) }
        rendering.waiters.removeSubrange(first...)
        rendering.head = head
        guard rendering.waiters.isEmpty else {
            unfinished[key] = rendering
            return (effects, false)
        }
        unfinished[key] = nil
        giveBack(rendering.reserved, of: rendering.owner)
        return (effects, true)
    }

    /// Ends a rendering with the whole file.
    ///
    /// - Returns: The effects, and true if `finishCompression` has to follow.
    mutating func finish(_ key: RenderKey, with file: RenderedFile) -> (Effects, Bool) {
        var effects = Effects()
        guard let rendering = unfinished.removeValue(forKey: key) else {
            insert(file, for: key, &effects)
            return (effects, false)
        }
        giveBack(rendering.reserved, of: rendering.owner)
        var compressed: [Waiter] = []
        for waiter in rendering.waiters {
            if waiter.part == .gzip {
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
        unfinished[key] = UnfinishedRendering(
            stage: .compressing(file), owner: rendering.owner, waiters: compressed, isBegun: true)
        return (effects, true)
    }

    /// Ends the compression of a file.
    ///
    /// The file comes with its gzip variant.
    mutating func finishCompression(_ key: RenderKey, with file: RenderedFile) -> Effects {
        var effects = Effects()
        insert(file, for: key, &effects)
        guard let rendering = unfinished.removeValue(forKey: key) else { return effects }
        effects.isCached = rendering.isCached
        effects.deliveries = rendering.waiters.map { ($0, .file(file, isGzip: true)) }
        return effects
    }

    private mutating func insert(
        _ file: RenderedFile, for key: RenderKey, _ effects: inout Effects
    ) {
        let cost = file.cost + key.cost
        guard cost <= limits.largestEntry else { return }
        kept.insert(file, for: key, cost: cost)
        if !key.isLasting { dropPassing(before: key, &effects) }
        let wanted = min(kept.cost, limits.keptBytes)
        shrink(to: limits.budget.allowed(for: .cache, wanted: wanted), &effects)
    }

    /// Removes all but some of the newest renderings that are soon out of date, so that they push out no
    /// others.
    private mutating func dropPassing(before key: RenderKey, _ effects: inout Effects) {
        passing.removeAll { $0 == key }
        passing.append(key)
        guard passing.count > limits.mostPassing else { return }
        if let file = kept.remove(passing.removeFirst()) { effects.released.append(file) }
    }

    /// Removes the oldest kept renderings until all together have a size.
    private mutating func shrink(to bytes: Int, _ effects: inout Effects) {
        let removed = kept.shrink(to: bytes)
        counters.evictions += removed.count
        effects.released += removed
        limits.budget.set(.cache, to: kept.cost)
    }

    /// Removes all kept renderings.
    mutating func removeAll() -> Effects {
        var effects = Effects()
        effects.released.append(kept)
        kept = LeastRecentlyUsed()
        limits.budget.set(.cache, to: 0)
        return effects
    }

    // MARK: Streams

    /// Reserves the memory that a rendering needs.
    ///
    /// The first always succeeds, since its size has a limit of its own.
    ///
    /// - Returns: False if too little is left.
    mutating func reserve(_ bytes: Int, for key: RenderKey) -> (Bool, Effects) {
        var effects = Effects()
        guard let rendering = unfinished[key], !rendering.isCut,
            reserve(bytes, of: rendering.owner, &effects)
        else { return (false, effects) }
        unfinished[key]?.reserved += bytes
        return (true, effects)
    }

    /// Cuts streams and renderings of clients that hold more than their share, until a rendering can
    /// have memory.
    ///
    /// Streams are cut first, beginning with the one whose readers have not asked for a piece for
    /// the longest time, then renderings; these end as soon as their threads check the clock.
    mutating func cutExcess(for bytes: Int, of key: RenderKey) -> Effects {
        var effects = Effects()
        guard let owner = unfinished[key]?.owner else { return effects }
        let share = ClientID.share(of: min(limits.streamBytes, limits.budget.capacity))
        guard heldBytes[owner, default: 0] + bytes <= share else { return effects }
        while !hasRoom(for: bytes),
            let greediest = heldBytes.max(by: { $0.value < $1.value }), greediest.value > share
        {
            let streams = streams.filter { $0.value.owner == greediest.key && $0.value.bytes > 0 }
            if let (id, _) = streams.min(by: { $0.value.begun < $1.value.begun }) {
                cut(id, &effects)
            } else if let (key, rendering) = unfinished.first(where: {
                $0.value.owner == greediest.key && $0.value.reserved > 0
            }) {
                giveBack(rendering.reserved, of: rendering.owner)
                unfinished[key]?.reserved = 0
                unfinished[key]?.isCut = true
            } else {
                break
            }
        }
        return effects
    }

    /// Releases the memory of a stream, whose readers fail when they ask for the next piece.
    private mutating func cut(_ id: StreamID, _ effects: inout Effects) {
        guard var stream = streams[id] else { return }
        unlink(id, from: stream.key)
        stream.stage = .failed
        release(&stream, &effects)
        giveBack(stream.heldBytes, of: stream.owner)
        effects.released.append(stream.pieces)
        stream.heldBytes = 0
        stream.pieces = []
        streams[id] = stream
        for reader in stream.readers { readers[reader]?.index = 0 }
    }

    private func hasRoom(for bytes: Int) -> Bool {
        streamBytes == 0
            || streamBytes + bytes <= limits.streamBytes && limits.budget.hasRoom(for: bytes)
    }

    /// Reserves memory for a client; kept renderings make room for it.
    private mutating func reserve(
        _ bytes: Int, of client: ClientID, _ effects: inout Effects
    ) -> Bool {
        guard streamBytes == 0 || streamBytes + bytes <= limits.streamBytes else { return false }
        let missing = bytes - limits.budget.free(for: bytes)
        if missing > 0 { shrink(to: max(kept.cost - missing, 0), &effects) }
        guard limits.budget.reserve(bytes, for: .renderings, isFirst: streamBytes == 0) else {
            return false
        }
        streamBytes += bytes
        heldBytes[client, default: 0] += bytes
        return true
    }

    /// Gives back the memory that was reserved for a rendering.
    mutating func releaseReservation(for key: RenderKey) {
        guard let rendering = unfinished[key] else { return }
        giveBack(rendering.reserved, of: rendering.owner)
        unfinished[key]?.reserved = 0
    }

    /// Counts memory that is held whether or not there is room for it.
    private mutating func take(_ bytes: Int, of client: ClientID) {
        limits.budget.take(bytes, for: .renderings)
        streamBytes += bytes
        heldBytes[client, default: 0] += bytes
    }

    private mutating func giveBack(_ bytes: Int, of client: ClientID) {
        guard bytes > 0 else { return }
        limits.budget.release(bytes, for: .renderings)
        streamBytes -= bytes
        let left = heldBytes[client, default: 0] - bytes
        heldBytes[client] = left > 0 ? left : nil
    }

    /// Ends a rendering with the first piece of a long file, which its waiters read from now on.
    mutating func start(
        _ key: RenderKey, from source: StreamSource, _ producer: StreamProducer, first: [UInt8],
        head: RenderedHead, now: Int64
    ) -> Effects {
        var effects = Effects()
        guard let rendering = unfinished.removeValue(forKey: key) else { return effects }
        guard !rendering.isCut else {
            effects.deliveries = rendering.waiters.map { ($0, .failure(.streamMemoryFull)) }
            return effects
        }
        let (owner, isAlone) = (rendering.owner, streamBytes == rendering.reserved)
        guard isAlone || reserve(first.count, of: owner, &effects) else {
            giveBack(rendering.reserved, of: owner)
            effects.deliveries = rendering.waiters.map { ($0, .failure(.streamMemoryFull)) }
            return effects
        }
        if isAlone { take(first.count, of: owner) }
        let id = StreamID(number: nextNumber())
        streams[id] = Stream(
            key: key, owner: owner, head: head, source: source, producerBytes: rendering.reserved,
            reserved: rendering.reserved, stage: .shared, producer: producer, pieces: [first],
            heldBytes: first.count)
        unfinished[key] = UnfinishedRendering(stage: .streaming(id), owner: owner)
        for waiter in rendering.waiters {
            guard waiter.part != .head else {
                effects.deliveries.append((waiter, .head(head)))
                continue
            }
            let reader = addReader(to: id, of: waiter.client, timeLeft: waiter.deadline - now)
            effects.deliveries.append((waiter, .stream(reader, head)))
        }
        trim(id, &effects)
        return effects
    }

    private mutating func nextNumber() -> Int {
        lastNumber += 1
        return lastNumber
    }

    private mutating func addReader(
        to stream: StreamID, of client: ClientID, timeLeft: Int64
    ) -> ReaderID {
        let id = ReaderID(number: nextNumber())
        readers[id] = Reader(client: client, stream: stream, timeLeft: timeLeft)
        streams[stream]?.readers.insert(id)
        return id
    }

    enum PieceStep: Sendable {
        case deliver(RenderedPiece)
        /// A job that calls `beginPiece` is to be queued; if that fails, `failPiece` follows.
        case enqueue(StreamID, ClientID)
        case wait
    }

    /// Requests a reader's next piece.
    mutating func nextPiece(
        for id: ReaderID, now: @autoclosure () -> Int64, _ handler: @escaping PieceHandler
    ) -> (PieceStep, Effects) {
        var effects = Effects()
        guard let reader = readers[id], let stream = streams[reader.stream] else {
            return (.deliver(.failed), effects)
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
        return .enqueue(stream, readers[id]?.client ?? .anonymous)
    }

    /// Gives a reader a stream of its own from its position; returns nil if memory is short.
    private mutating func separate(
        _ id: ReaderID, from stream: Stream, _ effects: inout Effects
    ) -> StreamID? {
        guard let reader = readers[id], reserve(stream.producerBytes, of: reader.client, &effects)
        else {
            return nil
        }
        let own = StreamID(number: nextNumber())
        streams[own] = Stream(
            key: stream.key, owner: reader.client, head: stream.head, source: stream.source,
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
        let key: RenderKey
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
        guard let stream = streams[id], stream.stage != .failed, isWanted(id, now: now) else {
            endWaiting(for: id, &effects)
            return (nil, effects)
        }
        streams[id]?.producer = nil
        let work = PieceWork(
            key: stream.key, source: stream.source, producer: stream.producer,
            skippedBytes: stream.skippedBytes)
        return (work, effects)
    }

    /// Delivers `failed` to the readers that wait for a piece.
    private mutating func endWaiting(for id: StreamID, _ effects: inout Effects) {
        streams[id]?.isBusy = false
        for reader in streams[id]?.waiting ?? [] { fail(reader, &effects) }
        trim(id, &effects)
    }

    /// True while the work on a piece may go on: the deadline of a waiting reader has not passed.
    func isWanted(_ id: StreamID, now: Int64) -> Bool {
        guard let stream = streams[id], stream.stage != .failed else { return false }
        return stream.waiting.contains { hasTime($0, stream, now) }
    }

    private func hasTime(_ id: ReaderID, _ stream: Stream, _ now: Int64) -> Bool {
        guard let reader = readers[id] else { return false }
        return now < max(stream.begun, reader.waitingSince) + reader.timeLeft
    }

    /// Notes that a piece has been made.
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
            let isHeld = reserve(bytes.count, of: stream.owner, &effects)
            if isHeld {
                stream.pieces.append(bytes)
                stream.heldBytes += bytes.count
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
        if isLast || stream.stage == .failed { release(&stream, &effects) }
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
        giveBack(stream.reserved, of: stream.owner)
        stream.reserved = 0
    }

    private mutating func unlink(_ id: StreamID, from key: RenderKey) {
        if isLinked(id, to: key) { unfinished[key] = nil }
    }

    /// Returns true if requests for the rendering read a stream.
    private func isLinked(_ id: StreamID, to key: RenderKey) -> Bool {
        guard case .streaming(let stream)? = unfinished[key]?.stage else { return false }
        return stream == id
    }

    private mutating func chargeTime(_ id: ReaderID, since begun: Int64, _ now: Int64) {
        guard let reader = readers[id] else { return }
        readers[id]?.timeLeft -= now - max(begun, reader.waitingSince)
    }

    /// Notes that a piece cannot be made; its waiters get the error.
    ///
    /// Other readers continue by themselves if only the waiters' time was over. Readers that came
    /// when the work had ended because nobody waited for it have the file made anew.
    mutating func failPiece(
        of id: StreamID, with error: RenderingError, now: Int64
    ) -> Effects {
        var effects = Effects()
        guard var stream = streams[id] else { return effects }
        if error == .deadline,
            let first = stream.waiting.first(where: { hasTime($0, stream, now) }),
            let reader = readers[first], stream.stage != .failed
        {
            if let producer = stream.producer { effects.released.append(producer) }
            stream.producer = nil
            stream.skippedBytes = reader.offset
            streams[id] = stream
            for late in stream.waiting where !hasTime(late, stream, now) { fail(late, &effects) }
            effects.repeatedPiece = (id, reader.client)
            return effects
        }
        unlink(id, from: stream.key)
        let isForAll = stream.stage == .shared && error != .deadline || stream.stage == .failed
        stream.stage = isForAll ? .failed : .exclusive(nil)
        release(&stream, &effects)
        streams[id] = stream
        endWaiting(for: id, &effects)
        return effects
    }

    private mutating func fail(_ reader: ReaderID, _ effects: inout Effects) {
        if let handler = readers[reader]?.handler { effects.pieces.append((handler, .failed)) }
        remove(reader, &effects)
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
            giveBack(stream.reserved + stream.heldBytes, of: stream.owner)
            effects.released.append(stream)
        } else if !isLinked(id, to: stream.key) {
            let first = stream.readers.reduce(stream.pieces.count) { least, reader in
                min(least, readers[reader]?.index ?? least)
            }
            for index in 0..<first where !stream.pieces[index].isEmpty {
                giveBack(stream.pieces[index].count, of: stream.owner)
                streams[id]?.heldBytes -= stream.pieces[index].count
                effects.released.append(stream.pieces[index])
                streams[id]?.pieces[index] = []
            }
        }
    }
}

extension RenderingStore.UnfinishedRendering {
    /// True while jobs in the queue are to begin with it.
    fileprivate var isQueued: Bool {
        switch stage {
        case .queued: true
        case .compressing: !isBegun
        case .rendering, .streaming: false
        }
    }

    /// Adds a waiter; returns true if a job is to be queued in its client's name.
    fileprivate mutating func add(_ waiter: RenderingStore.Waiter) -> Bool {
        if waiters.count >= crowd {
            waiters.removeAll { $0.receiver.isAbandoned }
            crowd = max(2 * waiters.count, 64)
        }
        waiters.append(waiter)
        guard isQueued, !queuedClients.contains(waiter.client) else { return false }
        queuedClients.append(waiter.client)
        return true
    }

    /// True if somebody waits whose time is not over.
    fileprivate func isWanted(_ now: Int64) -> Bool {
        waiters.contains { now < $0.deadline && !$0.receiver.isAbandoned }
    }

    /// Removes the waiters whose time is over.
    fileprivate mutating func removeLate(_ now: Int64, _ effects: inout RenderingStore.Effects) {
        let first = waiters.partition { $0.deadline <= now }
        for waiter in waiters[first...] {
            effects.deliveries.append((waiter, .failure(.deadline)))
        }
        waiters.removeSubrange(first...)
    }
}

extension RenderingStore.Stream {
    /// Bytes of memory that it holds.
    fileprivate var bytes: Int { reserved + heldBytes }
}
