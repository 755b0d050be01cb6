extension SceneBuilder {
    /// Adds the nodes of phases that lie in a layer, each once for all phases that have it.
    ///
    /// Those in the places of glyphs come in the order in which they first show, others in the
    /// order of the phases. Needs nothing but the layout and the schedule.
    mutating func addNodes(_ layer: PhaseNode.Layer) throws(SceneError) {
        guard schedule.hasNodes else { return }
        var nodes: [RunningNode] = []
        for block in schedule.phases.indices { try collect(layer, of: block, in: &nodes) }
        if layer == .text {
            let order = nodes.map { (firstInstant(of: $0), $0.glyph) }
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
        _ node: RunningNode, in color: Color?, _ known: inout [RunningNode.Motion: Int]
    ) {
        guard layout.glyphs[node.glyph].ink != nil else { return }
        let track = known[node.motion] ?? scene.tracks.count
        if track == scene.tracks.count {
            known[node.motion] = track
            scene.tracks.append(tracks(of: node.motion))
        }
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
