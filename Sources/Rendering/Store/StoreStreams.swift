extension RenderingStore {
    struct StreamID: Hashable, Sendable {
        fileprivate let number: Int
    }

    struct ReaderID: Hashable, Sendable {
        fileprivate let number: Int
    }

    struct Stream: Sendable {
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

    struct Reader: Sendable {
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
        let (owner, isAlone) = (rendering.owner, memory.bytes == rendering.reserved)
        guard isAlone || reserve(first.count, of: owner, &effects) else {
            memory.giveBack(rendering.reserved, of: owner)
            effects.deliveries = rendering.waiters.map { ($0, .failure(.streamMemoryFull)) }
            return effects
        }
        if isAlone { memory.take(first.count, of: owner) }
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

    mutating func addReader(
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
    mutating func release(_ stream: inout Stream, _ effects: inout Effects) {
        if let producer = stream.producer { effects.released.append(producer) }
        stream.producer = nil
        memory.giveBack(stream.reserved, of: stream.owner)
        stream.reserved = 0
    }

    mutating func unlink(_ id: StreamID, from key: RenderKey) {
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
        effects.released += kept.insert(file, for: stream.key)
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
            memory.giveBack(stream.reserved + stream.heldBytes, of: stream.owner)
            effects.released.append(stream)
        } else if !isLinked(id, to: stream.key) {
            let first = stream.readers.reduce(stream.pieces.count) { least, reader in
                min(least, readers[reader]?.index ?? least)
            }
            for index in 0..<first where !stream.pieces[index].isEmpty {
                memory.giveBack(stream.pieces[index].count, of: stream.owner)
                streams[id]?.heldBytes -= stream.pieces[index].count
                effects.released.append(stream.pieces[index])
                streams[id]?.pieces[index] = []
            }
        }
    }
}
