import EffectInvariants
import Motion
import Sampling
import Testing

@Suite struct EffectInvariantTests {
    @Test(
        "every effect keeps the rules, whatever its parameters",
        arguments: sample(0..<60, 20))
    func invariants(draw: Int) throws {
        for effect in EffectCatalog.standard.entries {
            let violations = try EffectInvariants.violations(of: effect, draw: draw)
            #expect(violations == [])
        }
    }

    @Test("a still scene shows the finished text and lasts no time")
    func still() throws {
        let fade = TestGlyphs.block(try Fade())
        for sequence in Choreography.Sequence.allCases {
            let choreography = Choreography(
                blocks: [fade, fade], sequence: sequence, isAnimated: false)
            let scene = try choreography.scene(
                of: TestGlyphs.layout(["a", "b"]), appearance: TestGlyphs.appearance,
                limits: SceneLimits())
            #expect(scene.duration == .zero)
            #expect(scene.pose(ofNode: 1, at: .instant(.zero)) == .rest)
            let isFirstShown = scene.pose(ofNode: 0, at: .finished).opacity == 1
            #expect(isFirstShown == (sequence != .replace && sequence != .timed))
        }
    }

    @Test("scenes past a limit are refused")
    func limits() throws {
        let choreography = Choreography(
            blocks: [TestGlyphs.block(try Typewriter())], timing: .init(hold: 0))
        func scene(_ limits: SceneLimits) throws -> Scene {
            try choreography.scene(
                of: TestGlyphs.layout(["12345"]), appearance: TestGlyphs.appearance, limits: limits)
        }
        var limits = SceneLimits()
        limits.cycleSeconds = 0.5
        #expect(throws: SceneError.cycleTooLong(seconds: 0.6, limit: 0.5, parameter: nil)) {
            try scene(limits)
        }
        limits = SceneLimits()
        limits.keyframes = 8
        #expect(throws: SceneError.self) { try scene(limits) }
        limits = SceneLimits()
        limits.work = 0.001
        let error = #expect(throws: SceneError.self) { try scene(limits) }
        guard case .tooMuchWork(let megapixels, limit: 0.001)? = error else {
            Issue.record("another error: \(String(describing: error))")
            return
        }
        #expect(megapixels > 0.001)
    }

    @Test("a phase whose time is over is not made")
    func deadlines() throws {
        let deadline = WorkDeadline()
        deadline.isPassed = { true }
        let block = EffectBlock(
            glyphs: TestGlyphs.glyphs(String(repeating: "ghosts", count: 50))[...], em: 32,
            randomness: PhaseRandomness(seed: 1, block: 0, phase: .entrance),
            keyframes: (used: 0, limit: 200_000), deadline: deadline)
        for effect: any Effect in [try Scramble(), try Secret()] {
            #expect(throws: SceneError.deadline) { try effect.entrance(of: block) }
        }
    }

    @Test("a cycle's length is reached by speed, or refused")
    func cycles() throws {
        var choreography = Choreography(
            blocks: [TestGlyphs.block(try Typewriter())],
            timing: .init(hold: 0.4, pace: .cycle(4)))
        let layout = TestGlyphs.layout(["12345"])
        let scene = try choreography.scene(
            of: layout, appearance: TestGlyphs.appearance, limits: SceneLimits())
        #expect(scene.duration == Instant(seconds: 4))
        choreography.timing.pace = .cycle(0.05)
        #expect(throws: SceneError.cycleOutOfReach(speed: 20, parameter: "cycle")) {
            try choreography.scene(
                of: layout, appearance: TestGlyphs.appearance, limits: SceneLimits())
        }
    }
}
