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
///
/// `StoreStreams.swift` has the transitions of streams, `StoreMemory.swift` those of their memory.
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
        var released: [any Sendable] = []
    }

    let limits: Limits
    var unfinished: [RenderKey: UnfinishedRendering] = [:]
    var kept: KeptRenderings
    var memory: StreamMemory
    var streams: [StreamID: Stream] = [:]
    var readers: [ReaderID: Reader] = [:]
    var lastNumber = 0

    init(_ limits: Limits) {
        self.limits = limits
        kept = KeptRenderings(limits)
        memory = StreamMemory(limits)
    }

    var metrics: StoreMetrics { kept.metrics }

    /// Bytes that streams and large renderings hold, or have reserved.
    var streamBytes: Int { memory.bytes }

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
        let file = kept.use(key)
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
        memory.giveBack(rendering.reserved, of: rendering.owner)
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
        memory.giveBack(rendering.reserved, of: rendering.owner)
        return (effects, true)
    }

    /// Ends a rendering with the whole file.
    ///
    /// - Returns: The effects, and true if `finishCompression` has to follow.
    mutating func finish(_ key: RenderKey, with file: RenderedFile) -> (Effects, Bool) {
        var effects = Effects()
        guard let rendering = unfinished.removeValue(forKey: key) else {
            effects.released += kept.insert(file, for: key)
            return (effects, false)
        }
        memory.giveBack(rendering.reserved, of: rendering.owner)
        var compressed: [Waiter] = []
        for waiter in rendering.waiters {
            if waiter.part == .gzip {
                compressed.append(waiter)
            } else {
                effects.deliveries.append((waiter, .file(file, isGzip: false)))
            }
        }
        guard !compressed.isEmpty else {
            effects.released += kept.insert(file, for: key)
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
        effects.released += kept.insert(file, for: key)
        guard let rendering = unfinished.removeValue(forKey: key) else { return effects }
        effects.isCached = rendering.isCached
        effects.deliveries = rendering.waiters.map { ($0, .file(file, isGzip: true)) }
        return effects
    }

    /// Removes all kept renderings.
    mutating func removeAll() -> Effects {
        var effects = Effects()
        effects.released += kept.removeAll()
        return effects
    }
}
