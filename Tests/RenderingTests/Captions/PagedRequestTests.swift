import Bytes
import Encoders
import Motion
import Testing
import Typesetting

@testable import Rendering

/// The requests that captions become.
@Suite struct PagedRequestTests {
    private let worker: RenderWorker
    private let pipeline = RenderPipeline(limits: RenderLimits())

    init() throws {
        worker = try RenderWorker(catalog: try FontCatalog(directories: []))
    }

    private static let captions = """
        [{"at":0,"until":3,"text":"Hello everybody, and welcome to the show. Today we talk"},
        {"at":3,"until":5,"text":"about unbelievable weather, which is cold.","valign":"top"},
        {"at":6,"text":"The end","times":[{"at":6,"until":6.5,"text":"The"},
        {"at":6.5,"until":7,"text":"end"}]}]
        """

    private func request(_ members: String) throws -> RenderRequest {
        try pipeline.request(json: Array("{\"captions\":\(Self.captions)\(members)}".utf8))
    }

    private func file(_ request: RenderRequest) throws -> [UInt8] {
        let scene = try pipeline.scene(of: request, on: worker)
        return try SVGFormat().encode(scene, worker.context)
    }

    @Test(
        "the request that captions become draws the same, and so does their canonical form",
        arguments: [
            "", ",\"width\":400,\"size\":32,\"exit\":\"auto\",\"effect\":\"rise\",\"by\":\"word\"",
            ",\"width\":300,\"size\":60,\"fit\":\"shrink\",\"spoken\":\"sweep\"",
            ",\"pageBreak\":\"cue\",\"preset\":\"lower-third\",\"height\":400,\"pageWords\":4",
            ",\"offset\":1.5,\"scheme\":\"dark\",\"darkColor\":\"red\",\"maxLines\":1,\"width\":500",
        ])
    func sameRendering(_ members: String) throws {
        let request = try request(members)
        let own = try file(request)
        let paged = try pipeline.paged(request, on: worker)
        #expect(paged.captions == nil && !paged.canonical.contains("captions"))
        let printed = try pipeline.request(json: Array(paged.canonical.utf8))
        #expect(try file(printed) == own)
        let canonical = try pipeline.request(json: Array(request.canonical.utf8))
        #expect(canonical.canonical.isSame(as: request.canonical))
        #expect(try file(canonical) == own)
    }

    @Test("fit=shrink gives all pages the largest size at which each word has room")
    func shrink() throws {
        func sizes(_ members: String) throws -> Set<Double> {
            let paged = try pipeline.paged(try request(members), on: worker)
            #expect(paged.canvas.fit.mode == .none)
            return Set(paged.texts.map(\.text.base.size))
        }
        #expect(try sizes(",\"width\":900,\"size\":60,\"fit\":\"shrink\"") == [60])
        let small = try #require(
            try sizes(",\"width\":300,\"size\":60,\"fit\":\"shrink\",\"maxLines\":1").first)
        #expect(small < 60 && small > 30)
        let larger = try sizes(",\"width\":300,\"size\":\(small / 0.9),\"maxLines\":1").first
        #expect(larger != small)
    }

    @Test("a request takes either texts or captions, and no times at its top")
    func faults() throws {
        let cases = [
            ",\"text\":\"a\"": ["text"], ",\"blocks\":[{\"text\":\"a\"}]": ["blocks"],
            ",\"at\":1,\"until\":2": ["at", "until"], ",\"sequence\":\"queue\"": ["sequence"],
            ",\"gap\":1,\"speed\":2": ["gap", "speed"], ",\"markup\":true": ["markup"],
        ]
        for (members, names) in cases {
            do throws(RenderingError) {
                _ = try pipeline.request(
                    json: Array("{\"captions\":\(Self.captions)\(members)}".utf8))
                Issue.record("\(members) was accepted")
            } catch {
                #expect(Set(error.faults.map(\.parameter)) == Set(names), "\(members)")
            }
        }
    }

    @Test("captions that are too long, or end too late, are past a limit")
    func limits() throws {
        func fault(_ captions: String) -> RenderingError? {
            do throws(RenderingError) {
                _ = try pipeline.request(json: Array("{\"captions\":\(captions)}".utf8))
                return nil
            } catch {
                return error
            }
        }
        let words = String(repeating: "word ", count: 500)
        let bytes = String(repeating: " ", count: 300_000)
        for captions in [
            "[{\"at\":0,\"until\":1,\"text\":\"\(words)\"}]", "[{\"at\":121,\"text\":\"late\"}]",
            "[{\"at\":1,\"until\":121,\"text\":\"late\"}]",
            "\"\(bytes)\"",
        ] {
            guard case .overLimit(let faults)? = fault(captions) else {
                Issue.record("\(captions.prefix(60)) was accepted")
                continue
            }
            #expect(faults.map(\.parameter) == ["captions"])
        }
    }
}
