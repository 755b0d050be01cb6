import Encoders
import Glibc
import Motion
import Synchronization
import Testing
import Typesetting

@testable import Rendering

/// The renderer with its threads, and clients on many others.
@Suite struct RendererTests {
    /// A long file of ten frames, which notes the threads that make it.
    private struct TestFormat: StreamedFormat {
        static let name = "test"
        static let title = "Test"
        static let mediaType = "image/test"
        static let fileExtension = "test"
        static let isText = false
        static let isNegotiable = false
        static let isAnimated = true
        static let hasDarkColors = false

        init(_ parameters: inout ParameterReader) {}

        /// Threads that began a file, and threads that made a frame.
        static let threads = Mutex<(begun: Set<pthread_t>, made: Set<pthread_t>)>(([], []))

        func price(of scene: Scene, _ context: EncodingContext) -> Price {
            Price(bytes: 500_000, work: 0)
        }

        func begin(
            _ scene: Scene, frameLimit: Int, _ context: EncodingContext
        ) -> StreamedFile {
            Self.threads.withLock { _ = $0.begun.insert(pthread_self()) }
            return StreamedFile(File(seed: scene.appearance.seed))
        }

        struct File: FrameEncoder {
            let frameCount = 1
            let seed: UInt64
            var frame = 0
            var progress: Double { 0 }

            var isFinished: Bool { frame == 10 }

            mutating func next(_ context: EncodingContext) -> [UInt8] {
                threads.withLock { _ = $0.made.insert(pthread_self()) }
                frame += 1
                return TestFormat.bytes(ofFrame: frame, seed: seed)
            }
        }

        func memory(of scene: Scene) -> Int { 0 }

        static func bytes(ofFrame frame: Int, seed: UInt64) -> [UInt8] {
            [UInt8](repeating: UInt8(truncatingIfNeeded: seed) &+ UInt8(frame), count: 50_000)
        }

        static func isFile(_ bytes: [UInt8], seed: UInt64) -> Bool {
            var file: [UInt8] = []
            for frame in 1...10 { file += Self.bytes(ofFrame: frame, seed: seed) }
            return bytes.count == file.count && memcmp(bytes, file, file.count) == 0
        }
    }

    /// A receiver that may be abandoned.
    private final class Receiver: RenderingReceiver {
        private let state: Mutex<CheckedContinuation<Answer, Never>?>

        init(_ continuation: CheckedContinuation<Answer, Never>) { state = Mutex(continuation) }

        var isAbandoned: Bool { false }
        var client: ClientID { .anonymous }

        func receive(_ result: Result<RenderedOutput, RenderingError>) {
            let continuation = state.withLock { state in
                defer { state = nil }
                return state
            }
            guard let continuation else {
                Issue.record("answered twice")
                return
            }
            continuation.resume(returning: result)
        }
    }

    private typealias Answer = Result<RenderedOutput, RenderingError>

    private static let catalog = Result { try FontCatalog() }

    private func renderer(_ change: (inout RenderingSettings) -> Void) throws -> Renderer {
        var settings = RenderingSettings()
        change(&settings)
        return try Renderer(
            settings, catalog: try Self.catalog.get(),
            now: {
                var time = timespec()
                clock_gettime(CLOCK_MONOTONIC, &time)
                return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
            }, didRender: { _, _ in })
    }

