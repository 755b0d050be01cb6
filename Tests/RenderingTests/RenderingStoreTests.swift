import Bytes
import Encoders
import Motion
import Raster
import Sampling
import Synchronization
import Testing

@testable import Rendering

@Suite struct RenderingStoreTests {
    /// A receiver that counts its results.
    private final class Receiver: RenderingReceiver {
        let isGone = Atomic(false)
        var isAbandoned: Bool { isGone.load(ordering: .relaxed) }
        var client: ClientID { .anonymous }
        func receive(_ result: Result<RenderedOutput, RenderingError>) {}
    }

    private func key(_ request: String) -> RenderKey {
        RenderKey(request: ByteString(request), format: "svg", fonts: 1)
    }

    private func file(_ count: Int) -> RenderedFile {
        RenderedFile(
            head: head(at: "/r/x.svg"),
            bytes: [UInt8](repeating: 7, count: count))
    }

    private func store(
        keptBytes: Int = 80_000, streamBytes: Int = 1_000_000
    ) -> RenderingStore {
        RenderingStore(.init(keptBytes: keptBytes, streamBytes: streamBytes, duration: 100))
    }

    private let source = StreamSource { _ throws(RenderingError) in
        StreamedFile(FakeFile(frames: 3))
    }

    private func producer() -> StreamProducer { StreamProducer(StreamedFile(FakeFile(frames: 3))) }

    /// Requests a rendering; returns true if it is kept.
    private func isKept(_ name: String, _ store: inout RenderingStore) -> Bool {
        let step = store.request(key(name), for: Receiver(), of: .anonymous, .plain, now: 0)
        if case .deliver = step { return true }
        _ = store.refuse(key(name), to: .anonymous, with: .queueFull)
        return false
    }

    private func keep(_ name: String, count: Int, in store: inout RenderingStore) {
        _ = store.finish(key(name), with: file(count))
    }

    @Test("the least recently used rendering is evicted")
    func eviction() {
        var store = store(keptBytes: 10_000)
        let names = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l"]
        for name in names {
            keep(name, count: 800, in: &store)
            #expect(isKept("a", &store))
        }
        #expect(isKept("a", &store))
        #expect(!isKept("b", &store))
        #expect(isKept("l", &store))
        #expect(store.metrics.bytes <= 10_000)
        #expect(store.metrics.evictions == names.count - store.metrics.entries)
        #expect(store.metrics.hits == names.count + 2)
        #expect(store.metrics.misses == 1)
    }

    @Test("one rendering must not push out all others")
    func tooLarge() {
        var store = store(keptBytes: 10_000)
        keep("small", count: 100, in: &store)
        keep("large", count: 9000, in: &store)
        #expect(!isKept("large", &store))
        #expect(isKept("small", &store))
        var none = self.store(keptBytes: 0)
        keep("x", count: 0, in: &none)
        #expect(none.metrics.entries == 0)
    }

    @Test("what is soon out of date pushes out no others")
    func passing() {
        var store = store(keptBytes: 20_000)
        keep("lasting", count: 100, in: &store)
        func passing(_ number: Int) -> RenderKey {
            RenderKey(request: ByteString("\(number)"), format: "gif", fonts: 1, isLasting: false)
        }
        for number in 0..<1000 { _ = store.finish(passing(number), with: file(500)) }
        // The same once more is no other one.
        for _ in 0..<100 { _ = store.finish(passing(999), with: file(500)) }
        #expect(isKept("lasting", &store))
        #expect(store.metrics.entries == store.limits.mostPassing + 1)
        for (number, isKept) in [(999, true), (984, true), (983, false)] {
            let step = store.request(
                passing(number), for: Receiver(), of: .anonymous, .plain, now: 0)
            let isDelivered = if case .deliver = step { true } else { false }
            #expect(isDelivered == isKept)
        }
    }

    @Test("a rendering that has grown is counted anew")
    func growth() {
        var store = store()
        keep("x", count: 2000, in: &store)
        let before = store.metrics.bytes
        var compressed = file(2000)
        compressed.gzip = [UInt8](repeating: 1, count: 700)
        _ = store.finishCompression(key("x"), with: compressed)
        #expect(store.metrics.entries == 1)
        #expect(store.metrics.bytes == before + 700)
    }

