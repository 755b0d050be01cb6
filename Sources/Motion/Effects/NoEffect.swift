/// The text is there as soon as its phase starts.
package struct NoEffect: Effect, Parameterized {
    package static let name = "none"
    package static let title = "None"

    package init(_ parameters: inout ParameterReader) {}

    package func entrance(of block: EffectBlock) -> Phase {
        Phase(
            items: Items(block.glyphs, by: .all), tracks: [.appearing(at: 0)], duration: 0)
    }

    package func exit(of block: EffectBlock) -> Phase {
        .vanishing(block)
    }
}