    private func request(
        _ renderer: Renderer, seed: UInt64, as format: any OutputFormat.Type
    ) throws -> ResolvedRequest {
        let json = Array(#"{"text":"Hi","seed":\#(seed)}"#.utf8)
        let request = try RequestReader.read(
            try RawRequest(json: json), schema: .standard, limits: RenderLimits())
        return try ResolvedRequest(
            request, as: FormatCatalog([format]).defaultEntry, fonts: renderer.fonts)
    }

    private func answer(
        _ renderer: Renderer, _ request: ResolvedRequest, wantsGzip: Bool = false
    ) async -> Answer {
        await withCheckedContinuation { continuation in
            renderer.render(request, wantsGzip: wantsGzip, for: Receiver(continuation))
        }
    }

    private func next(_ stream: RenderedStream) async -> RenderedPiece {
        await withCheckedContinuation { continuation in
            stream.nextPiece { continuation.resume(returning: $0) }
        }
    }

    /// The bytes up to the end; nil where the stream fails.
    private func rest(_ stream: RenderedStream, pausing: Bool = false) async -> [UInt8]? {
        var all: [UInt8] = []
        while true {
            if pausing { await Task.yield() }
            switch await next(stream) {
            case .bytes(let bytes): all += bytes
            case .end: return all
            case .failed: return nil
            }
        }
    }

    @Test("a long file is begun on render threads only, also for who has fallen behind")
    func threads() async throws {
        let renderer = try renderer { settings in
            settings.workers = 1
            settings.cacheBytes = 0
        }
        let request = try request(renderer, seed: 7, as: TestFormat.self)
        guard case .stream(let fast) = try await answer(renderer, request).get().content,
            case .stream(let slow) = try await answer(renderer, request).get().content
        else {
            Issue.record("not streamed")
            return
        }
        for stream in [fast, slow] {
            let bytes = try #require(await rest(stream))
            #expect(TestFormat.isFile(bytes, seed: 7))
        }
        renderer.stop()
        let threads = TestFormat.threads.withLock { $0 }
        #expect(threads.begun.isSubset(of: threads.made))
    }

    @Test("whoever has had the last piece of a long file finds it kept")
    func kept() async throws {
        for seed in 100..<110 as Range<UInt64> {
            let renderer = try renderer { $0.workers = 1 }
            defer { renderer.stop() }
            let request = try request(renderer, seed: seed, as: TestFormat.self)
            guard case .stream(let stream) = try await answer(renderer, request).get().content
            else {
                Issue.record("not streamed")
                return
            }
            var count = 0
            while count < 500_000, case .bytes(let bytes) = await next(stream) {
                count += bytes.count
            }
            // The file's end is told with an empty piece, for only then is it known.
            _ = await next(stream)
            guard case .plain(let bytes) = try await answer(renderer, request).get().content else {
                Issue.record("not kept")
                return
            }
            #expect(TestFormat.isFile(bytes, seed: seed))
        }
    }

    @Test("whatever clients do at once, each gets what it asked for, once", arguments: 0..<4)
    func crowd(round: UInt64) async throws {
        let renderer = try renderer { settings in
            settings.workers = 3
            settings.cacheBytes = round % 2 == 0 ? 100_000 : 1 << 24
            settings.streamBytes = round < 2 ? 1 << 30 : 2_000_000
        }
        await withTaskGroup(of: Void.self) { group in
            for client in 0..<200 {
                let kind = Int.random(in: 0..<6)
                let seed = UInt64.random(in: 0..<4)
                group.addTask {
                    do {
                        switch kind {
                        case 0, 1:
                            let request = try request(renderer, seed: seed, as: SVGFormat.self)
                            let output = try await answer(renderer, request, wantsGzip: kind == 0)
                                .get()
                            switch output.content {
                            case .plain(let bytes): #expect(kind == 1 && bytes.count > 500)
                            case .gzip(let bytes): #expect(kind == 0 && bytes[0] == 0x1F)
                            default: Issue.record("client \(client): no picture")
                            }
                        default:
                            let request = try request(renderer, seed: seed, as: TestFormat.self)
                            let output = try await answer(renderer, request).get()
                            await read(output, seed: seed, isPatient: kind > 2)
                        }
                    } catch {
                        #expect(error as? RenderingError == .streamMemoryFull)
                    }
                }
            }
        }
        // Who has gone may have left a piece in the making.
        renderer.stop()
        #expect(renderer.streamBytes == 0)
    }

    private func read(_ output: RenderedOutput, seed: UInt64, isPatient: Bool) async {
        switch output.content {
        case .plain(let bytes): #expect(TestFormat.isFile(bytes, seed: seed))
        case .stream(let stream) where isPatient:
            // Where memory is short it may end early.
            if let bytes = await rest(stream, pausing: Bool.random()) {
                #expect(TestFormat.isFile(bytes, seed: seed))
            }
        case .stream(let stream):
            _ = await next(stream)
            stream.nextPiece { _ in }
            stream.cancel()
        default: Issue.record("no file")
        }
    }
}