    @Test("who wants it plain does not wait for the compression")
    func compression() throws {
        var store = store()
        let receivers = (0..<3).map { _ in Receiver() }
        let steps = receivers.enumerated().map { index, receiver in
            store.request(
                key("x"), for: receiver, of: .anonymous, index > 0 ? .gzip : .plain, now: 0)
        }
        guard case .enqueue = steps[0], case .wait = steps[1], case .wait = steps[2] else {
            Issue.record("\(steps)")
            return
        }
        guard case (.render, _) = store.begin(key("x"), now: 1) else {
            Issue.record("not rendered")
            return
        }
        let (effects, isToBeCompressed) = store.finish(key("x"), with: file(10))
        #expect(effects.deliveries.map { $0.waiter.receiver === receivers[0] } == [true])
        #expect(isToBeCompressed)
        #expect(isKept("x", &store))
        var compressed = file(10)
        compressed.gzip = [1]
        let rest = store.finishCompression(key("x"), with: compressed).deliveries
        #expect(rest.map { $0.waiter.receiver === receivers[1] } == [true, false])
        #expect(rest.count == 2)
    }

    @Test("nobody gets a rendering that nobody waits for any more")
    func abandonment() {
        var store = store()
        let receivers = (0..<2).map { _ in Receiver() }
        for receiver in receivers {
            _ = store.request(key("x"), for: receiver, of: .anonymous, .plain, now: 0)
        }
        receivers[0].isGone.store(true, ordering: .relaxed)
        guard case (.render, _) = store.begin(key("x"), now: 1) else {
            Issue.record("one still waits")
            return
        }
        _ = store.fail(key("x"), with: .library(.memory), now: 1)
        _ = store.request(key("x"), for: receivers[0], of: .anonymous, .plain, now: 0)
        guard case (.nothing, _) = store.begin(key("x"), now: 1) else {
            Issue.record("nobody waits")
            return
        }
    }

    @Test("whoever waits has a time of its own")
    func waitersTimes() {
        var store = store()
        let receivers = (0..<2).map { _ in Receiver() }
        _ = store.request(key("x"), for: receivers[0], of: .anonymous, .plain, now: 0)
        _ = store.request(key("x"), for: receivers[1], of: .anonymous, .plain, now: 60)
        let (step, effects) = store.begin(key("x"), now: 110)
        guard case .render = step else {
            Issue.record("one has time left")
            return
        }
        #expect(effects.deliveries.map { $0.waiter.receiver === receivers[0] } == [true])
        #expect(store.isWanted(key("x"), now: 159))
        #expect(!store.isWanted(key("x"), now: 160))
        // Who comes now gives it more time, but never more than one request may have.
        _ = store.request(key("x"), for: receivers[0], of: .anonymous, .plain, now: 150)
        #expect(store.isWanted(key("x"), now: 209))
        #expect(!store.isWanted(key("x"), now: 210))
    }

    @Test("what streams hold is bounded, and given back")
    func streamMemory() throws {
        var store = store(keptBytes: 80_000, streamBytes: 1000)
        let reader = try #require(try begin("a", first: 100, memory: 400, &store))
        #expect(store.streamBytes == 500)
        _ = store.request(key("b"), for: Receiver(), of: .anonymous, .plain, now: 0)
        _ = store.begin(key("b"), now: 0)
        let reserved = [600, 400].map { store.reserve($0, for: key("b")).0 }
        #expect(reserved == [false, true])
        // There is too little memory for its first piece.
        let effects = store.start(
            key("b"), from: source, producer(), first: [UInt8](repeating: 0, count: 200),
            head: head(at: ""), now: 0)
        guard case .failure(.streamMemoryFull) = effects.deliveries.first?.delivery else {
            Issue.record("held in spite of all")
            return
        }
        #expect(store.streamBytes == 500)
        // Nor do pieces that would be held for others: they go to the one who waits.
        _ = store.nextPiece(for: reader, now: 0) { _ in }
        for number in 0..<5 {
            guard case (.enqueue(let stream, _), _) = store.nextPiece(for: reader, now: 0, { _ in })
            else {
                Issue.record("piece \(number)")
                return
            }
            let (work, _) = store.beginPiece(of: stream, now: 0)
            let made = try #require(work?.producer)
            _ = store.finishPiece(
                of: stream, made, [UInt8](repeating: 0, count: 200), isLast: false, now: 0)
            #expect(store.streamBytes <= 1000)
        }
        _ = store.leave(reader)
        #expect(store.streamBytes == 0)
    }

