import Motion

/// Where one of a scene's motions is.
struct MotionState: Sendable {
    /// The ticks at which it changes.
    let changes: [ClosedRange<Int>]
    /// The ticks during which the pose stays as it is.
    private(set) var steady = 1...1
    private(set) var pose = Pose.hidden

    init(_ tracks: GlyphTracks) {
        changes = tracks.changes
        move(to: .zero, along: tracks)
    }

    /// Goes to another instant; O(number of keyframes).
    mutating func move(to instant: Instant, along tracks: GlyphTracks) {
        pose = tracks.pose(at: instant)
        let ticks = instant.ticks
        // The first change that is not over.
        guard let next = changes.firstIndex(where: { $0.upperBound >= ticks }) else {
            steady = (changes.last?.upperBound ?? .min)...(.max)
            return
        }
        if changes[next].upperBound == ticks {
            let end = next + 1 < changes.count ? changes[next + 1].lowerBound - 1 : .max
            steady = ticks...end
        } else if changes[next].contains(ticks) {
            steady = ticks...ticks
        } else {
            let start = next > 0 ? changes[next - 1].upperBound : .min
            steady = start...(changes[next].lowerBound - 1)
        }
    }
}
