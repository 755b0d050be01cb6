/// Ghost typing: one item after another is there at once, as if typed.
package struct Typewriter: Effect {
    package static let name = "typewriter"
    package static let title = "Typewriter"

    private let grouping: Grouping
    private let order: ItemOrder
    private let interval: Double
    private let jitter: Double
    private let punctuationPause: Double
    private let eraseInterval: Double
    private let eraseOrder: ItemOrder

    package init(_ parameters: inout ParameterReader) {
        grouping = parameters.grouping()
        order = parameters.itemOrder()
        interval = parameters.seconds(
            "interval", default: 0.1, in: 0.001...10, "Seconds between one item and the next.")
        jitter = parameters.number(
            "jitter", default: 0, in: 0...1,
            "How unevenly it types: the share by which each interval varies.")
        punctuationPause = parameters.seconds(
            "punctuationPause", default: 0,
            "Seconds to wait after the end of a sentence; half of it after a comma.")
        eraseInterval =
            parameters.optionalNumber(
                "eraseInterval", in: 0.001...10, unit: .seconds,
                "Seconds between one glyph and the next when it is erased; half of interval unless given."
            ) ?? interval / 2
        eraseOrder = parameters.choice(
            "eraseOrder", default: .backward, "Which glyph is erased first.")
    }

    package func entrance(of block: EffectBlock) -> Phase {
        let items = Items(block.glyphs, by: grouping)
        guard items.count > 0 else { return Phase(items: items, tracks: [], duration: 0) }
        let ranks = items.ranks(order, block.randomness)
        let pauses = punctuationPause > 0 ? pauses(after: items, in: block.glyphs) : nil
        var time = 0.0
        var tracks = [PhaseTracks](repeating: .appearing(at: 0), count: items.count)
        let order = (0..<items.count).sorted { (ranks[$0], $0) < (ranks[$1], $1) }
        for (index, item) in order.enumerated() {
            // Equal ranks appear together: the jitter is the first one's, the pause the last one's.
            if index == 0 || ranks[order[index - 1]] < ranks[item] {
                if let pauses, index > 0 { time += pauses[order[index - 1]] }
                let unit = jitter > 0 ? block.randomness.unit(.jitter, item: item) : 0.5
                time += interval * (1 + jitter * (2 * unit - 1))
            }
            tracks[item] = .appearing(at: time)
        }
        if let pauses, let last = order.last { time += pauses[last] }
        return Phase(items: items, tracks: tracks, duration: time + interval)
    }

    /// Returns evenly spaced backspaces, one glyph at a time.
    package func exit(of block: EffectBlock) -> Phase {
        let items = Items(block.glyphs, by: .glyph)
        let ranks = items.ranks(eraseOrder, block.randomness)
        let tracks = ranks.map { rank in
            PhaseTracks(opacity: [
                PhaseKeyframe(0, value: 1, easing: .hold),
                PhaseKeyframe(Double(rank + 1) * eraseInterval, value: 0),
            ])
        }
        return Phase(
            items: items, tracks: tracks, duration: Double((ranks.max() ?? -2) + 2) * eraseInterval)
    }

    /// Returns the pause after each item, which its last glyph that is not white space earns.
    private func pauses(after items: Items, in glyphs: ArraySlice<Glyph>) -> [Double] {
        var pauses = [Double](repeating: 0, count: items.count)
        for (glyph, item) in zip(glyphs, items.itemOfGlyph) where !glyph.isWhitespace {
            pauses[item] = pause(after: glyph.text)
        }
        return pauses
    }

    private func pause(after text: String) -> Double {
        guard let last = text.unicodeScalars.last else { return 0 }
        if ".!?…。！？".unicodeScalars.contains(last) { return punctuationPause }
        return ",;:、，；：".unicodeScalars.contains(last) ? punctuationPause / 2 : 0
    }
}