    /// Begins a stream that one reads.
    private func begin(
        _ name: String, first: Int, memory: Int, of client: ClientID = .anonymous,
        _ store: inout RenderingStore
    ) throws -> RenderingStore.ReaderID? {
        _ = store.request(key(name), for: Receiver(), of: client, .plain, now: 0)
        _ = store.begin(key(name), now: 0)
        guard store.reserve(memory, for: key(name)).0 else { return nil }
        let effects = store.start(
            key(name), from: source, producer(), first: [UInt8](repeating: 0, count: first),
            head: head(at: ""), now: 0)
        guard case .stream(let reader, _)? = effects.deliveries.first?.delivery else { return nil }
        return reader
    }

    @Test("work goes on for nobody who has gone; who comes then has it made again")
    func goneWaiters() {
        var store = store()
        let receivers = (0..<2).map { _ in Receiver() }
        _ = store.request(key("x"), for: receivers[0], of: .anonymous, .plain, now: 0)
        _ = store.begin(key("x"), now: 0)
        #expect(store.isWanted(key("x"), now: 1))
        receivers[0].isGone.store(true, ordering: .relaxed)
        #expect(!store.isWanted(key("x"), now: 1))
        _ = store.request(key("x"), for: receivers[1], of: .anonymous, .plain, now: 2)
        let effects = store.fail(key("x"), with: .deadline, now: 3)
        #expect(effects.deliveries.isEmpty)
        #expect(effects.repeated == [.anonymous])
        #expect(store.isQueued(key("x")))
    }

    @Test("what was left as long stays long, for newcomers and for the jobs of before")
    func long() {
        var store = store()
        let receivers = (0..<3).map { _ in Receiver() }
        let newcomer = ClientID(high: 0, low: 2)
        _ = store.request(key("x"), for: receivers[0], of: .anonymous, .plain, now: 0)
        _ = store.begin(key("x"), now: 0)
        #expect(store.fail(key("x"), with: .deadline, now: 1).repeated == [.anonymous])
        let step = store.request(key("x"), for: receivers[1], of: newcomer, .plain, now: 2)
        guard case .enqueue(newcomer, isLong: true) = step else {
            Issue.record("\(step)")
            return
        }
        guard case (.nothing, _) = store.begin(key("x"), isLong: false, now: 3),
            case (.render, _) = store.begin(key("x"), isLong: true, now: 3)
        else {
            Issue.record("begun by a job that is not long")
            return
        }
    }

    @Test("a file that is kept while others stream it is delivered as it is")
    func keptStream() throws {
        var store = store(keptBytes: 80_000, streamBytes: 1000)
        let (greedy, other) = (ClientID(high: 0, low: 1), ClientID(high: 0, low: 2))
        let reader = try #require(try begin("x", first: 900, memory: 50, of: greedy, &store))
        _ = store.nextPiece(for: reader, now: 0) { _ in }
        guard case (.enqueue(let whole, _), _) = store.nextPiece(for: reader, now: 0, { _ in })
        else {
            Issue.record("no piece is asked for")
            return
        }
        let made = try #require(store.beginPiece(of: whole, now: 0).0?.producer)
        let last = store.finishPiece(of: whole, made, [1], isLast: true, now: 0)
        #expect(last.joining != nil)
        // While its pieces are joined, it is cut for another client, and rendered anew.
        _ = store.request(key("d"), for: Receiver(), of: other, .plain, now: 0)
        _ = store.begin(key("d"), now: 0)
        _ = store.cutExcess(for: 240, of: key("d"))
        _ = store.request(key("x"), for: Receiver(), of: other, .plain, now: 0)
        _ = store.begin(key("x"), now: 0)
        _ = store.keep(whole, as: file(3))
        _ = store.start(
            key("x"), from: source, producer(), first: [1], head: head(at: ""), now: 0)
        let step = store.request(key("x"), for: Receiver(), of: other, .gzip, now: 0)
        guard case .deliver(.file(_, isGzip: false)) = step else {
            Issue.record("\(step)")
            return
        }
    }

