extension SceneBuilder {
    /// Adds the lines under, through, and around words: a node and a track for each stroke.
    ///
    /// Needs the blocks and the tracks of underlays.
    mutating func addMarks() throws(SceneError) {
        for (block, phases) in schedule.phases.enumerated() where !phases[0].marks.isEmpty {
            let isFinished = isFinished(block)
            let exits = phases.dropFirst().filter { $0.kind != .emphasis }.map { entry in
                let fade = min(entry.phase.duration, Self.markFade)
                return (start: entry.start / speed, end: (entry.start + fade) / speed)
            }
            var drawing = MarkDrawing(
                of: block, numbered: choreography.firstBlock + block,
                seed: scene.appearance.seed)
            for mark in phases[0].marks {
                try deadline.checkScene()
                let start = (phases[0].start + mark.start) / speed
                let duration = (mark.end - mark.start) / speed
                drawing.add(mark.style, mark.words, to: &scene, isFinished: isFinished) {
                    share, scene in
                    scene.tracks.append(
                        GlyphTracks(
                            drawnFrom: start + share.lowerBound * duration,
                            to: start + share.upperBound * duration, fading: exits))
                    return scene.tracks.count - 1
                }
            }
        }
    }

    /// The seconds in which marks fade out as their block leaves.
    private static let markFade = 0.3
}

extension GlyphTracks {
    /// Makes the motion of a stroke that is drawn in a span of seconds, and fades out in others.
    fileprivate init(
        drawnFrom start: Double, to end: Double, fading exits: [(start: Double, end: Double)]
    ) {
        var track = TrackBuilder<Double>()
        if start > 0 { track.add(0, value: 0, easing: .hold) }
        track.add(start, value: 1, easing: .hold)
        for exit in exits {
            track.add(exit.start, value: 1, easing: .linear)
            track.add(exit.end, value: 0, easing: .hold)
        }
        self.init(opacity: Track(keyframes: track.finish()))
        track.add(start, value: 0, easing: .easeInOut)
        track.add(end, value: 1, easing: .hold)
        let drawn = Track(keyframes: track.finish())
        if drawn.keyframes.count > 1 { self[.draw] = drawn }
    }
}
