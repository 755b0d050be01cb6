extension SceneBuilder {
    /// Adds the light that passes over blocks, with one track for all phases with equal bands.
    ///
    /// Needs nothing but the schedule.
    mutating func addShimmers() throws(SceneError) {
        guard schedule.hasLight else { return }
        for (block, phases) in schedule.phases.enumerated() {
            var bands: [ShimmerBand] = []
            for case let shimmer? in phases.map(\.phase.shimmer)
            where !bands.contains(shimmer.band) { bands.append(shimmer.band) }
            for band in bands {
                for entry in phases {
                    guard let shimmer = entry.phase.shimmer, shimmer.band == band else { continue }
                    try deadline.checkScene(every: 64)
                    let pieces = shimmer.easing.clampedPieces
                    try keyframes.add(2 * pieces.count)
                    track.add(pieces, entry.start, entry.phase.duration, from: 0, to: 1) {
                        [speed] in $0 / speed
                    }
                }
                let passage = Track(keyframes: track.finish())
                scene.shimmers.append(SceneShimmer(block: block, band, passage: passage))
            }
        }
    }
}
