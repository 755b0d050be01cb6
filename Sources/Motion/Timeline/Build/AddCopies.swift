extension SceneBuilder {
    /// Adds the glyphs that show once more, first in front of the text, then behind it.
    ///
    /// Needs nothing but the layout and the schedule. Adds the glyphs that run through the canvas
    /// to `passing`.
    mutating func addCopies() throws(SceneError) {
        guard schedule.hasCopiesOrLight else { return }
        for isBehind in [false, true] {
            for block in schedule.phases.indices {
                try addCopies(of: block, isBehind: isBehind)
                if !isBehind { try addRepeats(of: block) }
            }
        }
    }

    /// The copies that differ only in the spans in which they show.
    private struct CopyKey: Hashable {
        var number: Int
        var color: Color?
        var edges: Edges
    }

    private mutating func addCopies(of block: Int, isBehind: Bool) throws(SceneError) {
        let phases = schedule.phases[block].filter { !$0.phase.copies.isEmpty }
        var known: Set<CopyKey> = []
        for phase in phases {
            for (number, copy) in phase.phase.copies.enumerated()
            where (copy.color != nil) == isBehind {
                let key = CopyKey(number: number, color: copy.color, edges: copy.edges)
                guard known.insert(key).inserted else { continue }
                // The copy is the same in all phases; only its spans differ.
                let spans = phases.flatMap { entry in
                    let copies = entry.phase.copies
                    guard number < copies.count, copies[number].color == key.color,
                        copies[number].edges == key.edges
                    else { return [(start: Double, end: Double, x: Double)]() }
                    return copies[number].spans.map {
                        (
                            start: (entry.start + $0.start) / speed,
                            end: (entry.start + $0.end) / speed, x: $0.x
                        )
                    }
                }
                try add(copy, showing: spans, of: block)
            }
        }
    }

    private mutating func add(
        _ copy: PhaseCopy, showing spans: [(start: Double, end: Double, x: Double)], of block: Int
    ) throws(SceneError) {
        track.add(0, value: 0, easing: .hold)
        for span in spans {
            track.add(span.start, value: 1, easing: .hold)
            track.add(span.end, value: 0, easing: .hold)
        }
        var tracks = GlyphTracks(opacity: Track(keyframes: track.finish()))
        for span in spans { track.add(span.start, value: span.x, easing: .hold) }
        // A hidden copy has no offset.
        if let end = spans.last?.end { track.add(end, value: 0, easing: .hold) }
        tracks[.offsetX] = Track(keyframes: track.finish())
        // Masks do not cut shadows.
        if choreography.blocks[block].paint.hasShadow {
            tracks[.shadowOpacity] = Track(keyframes: [Keyframe(.zero, value: 0)])
        }
        for (number, node) in layout.blocks[block].glyphs.enumerated() {
            try deadline.checkScene(every: 64)
            let parts = layout.blocks[block].parts[node] ?? []
            let glyph = layout.glyphs[node]
            for glyph in [glyph] + parts.map({ $0.only(of: glyph) }) {
                guard glyph.ink != nil,
                    let shape = copy.color.map({ glyph.overlaid(in: $0) }) ?? glyph
                else { continue }
                let role = copy.color == nil ? SceneNode.Role.slice(of: node) : .copy(of: node)
                var added = SceneNode(
                    shape, as: role, track: scene.tracks.count, isFinished: false)
                if !copy.boxes.isEmpty {
                    let span = mask(
                        copy.boxes[number], cutAt: copy.edges, ofGlyph: number, of: block,
                        .zero..<scene.duration)
                    added.mask = index(ofMask: [span])
                }
                scene.nodes.append(added)
            }
        }
        scene.tracks.append(tracks)
    }

    /// Adds the glyphs that are drawn once more beside themselves.
    private mutating func addRepeats(of block: Int) throws(SceneError) {
        let phases = schedule.phases[block].filter { !$0.phase.repeats.isEmpty }
        for kind in [Phase.Kind.entrance, .emphasis] {
            // All runs of a kind have one phase.
            let runs = phases.filter { $0.kind == kind }
            guard let phase = runs.first?.phase else { continue }
            var known: [Int: Int] = [:]
            for (number, node) in layout.blocks[block].glyphs.enumerated() {
                try deadline.checkScene(every: 64)
                guard let distance = phase.repeats[number] else { continue }
                passing.insert(node)
                var glyph = layout.glyphs[node]
                guard glyph.ink != nil else { continue }
                glyph.move(byX: distance, y: 0)
                let motion = phase.assignment[number]
                let index = known[motion] ?? scene.tracks.count
                if known[motion] == nil {
                    known[motion] = index
                    scene.tracks.append(tracks(of: phase.tracks[motion], in: runs))
                }
                scene.nodes.append(
                    SceneNode(glyph, as: .slice(of: node), track: index, isFinished: false))
                for part in layout.blocks[block].parts[node] ?? [] {
                    scene.nodes.append(
                        SceneNode(
                            part.only(of: glyph), as: .slice(of: node), track: index,
                            isFinished: false))
                }
            }
        }
    }

    /// Returns the tracks of a node that shows only in some phases, and moves alike in each of
    /// them.
    private mutating func tracks(
        of motion: PhaseTracks, in runs: [Schedule.Entry]
    ) -> GlyphTracks {
        track.add(0, value: 0, easing: .hold)
        for run in runs {
            track.add(run.start / speed, value: 1, easing: .hold)
            track.add(run.end / speed, value: 0, easing: .hold)
        }
        var tracks = GlyphTracks(opacity: Track(keyframes: track.finish()))
        for move in motion.moves {
            for run in runs { track.add(move.keyframes, from: run.start, 0, speed: speed) }
            tracks[move.property] = Track(keyframes: track.finish())
        }
        return tracks
    }
}
