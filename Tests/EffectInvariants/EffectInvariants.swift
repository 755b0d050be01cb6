package import Motion

/// The invariants of all effects with any parameters.
package enum EffectInvariants {
    private static let texts = [
        "a", "Who you gonna call?", "one two three. four, five! six", " x ", "日本 語e\u{301} ÄÖ",
    ]

    /// Returns the rules that an effect breaks with parameters, sequence, exit and loop that depend
    /// on a number.
    package static func violations(
        of effect: EffectCatalog.Entry, draw: Int
    ) throws(SceneError) -> [String] {
        var violations = violationsOfReading(by: effect, draw: draw)
        guard let scene = try scene(effect, draw: draw) else { return violations }
        func require(_ holds: Bool, _ rule: String) {
            if !holds { violations.append("\(effect.name) \(draw): \(rule)") }
        }
        require(scene.trackOfGlyph.count == scene.layout.glyphs.count, "a track a glyph")
        require(scene.isFinished.count == scene.layout.glyphs.count, "an end a glyph")
        for tracks in scene.tracks {
            for property in Property.allCases {
                guard let keyframes = tracks[property]?.keyframes else { continue }
                let rises = zip(keyframes, keyframes.dropFirst()).allSatisfy {
                    $0.instant < $1.instant
                }
                require(rises && !keyframes.isEmpty, "the instants of \(property) rise")
                let isWithinCycle =
                    keyframes.first?.instant ?? .zero >= .zero
                    && keyframes.last?.instant ?? .zero <= scene.duration
                require(isWithinCycle, "the instants of \(property) lie within the cycle")
                guard property == .opacity else { continue }
                require(
                    keyframes.allSatisfy { (0...1).contains($0.value) }, "opacity is from 0 to 1")
            }
        }
        for index in scene.layout.glyphs.indices
        where scene.layout.glyphs[index].role == .glyph {
            let block = scene.blocks[scene.layout.glyphs[index].block]
            let (start, arrived) = (block.entrance.lowerBound, block.entrance.upperBound)
            if block.exit == nil || arrived < block.exit?.lowerBound ?? .zero {
                require(
                    scene.pose(ofGlyph: index, at: .instant(arrived)) == .rest,
                    "glyphs rest after the entrance")
            }
            if start > .zero {
                let before = Instant(ticks: start.ticks - 1)
                require(
                    scene.pose(ofGlyph: index, at: .instant(before)).opacity == 0,
                    "nothing shows before the entrance")
            }
            if let end = block.exit?.upperBound {
                require(
                    scene.pose(ofGlyph: index, at: .instant(end)).opacity == 0,
                    "nothing shows after the exit")
            }
        }
        return violations
    }

    /// The parameters that an effect reads do not depend on their values.
    private static func violationsOfReading(
        by effect: EffectCatalog.Entry, draw: Int
    ) -> [String] {
        let names = effect.parameters.map(\.name)
        let read = effect.parameters(readFrom: effect.values(draw: draw))
        var violations: [String] = []
        if Set(names).count != names.count {
            violations.append("\(effect.name): two parameters have one name")
        }
        if read.map(\.name) != names {
            violations.append("\(effect.name) \(draw): reads other parameters, or in another order")
        }
        return violations
    }

    private static func scene(
        _ effect: EffectCatalog.Entry, draw: Int
    ) throws(SceneError) -> Scene? {
        var unlimited = SceneLimits()
        unlimited.cycleSeconds = .infinity
        // Values that do not go together are refused, which is another test's business.
        guard let made = try? effect.effect(effect.values(draw: draw)) else { return nil }
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
        } catch {
            if case .tooManyKeyframes = error { return nil }
            throw error
        }
    }
}

extension EffectCatalog.Entry {
    /// Returns values at the ends of every range and between.
    package func values(draw: Int) -> [String: ParameterValue] {
        let randomness = Randomness(seed: UInt64(draw))
        var values: [String: ParameterValue] = [:]
        for (number, parameter) in parameters.enumerated() {
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
            case .characters: values[parameter.name] = .string("01🙂")
            case .easing:
                values[parameter.name] = .easing(
                    .easing(Easing.named[Int(unit * 6)].easing))
            default: break
            }
        }
        return values
    }
}
