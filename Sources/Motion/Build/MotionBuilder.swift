/// Joins the phases of a glyph, or of a part of the card, into its motion over the cycle.
///
/// One builder makes many motions, one after another, and keeps its room.
struct MotionBuilder {
    private let speed: Double
    private var track = TrackBuilder<Double>()
    private var fill = TrackBuilder<ColorMix>()
    /// The properties that change in the motion that is being made.
    private var moved: [Property] = []

    /// - Parameter speed: The factor that divides all times.
    init(speed: Double) {
        self.speed = speed
    }

    /// Returns tracks that are hidden before the entrance, at rest after it, hidden after the exit.
    ///
    /// - Parameters:
    ///   - phases: The phases of the block.
    ///   - indices: The index of the tracks within each phase.
    ///   - castsShadow: True if the opacity of shadows counts.
    /// - Returns: The tracks.
    mutating func tracks(
        _ phases: [Schedule.Entry], _ indices: [Int], castsShadow: Bool
    ) -> GlyphTracks {
        if phases[0].start > 0 { track.add(0, value: 0, easing: .hold) }
        if !moved.isEmpty { moved.removeAll(keepingCapacity: true) }
        var isPainted = false
        // By index, because reading phases and tracks copies them.
        for index in phases.indices {
            let own = indices[index]
            let delay = phases[index].phase.tracks[own].delay
            if phases[index].phase.tracks[own].opacity.isEmpty {
                if phases[index].kind != .emphasis {
                    track.add(phases[index].start / speed, value: 1, easing: .hold)
                }
            } else {
                track.add(
                    phases[index].phase.tracks[own].opacity, from: phases[index].start, delay,
                    speed: speed)
            }
            if phases[index].kind == .exit {
                track.add(phases[index].end / speed, value: 0, easing: .hold)
            }
            for move in phases[index].phase.tracks[own].moves.indices {
                let property = phases[index].phase.tracks[own].moves[move].property
                if !moved.contains(property) { moved.append(property) }
            }
            isPainted = isPainted || !phases[index].phase.tracks[own].fill.isEmpty
        }
        var tracks = GlyphTracks(opacity: Track(keyframes: track.finish()))
        if moved.count > 1 { moved.sort { $0.rawValue < $1.rawValue } }
        for property in moved where property != .shadowOpacity || castsShadow {
            for index in phases.indices {
                let own = indices[index]
                let delay = phases[index].phase.tracks[own].delay
                for move in phases[index].phase.tracks[own].moves.indices
                where phases[index].phase.tracks[own].moves[move].property == property {
                    let keyframes = phases[index].phase.tracks[own].moves[move].keyframes
                    track.add(keyframes, from: phases[index].start, delay, speed: speed)
                }
            }
            tracks.append(PropertyTrack(property, Track(keyframes: track.finish())))
        }
        if isPainted {
            for index in phases.indices {
                let own = phases[index].phase.tracks[indices[index]]
                fill.add(own.fill, from: phases[index].start, own.delay, speed: speed)
            }
            tracks.fill = Track(keyframes: fill.finish())
        }
        return tracks
    }
}
