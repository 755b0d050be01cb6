import Motion
import Testing

/// What holds for every effect of the catalogue, whatever its parameters.
@Suite struct EffectInvariantTests {
    private static let texts = [
        "a", "Who you gonna call?", "one two three. four, five! six", " x ", "日本 語e\u{301} ÄÖ",
    ]

    private static func scene(
        _ effect: EffectCatalog.Entry, draw: Int, _ texts: [String]
    ) throws -> Scene? {
        var unlimited = SceneLimits()
        unlimited.cycleSeconds = .infinity
        // Values that do not go together are refused, which is another test's business.
        guard let made = try? effect.type.init(effect.values(draw: draw)) else { return nil }
        let exits: [Choreography.ExitPolicy] = [.between, .auto, .none, .effect(made)]
        let choreography = Choreography(
            blocks: texts.map { _ in TestGlyphs.block(made) },
            sequence: Choreography.Sequence.allCases[draw % 3], exit: exits[draw % 4],
            gap: 0.3, delay: draw.isMultiple(of: 5) ? 0 : 0.1, hold: Double(draw % 2),
            pace: .speed([0.1, 1, 3, 10][draw / 2 % 4]),
            loop: draw.isMultiple(of: 2) ? .infinite : .count(1))
        do {
            return try choreography.scene(
                of: TestGlyphs.layout(texts), appearance: TestGlyphs.appearance, limits: unlimited)
        } catch SceneError.tooManyKeyframes {
            return nil
        }
    }

    @Test(
        "times rise, opacity stays within 0 and 1, and all rest between the phases",
        arguments: 0..<60)
    func invariants(draw: Int) throws {
        for effect in EffectCatalog.standard.entries {
            guard let scene = try Self.scene(effect, draw: draw, Self.texts) else { continue }
            #expect(scene.trackOfGlyph.count == scene.layout.glyphs.count)
            #expect(scene.isFinished.count == scene.layout.glyphs.count)
            for tracks in scene.tracks {
                for property in Property.allCases {
                    guard let keyframes = tracks[property]?.keyframes else { continue }
                    let rises = zip(keyframes, keyframes.dropFirst()).allSatisfy {
                        $0.instant < $1.instant
                    }
                    #expect(rises && !keyframes.isEmpty, "\(effect.name) \(property)")
                    #expect((keyframes.first?.instant ?? .zero) >= .zero)
                    #expect((keyframes.last?.instant ?? .zero) <= scene.duration)
                    guard property == .opacity else { continue }
                    #expect(keyframes.allSatisfy { (0...1).contains($0.value) })
                }
            }
            for index in scene.layout.glyphs.indices
            where scene.layout.glyphs[index].role == .glyph {
                let block = scene.blocks[scene.layout.glyphs[index].block]
                let arrived = block.entrance.upperBound
                if block.exit == nil || arrived < block.exit?.lowerBound ?? .zero {
                    #expect(
                        scene.pose(ofGlyph: index, at: .instant(arrived)) == .rest,
                        "\(effect.name) \(draw)")
                }
            }
        }
    }

    @Test(
        "nothing of a block shows before its entrance starts or once its exit has ended",
        arguments: 0..<24)
    func hidden(draw: Int) throws {
        for effect in EffectCatalog.standard.entries {
            guard let scene = try Self.scene(effect, draw: draw, Self.texts) else { continue }
            for index in scene.layout.glyphs.indices
            where scene.layout.glyphs[index].role == .glyph {
                let block = scene.blocks[scene.layout.glyphs[index].block]
                if block.entrance.lowerBound > .zero {
                    let before = Instant(ticks: block.entrance.lowerBound.ticks - 1)
                    #expect(scene.pose(ofGlyph: index, at: .instant(before)).opacity == 0)
                }
                if let end = block.exit?.upperBound {
                    #expect(scene.pose(ofGlyph: index, at: .instant(end)).opacity == 0)
                }
            }
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
            #expect(scene.pose(ofGlyph: 1, at: .instant(.zero)) == .rest)
            let isFirstShown = scene.pose(ofGlyph: 0, at: .finished).opacity == 1
            #expect(isFirstShown == (sequence != .replace))
        }
    }

    @Test("scenes past a limit are refused")
    func limits() throws {
        let choreography = Choreography(
            blocks: [TestGlyphs.block(try Typewriter())], hold: 0)
        func scene(_ limits: SceneLimits) throws -> Scene {
            try choreography.scene(
                of: TestGlyphs.layout(["12345"]), appearance: TestGlyphs.appearance, limits: limits)
        }
        var limits = SceneLimits()
        limits.cycleSeconds = 0.5
        #expect(throws: SceneError.cycleTooLong(seconds: 0.6, limit: 0.5)) { try scene(limits) }
        limits = SceneLimits()
        limits.keyframes = 8
        #expect(throws: SceneError.self) { try scene(limits) }
    }

    @Test("a cycle's length is reached by speed, or refused")
    func cycles() throws {
        var choreography = Choreography(
            blocks: [TestGlyphs.block(try Typewriter())], hold: 0.4,
            pace: .cycle(4))
        let layout = TestGlyphs.layout(["12345"])
        let scene = try choreography.scene(
            of: layout, appearance: TestGlyphs.appearance, limits: SceneLimits())
        #expect(scene.duration == Instant(seconds: 4))
        choreography.pace = .cycle(0.05)
        #expect(throws: SceneError.cycleOutOfReach(speed: 20)) {
            try choreography.scene(
                of: layout, appearance: TestGlyphs.appearance, limits: SceneLimits())
        }
    }
}
