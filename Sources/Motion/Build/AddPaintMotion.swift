extension SceneBuilder {
    /// Moves gradients in whole turns, as many as come nearest to the wanted duration, so that a
    /// cycle ends as it began.
    ///
    /// Needs nothing but the schedule.
    mutating func addPaintMotion() throws(SceneError) {
        guard let motion = choreography.paintMotion else { return }
        let turns = max((schedule.total / motion.duration).rounded(), 1)
        let pieces = motion.easing.clampedPieces
        let count = turns * Double((motion.kind == .breathe ? 2 : 1) * pieces.count)
        try keyframes.add(Int(min(count, 1e9)))
        let seconds = scene.duration.seconds / turns
        /// Adds a change that begins after so many turns.
        func add(_ start: Double, _ length: Double, from first: Double, to last: Double) {
            track.add(pieces, start, length, from: first, to: last) { $0 * seconds }
        }
        switch motion.kind {
        case .breathe:
            for turn in 0..<Int(turns) {
                add(Double(turn), 0.5, from: 0, to: 1)
                add(Double(turn) + 0.5, 0.5, from: 1, to: 0)
            }
        case .pan, .spin, .sweep:
            if motion.easing == .linear {
                add(0, turns, from: 0, to: turns)
            } else {
                for turn in 0..<Int(turns) {
                    add(Double(turn), 1, from: Double(turn), to: Double(turn + 1))
                }
            }
        }
        scene.paintMotion = PaintMotion(
            motion.kind, count: Int(turns), turns: Track(keyframes: track.finish()))
    }
}
