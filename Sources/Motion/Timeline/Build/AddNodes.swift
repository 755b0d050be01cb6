extension SceneBuilder {
    /// Adds the nodes of phases that lie in a layer, each once for all phases that have it.
    ///
    /// Those in the places of glyphs come in the order in which they first show, others in the
    /// order of the phases. Needs nothing but the layout and the schedule. Adds the glyphs that
    /// leave the canvas by intent to `passing`.
    mutating func addNodes(_ layer: PhaseNode.Layer) throws(SceneError) {
        guard schedule.hasNodes else { return }
        var nodes: [RunningNode] = []
        for block in schedule.phases.indices { try collect(layer, of: block, in: &nodes) }
        if layer == .text {
            let order = nodes.map { (firstInstant(of: $0), glyph(of: $0)) }
            nodes = nodes.indices.sorted { order[$0] < order[$1] }.map { nodes[$0] }
        }
        var known: [RunningNode.Motion: Int] = [:]
        for node in nodes {
            try deadline.checkScene(every: 64)
            switch node.node.shape {
            case .character(let character): addCharacter(character, node)
            case .glyph: addCopy(node, in: nil, &known)
            case .shade(let color): addCopy(node, in: color, &known)
            }
        }
    }

    /// A node in all phases of its block that have it.
    private struct RunningNode {
        /// The node in the first of these phases.
        let node: PhaseNode
        var motion: Motion

        struct Motion: Hashable {
            let block: Int
            var parts: [Part] = []
        }

        /// The motion in a phase.
        struct Part: Hashable {
            /// The runs of the phase, as indices among the phases of the block.
            let runs: Range<Int>
            /// Index in `Phase.motions`.
            let motion: Int
        }
    }

    private struct NodeKey: Hashable {
        let glyph: Int
        let shape: PhaseNode.Shape
        let offset: SIMD2<Double>
        let mask: PhaseNode.Mask?
        /// A character shows once at a time; several copies of a glyph may show.
        let motion: Int?

        init(_ node: PhaseNode) {
            glyph = node.glyph
            shape = node.shape
            offset = node.offset
            mask = node.mask
            motion = node.layer == .text ? nil : node.motion
        }
    }

    /// Appends the nodes of a block to others.
    private mutating func collect(
        _ layer: PhaseNode.Layer, of block: Int, in nodes: inout [RunningNode]
    ) throws(SceneError) {
        let phases = schedule.phases[block]
        var known: [NodeKey: Int] = [:]
        var next = 0
        while next < phases.count {
            let runs = next..<endOfRuns(from: next, phases)
            next = runs.upperBound
            for node in phases[runs.lowerBound].phase.nodes where node.layer == layer {
                try deadline.checkScene(every: 64)
                let key = NodeKey(node)
                let index = known[key] ?? nodes.count
                if index == nodes.count {
                    known[key] = index
                    nodes.append(RunningNode(node: node, motion: .init(block: block)))
                    if node.leavesCanvas { passing.insert(glyph(of: nodes[index])) }
                }
                nodes[index].motion.parts.append(.init(runs: runs, motion: node.motion))
            }
        }
    }

    /// Returns the end of the phases that are the same one: all runs of an emphasis.
    private func endOfRuns(from first: Int, _ phases: [Schedule.Entry]) -> Int {
        guard phases[first].kind == .emphasis else { return first + 1 }
        return phases[first...].firstIndex { $0.kind != .emphasis } ?? phases.count
    }

    /// Returns the index in the layout of the glyph of a node.
    private func glyph(of node: RunningNode) -> Int {
        layout.blocks[node.motion.block].glyphs.lowerBound + node.node.glyph
    }

    /// Returns the runs of a motion, each with its start in seconds before `speed`.
    private func runs(
        of motion: RunningNode.Motion
    ) -> [(start: Double, motion: PhaseMotion)] {
        let phases = schedule.phases[motion.block]
        return motion.parts.flatMap { part in
            phases[part.runs].map { ($0.start, $0.phase.motions[part.motion]) }
        }
    }

    /// Returns the instant at which a node first shows.
    private func firstInstant(of node: RunningNode) -> Instant {
        guard let run = runs(of: node.motion).first, let span = run.motion.spans.first else {
            return .zero
        }
        return Instant(seconds: (run.start + span.start) / speed)
    }

    private mutating func tracks(of motion: RunningNode.Motion) -> GlyphTracks {
        let runs = runs(of: motion)
        track.add(0, value: 0, easing: .hold)
        for run in runs {
            for span in run.motion.spans {
                track.add((run.start + span.start) / speed, value: 1, easing: .hold)
                track.add((run.start + span.end) / speed, value: 0, easing: .hold)
            }
        }
        var tracks = GlyphTracks(opacity: Track(keyframes: track.finish()))
        let moved = Set(runs.flatMap { $0.motion.moves.map(\.property) })
        for property in moved.sorted(by: { $0.rawValue < $1.rawValue })
        where property != .shadowOpacity || choreography.blocks[motion.block].paint.hasShadow {
            var held: Double?
            for run in runs {
                for move in run.motion.moves where move.property == property {
                    held = move.keyframes.last?.easing == .hold ? run.motion.spans.last?.end : nil
                    guard held != nil else {
                        track.add(move.keyframes, from: run.start, 0, speed: speed)
                        continue
                    }
                    // It is hidden before the first value, and between the values.
                    for keyframe in move.keyframes {
                        track.add(
                            (run.start + keyframe.time) / speed, value: keyframe.value,
                            easing: .hold)
                    }
                }
            }
            if let held, let start = runs.last?.start {
                track.add((start + held) / speed, value: property.identity, easing: .hold)
            }
            tracks[property] = Track(keyframes: track.finish())
        }
        return tracks
    }

    /// Adds a character in the place of its glyph, unless the layout has not set it.
    private mutating func addCharacter(_ character: Int, _ node: RunningNode) {
        let characters = layout.blocks[node.motion.block].characters
        guard character < characters.count else { return }
        let glyph = layout.glyphs[glyph(of: node)]
        var shape = characters[character]
        shape.block = glyph.block
        shape.line = glyph.line
        shape.word = glyph.word
        shape.move(
            byX: glyph.rect.center.x - shape.rect.center.x + node.node.offset.x,
            y: glyph.baseline - shape.baseline + node.node.offset.y)
        let tracks = tracks(of: node.motion)
        // The digits of a drum move as one.
        let isShared = !tracks.others.isEmpty && scene.tracks.last == tracks
        if !isShared { scene.tracks.append(tracks) }
        add(shape, of: node, as: .decoy(of: self.glyph(of: node)), scene.tracks.count - 1)
    }

    /// Adds a glyph with its parts once more; `color` is that of a shade.
    private mutating func addCopy(
        _ node: RunningNode, in color: Color?, _ known: inout [RunningNode.Motion: Int]
    ) {
        let index = glyph(of: node)
        var glyph = layout.glyphs[index]
        guard glyph.ink != nil else { return }
        glyph.move(byX: node.node.offset.x, y: node.node.offset.y)
        let track = known[node.motion] ?? scene.tracks.count
        if track == scene.tracks.count {
            known[node.motion] = track
            scene.tracks.append(tracks(of: node.motion))
        }
        let parts = layout.blocks[node.motion.block].parts[index] ?? []
        for copy in [glyph] + parts.map({ $0.only(of: glyph) }) {
            guard let color else {
                add(copy, of: node, as: .slice(of: index), track)
                continue
            }
            guard let shade = copy.overlaid(in: color) else { continue }
            add(shade, of: node, as: .copy(of: index), track)
        }
    }

    private mutating func add(
        _ glyph: Glyph, of node: RunningNode, as role: SceneNode.Role, _ track: Int
    ) {
        var added = SceneNode(glyph, as: role, track: track, isFinished: false)
        let mask = maskSpans(of: node)
        if !mask.isEmpty { added.mask = index(ofMask: mask) }
        scene.nodes.append(added)
    }

    private func maskSpans(of node: RunningNode) -> [MaskSpan] {
        let (block, glyph) = (node.motion.block, node.node.glyph)
        switch node.node.mask {
        case nil: return []
        case .box(let box, let edges):
            return [mask(box, cutAt: edges, ofGlyph: glyph, of: block, .zero..<scene.duration)]
        case .ofGlyph:
            return node.motion.parts.flatMap { part in
                schedule.phases[block][part.runs].flatMap {
                    maskSpans(ofGlyph: glyph, of: block, in: $0)
                }
            }
        }
    }
}
