extension SceneBuilder {
    /// Adds the characters that effects show in the places of glyphs: one glyph for each position
    /// and distinct character, in the order in which they first show.
    ///
    /// Needs nothing but the layout and the schedule.
    mutating func addDecoys() throws(SceneError) {
        var decoys: [Decoy] = []
        for (block, phases) in schedule.phases.enumerated() {
            decoys += try self.decoys(of: block, phases)
        }
        let order = decoys.indices.sorted {
            (decoys[$0].firstInstant, decoys[$0].glyph) < (
                decoys[$1].firstInstant, decoys[$1].glyph
            )
        }
        for index in order {
            try deadline.checkScene(every: 64)
            add(decoys[index])
        }
    }

    private struct Decoy {
        let glyph: Int
        var shape: Glyph
        var spans: [(start: Double, end: Double)]
        /// CSS pixels below its glyph's place.
        var shift: Double
        /// Its moves, from the start of each phase in seconds; empty if it stands still.
        var moves: [(start: Double, property: Property, keyframes: [Keyframe<Double, Double>])] =
            []
        /// The spans of its mask; empty for the whole canvas.
        var masks: [MaskSpan] = []

        var firstInstant: Instant { Instant(seconds: spans.first?.start ?? 0) }
    }

    private struct DecoyKey: Hashable {
        var glyph: Int
        var character: Int
        var shift: Double
    }

    private func decoys(
        of block: Int, _ phases: [Schedule.Entry]
    ) throws(SceneError) -> [Decoy] {
        var decoys: [Decoy] = []
        var known: [DecoyKey: Int] = [:]
        let characters = layout.blocks[block].characters
        let first = layout.blocks[block].glyphs.lowerBound
        for entry in phases {
            for decoy in entry.phase.decoys where decoy.character < characters.count {
                try deadline.checkScene(every: 64)
                let spans = decoy.spans.map {
                    ((entry.start + $0.start) / speed, (entry.start + $0.end) / speed)
                }
                let key = DecoyKey(
                    glyph: first + decoy.glyph, character: decoy.character, shift: decoy.shift)
                let index = known[key] ?? decoys.count
                if index == decoys.count {
                    known[key] = index
                    decoys.append(
                        Decoy(
                            glyph: key.glyph, shape: characters[decoy.character], spans: [],
                            shift: decoy.shift))
                }
                decoys[index].spans += spans
                guard !decoy.moves.isEmpty else { continue }
                decoys[index].moves += decoy.moves.map { (entry.start, $0.property, $0.keyframes) }
                decoys[index].masks += maskSpans(ofGlyph: decoy.glyph, of: block, in: entry)
            }
        }
        return decoys
    }

    /// Adds a decoy that is centred in the glyph's box, on its baseline.
    private mutating func add(_ decoy: Decoy) {
        let glyph = layout.glyphs[decoy.glyph]
        var shape = decoy.shape
        shape.block = glyph.block
        shape.line = glyph.line
        shape.word = glyph.word
        shape.move(
            byX: glyph.rect.center.x - shape.rect.center.x,
            y: glyph.baseline - shape.baseline + decoy.shift)
        if decoy.firstInstant > .zero { track.add(0, value: 0, easing: .hold) }
        for span in decoy.spans {
            track.add(span.start, value: 1, easing: .hold)
            track.add(span.end, value: 0, easing: .hold)
        }
        var tracks = GlyphTracks(opacity: Track(keyframes: track.finish()))
        for property in Set(decoy.moves.map(\.property)).sorted(by: { $0.rawValue < $1.rawValue })
        where property != .shadowOpacity || choreography.blocks[shape.block].paint.hasShadow {
            for move in decoy.moves where move.property == property {
                track.add(move.keyframes, from: move.start, 0, speed: speed)
            }
            tracks.append(PropertyTrack(property, Track(keyframes: track.finish())))
        }
        // The digits of a drum move as one.
        if !decoy.moves.isEmpty, scene.tracks.last == tracks { scene.tracks.removeLast() }
        add(shape, as: .decoy(of: decoy.glyph), tracks)
        if !decoy.masks.isEmpty {
            scene.nodes[scene.nodes.count - 1].mask = index(ofMask: decoy.masks)
        }
    }
}
