import Motion
import Testing

@testable import Encoders

@Suite struct VideoPartTests {
    /// A text that comes within a second, stands for two, and leaves within one.
    private func scene(leaves: Bool = true) -> Scene {
        var scene = SampleScene.scene()
        scene.blocks[0].entrance = .zero...Instant(seconds: 1)
        scene.blocks[0].exit = leaves ? Instant(seconds: 3)...Instant(seconds: 4) : nil
        scene.duration = Instant(seconds: leaves ? 4 : 3)
        return scene
    }

    /// The instants of a part in seconds.
    private func instants(
        of part: VideoPart, _ scene: Scene, fps: Double = 10
    ) throws -> [Double] {
        var frames = try ConstantRate(of: scene, fps, repeats: false, limit: 1000)
        try frames.show(part, of: scene)
        return (0..<frames.count).map { frames.instant(ofFrame: $0).seconds }
    }

    @Test("the parts together are all, with one frame for what stands")
    func still() throws {
        let all = try instants(of: .all, scene())
        #expect(try instants(of: .entrance, scene()) == Array(all[..<10]))
        #expect(try instants(of: .hold, scene()) == [1])
        #expect(try instants(of: .exit, scene()) == Array(all[30...]))
        #expect(all.last == 4)
    }

    @Test("a hold is a period of the emphasis, and the exit begins with what remains")
    func emphasis() throws {
        var scene = scene()
        scene.emphasisPeriod = 0.6
        #expect(try instants(of: .hold, scene) == [1, 1.1, 1.2, 1.3, 1.4, 1.5])
        #expect(try instants(of: .exit, scene).first == 2.8)
        // There is time for one run without its pause.
        scene.emphasisPeriod = 5
        #expect(try instants(of: .hold, scene).count == 20)
        #expect(try instants(of: .exit, scene).first == 3)
    }

    @Test("a period is rounded to frames, the whole of them apart")
    func rounded() throws {
        var scene = scene()
        scene.emphasisPeriod = 0.34
        #expect(try instants(of: .hold, scene).count == 3)
        // Five periods are 1.7 s.
        #expect(try instants(of: .exit, scene).first == 2.7)
    }

    @Test("a hold is a common period, if there is time for one")
    func common() throws {
        var scene = scene()
        scene.emphasisPeriod = 0.6
        scene.paintMotion = PaintMotion(.pan, count: 5, turns: Track(keyframes: []))
        #expect(throws: EncodingError.self) { try instants(of: .hold, scene) }
        scene.paintMotion?.count = 10
        #expect(try instants(of: .hold, scene).count == 12)
        scene.emphasisPeriod = nil
        #expect(try instants(of: .hold, scene).count == 4)
        scene.paintMotion?.count = 1
        #expect(throws: EncodingError.self) { try instants(of: .entrance, scene) }
    }

    @Test("there is no exit where nothing leaves, and no part of an endless loop")
    func absent() throws {
        #expect(try instants(of: .hold, scene(leaves: false)) == [1])
        #expect(throws: EncodingError.self) { try instants(of: .exit, scene(leaves: false)) }
        var endless = scene()
        endless.loop = .infinite
        #expect(throws: EncodingError.self) { try instants(of: .entrance, endless) }
        var brief = scene()
        brief.blocks[0].exit = Instant(seconds: 1)...Instant(seconds: 4)
        #expect(throws: EncodingError.self) { try instants(of: .hold, brief) }
    }
}
