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
            let order = nodes.map { (firstInstant(of: $0), $0.glyph) }
            nodes = nodes.indices.sorted { order[$0] < order[$1] }.map { nodes[$0] }
        }
        var known = KnownTracks()
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
        /// The index of its glyph in the layout.
        let glyph: Int
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

    /// The indices of tracks by the motions that have them.
    private struct KnownTracks {
        private var indices: [RunningNode.Motion: Int] = [:]
        /// The last motion, because many nodes that follow one another have the same.
        private var last: (motion: RunningNode.Motion, index: Int)?

        mutating func index(of motion: RunningNode.Motion, adding next: Int) -> Int {
            if let last, last.motion == motion { return last.index }
            let index = indices[motion] ?? next
            indices[motion] = index
            last = (motion, index)
            return index
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

    /// Appends the nodes of a block to those of others.
    private mutating func collect(
        _ layer: PhaseNode.Layer, of block: Int, in nodes: inout [RunningNode]
    ) throws(SceneError) {
        let phases = schedule.phases[block]
        let first = layout.blocks[block].glyphs.lowerBound
        var known: [NodeKey: Int] = [:]
        let groups = runs(of: phases)
        for runs in groups {
            let leavesCanvas = phases[runs.lowerBound].phase.leavesCanvas
            // Nodes that follow one another often share a motion.
            var last: RunningNode.Motion?
            for node in phases[runs.lowerBound].phase.nodes where node.layer == layer {
                try deadline.checkScene(every: 64)
                let part = RunningNode.Part(runs: runs, motion: node.motion)
                // The nodes of one phase differ.
                if groups.count > 1, let index = known[NodeKey(node)] {
                    nodes[index].motion.parts.append(part)
                    continue
                }
                if groups.count > 1 { known[NodeKey(node)] = nodes.count }
                if leavesCanvas { passing.insert(first + node.glyph) }
                var motion = RunningNode.Motion(block: block)
                if let last, last.parts[0] == part {
                    motion = last
                } else {
                    motion.parts = [part]
                }
                last = motion
                nodes.append(RunningNode(node: node, glyph: first + node.glyph, motion: motion))
            }
        }
    }

    /// Returns the indices of phases with nodes: all runs of an emphasis, which have one phase, are
    /// one range.
    private func runs(of phases: [Schedule.Entry]) -> [Range<Int>] {
        var groups: [Range<Int>] = []
        for (index, entry) in phases.enumerated() where !entry.phase.nodes.isEmpty {
            if entry.kind == .emphasis, let last = groups.last, last.upperBound == index,
                phases[last.lowerBound].kind == .emphasis
            {
                groups[groups.count - 1] = last.lowerBound..<index + 1
            } else {
                groups.append(index..<index + 1)
            }
        }
        return groups
    }

    /// Returns the instant at which a node first shows.
    private func firstInstant(of node: RunningNode) -> Instant {
        let part = node.motion.parts[0]
        let entry = schedule.phases[node.motion.block][part.runs.lowerBound]
        let span = entry.phase.motions[part.motion].spans.first
        return Instant(seconds: (entry.start + (span?.start ?? 0)) / speed)
    }

    private mutating func tracks(of motion: RunningNode.Motion) -> GlyphTracks {
        let phases = schedule.phases[motion.block]
        var moved: [Property] = []
        track.add(0, value: 0, easing: .hold)
        for part in motion.parts {
            for entry in phases[part.runs] {
                for span in entry.phase.motions[part.motion].spans {
                    track.add((entry.start + span.start) / speed, value: 1, easing: .hold)
                    track.add((entry.start + span.end) / speed, value: 0, easing: .hold)
                }
            }
            for move in phases[part.runs.lowerBound].phase.motions[part.motion].moves
            where !moved.contains(move.property) {
                moved.append(move.property)
            }
        }
        var tracks = GlyphTracks(opacity: Track(keyframes: track.finish()))
        if moved.count > 1 { moved.sort { $0.rawValue < $1.rawValue } }
        for property in moved
        where property != .shadowOpacity || choreography.blocks[motion.block].paint.hasShadow {
            addMoves(of: property, motion, phases)
            tracks.append(PropertyTrack(property, Track(keyframes: track.finish())))
        }
        return tracks
    }

    /// Adds the changes of a property to `track`.
    private mutating func addMoves(
        of property: Property, _ motion: RunningNode.Motion, _ phases: [Schedule.Entry]
    ) {
        var held: Double?
        for part in motion.parts {
            for entry in phases[part.runs] {
                for move in entry.phase.motions[part.motion].moves where move.property == property {
                    guard move.keyframes.last?.easing == .hold else {
                        held = nil
                        track.add(move.keyframes, from: entry.start, 0, speed: speed)
                        continue
                    }
                    held = entry.start + (entry.phase.motions[part.motion].spans.last?.end ?? 0)
                    // It is hidden before the first value.
                    for keyframe in move.keyframes {
                        track.add(
                            (entry.start + keyframe.time) / speed, value: keyframe.value,
                            easing: keyframe.easing)
                    }
                }
            }
        }
        if let held { track.add(held / speed, value: property.identity, easing: .hold) }
    }

    /// Adds a character in the place of its glyph, unless the layout has not set it.
    private mutating func addCharacter(_ character: Int, _ node: RunningNode) {
        guard character < layout.blocks[node.motion.block].characters.count else { return }
        var shape = layout.blocks[node.motion.block].characters[character]
        shape.block = layout.glyphs[node.glyph].block
        shape.line = layout.glyphs[node.glyph].line
        shape.word = layout.glyphs[node.glyph].word
        shape.move(
            byX: layout.glyphs[node.glyph].rect.center.x - shape.rect.center.x
                + node.node.offset.x,
            y: layout.glyphs[node.glyph].baseline - shape.baseline + node.node.offset.y)
        let tracks = tracks(of: node.motion)
        // The digits of a drum move as one.
        let isShared = !tracks.others.isEmpty && scene.tracks.last == tracks
        if !isShared { scene.tracks.append(tracks) }
        add(shape, of: node, as: .decoy(of: node.glyph), scene.tracks.count - 1)
    }

    /// Adds a glyph with its parts once more; `color` is that of a shade.
    private mutating func addCopy(
        _ node: RunningNode, in color: Color?, _ known: inout KnownTracks
    ) {
        guard layout.glyphs[node.glyph].ink != nil else { return }
        let track = known.index(of: node.motion, adding: scene.tracks.count)
        if track == scene.tracks.count { scene.tracks.append(tracks(of: node.motion)) }
        var glyph = layout.glyphs[node.glyph]
        if node.node.offset != .zero {
            glyph.move(byX: node.node.offset.x, y: node.node.offset.y)
        }
        func add(_ copy: Glyph) {
            guard let color else {
                return self.add(copy, of: node, as: .slice(of: node.glyph), track)
            }
            guard let shade = copy.overlaid(in: color) else { return }
            self.add(shade, of: node, as: .copy(of: node.glyph), track)
        }
        add(glyph)
        if !layout.blocks[node.motion.block].parts.isEmpty {
            for part in layout.blocks[node.motion.block].parts[node.glyph] ?? [] {
                add(part.only(of: glyph))
            }
        }
    }

    private mutating func add(
        _ glyph: Glyph, of node: RunningNode, as role: SceneNode.Role, _ track: Int
    ) {
        var added = SceneNode(glyph, as: role, track: track, isFinished: false)
        if node.node.mask != nil {
            let spans = maskSpans(of: node)
            if !spans.isEmpty { added.mask = index(ofMask: spans) }
        }
        scene.nodes.append(added)
    }

    private func maskSpans(of node: RunningNode) -> [MaskSpan] {
        let (block, glyph) = (node.motion.block, node.node.glyph)
        switch node.node.mask {
        case nil: return []
        case .box(let box, let edges):
            return [mask(box, cutAt: edges, ofGlyph: glyph, of: block, .zero..<scene.duration)]
        case .ofGlyph:
            var spans: [MaskSpan] = []
            for part in node.motion.parts {
                for entry in schedule.phases[block][part.runs] {
                    spans += maskSpans(ofGlyph: glyph, of: block, in: entry)
                }
            }
            return spans
        }
    }
}
