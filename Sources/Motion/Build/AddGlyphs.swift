extension SceneBuilder {
    /// Adds the blocks, and the glyphs of each with their motions over all phases.
    ///
    /// Needs an empty scene, and adds the glyphs that leave the canvas by intent to `passing`. The
    /// index of a glyph in the layout becomes the index of its node.
    mutating func addGlyphs() throws(SceneError) {
        scene.nodes.reserveCapacity(layout.glyphs.count)
        scene.blocks.reserveCapacity(schedule.phases.count)
        for block in schedule.phases.indices { try addGlyphs(of: block) }
        guard schedule.runsThrough else { return }
        for block in schedule.phases.indices { notePassing(of: block) }
    }

    /// Notes the glyphs that some phase takes out of the canvas.
    private mutating func notePassing(of block: Int) {
        let first = layout.blocks[block].glyphs.lowerBound
        let phases = schedule.phases[block]
        for (index, entry) in phases.enumerated() where !entry.phase.leavesCanvas.isEmpty {
            // All runs of an emphasis have one phase.
            if index > 0, entry.kind == .emphasis, phases[index - 1].kind == .emphasis { continue }
            for (glyph, track) in entry.phase.assignment.enumerated()
            where !entry.phase.tracks[track].moves.isEmpty {
                passing[first + glyph, default: []].formUnion(entry.phase.leavesCanvas)
            }
        }
    }

    private mutating func addGlyphs(of block: Int) throws(SceneError) {
        let phases = schedule.phases[block]
        func instants(_ entry: Schedule.Entry) -> ClosedRange<Instant> {
            let end = Instant(seconds: (entry.start + entry.duration) / speed)
            return Instant(seconds: entry.start / speed)...end
        }
        scene.blocks.append(
            SceneBlock(
                layout.blocks[block], choreography.blocks[block], entrance: instants(phases[0]),
                exit: phases.first { $0.kind == .exit }.map(instants)))
        let glyphs = layout.blocks[block].glyphs
        let isFinished = isFinished(block)
        let castsShadow = choreography.blocks[block].paint.hasShadow
        func add(_ glyph: Int, track: Int) {
            scene.nodes.append(
                SceneNode(
                    layout.glyphs[glyphs.lowerBound + glyph], track: track,
                    isFinished: isFinished))
        }
        // Glyphs that have the same tracks in every phase share them.
        let first = scene.tracks.count
        var indices = [Int](repeating: 0, count: phases.count)
        if phases.count == 1 {
            let count = phases[0].phase.tracks.count
            scene.tracks.reserveCapacity(first + count)
            for index in 0..<count {
                indices[0] = index
                try addTracks(phases, indices, castsShadow: castsShadow)
            }
            for (glyph, index) in phases[0].phase.assignment.enumerated() {
                add(glyph, track: first + index)
            }
            return
        }
        var known: [Int: Int] = [:]
        for glyph in phases[0].phase.assignment.indices {
            var key = 0
            for entry in phases.indices {
                indices[entry] = phases[entry].phase.assignment[glyph]
                // All runs of an emphasis have one phase, and there may be many runs.
                if entry > 0, phases[entry].kind == .emphasis,
                    phases[entry - 1].kind == .emphasis
                {
                    continue
                }
                key = key * phases[entry].phase.tracks.count + indices[entry]
            }
            if let track = known[key] {
                add(glyph, track: track)
                continue
            }
            known[key] = scene.tracks.count
            add(glyph, track: scene.tracks.count)
            try addTracks(phases, indices, castsShadow: castsShadow)
        }
    }
}
