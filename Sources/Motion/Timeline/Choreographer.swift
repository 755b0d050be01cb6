extension Choreography {
    /// The layout with everything that happens to it.
    ///
    /// - Throws: `SceneError` when the scene would go past a limit.
    package func scene(
        of layout: Layout, appearance: Appearance, limits: SceneLimits
    ) throws(SceneError) -> Scene {
        guard isAnimated else { return still(layout, appearance) }
        let schedule = try Schedule(self, layout, seed: appearance.seed, limits: limits)
        let speed = try speed(forTotal: schedule.total)
        let seconds = schedule.total / speed
        guard seconds <= limits.cycleSeconds else {
            throw .cycleTooLong(seconds: seconds, limit: limits.cycleSeconds)
        }
        var builder = SceneBuilder(self, layout, schedule, speed: speed)
        return try builder.scene(appearance, limits)
    }

    private func speed(forTotal total: Double) throws(SceneError) -> Double {
        switch pace {
        case .speed(let speed): return speed
        case .cycle(let seconds):
            let speed = total / seconds
            guard speed >= 0.1, speed <= 10 else { throw .cycleOutOfReach(speed: speed) }
            return speed
        }
    }

    private func still(_ layout: Layout, _ appearance: Appearance) -> Scene {
        let last = layout.blocks.count - 1
        let isFinished = layout.glyphs.map { sequence != .replace || $0.block == last }
        var hidden = GlyphTracks.shown
        hidden.opacity.keyframes[0].value = 0
        return Scene(
            layout: layout,
            blocks: layout.blocks.indices.map {
                SceneBlock(blocks[$0], entrance: .zero ... .zero, exit: nil)
            },
            tracks: [.shown, hidden], trackOfGlyph: isFinished.map { $0 ? 0 : 1 },
            isFinished: isFinished, duration: .zero, loop: loop, appearance: appearance)
    }
}

extension SceneBlock {
    init(
        _ block: Choreography.Block, entrance: ClosedRange<Instant>, exit: ClosedRange<Instant>?
    ) {
        let effect = type(of: block.effect)
        self.init(
            effectName: effect.name, effectTitle: effect.title, entrance: entrance, exit: exit,
            darkColor: block.darkColor)
    }
}

/// Builds a scene from a schedule, part by part: glyphs, decoys, cursors.
struct SceneBuilder {
    let choreography: Choreography
    let schedule: Schedule
    let speed: Double
    var scene: Scene

    init(_ choreography: Choreography, _ layout: Layout, _ schedule: Schedule, speed: Double) {
        self.choreography = choreography
        self.schedule = schedule
        self.speed = speed
        scene = Scene(
            layout: layout, blocks: [], tracks: [], trackOfGlyph: [], isFinished: [],
            duration: Instant(seconds: schedule.total / speed), loop: choreography.loop,
            appearance: Appearance(
                background: .transparent, darkBackground: nil, title: "", seed: 0, digest: 0))
    }

    mutating func scene(
        _ appearance: Appearance, _ limits: SceneLimits
    ) throws(SceneError) -> Scene {
        scene.appearance = appearance
        scene.trackOfGlyph.reserveCapacity(scene.layout.glyphs.count)
        let last = schedule.phases.count - 1
        for block in schedule.phases.indices {
            addBlock(block)
            let shows = choreography.sequence != .replace || block == last
            let count = scene.layout.blocks[block].glyphs.count
            scene.isFinished += repeatElement(shows, count: count)
        }
        addDecoys()
        try addCursors(limits)
        if let warning = FlashDetector.warning(of: scene) {
            scene.layout.warnings.append(warning)
        }
        return scene
    }

    private mutating func addBlock(_ block: Int) {
        let phases = schedule.phases[block]
        func instants(_ phase: Schedule.PlacedPhase) -> ClosedRange<Instant> {
            Instant(seconds: phase.start / speed)...Instant(seconds: phase.end / speed)
        }
        scene.blocks.append(
            SceneBlock(
                choreography.blocks[block], entrance: instants(phases[0]),
                exit: phases.count > 1 ? instants(phases[1]) : nil))
        // Glyphs that have the same tracks in every phase share them.
        if phases.count == 1 {
            let first = scene.tracks.count
            let assignment = phases[0].phase.assignment
            var representative = [Int](repeating: 0, count: phases[0].phase.tracks.count)
            for (glyph, track) in assignment.enumerated() { representative[track] = glyph }
            scene.tracks += representative.map { tracks(ofGlyph: $0, phases) }
            scene.trackOfGlyph += assignment.lazy.map { first + $0 }
            return
        }
        var known: [Int: Int] = [:]
        for glyph in 0..<phases[0].phase.assignment.count {
            var key = 0
            for placed in phases {
                key = key * placed.phase.tracks.count + placed.phase.assignment[glyph]
            }
            if let track = known[key] {
                scene.trackOfGlyph.append(track)
                continue
            }
            known[key] = scene.tracks.count
            scene.trackOfGlyph.append(scene.tracks.count)
            scene.tracks.append(tracks(ofGlyph: glyph, phases))
        }
    }

    /// Hidden before the entrance, at rest after it, hidden after the exit.
    private func tracks(
        ofGlyph glyph: Int, _ phases: [Schedule.PlacedPhase]
    ) -> GlyphTracks {
        var opacity = TrackBuilder(capacity: 4 * phases.count)
        if phases[0].start > 0 { opacity.add(0, 0, .hold) }
        for placed in phases {
            let keyframes = placed.phase.tracks[placed.phase.assignment[glyph]].opacity
            add(keyframes, from: placed.start, to: &opacity)
            if placed.kind == .exit { opacity.add(placed.end / speed, 0, .hold) }
        }
        var tracks = GlyphTracks(opacity: opacity.track())
        let isMoved = phases.contains { placed in
            !placed.phase.tracks[placed.phase.assignment[glyph]].moves.isEmpty
        }
        guard isMoved else { return tracks }
        for property in Property.allCases.dropFirst() {
            tracks[property] = move(property, ofGlyph: glyph, phases)
        }
        return tracks
    }

    private func move(
        _ property: Property, ofGlyph glyph: Int, _ phases: [Schedule.PlacedPhase]
    ) -> Track? {
        var builder: TrackBuilder?
        for placed in phases {
            let moves = placed.phase.tracks[placed.phase.assignment[glyph]].moves
            guard let move = moves.first(where: { $0.property == property }) else { continue }
            var joined = builder ?? TrackBuilder(capacity: move.keyframes.count + 2)
            add(move.keyframes, from: placed.start, to: &joined)
            builder = joined
        }
        return builder?.track()
    }

    private func add(
        _ keyframes: [PhaseKeyframe], from start: Double, to builder: inout TrackBuilder
    ) {
        guard let first = keyframes.first, let last = keyframes.last else { return }
        if first.time > 0 { builder.add(start / speed, first.value, .hold) }
        for keyframe in keyframes.dropLast() {
            builder.add((start + keyframe.time) / speed, keyframe.value, keyframe.easing)
        }
        // The last value holds until another phase says otherwise.
        builder.add((start + last.time) / speed, last.value, .hold)
    }
}
