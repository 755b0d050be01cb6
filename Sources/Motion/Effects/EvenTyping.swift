/// Ghost typing within given times: the glyphs of a text appear one after another at even
/// intervals, and go in reverse order.
///
/// `/typing` uses it for each line; requests cannot name it.
package struct EvenTyping: Effect {
    /// Seconds in which a text is typed.
    package let typing: Double
    /// Seconds in which it is erased.
    package let erasing: Double

    package init(typing: Double, erasing: Double) {
        self.typing = typing
        self.erasing = erasing
    }

    package func entrance(of block: EffectBlock) -> Phase {
        let items = Items(block.glyphs, by: .glyph)
        let interval = typing / Double(items.count + 1)
        let tracks = (0..<items.count).map { PhaseTracks.appearing(at: Double($0 + 1) * interval) }
        return Phase(items: items, tracks: tracks, duration: typing)
    }

    package func exit(of block: EffectBlock) -> Phase {
        let items = Items(block.glyphs, by: .glyph)
        let interval = erasing / Double(items.count + 1)
        let tracks = (0..<items.count).map { index in
            PhaseTracks(opacity: [
                Keyframe(0, value: 1, easing: .hold),
                Keyframe(Double(items.count - index) * interval, value: 0),
            ])
        }
        return Phase(items: items, tracks: tracks, duration: erasing)
    }
}
