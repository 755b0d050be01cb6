package import Bytes
package import Motion
import Rendering
import Sampling

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
        require(
            scene.nodes.allSatisfy {
                scene.tracks.indices.contains($0.track)
                    && scene.tracks.indices.contains($0.outlineTrack)
                    && scene.tracks.indices.contains($0.shadowTrack)
            }, "every node has its tracks")
        for tracks in scene.tracks {
            for property in Property.allCases {
                guard let keyframes = tracks[property]?.keyframes else { continue }
                require(isOrdered(keyframes, in: scene), "the instants of \(property) rise")
                require(
                    keyframes.allSatisfy { $0.value.isFinite }, "\(property) has finite values")
            }
            guard let keyframes = tracks.fill?.keyframes else { continue }
            require(isOrdered(keyframes, in: scene), "the instants of the fill rise")
            for keyframe in keyframes where overshoots(keyframe.easing) {
                require(false, "no colour overshoots: \(keyframe.easing)")
            }
        }
        for spans in scene.masks {
            let areApart = zip(spans, spans.dropFirst()).allSatisfy { $0.end <= $1.start }
            let areWithinCycle = spans.allSatisfy {
                .zero <= $0.start && $0.start < $0.end && $0.end <= scene.duration
            }
            require(areApart && areWithinCycle, "masks are apart, within the cycle")
        }
        for index in scene.nodes.indices
        where scene.nodes[index].role == .glyph {
            let block = scene.blocks[scene.nodes[index].glyph.block]
            let (start, arrived) = (block.entrance.lowerBound, block.entrance.upperBound)
            if block.exit == nil || arrived < block.exit?.lowerBound ?? .zero {
                var pose = scene.pose(ofNode: index, at: .instant(arrived))
                if !pose.hasStroke { pose.strokeWidth = 0 }
                // The way back may begin at this instant, and be masked.
                if block.exit == nil, scene.loop == .infinite { pose.clip = nil }
                require(pose == .rest, "glyphs rest after the entrance")
            }
            if start > .zero {
                let before = Instant(ticks: start.ticks - 1)
                require(
                    scene.pose(ofNode: index, at: .instant(before)).opacity == 0,
                    "nothing shows before the entrance")
            }
            if let end = block.exit?.upperBound {
                require(
                    scene.pose(ofNode: index, at: .instant(end)).opacity == 0,
                    "nothing shows after the exit")
            }
        }
        return violations
    }

    /// Returns true if instants rise and lie within the cycle.
    private static func isOrdered(
        _ keyframes: [Keyframe<Instant, some Hashable & Sendable>], in scene: Scene
    ) -> Bool {
        zip(keyframes, keyframes.dropFirst()).allSatisfy { $0.time < $1.time }
            && keyframes.first?.time ?? Instant(ticks: -1) >= .zero
            && keyframes.last?.time ?? .zero <= scene.duration
    }

    /// Returns true if a curve leaves 0…1 by more than a colour shows.
    private static func overshoots(_ easing: Easing) -> Bool {
        stride(from: 0, through: 1, by: 0.02).contains { progress in
            !(-0.001...1.001).contains(easing.value(at: progress))
        }
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
            timing: .init(
                gap: 0.3, delay: draw.isMultiple(of: 5) ? 0 : 0.1, hold: Double(draw % 2),
                pace: .speed([0.1, 1, 3, 10][draw / 2 % 4])),
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
    package func values(draw: Int) -> [ByteString: ParameterValue] {
        var generator = SplitMix64(state: UInt64(draw))
        var values: [ByteString: ParameterValue] = [:]
        for parameter in parameters {
            let sample = parameter.grammar.sample(using: &generator)
            values[parameter.key] = try? parameter.grammar.value(of: sample)
        }
        // Only letters that are typed in their order can be mistaken; others are refused.
        if values["typos"] != nil, draw.isMultiple(of: 2) {
            values["by"] = .string("glyph")
            values["order"] = .string("forward")
        }
        return values
    }
}
