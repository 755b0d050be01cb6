/// A character or a glyph that a phase draws besides the glyphs of its block: the letters that
/// flicker before one settles, a part of a glyph that jumps aside, its shade behind the text.
package struct PhaseNode: Sendable {
    package enum Shape: Hashable, Sendable {
        /// The effect's character with this index, centred in the box of the glyph, on its
        /// baseline.
        case character(Int)
        /// The glyph once more, in front of the text.
        case glyph
        /// The glyph once more in a colour, behind the text.
        case shade(Color)
    }

    package enum Mask: Hashable, Sendable {
        /// The mask that the glyph has in the phase.
        case ofGlyph
        /// A box in CSS pixels, and the sides at which it cuts.
        case box(Rect, Edges)
    }

    /// Its place among the other nodes of a scene.
    enum Layer {
        /// In the place of the glyph.
        case text
        case front, behind
    }

    /// Index of its glyph in the block.
    package var glyph: Int
    package var shape: Shape
    /// Index in `Phase.motions` of its motion.
    package var motion = 0
    /// CSS pixels to the right and down from the place of its glyph.
    package var offset = SIMD2<Double>.zero
    /// Nil for the whole canvas.
    package var mask: Mask?
    /// True if its glyph counts for the cursor as shown while the node shows.
    package var movesCursor = false

    var layer: Layer {
        switch shape {
        case .character: .text
        case .glyph: .front
        case .shade: .behind
        }
    }
}

/// When a node of a phase shows, and how it moves.
package struct PhaseMotion: Sendable {
    /// The spans in which it shows, in seconds from the phase's start, in rising order.
    package var spans: [(start: Double, end: Double)]
    /// The properties that change, each once. A value that is held to the end holds up to the end
    /// of the last span.
    package var moves: [(property: Property, keyframes: [Keyframe<Double, Double>])] = []

    /// The same motion run backwards within a phase of so many seconds.
    func mirrored(_ duration: Double) -> PhaseMotion {
        PhaseMotion(
            spans: spans.reversed().map { (duration - $0.end, duration - $0.start) },
            moves: moves.map {
                ($0.property, Keyframe<Double, Double>.mirrored($0.keyframes, duration))
            })
    }

    /// The way from the end of the motion to its start within so many seconds; nil if it does not
    /// move, or does not show at the start.
    func rewind(over duration: Double) -> PhaseMotion? {
        guard !moves.isEmpty, spans.first?.start == 0 else { return nil }
        return PhaseMotion(
            spans: [(0, duration)],
            moves: moves.map { move in
                let values = [move.keyframes.last, move.keyframes.first].compactMap(\.?.value)
                return (
                    move.property, zip([0, duration], values).map { Keyframe($0, value: $1) }
                )
            })
    }
}

extension Phase {
    /// Returns a phase in which letters start one after another, and each appears once it has
    /// settled. White space is there from the start.
    ///
    /// - Parameters:
    ///   - block: The block.
    ///   - interval: Seconds between the starts of letters.
    ///   - addNodes: Adds what shows before a letter, by its index in the block and its start, and
    ///     returns the second at which it has settled.
    /// - Returns: A phase that ends when the last letter has settled.
    /// - Throws: `SceneError.deadline`.
    static func settling(
        _ block: EffectBlock, every interval: Double,
        _ addNodes: (_ index: Int, Glyph, _ start: Double, inout Phase) -> Double
    ) throws(SceneError) -> Phase {
        // The tracks of white space stand first.
        var phase = Phase(tracks: [.appearing(at: 0)], assignment: [], duration: 0)
        for (index, glyph) in block.glyphs.enumerated() {
            try block.deadline.checkScene()
            guard !glyph.isWhitespace else {
                phase.assignment.append(0)
                continue
            }
            let start = Double(phase.tracks.count - 1) * interval
            let settled = addNodes(index, glyph, start, &phase)
            phase.assignment.append(phase.tracks.count)
            phase.tracks.append(.appearing(at: settled))
            phase.duration = max(phase.duration, settled)
        }
        return phase
    }

    /// Adds a node with a motion of its own.
    mutating func add(_ node: PhaseNode, _ motion: PhaseMotion) {
        var node = node
        node.motion = motions.count
        nodes.append(node)
        motions.append(motion)
    }

    /// Shows a node for a span, and adds it if it has not shown before.
    ///
    /// - Parameters:
    ///   - shape: The shape of the node.
    ///   - glyph: Index of the glyph in its block.
    ///   - span: Seconds from the phase's start.
    ///   - scaleY: The change of its height in the span; empty for none.
    ///   - mask: The mask of the node.
    ///   - known: The motions of the shapes that the glyph has had, with the same mask.
    mutating func show(
        _ shape: PhaseNode.Shape, for glyph: Int, _ span: (start: Double, end: Double),
        scaleY: [Keyframe<Double, Double>] = [], within mask: PhaseNode.Mask? = nil,
        known: inout [PhaseNode.Shape: Int]
    ) {
        let index = known[shape] ?? motions.count
        if index == motions.count {
            known[shape] = index
            var motion = PhaseMotion(spans: [])
            if !scaleY.isEmpty { motion.moves.append((.scaleY, [])) }
            // Masks do not cut shadows.
            if case .box = mask { motion.moves.append((.shadowOpacity, [Keyframe(0, value: 0)])) }
            add(PhaseNode(glyph: glyph, shape: shape, mask: mask), motion)
        }
        motions[index].spans.append(span)
        if !scaleY.isEmpty { motions[index].moves[0].keyframes += scaleY }
    }

    /// Adds a number to the index of each character.
    mutating func renumberCharacters(from first: Int) {
        for node in nodes.indices {
            guard case .character(let character) = nodes[node].shape else { continue }
            nodes[node].shape = .character(first + character)
        }
    }
}
