/// The text is there as soon as its phase starts.
package struct NoEffect: Effect, Parameterized {
    package static let name = "none"
    package static let title = "None"

    package init(_ parameters: inout ParameterReader) {}

    package func entrance(of block: EffectBlock) -> Phase {
        .standing(block)
    }

    package func exit(of block: EffectBlock) -> Phase {
        .vanishing(block)
    }
}
