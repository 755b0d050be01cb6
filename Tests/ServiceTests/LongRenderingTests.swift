import HTTP
import Rendering
import Synchronization
import Testing
import Typesetting

@testable import Service

/// Renderings that take long, or that are sent to clients that do.
@Suite struct LongRenderingTests {
    /// A clock that advances by a millisecond at each reading.
    private final class WorkClock: Sendable {
        private let looks = Atomic<Int64>(0)
        var count: Int64 { looks.load(ordering: .relaxed) }
        var source: TimeSource {
            TimeSource(
                monotonic: { self.looks.wrappingAdd(1, ordering: .relaxed).newValue * 1_000_000 },
                wall: { 0 })
        }
    }

    private static let catalog = Result { try FontCatalog() }

    private func application(_ change: (inout ServiceSettings) -> Void) throws -> Application {
        var settings = ServiceSettings()
        settings.rendering.workers = 1
        // A machine may be busy with other work.
        settings.rendering.deadline = .seconds(3600)
        change(&settings)
        return try Application(
            settings: settings, catalog: try Self.catalog.get(), drain: DrainSignal())
    }

    private func response(_ application: Application, _ target: String) async -> Response {
        await withCheckedContinuation { continuation in
            application.handle(
                HTTP.Request(target: target), Responder { continuation.resume(returning: $0) })
        }
    }

    private func source(_ application: Application, _ target: String) async throws
        -> any BodySource
    {
        let response = await response(application, target)
        guard case .stream(let source) = response.body else {
            throw MissingStream(status: response.status)
        }
        return source
    }

    private struct MissingStream: Error {
        let status: Status
    }

    private func next(_ source: any BodySource) async -> BodyPiece {
        await withCheckedContinuation { continuation in
            source.nextPiece { continuation.resume(returning: $0) }
        }
    }

    /// The bytes that are left; nil where the source fails.
    private func rest(_ source: any BodySource) async -> [UInt8]? {
        var all: [UInt8] = []
        while true {
            switch await next(source) {
            case .bytes(let bytes): all += bytes
            case .end: return all
            case .failed: return nil
            }
        }
    }

    /// A GIF of about 400 KB.
    private func target(_ number: Int) -> String {
        "/render.gif?scale=2&fps=12&seed=\(number)&effect=slide&interval=0.05&width=640&text="
            + String(repeating: "A+long+file+that+is+sent+slowly.+", count: 3)
    }

    @Test("whoever follows a long file has a time of its own")
    func ownTime() async throws {
        let clock = WorkClock()
        let measured = try application { settings in
            settings.clock = clock.source
            settings.rendering.cacheBytes = 0
        }
        let bytes = try #require(await rest(try await source(measured, target(0))))
        measured.stop()
        // Enough for the whole file once, and not twice.
        let deadline = Duration.milliseconds(clock.count * 3 / 2)
        let application = try application { settings in
            settings.clock = clock.source
            settings.rendering.cacheBytes = 1 << 20
            settings.rendering.deadline = deadline
        }
        defer { application.stop() }
        let fast = try await source(application, target(0))
        let slow = try await source(application, target(0))
        #expect(await rest(fast) == bytes)
        // What was made is more than is kept, so the rest is made anew.
        #expect(bytes.count > 1 << 18)
        #expect(await rest(slow) == bytes)
    }

    @Test("what is kept of a file that is being sent counts as memory of long files")
    func heldPieces() async throws {
        let probe = try application { $0.rendering.cacheBytes = 0 }
        let bytes = try #require(await rest(try await source(probe, target(0))))
        probe.stop()
        // Two files are begun, of which each holds its pixels.
        let pixels = (Int(bytes[6]) + Int(bytes[7]) << 8) * (Int(bytes[8]) + Int(bytes[9]) << 8)
        let application = try application { settings in
            settings.rendering.cacheBytes = 1 << 30
            settings.rendering.streamBytes = 2 * 14 * pixels + bytes.count / 2
        }
        defer { application.stop() }
        let first = try await source(application, target(0))
        var held = 0
        while held < bytes.count * 3 / 4, case .bytes(let piece) = await next(first) {
            held += piece.count
        }
        #expect(held < bytes.count)
        #expect(await response(application, target(1)).status == .serviceUnavailable)
        first.cancel()
        let second = try await source(application, target(1))
        second.cancel()
    }

    @Test(
        "the time that a rendering may take is looked at while it is encoded",
        arguments: ["svg", "json", "png", "lot"])
    func encodersLook(format: String) async throws {
        let clock = WorkClock()
        let application = try application { settings in
            settings.clock = clock.source
            settings.rendering.deadline = .milliseconds(40)
        }
        defer { application.stop() }
        let short = await response(application, "/render.\(format)?text=short")
        #expect(short.status == .ok)
        let long = await response(
            application,
            "/render.\(format)?width=800&speed=10&text=" + String(repeating: "long+", count: 300))
        #expect(long.status == .serviceUnavailable)
    }
}