    @Test("who wants the head alone shares the rendering, and does not keep it going")
    func heads() {
        var store = store()
        let receivers = (0..<3).map { _ in Receiver() }
        for (receiver, part) in zip(receivers, [RenderedPart.head, .plain]) {
            _ = store.request(key("x"), for: receiver, of: .anonymous, part, now: 0)
        }
        _ = store.begin(key("x"), now: 0)
        let (effects, isOver) = store.finishHead(key("x"), head(at: "/r/x"))
        #expect(effects.deliveries.map { $0.waiter.receiver === receivers[0] } == [true])
        #expect(!isOver)
        let step = store.request(key("x"), for: receivers[2], of: .anonymous, .head, now: 1)
        guard case .deliver(.head) = step else {
            Issue.record("\(step)")
            return
        }
        _ = store.request(key("y"), for: receivers[2], of: .anonymous, .head, now: 1)
        _ = store.begin(key("y"), now: 1)
        #expect(store.finishHead(key("y"), head(at: "/r/y")).1)
        #expect(!store.isWanted(key("y"), now: 2))
    }

    @Test("streams of a client with more than its share make room for another")
    func shares() throws {
        var store = store(keptBytes: 80_000, streamBytes: 1000)
        let (greedy, other) = (ClientID(high: 0, low: 1), ClientID(high: 0, low: 2))
        var held: [RenderingStore.ReaderID] = []
        for name in ["a", "b", "c"] {
            held.append(try #require(try begin(name, first: 100, memory: 200, of: greedy, &store)))
        }
        _ = store.request(key("d"), for: Receiver(), of: other, .plain, now: 0)
        _ = store.begin(key("d"), now: 0)
        #expect(!store.reserve(200, for: key("d")).0)
        _ = store.cutExcess(for: 200, of: key("d"))
        #expect(store.reserve(200, for: key("d")).0)
        #expect(store.streamBytes == 800)
        let steps = held.map { store.nextPiece(for: $0, now: 1) { _ in }.0 }
        let failed = steps.count { if case .deliver(.failed) = $0 { true } else { false } }
        #expect(failed == 1)
        // The one with more than its share gets nothing by the same way.
        _ = store.request(key("e"), for: Receiver(), of: greedy, .plain, now: 0)
        _ = store.begin(key("e"), now: 0)
        _ = store.cutExcess(for: 300, of: key("e"))
        #expect(!store.reserve(300, for: key("e")).0)
    }

    @Test("a rendering of a client with more than its share ends for another")
    func sharesOfRenderings() throws {
        var store = store(keptBytes: 80_000, streamBytes: 1000)
        let (greedy, other) = (ClientID(high: 0, low: 1), ClientID(high: 0, low: 2))
        _ = store.request(key("a"), for: Receiver(), of: greedy, .plain, now: 0)
        _ = store.begin(key("a"), now: 0)
        #expect(store.reserve(900, for: key("a")).0)
        _ = store.request(key("b"), for: Receiver(), of: other, .plain, now: 0)
        _ = store.begin(key("b"), now: 0)
        #expect(!store.reserve(200, for: key("b")).0)
        #expect(store.isWanted(key("a"), now: 1))
        _ = store.cutExcess(for: 200, of: key("b"))
        #expect(!store.isWanted(key("a"), now: 1))
        #expect(store.reserve(200, for: key("b")).0)
        #expect(!store.reserve(100, for: key("a")).0)
        let effects = store.fail(key("a"), with: .deadline, now: 1)
        #expect(effects.repeated.isEmpty)
        #expect(effects.deliveries.count == 1)
        #expect(store.streamBytes == 200)
    }

    @Test("any interleaving answers everybody once and gives all memory back", arguments: 0..<60)
    func interleavings(seed: UInt64) throws {
        var simulation = Simulation(seed: seed)
        try simulation.run(steps: 600)
    }
}

/// A long file of small frames.
struct FakeFile: FrameEncoder {
    let frameCount = 1
    var frames: Int
    var progress: Double { 0 }

