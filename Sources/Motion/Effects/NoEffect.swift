/// The text is there as soon as its phase starts.
package struct NoEffect: Effect {
    package static let name = "none"
    package static let title = "None"
    package static let parameters: [Parameter] = []

    package init(_ values: ParameterValues) {}

    package func entrance(of block: EffectBlock) -> Phase {
        Phase(
            items: Items(block.glyphs, by: .all), tracks: [.appearing(at: 0)], duration: 0)
    }

    package func exit(of block: EffectBlock) -> Phase {
        .vanishing(block)
    }
}
