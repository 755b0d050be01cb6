import Motion

/// The bytes of a file of ASS, estimated from its tracks: what moves is an event for each straight part of
/// its way, and what changes its colour is a tag.
enum ASSPrice {
    /// The event of glyphs of a line that move alike.
    private struct Event: Hashable {
        let block: Int
        let line: Int
        let track: Int
        let overlay: Int
    }

    private static let bytesOfEvent = 120
    private static let bytesOfTag = 28

    static func bytes(of scene: Scene) -> Double {
        let costs = scene.tracks.map { tracks in
            let tags =
                tracks.opacity.keyframes.straightCount()
                + (tracks.fill?.keyframes.straightCount() ?? 0)
            let events = tracks.moves.map { $0.straightCount() }.max() ?? 0
            return (1 + events) * bytesOfEvent + (tags + events) * bytesOfTag
        }
        var known: Set<Event> = []
        var total = 2048
        for node in scene.nodes {
            let glyph = node.glyph
            let event = Event(
                block: glyph.block, line: glyph.line, track: node.track, overlay: node.overlayNumber
            )
            total += glyph.text.utf8.count
            if node.isShape, let shape = node.glyph.ink?.shape {
                // Each of its events has its path.
                let points = scene.definitions.outlines[shape.outline].coordinates.count
                total += costs[node.track] * (1 + 8 * points / bytesOfEvent)
                continue
            }
            // Glyphs that are scaled about their own centres do not move as one.
            let isNew = known.insert(event).inserted
            guard isNew || scene.tracks[node.track].usesCenter else { continue }
            let isText = node.isGlyph && glyph.block < scene.blocks.count
            let shadows = isText ? scene.blocks[glyph.block].paint.shadows.count : 0
            total += costs[node.track] * (1 + shadows)
            // An overlay has the text of its line, of which it shows a word.
            guard node.covered != nil, glyph.block < scene.blocks.count else { continue }
            let block = scene.blocks[glyph.block].layout
            total += block.text.utf8.count / max(block.lines.count, 1)
        }
        return Double(total)
    }
}

extension Array {
    /// Returns the number of straight parts of all changes.
    fileprivate func straightCount<Value: Interpolable>() -> Int
    where Element == Keyframe<Instant, Value> {
        zip(self, dropFirst()).reduce(0) { count, pair in
            guard pair.0.value != pair.1.value else { return count }
            if case .cubic = pair.0.easing { return count + 6 }
            return count + 1
        }
    }
}