    var isFinished: Bool { frames == 0 }

    mutating func next(_ context: EncodingContext) -> [UInt8] {
        frames -= 1
        return [UInt8](repeating: UInt8(truncatingIfNeeded: frames), count: 30_000)
    }
}

/// Clients and render threads whose steps a seed interleaves.
private struct Simulation {
    private final class Receiver: RenderingReceiver {
        let isGone = Atomic(false)
        var isAbandoned: Bool { isGone.load(ordering: .relaxed) }
        var client: ClientID { .anonymous }
        func receive(_ result: Result<RenderedOutput, RenderingError>) {}
    }

    /// A client from its request to the end of its response.
    private struct Client {
        let receiver = Receiver()
        let key: RenderKey
        let id: ClientID
        var answers = 0
        var reader: RenderingStore.ReaderID?
        /// Numbers of the pieces that were delivered to it.
        var pieces = 0
        var isOver = false
    }

    /// The pieces that were delivered, by the client's number.
    private final class Pieces: Sendable {
        let all = Mutex<[(client: Int, piece: RenderedPiece)]>([])
    }

    /// The next step of a render thread.
    private enum Work {
        case queued(RenderKey, ClientID, isLong: Bool)
        case rendering(RenderKey)
        case compressing(RenderKey, RenderedFile)
        case queuedPiece(RenderingStore.StreamID, ClientID)
        case piece(RenderingStore.StreamID, StreamProducer, first: Int)
        case joining(RenderingStore.StreamID, RenderedFile)
    }

    private static let piecesOfFile = 6
    private static let duration: Int64 = 400
    private static let streamLimit = 6000

    private var store = RenderingStore(
        .init(keptBytes: 40_000, streamBytes: Self.streamLimit, duration: Self.duration))
    private var random: SplitMix64
    private var now: Int64 = 0
    private var clients: [Client] = []
    private var works: [Work] = []
    private let pieces = Pieces()
    /// The next piece of each producer, by its identity.
    private var positions: [ObjectIdentifier: Int] = [:]
    private var producers: [StreamProducer] = []
    private let source = StreamSource { _ throws(RenderingError) in
        StreamedFile(FakeFile(frames: 1))
    }

    init(seed: UInt64) { random = SplitMix64(state: seed) }

    mutating func run(steps: Int) throws {
        for step in 0..<steps {
            now += Int64.random(in: 0...8, using: &random)
            switch Int.random(in: 0..<10, using: &random) {
            case 0, 1: ask()
            case 2, 3, 4: read()
            case 5 where step % 3 == 0: leave()
            default: try work()
            }
            check()
        }
        // All that began ends.
        var rounds = 0
        while !works.isEmpty || clients.contains(where: { !$0.isOver }), rounds < 10_000 {
            rounds += 1
            now += 1
            if !works.isEmpty { try work() }
            read()
            check()
        }
        #expect(works.isEmpty)
        for (number, client) in clients.enumerated() {
            #expect(client.answers == 1 || client.receiver.isAbandoned, "client \(number)")
            #expect(client.answers <= 1, "client \(number)")
            #expect(client.isOver, "client \(number) is left waiting")
        }
        #expect(store.streamBytes == 0)
        #expect(store.limits.budget.bytes(of: .renderings) == 0)
    }

    private mutating func check() {
        // One stream may be larger than the limit by itself; none here is.
        #expect((0...Self.streamLimit).contains(store.streamBytes))
        var made: [RenderKey: Int] = [:]
        var queued: [RenderKey: [ClientID]] = [:]
        for work in works {
            switch work {
            case .rendering(let key): made[key, default: 0] += 1
            case .queued(let key, let client, _): queued[key, default: []].append(client)
            default: break
            }
        }
        #expect(made.values.allSatisfy { $0 == 1 }, "two renderings of one key")
        // Nobody depends on another client's turn.
        for client in clients where !client.isOver && client.answers == 0 {
            let isQueued = store.isQueued(client.key) && made[client.key] == nil
            #expect(!isQueued || queued[client.key]?.contains(client.id) == true)
        }
    }

