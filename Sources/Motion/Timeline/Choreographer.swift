extension Choreography {
    /// The layout with everything that happens to it.
    ///
    /// - Throws: `SceneError` when the scene would go past a limit.
    package func scene(
        of layout: Layout, appearance: Appearance, limits: SceneLimits
    ) throws(SceneError) -> Scene {
        guard isAnimated else { return still(layout, appearance) }
        let phases = layout.blocks.indices.map { block in
            effects[block].entrance(of: effectBlock(block, of: layout, appearance.seed))
        }
        let starts = starts(of: phases)
        let arrival = zip(starts, phases).map { $0 + $1.duration }.max() ?? delay
        let seconds = (arrival + hold) / speed
        guard seconds <= limits.cycleSeconds else {
            throw .cycleTooLong(seconds: seconds, limit: limits.cycleSeconds)
        }
        let count = phases.reduce(0) { $0 + $1.keyframeCount }
        guard count <= limits.keyframes else {
            throw .tooManyKeyframes(count: count, limit: limits.keyframes)
        }

        var scene = Scene(
            layout: layout, blocks: [], tracks: [], trackOfGlyph: [],
            duration: Instant(seconds: seconds), loop: loop, appearance: appearance)
        scene.trackOfGlyph.reserveCapacity(layout.glyphs.count)
        for (block, phase) in phases.enumerated() {
            let first = scene.tracks.count
            scene.tracks += phase.tracks.map { tracks($0, from: starts[block]) }
            scene.trackOfGlyph += phase.assignment.lazy.map { first + $0 }
            let start = Instant(seconds: starts[block] / speed)
            let end = Instant(seconds: (starts[block] + phase.duration) / speed)
            scene.blocks.append(sceneBlock(block, entrance: start...end))
        }
        return scene
    }

    private func still(_ layout: Layout, _ appearance: Appearance) -> Scene {
        Scene(
            layout: layout,
            blocks: layout.blocks.indices.map { sceneBlock($0, entrance: .zero ... .zero) },
            tracks: [.shown],
            trackOfGlyph: [Int](repeating: 0, count: layout.glyphs.count),
            duration: .zero, loop: loop, appearance: appearance)
    }

    private func sceneBlock(_ block: Int, entrance: ClosedRange<Instant>) -> SceneBlock {
        let effect = type(of: effects[block])
        return SceneBlock(
            effectName: effect.name, effectTitle: effect.title, entrance: entrance, exit: nil,
            darkColor: darkColors[block])
    }

    private func effectBlock(_ block: Int, of layout: Layout, _ seed: UInt64) -> EffectBlock {
        EffectBlock(
            glyphs: layout.glyphs[layout.blocks[block].glyphs],
            em: layout.blocks[block].size,
            randomness: PhaseRandomness(seed: seed, block: block, phase: .entrance))
    }

    /// When each block's entrance starts, in seconds before `speed`.
    private func starts(of phases: [Phase]) -> [Double] {
        var next = delay
        return phases.map { phase in
            guard sequence == .queue else { return delay }
            defer { next += phase.duration + gap }
            return next
        }
    }

    /// The tracks of a phase that starts at `start`: hidden before, at rest after.
    private func tracks(_ phase: PhaseTracks, from start: Double) -> GlyphTracks {
        var opacity = TrackBuilder(capacity: phase.opacity.count + 2)
        if start > 0 { opacity.add(0, 0, .hold) }
        if let first = phase.opacity.first, first.time > 0 {
            opacity.add(start / speed, first.value, .hold)
        }
        for keyframe in phase.opacity {
            opacity.add((start + keyframe.time) / speed, keyframe.value, keyframe.easing)
        }
        var tracks = GlyphTracks(opacity: opacity.track())
        for (property, keyframes) in phase.moves {
            var builder = TrackBuilder(capacity: keyframes.count)
            for keyframe in keyframes {
                builder.add((start + keyframe.time) / speed, keyframe.value, keyframe.easing)
            }
            tracks[property] = builder.track()
        }
        return tracks
    }
}

extension Phase {
    /// Keyframes of all glyphs together.
    fileprivate var keyframeCount: Int {
        let counts = tracks.map { tracks in
            tracks.moves.reduce(tracks.opacity.count + 1) { $0 + $1.keyframes.count }
        }
        return assignment.reduce(0) { $0 + counts[$1] }
    }
}
