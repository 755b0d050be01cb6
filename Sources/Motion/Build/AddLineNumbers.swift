extension SceneBuilder {
    /// Adds the numbers beside lines. A number shows with the first glyph of its line; beside an
    /// empty line it shows with the next glyph, or with the last one if none follows.
    ///
    /// Needs the glyphs, with their opacities over the whole cycle.
    mutating func addLineNumbers() throws(SceneError) {
        for (number, block) in layout.blocks.enumerated()
        where !block.numbers.isEmpty && !block.glyphs.isEmpty {
            var first = [Int?](repeating: nil, count: block.lines.count)
            for node in block.glyphs.reversed() { first[layout.glyphs[node].line] = node }
            var next = block.glyphs.upperBound - 1
            for line in first.indices.reversed() {
                next = first[line] ?? next
                first[line] = next
            }
            let entrance = schedule.phases[number][0]
            var before: [Glyph] = []
            if entrance.phase.numbersWay != nil, case let other = layout.blocks[number - 1],
                other.firstNumber == block.firstNumber
            {
                // The same digits of the same numbers.
                before = other.numbers
            }
            var tracks: [NumberMotion: Int] = [:]
            for (index, digit) in block.numbers.enumerated() {
                let node = first[digit.line] ?? next
                var motion = NumberMotion(line: scene.nodes[node].track)
                if index < before.count {
                    motion.start = Point(
                        x: before[index].rect.x - digit.rect.x,
                        y: before[index].rect.y - digit.rect.y)
                }
                let track = tracks[motion] ?? scene.tracks.count
                if track == scene.tracks.count {
                    tracks[motion] = track
                    scene.tracks.append(try numberTracks(motion, entrance, of: number))
                }
                scene.nodes.append(
                    SceneNode(
                        digit, as: .lineNumber, track: track,
                        isFinished: scene.nodes[node].isFinished))
            }
        }
    }

    /// How a digit beside a line moves.
    private struct NumberMotion: Hashable {
        /// The index in `Scene.tracks` of the motion of the line's first glyph.
        let line: Int
        /// The offset of the digit in the block before, in CSS pixels; nil where it comes with its
        /// line.
        var start: Point?
    }

    /// Returns the tracks of a digit beside a line of a block: the opacity of the line, or tracks
    /// that show the digit throughout the entrance and move it from its position in the block
    /// before.
    private mutating func numberTracks(
        _ motion: NumberMotion, _ entrance: Schedule.Entry, of block: Int
    ) throws(SceneError) -> GlyphTracks {
        let opacity = scene.tracks[motion.line].opacity
        guard let start = motion.start, let way = entrance.phase.numbersWay else {
            return GlyphTracks(opacity: opacity)
        }
        let phase = scene.blocks[block].entrance
        try keyframes.add(2 * way.count)
        track.add(0, value: 0, easing: .hold)
        track.add(phase.lowerBound.seconds, value: 1, easing: .hold)
        for keyframe in opacity.keyframes where keyframe.time >= phase.upperBound {
            track.add(keyframe.time.seconds, value: keyframe.value, easing: keyframe.easing)
        }
        var tracks = GlyphTracks(opacity: Track(keyframes: track.finish()))
        for (property, distance) in [(Property.offsetX, start.x), (.offsetY, start.y)]
        where distance != 0 && !way.isEmpty {
            let own = way.map {
                Keyframe($0.time, value: distance * $0.value, easing: $0.easing)
            }
            track.add(own, from: entrance.start, 0, speed: speed)
            tracks[property] = Track(keyframes: track.finish())
        }
        return tracks
    }
}