    // MARK: Clients

    private mutating func ask() {
        let name = ["a", "b", "c.gif", "d.gif"].randomElement(using: &random) ?? "a"
        let key = RenderKey(request: ByteString(name), format: "", fonts: 0)
        let id = ClientID(high: 0, low: UInt64.random(in: 1...3, using: &random))
        let client = Client(key: key, id: id)
        clients.append(client)
        let parts: [RenderedPart] = name.hasSuffix("gif") ? [.plain, .head] : [.plain, .gzip]
        let part = parts.randomElement(using: &random) ?? .plain
        switch store.request(key, for: client.receiver, of: id, part, now: now) {
        case .deliver(let delivery): deliver(delivery, to: client.receiver)
        case .wait: break
        case .enqueue(_, let isLong):
            if Int.random(in: 0..<8, using: &random) == 0 {
                carryOut(store.refuse(key, to: id, with: .queueFull))
            } else {
                works.append(.queued(key, id, isLong: isLong))
            }
        }
    }

    private mutating func read() {
        let readers = clients.indices.filter { clients[$0].reader != nil }
        guard let number = readers.randomElement(using: &random),
            let reader = clients[number].reader
        else { return }
        // It waits until the piece comes.
        clients[number].reader = nil
        asking[number] = reader
        let handler: RenderingStore.PieceHandler = { [pieces] piece in
            pieces.all.withLock { $0.append((number, piece)) }
        }
        let (step, effects) = store.nextPiece(for: reader, now: now, handler)
        carryOut(effects)
        switch step {
        case .deliver(let piece): handler(piece)
        case .wait: break
        case .enqueue(let stream, let client): works.append(.queuedPiece(stream, client))
        }
        takePieces()
    }

    /// Readers that wait for a piece.
    private var asking: [Int: RenderingStore.ReaderID] = [:]

    private mutating func takePieces() {
        let all = pieces.all.withLock { all in
            defer { all = [] }
            return all
        }
        for (number, piece) in all {
            let reader = asking.removeValue(forKey: number)
            #expect(reader != nil, "a piece that was not requested")
            switch piece {
            case .bytes(let bytes):
                // In order, and without gaps.
                #expect(bytes.first == UInt8(clients[number].pieces))
                clients[number].pieces += 1
                clients[number].reader = reader
            case .end:
                #expect(clients[number].pieces == Self.piecesOfFile)
                clients[number].isOver = true
            case .failed: clients[number].isOver = true
            }
        }
    }

    private mutating func leave() {
        guard let number = clients.indices.randomElement(using: &random),
            !clients[number].isOver
        else { return }
        clients[number].isOver = true
        clients[number].receiver.isGone.store(true, ordering: .relaxed)
        if let reader = clients[number].reader ?? asking.removeValue(forKey: number) {
            carryOut(store.leave(reader))
        }
        clients[number].reader = nil
    }

    // MARK: Render threads

