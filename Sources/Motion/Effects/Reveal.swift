/// Progressive revelation: each item fades in as soon as the one before it has arrived.
package struct Reveal: Effect, Parameterized {
    package static let name = "reveal"
    package static let title = "Progressive revelation"

    private let grouping: Grouping
    private let order: ItemOrder
    private let interval: ItemInterval

    package init(_ parameters: inout ParameterReader) {
        grouping = parameters.grouping()
        order = parameters.itemOrder()
        interval = ItemInterval(
            &parameters, usually: 0.1, "Seconds in which one item fades in")
    }

    package func entrance(of block: EffectBlock) -> Phase {
        if let words = block.timedItems(by: grouping) {
            let interval = interval.seconds(ofItems: words.items.count)
            var phase = Phase(
                items: words.items, tracks: words.starts.map { .fading(from: $0, for: interval) },
                duration: (words.starts.max() ?? 0) + interval)
            phase.followsWords = true
            return phase
        }
        let items = Items(block.glyphs, by: grouping)
        let ranks = items.ranks(order, block.randomness)
        let interval = interval.seconds(ofItems: items.count)
        let tracks = ranks.map { rank -> PhaseTracks in
            guard rank > 0 else { return .appearing(at: 0) }
            let start = Double(rank - 1) * interval
            return .fading(from: start, for: Double(rank) * interval - start)
        }
        return Phase(
            items: items, tracks: tracks, duration: Double(ranks.max() ?? 0) * interval)
    }
}
