import Motion

/// The only change of a track with two keyframes.
struct SVGTransition {
    private let start: Instant
    private let end: Instant
    private let from: Double
    private let to: Double
    private let easing: Easing

    @inline(__always)
    private init?(_ track: Track<Double>) {
        guard track.keyframes.count == 2 else { return nil }
        start = track.keyframes[0].time
        end = track.keyframes[1].time
        from = track.keyframes[0].value
        to = track.keyframes[1].value
        easing = track.keyframes[0].easing
    }

    /// Returns true if both have the same values and easing.
    private func isLike(_ other: SVGTransition) -> Bool {
        from == other.from && to == other.to && easing == other.easing
    }

    private func hasInstants(of other: SVGTransition) -> Bool {
        start == other.start && end == other.end
    }

    /// Returns the delay and the duration, in ticks, of a motion of a scene that equals another one
    /// but for its time; nil where they differ otherwise, or have more than two keyframes.
    static func timing(
        of tracks: Span<GlyphTracks>, _ own: Int, like other: Int
    ) -> (delay: Instant, duration: Int)? {
        guard let first = SVGTransition(tracks[own].opacity),
            let second = SVGTransition(tracks[other].opacity), first.isLike(second),
            tracks[own].fill == nil, tracks[other].fill == nil,
            tracks[own].others.count == tracks[other].others.count
        else { return nil }
        for index in tracks[own].others.indices {
            guard
                tracks[own].others[index].property == tracks[other].others[index].property,
                let change = SVGTransition(tracks[own].others[index].track),
                let otherChange = SVGTransition(tracks[other].others[index].track),
                change.isLike(otherChange), change.hasInstants(of: first),
                otherChange.hasInstants(of: second)
            else { return nil }
        }
        return first.easing == .hold
            ? (first.end, 0) : (first.start, first.end.ticks - first.start.ticks)
    }
}
