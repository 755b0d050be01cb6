/// Items that do the same, one after another.
struct Stagger: Sendable {
    let grouping: Grouping
    let order: ItemOrder
    /// Seconds between one item's start and the next one's.
    let interval: Double

    /// A phase in which each item's tracks begin at its turn and last so many seconds.
    func phase(
        of block: EffectBlock, lasting duration: Double, _ tracks: (_ start: Double) -> PhaseTracks
    ) -> Phase {
        let items = Items(block.glyphs, by: grouping)
        guard items.count > 0 else { return Phase(items: items, tracks: [], duration: 0) }
        let ranks = items.ranks(order, block.randomness)
        return Phase(
            items: items, tracks: ranks.map { tracks(Double($0) * interval) },
            duration: Double(ranks.max() ?? 0) * interval + duration)
    }
}
