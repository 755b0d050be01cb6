/// A node in all phases of its block that have it.
struct RunningNode {
    /// The node in the first of these phases.
    let node: PhaseNode
    /// The index of its glyph in the layout.
    let glyph: Int
    var motion: Motion

    struct Motion: Hashable {
        let block: Int
        var parts: [Part]
    }

    /// The motion in a phase.
    struct Part: Hashable {
        /// The runs of the phase, as indices among the phases of the block.
        let runs: Range<Int>
        /// Index in `Phase.motions`.
        let motion: Int
    }
}

/// By which the nodes of several phases are one.
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

extension SceneBuilder {
    /// Appends the nodes of a block to those of others.
    mutating func collect(
        _ layer: PhaseNode.Layer, of block: Int, in nodes: inout [RunningNode]
    ) throws(SceneError) {
        let phases = schedule.phases[block]
        let first = layout.blocks[block].glyphs.lowerBound
        var known: [NodeKey: Int] = [:]
        let groups = runs(of: phases)
        for runs in groups {
            for node in phases[runs.lowerBound].phase.nodes where node.layer == layer {
                try deadline.checkScene(every: 64)
                let part = RunningNode.Part(runs: runs, motion: node.motion)
                // The nodes of one phase differ.
                if groups.count > 1, let index = known[NodeKey(node)] {
                    nodes[index].motion.parts.append(part)
                    continue
                }
                if groups.count > 1 { known[NodeKey(node)] = nodes.count }
                nodes.append(
                    RunningNode(
                        node: node, glyph: first + node.glyph,
                        motion: RunningNode.Motion(block: block, parts: [part])))
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
    func firstInstant(of node: RunningNode) -> Instant {
        let part = node.motion.parts[0]
        let entry = schedule.phases[node.motion.block][part.runs.lowerBound]
        let span = entry.phase.motions[part.motion].spans.first
        return Instant(seconds: (entry.start + (span?.start ?? 0)) / speed)
    }
}
