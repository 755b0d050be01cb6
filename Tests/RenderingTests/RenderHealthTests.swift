import Motion
import Raster
import Testing
import Typesetting

@testable import Rendering

@Suite struct RenderHealthTests {
    @Test("reasons are remembered once each, until a rendering succeeds")
    func reasons() {
        let health = RenderHealth()
        #expect(health.reasons.isEmpty)
        health.noteFailure(.memory)
        health.noteFailure(.font("Noto Serif"))
        health.noteFailure(.memory)
        #expect(
            health.reasons == [
                "there is not enough memory", "the font \"Noto Serif\" could not be opened",
            ])
        health.noteSuccess()
        #expect(health.reasons.isEmpty)
    }

    @Test("reasons do not grow without end")
    func bound() {
        let health = RenderHealth()
        for number in 0..<100 { health.noteFailure(.font("\(number)")) }
        #expect(health.reasons.count == 8)
    }

    @Test("a library's failure is 503 with its reason, and the worker goes on with fresh fonts")
    func recovery() throws {
        let health = RenderHealth()
        let worker = try RenderWorker(
            catalog: FontCatalog(), cache: SharedGlyphCache(capacity: 0), health: health)
        let problem = #expect(throws: RenderingError.self) {
            try worker.attempt { () throws(RenderingError) in
                throw RenderingError.library(.font("X"))
            }
        }
        #expect(problem == .library(.font("X")))
        #expect(problem?.faults.map(\.message) == ["the font \"X\" could not be opened"])
        #expect(health.reasons.count == 1)
        let pipeline = RenderPipeline(limits: RenderLimits())
        let request = try pipeline.request(json: Array(#"{"text":"well","cursor":"none"}"#.utf8))
        let scene = try worker.attempt { () throws(RenderingError) in
            try pipeline.scene(of: request, on: worker)
        }
        #expect(scene.nodes.count == 4)
        #expect(health.reasons.isEmpty)
    }

    @Test("a client's mistake says nothing of the service's health")
    func mistakes() throws {
        let health = RenderHealth()
        let worker = try RenderWorker(
            catalog: FontCatalog(), cache: SharedGlyphCache(capacity: 0), health: health)
        _ = try? worker.attempt { () throws(RenderingError) in throw RenderingError.deadline }
        #expect(health.reasons.isEmpty)
    }
}