    private mutating func work() throws {
        guard let index = works.indices.randomElement(using: &random) else { return }
        switch works.remove(at: index) {
        case .queued(let key, let client, let isLong):
            if Int.random(in: 0..<20, using: &random) == 0 {
                // Another client takes its place.
                carryOut(store.refuse(key, to: client, with: .queueShare))
                break
            }
            let (step, effects) = store.begin(key, isLong: isLong, now: now)
            carryOut(effects)
            switch step {
            case .nothing: break
            case .render: works.append(.rendering(key))
            case .compress(let file): works.append(.compressing(key, file))
            }
        case .rendering(let key): try render(key)
        case .compressing(let key, var file):
            file.gzip = [9]
            carryOut(store.finishCompression(key, with: file))
        case .queuedPiece(let stream, _):
            let (work, effects) = store.beginPiece(of: stream, now: now)
            carryOut(effects)
            guard let work else { break }
            #expect(store.isWanted(stream, now: now))
            let producer: StreamProducer
            if let known = work.producer {
                producer = known
            } else {
                producer = StreamProducer(StreamedFile(FakeFile(frames: 1)))
                producers.append(producer)
                // Every piece has its number's first byte, and 100 bytes more than the one before.
                var (number, rest) = (0, work.skippedBytes)
                while rest > 0 {
                    rest -= Self.bytes(ofPiece: number).count
                    number += 1
                }
                #expect(rest == 0)
                positions[ObjectIdentifier(producer)] = number
            }
            let first = positions[ObjectIdentifier(producer)] ?? 0
            works.append(.piece(stream, producer, first: first))
        case .piece(let stream, let producer, let number):
            if Int.random(in: 0..<20, using: &random) == 0 {
                let error: RenderingError =
                    Bool.random(using: &random) ? .deadline : .library(.memory)
                carryOut(store.failPiece(of: stream, with: error, now: now))
                break
            }
            positions[ObjectIdentifier(producer)] = number + 1
            carryOut(
                store.finishPiece(
                    of: stream, producer, Self.bytes(ofPiece: number),
                    isLast: number + 1 == Self.piecesOfFile, now: now))
        case .joining(let stream, let file): carryOut(store.keep(stream, as: file))
        }
        takePieces()
    }

    private static func bytes(ofPiece number: Int) -> [UInt8] {
        [UInt8](repeating: UInt8(number), count: 700 + 100 * number)
    }

    private mutating func render(_ key: RenderKey) throws {
        let head = head(at: key.request.text)
        if Int.random(in: 0..<10, using: &random) == 0 {
            return carryOut(store.fail(key, with: .deadline, now: now), key)
        }
        guard key.request.text.hasSuffix("gif") else {
            let file = RenderedFile(head: head, bytes: [UInt8](repeating: 1, count: 3000))
            let (effects, isToBeCompressed) = store.finish(key, with: file)
            carryOut(effects)
            if isToBeCompressed { works.append(.compressing(key, file)) }
            return
        }
        let (isReserved, effects) = store.reserve(1000, for: key)
        carryOut(effects)
        if !isReserved {
            carryOut(store.cutExcess(for: 1000, of: key))
            guard store.reserve(1000, for: key).0 else {
                return carryOut(store.fail(key, with: .streamMemoryFull, now: now))
            }
        }
        let (heads, isOver) = store.finishHead(key, head)
        carryOut(heads)
        guard !isOver else { return }
        let producer = StreamProducer(StreamedFile(FakeFile(frames: 1)))
        producers.append(producer)
        positions[ObjectIdentifier(producer)] = 1
        carryOut(
            store.start(
                key, from: source, producer, first: Self.bytes(ofPiece: 0), head: head, now: now))
    }

    private mutating func carryOut(_ effects: RenderingStore.Effects, _ key: RenderKey? = nil) {
        if let key { works += effects.repeated.map { .queued(key, $0, isLong: true) } }
        if let (stream, client) = effects.repeatedPiece {
            works.append(.queuedPiece(stream, client))
        }
        for (waiter, delivery) in effects.deliveries { deliver(delivery, to: waiter.receiver) }
        for (handler, piece) in effects.pieces { handler(piece) }
        if let (stream, pieces, head) = effects.joining {
            works.append(
                .joining(stream, RenderedFile(head: head, bytes: Array(pieces.joined()))))
        }
        takePieces()
    }

    private mutating func deliver(
        _ delivery: RenderingStore.Delivery, to receiver: any RenderingReceiver
    ) {
        guard let number = clients.firstIndex(where: { $0.receiver === receiver }) else {
            Issue.record("nobody asked")
            return
        }
        clients[number].answers += 1
        switch delivery {
        case .file, .head, .failure: clients[number].isOver = true
        case .stream(let reader, _):
            // Who has gone lets go of its answer.
            if clients[number].isOver {
                carryOut(store.leave(reader))
            } else {
                clients[number].reader = reader
            }
        }
    }
}

private func head(at location: String) -> RenderedHead {
    RenderedHead(
        width: 1, height: 1, duration: 1, warnings: [], price: Price(bytes: 1, work: 1),
        location: location)
}
