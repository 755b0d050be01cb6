import Encoders
import Motion
import Sampling
import Testing
import Typesetting

@testable import Rendering

/// The prices of files, against the files.
@Suite struct PriceTests {
    /// Bytes from which on the price of a text is looked at closely.
    private static let limit = 100_000.0

    private let worker: RenderWorker
    private let pipeline: RenderPipeline

    init() throws {
        worker = try RenderWorker(catalog: try FontCatalog(directories: []))
        var limits = RenderLimits()
        limits.scene.cycleSeconds = .infinity
        pipeline = RenderPipeline(limits: limits)
    }

    private func scene(_ json: String) throws -> Scene {
        try pipeline.scene(of: try pipeline.request(json: Array(json.utf8)), on: worker)
    }

    /// Requests of every effect with underlays, loops, and exits.
    private static let requests: [String] = {
        let words = Array(repeating: "Who you gonna call? Ghosts, too.", count: 14)
            .joined(separator: " ")
        let paints = [
            "",
            ",\"outlineWidth\":1,\"shadow\":\"1px 1px red, 2px 2px 3px blue\"",
            ",\"loop\":\"infinite\",\"exit\":\"auto\",\"color\":\"#123456\"",
        ]
        let keyframes =
            ",\"keyframes\":[{\"scale\":2,\"scaleX\":0.5},{\"scaleX\":2},{\"scale\":0.4},{}]"
        return EffectCatalog.standard.entries.flatMap { effect in
            paints.map { paint in
                "{\"text\":\"\(words)\",\"width\":900,\"effect\":\"\(effect.name)\"\(paint)"
                    + "\(effect.name == "custom" ? keyframes : "")}"
            }
        }
    }()

    @Test(
        "a text's price is within a factor of two near the limit", arguments: sample(requests, 20))
    func text(_ request: String) throws {
        let scene = try scene(request)
        for format: any OutputFormat in [try SVGFormat(), try LottieFormat(), try JSONFormat()] {
            worker.context.limits = EncodingLimits()
            let bytes = Double(try format.encode(scene, worker.context).count)
            worker.context.limits.textBytes = Self.limit
            let price = try format.price(of: scene, worker.context).bytes
            if bytes > Self.limit / 2, bytes < 4 * Self.limit, price > Self.limit {
                #expect(price < 2 * bytes, "\(type(of: format)) of \(bytes) bytes")
                #expect(price > bytes / 2, "\(type(of: format)) of \(bytes) bytes")
            } else if price <= Self.limit {
                #expect(bytes <= price, "\(type(of: format)) of \(bytes) bytes")
            } else {
                #expect(bytes > Self.limit / 2, "\(type(of: format)) of \(bytes) bytes")
            }
        }
    }

    @Test("a picture's price is no less than its bytes")
    func pictures() throws {
        let request =
            "{\"text\":\"Who you gonna call? 🙂\",\"effect\":\"blur\",\"shadow\":\"1px 1px 2px red\"}"
        let scene = try scene(request)
        worker.context.limits = EncodingLimits()
        for format: any OutputFormat in [
            try PNGFormat(), try GIFFormat(), try APNGFormat(), try WebPFormat(),
        ] {
            let price = try format.price(of: scene, worker.context)
            let bytes = try format.encode(scene, worker.context).count
            #expect(price.bytes >= Double(bytes), "\(type(of: format))")
            #expect(price.work > 0)
        }
    }

    @Test("a price has the work to make the scene, which is refused where it is most of too much")
    func scenes() throws {
        let still = try scene("{\"text\":\"ghosts\",\"animate\":false}")
        #expect(still.work == 0)
        let moving = try scene("{\"text\":\"ghosts\",\"effect\":\"slide\",\"exit\":\"auto\"}")
        #expect(moving.work > 0)
        worker.context.limits = EncodingLimits()
        let format = try SVGFormat()
        let own = try format.price(of: moving, worker.context).work
        #expect(try format.checkedPrice(of: moving, worker.context).work == own + moving.work)
        var limits = RenderLimits()
        limits.file.work = own + moving.work / 2
        let error = #expect(throws: RenderingError.self) {
            try RenderPipeline(limits: limits).price(of: moving, as: format, on: worker)
        }
        #expect(error?.faults.count == 1)
    }

    @Test("a text past its limit is refused with the parameter that makes it long")
    func refusals() throws {
        let words = String(repeating: "ghosts ", count: 280)
        let kept = String(repeating: "{\"scale\":2},{\"scaleX\":3},", count: 7)
        for (parameter, more) in [
            ("keyframes", "\"effect\":\"custom\",\"interval\":0.005,\"keyframes\":[\(kept){}]"),
            ("charset", "\"effect\":\"scramble\",\"lead\":2.5,\"interval\":0.005"),
            ("text", "\"effect\":\"none\""),
        ] {
            let scene = try scene("{\"text\":\"\(words)\",\"width\":2000,\(more)}")
            var limits = RenderLimits()
            limits.file.textBytes = Self.limit
            let error = #expect(throws: RenderingError.self) {
                try RenderPipeline(limits: limits).price(
                    of: scene, as: try LottieFormat(), on: worker)
            }
            #expect(error?.faults.map(\.parameter) == [parameter])
        }
    }

    @Test("a text stops where it is longer than its price said")
    func backstop() throws {
        let scene = try scene(Self.requests[0])
        worker.context.limits.textBytes = 1000
        for format: any OutputFormat in [try SVGFormat(), try LottieFormat(), try JSONFormat()] {
            let error = #expect(throws: EncodingError.self) {
                try format.encode(scene, worker.context)
            }
            guard case .tooManyBytes? = error else {
                Issue.record("another error: \(String(describing: error))")
                continue
            }
        }
    }

    @Test("a scene whose time is over is not built")
    func deadline() throws {
        defer { worker.deadline.isPassed = nil }
        for cursor in ["none", "bar"] {
            let request = try pipeline.request(
                json: Array(
                    "{\"text\":\"ghosts\",\"effect\":\"scramble\",\"cursor\":\"\(cursor)\"}".utf8))
            // The layout looks at the clock too, and is made in time here.
            worker.deadline.isPassed = nil
            let layout = try worker.layout(request.texts, on: request.canvas, workLimit: .infinity)
            worker.deadline.isPassed = { true }
            #expect(throws: SceneError.deadline) {
                try request.choreography.scene(
                    of: layout,
                    appearance: Appearance(card: request.card, title: "", seed: 1, digest: 1),
                    limits: SceneLimits(), deadline: worker.deadline)
            }
        }
    }
}
