import Motion

/// The glyphs of a block that lie over themselves: colours that run through its words.
struct ASSSweeps {
    /// A word through which a colour runs from left to right, as `\kf` says it.
    struct Karaoke: Hashable {
        /// The first glyph of the word.
        let word: Int
        let start: Instant
        let end: Instant
        let color: Color
        /// True if the colour stays.
        let stays: Bool
    }

    /// Overlays that are seen through the same mask.
    struct Overlay {
        /// Indices of the scene's nodes, by the glyphs over which they lie.
        var nodes: [Int: Int] = [:]
        let mask: Int?
        /// True if karaoke of the word says it as well.
        let isKaraoke: Bool
    }

    /// By the glyphs of the words.
    private(set) var karaoke: [Int: Karaoke] = [:]
    private var overlays: [Overlay] = []
    /// The indices of the overlays of each glyph.
    private var places: [Int: [Int]] = [:]

    init(of block: Int, _ nodes: [Int], in scene: Scene) {
        guard !nodes.isEmpty else { return }
        var bySource: [Int: [Int]] = [:]
        for node in nodes {
            bySource[scene.nodes[node].covered ?? -1, default: []].append(node)
        }
        for word in scene.blocks[block].layout.words {
            let own = word.glyphs.flatMap { bySource[$0] ?? [] }
            guard let found = Self.karaoke(of: word, own, in: scene) else { continue }
            for glyph in word.glyphs { karaoke[glyph] = found }
        }
        var numbers: [[Int]: Int] = [:]
        for node in nodes {
            guard let source = scene.nodes[node].covered else { continue }
            let key = [scene.nodes[node].overlayNumber, scene.nodes[node].mask ?? -1]
            let place = numbers[key] ?? overlays.count
            if place == overlays.count {
                numbers[key] = place
                overlays.append(
                    Overlay(mask: scene.nodes[node].mask, isKaraoke: karaoke[source] != nil))
            }
            overlays[place].nodes[source] = node
            places[source, default: []].append(place)
        }
    }

    /// Returns the overlays that lie over some of a few glyphs, in their order.
    func overlays(over glyphs: [Int]) -> [Overlay] {
        Set(glyphs.flatMap { places[$0] ?? [] }).sorted().map { overlays[$0] }
    }

    /// Returns the sweep of a word of one colour whose overlays have one mask that opens to the right.
    private static func karaoke(
        of word: TimedWord, _ overlays: [Int], in scene: Scene
    ) -> Karaoke? {
        var found: (mask: Int, span: MaskSpan, color: Color, node: Int)?
        for node in overlays {
            guard let mask = scene.nodes[node].mask,
                let span = scene.masks[mask].first(where: { $0.opening != nil }),
                let from = span.opening?.from, span.opening?.easing == .linear
            else { continue }
            // The other overlay of a sweep has what is still to be covered.
            guard from.width < span.rect.width else { continue }
            let color = scene.nodes[node].glyph.paint.firstColor
            guard abs(from.x - span.rect.x) < 0.01, found == nil || found?.mask == mask,
                found == nil || found?.color == color
            else { return nil }
            found = (mask, span, color, node)
        }
        guard let found, scene.masks[found.mask].filter({ $0.opening != nil }).count == 1 else {
            return nil
        }
        let opacity = scene.tracks[scene.nodes[found.node].track].opacity
        return Karaoke(
            word: word.glyphs.lowerBound, start: found.span.start, end: found.span.end,
            color: found.color, stays: opacity.value(at: found.span.end) > 0)
    }
}
