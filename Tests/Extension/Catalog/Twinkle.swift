package import Motion

/// An effect that only tests know: the glyphs appear one after another, dimmed for one interval.
package struct Twinkle: Effect, Parameterized {
    package static let name = "twinkle"
    package static let title = "Twinkle"

    private let interval: Double
    private let dimness: Double

    package init(_ parameters: inout ParameterReader) throws(ParameterFault) {
        interval = parameters.seconds(
            "interval", default: 0.1, in: 0.01...10, "Seconds that each glyph is dimmed.")
        dimness = parameters.number(
            "dimness", default: 0.5, in: 0...1, "The share of the opacity that is taken away.")
    }

    package func entrance(of block: EffectBlock) -> Phase {
        let items = Items(block.glyphs, by: .glyph)
        let tracks = (0..<items.count).map { item in
            let start = Double(item) * interval
            return PhaseTracks(opacity: [
                Keyframe(0, value: 0, easing: .hold),
                Keyframe(start, value: 1 - dimness, easing: .hold),
                Keyframe(start + interval, value: 1),
            ])
        }
        return Phase(
            items: items, tracks: tracks, duration: Double(items.count) * interval)
    }
}
