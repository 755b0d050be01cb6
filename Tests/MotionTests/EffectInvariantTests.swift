import Motion
import Testing

/// What holds for every effect of the catalogue, whatever its parameters.
@Suite struct EffectInvariantTests {
    private static let texts = [
        "a", "Who you gonna call?", "one two three. four, five! six", " x ", "日本 語e\u{301} ÄÖ",
    ]

    /// Values at the ends of every range and between.
    private static func values(of effect: any Effect.Type, draw: Int) -> ParameterValues {
        let randomness = Randomness(seed: UInt64(draw))
        var values: [String: ParameterValue] = [:]
        for (number, parameter) in effect.parameters.enumerated() {
            let unit = randomness.unit(stream: 0, item: number)
            let share = unit < 0.25 ? 0 : unit > 0.75 ? 1 : unit
            switch parameter.kind {
            case .number(let range):
                let value = range.lowerBound + share * (range.upperBound - range.lowerBound)
                values[parameter.name] = .number(value)
            case .integer(let range):
                let span = Double(range.upperBound - range.lowerBound)
                values[parameter.name] = .number(
                    Double(range.lowerBound) + (share * span).rounded())
            case .boolean: values[parameter.name] = .boolean(unit < 0.5)
            case .choice(let choices):
                values[parameter.name] = .string(choices[Int(unit * Double(choices.count))])
            case .easing:
                values[parameter.name] = .easing(Easing.named[Int(unit * 6)].easing)
            default: break
            }
        }
        return ParameterValues(values)
    }

    private static func scene(
        _ effect: any Effect.Type, draw: Int, _ texts: [String], speed: Double
    ) throws -> Scene? {
        let unlimited = {
            var limits = SceneLimits()
            limits.cycleSeconds = .infinity
            return limits
        }()
        // Values that do not go together are refused, which is another test's business.
        guard let made = try? effect.init(values(of: effect, draw: draw)) else { return nil }
        let choreography = Choreography(
            effects: texts.map { _ in made }, darkColors: texts.map { _ in nil },
            sequence: draw.isMultiple(of: 2) ? .queue : .together, gap: 0.3, delay: 0.1, hold: 0,
            speed: speed, loop: .count(1), isAnimated: true)
        return try choreography.scene(
            of: TestGlyphs.layout(texts), appearance: TestGlyphs.appearance, limits: unlimited)
    }

    @Test("times rise, opacity stays within 0 and 1, and all ends at rest", arguments: 0..<60)
    func invariants(draw: Int) throws {
        for effect in EffectCatalog.all {
            let speed = [0.1, 1, 3, 10][draw % 4]
            guard let scene = try Self.scene(effect, draw: draw, Self.texts, speed: speed) else {
                continue
            }
            #expect(scene.trackOfGlyph.count == scene.layout.glyphs.count)
            for (index, tracks) in scene.tracks.enumerated() {
                for property in Property.allCases {
                    guard let keyframes = tracks[property]?.keyframes else { continue }
                    #expect(!keyframes.isEmpty, "\(effect.name) \(index)")
                    let rises = zip(keyframes, keyframes.dropFirst()).allSatisfy {
                        $0.instant < $1.instant
                    }
                    #expect(rises, "\(effect.name) \(property)")
                    #expect((keyframes.first?.instant ?? .zero) >= .zero)
                    #expect((keyframes.last?.instant ?? .zero) <= scene.duration)
                    #expect(
                        keyframes.last?.value == property.identity, "\(effect.name) \(property)")
                    if property == .opacity {
                        #expect(keyframes.allSatisfy { (0...1).contains($0.value) })
                    }
                }
            }
        }
    }

    @Test("nothing of a block shows before its entrance starts")
    func hiddenBefore() throws {
        for effect in EffectCatalog.all {
            guard let scene = try Self.scene(effect, draw: 2, Self.texts, speed: 1) else {
                continue
            }
            for index in scene.layout.glyphs.indices {
                let start = scene.blocks[scene.layout.glyphs[index].block].entrance.lowerBound
                guard start > .zero else { continue }
                let before = Instant(ticks: start.ticks - 1)
                #expect(scene.pose(ofGlyph: index, at: .instant(before)).opacity == 0)
            }
        }
    }

    @Test("a still scene shows everything and lasts no time")
    func still() throws {
        let choreography = Choreography(
            effects: [try Fade(ParameterValues())], darkColors: [nil], sequence: .queue, gap: 0,
            delay: 1, hold: 1, speed: 1, loop: .count(1), isAnimated: false)
        let scene = try choreography.scene(
            of: TestGlyphs.layout(["still"]), appearance: TestGlyphs.appearance,
            limits: SceneLimits())
        #expect(scene.duration == .zero)
        #expect(scene.pose(ofGlyph: 0, at: .instant(.zero)) == .rest)
    }

    @Test("scenes past a limit are refused")
    func limits() throws {
        let choreography = Choreography(
            effects: [Typewriter(ParameterValues())], darkColors: [nil], sequence: .queue, gap: 0,
            delay: 0, hold: 0, speed: 1, loop: .count(1), isAnimated: true)
        var limits = SceneLimits()
        limits.cycleSeconds = 0.5
        #expect(throws: SceneError.cycleTooLong(seconds: 0.6, limit: 0.5)) {
            try choreography.scene(
                of: TestGlyphs.layout(["12345"]), appearance: TestGlyphs.appearance, limits: limits)
        }
        limits = SceneLimits()
        limits.keyframes = 8
        #expect(throws: SceneError.self) {
            try choreography.scene(
                of: TestGlyphs.layout(["12345"]), appearance: TestGlyphs.appearance, limits: limits)
        }
    }
}
