// The characters that flicker in glyphs' places.
extension SceneBuilder {
    private struct Key: Hashable {
        var glyph: Int
        var character: Int
    }

    private struct Decoy {
        let glyph: Int
        var shape: Glyph
        var spans: [(start: Double, end: Double)]

        var firstInstant: Instant { Instant(seconds: spans.first?.start ?? 0) }
    }

    /// One glyph for each place and distinct character, in the order in which they first show.
    mutating func addDecoys() {
        var decoys: [Decoy] = []
        for (block, phases) in schedule.phases.enumerated() {
            decoys += self.decoys(of: block, phases)
        }
        let order = decoys.indices.sorted {
            (decoys[$0].firstInstant, decoys[$0].glyph) < (
                decoys[$1].firstInstant, decoys[$1].glyph
            )
        }
        for index in order { add(decoys[index]) }
    }

    private func decoys(of block: Int, _ phases: [Schedule.PlacedPhase]) -> [Decoy] {
        let layout = scene.layout.blocks[block]
        var decoys: [Decoy] = []
        var known: [Key: Int] = [:]
        for placed in phases {
            for decoy in placed.phase.decoys where decoy.character < layout.characters.count {
                let glyph = layout.glyphs.lowerBound + decoy.glyph
                let spans = decoy.spans.map {
                    ((placed.start + $0.start) / speed, (placed.start + $0.end) / speed)
                }
                let key = Key(glyph: glyph, character: decoy.character)
                if let index = known[key] {
                    decoys[index].spans += spans
                } else {
                    known[key] = decoys.count
                    let shape = layout.characters[decoy.character]
                    decoys.append(Decoy(glyph: glyph, shape: shape, spans: spans))
                }
            }
        }
        return decoys
    }

    /// Centred in the glyph's box, on its baseline.
    private mutating func add(_ decoy: Decoy) {
        let glyph = scene.layout.glyphs[decoy.glyph]
        var shape = decoy.shape
        shape.role = .decoy
        shape.standsFor = decoy.glyph
        shape.block = glyph.block
        shape.line = glyph.line
        shape.word = glyph.word
        shape.move(
            byX: glyph.rect.center.x - shape.rect.center.x, y: glyph.baseline - shape.baseline)
        var opacity = TrackBuilder(capacity: 2 * decoy.spans.count + 1)
        if decoy.firstInstant > .zero { opacity.add(0, 0, .hold) }
        for span in decoy.spans {
            opacity.add(span.start, 1, .hold)
            opacity.add(span.end, 0, .hold)
        }
        add(shape, GlyphTracks(opacity: opacity.track()))
    }

    /// Adds a glyph that the finished text does not show.
    mutating func add(_ glyph: Glyph, _ tracks: GlyphTracks) {
        scene.layout.glyphs.append(glyph)
        scene.trackOfGlyph.append(scene.tracks.count)
        scene.tracks.append(tracks)
        scene.isFinished.append(false)
    }
}

extension Glyph {
    /// Moves everything of it.
    package mutating func move(byX x: Double, y: Double) {
        rect.x += x
        rect.y += y
        baseline += y
        ink?.move(byX: x, y: y)
    }
}

extension Ink {
    fileprivate mutating func move(byX x: Double, y: Double) {
        shape?.origin.x += x
        shape?.origin.y += y
        bounds.x += x
        bounds.y += y
        guard !details.isEmpty else { return }
        details = details.map { detail in
            switch detail {
            case .line(let rect):
                return .line(rect.offset(byX: x, y: y))
            case .picture(var picture):
                picture.rect = picture.rect.offset(byX: x, y: y)
                return .picture(picture)
            }
        }
    }
}
