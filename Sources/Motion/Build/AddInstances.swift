extension SceneBuilder {
    /// Adds glyphs at other instances of their fonts as decoys, then overlays over them. Each has
    /// the mask of the node that it stands for, and its motion over the whole cycle.
    ///
    /// Needs the glyphs and the overlays.
    ///
    /// - Returns: The nodes that `takeTurns` gives a part of the cycle each.
    /// - Throws: `SceneError.deadline`.
    mutating func addInstances() throws(SceneError) -> [SharedNode] {
        guard schedule.hasAxes else { return [] }
        let first = scene.nodes.count
        var overlays: [Int: Int] = [:]
        for index in scene.nodes.indices {
            let role = scene.nodes[index].role
            if role.name == .overlay, let glyph = role.source { overlays[glyph] = index }
        }
        var shared: [SharedNode] = []
        var colored: [(node: Int, turns: [Turn])] = []
        for (block, phases) in schedule.phases.enumerated()
        where phases.contains(where: { $0.phase.axes != nil }) {
            let motions = phases.map { entry in
                layout.blocks[block].instances.firstIndex {
                    $0.motion == entry.phase.axes?.instances.motion
                } ?? 0
            }
            for (glyph, node) in layout.blocks[block].glyphs.enumerated() {
                try deadline.checkScene(every: 16)
                let turns = turns(ofGlyph: glyph, in: phases, motions)
                guard !turns.isEmpty else { continue }
                shared.append(share(node, turns, as: .decoy(of: node)))
                if overlays[node] != nil { colored.append((node, turns)) }
            }
        }
        for (node, turns) in colored {
            try deadline.checkScene(every: 16)
            if let overlay = overlays[node] {
                shared.append(share(overlay, turns, as: .overlay(of: node)))
            }
        }
        instances.nodes = first..<scene.nodes.count
        return shared
    }

    /// A part of a glyph's time in which it is drawn at another instance of its font.
    private struct Turn {
        let shape: Ink.Shape?
        var spans: [Range<Instant>]
    }

    private struct TurnKey: Hashable {
        let motion: Int
        let instance: Int
    }

    /// A node that other nodes replace for a part of its time.
    struct SharedNode {
        let node: Int
        let spans: [Range<Instant>]
        /// The nodes that replace it, each with its spans.
        var others: [(node: Int, spans: [Range<Instant>])] = []
    }

    /// Returns the instances of a glyph in the order in which they first show.
    private func turns(
        ofGlyph glyph: Int, in phases: [Schedule.Entry], _ motions: [Int]
    ) -> [Turn] {
        var turns: [Turn] = []
        var known: [TurnKey: Int] = [:]
        for (entry, motion) in zip(phases, motions) {
            guard let axes = entry.phase.axes, let own = axes.instances.glyphs[glyph] else {
                continue
            }
            for span in axes.spans[glyph] {
                guard let shown = instants(of: entry, from: span.start, to: span.end) else {
                    continue
                }
                let key = TurnKey(motion: motion, instance: span.instance)
                let index = known[key] ?? turns.count
                if index == turns.count {
                    known[key] = index
                    turns.append(Turn(shape: own.shapes[span.instance], spans: []))
                }
                turns[index].spans.append(shown)
            }
        }
        for index in turns.indices { turns[index].spans = turns[index].spans.joined }
        return turns
    }

    /// Adds the nodes that replace another node for a part of its time.
    private mutating func share(
        _ index: Int, _ turns: [Turn], as role: SceneNode.Role
    ) -> SharedNode {
        var shared = SharedNode(node: index, spans: turns.flatMap(\.spans).joined)
        let node = scene.nodes[index]
        guard let ink = node.glyph.ink, let own = ink.shape else { return shared }
        for turn in turns {
            var shape = turn.shape
            shape?.origin.x += own.origin.x
            shape?.origin.y += own.origin.y
            guard let ink = ink.with(shape, of: scene.definitions.outlines) else { continue }
            var added = node
            added.glyph.ink = ink
            added.become(role)
            added.isFinished = false
            shared.others.append((scene.nodes.count, turn.spans))
            scene.nodes.append(added)
        }
        return shared
    }
}
