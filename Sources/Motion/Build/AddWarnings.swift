extension SceneBuilder {
    /// Adds the warnings of flashes, and of effects that find no digits.
    ///
    /// Needs the finished scene.
    mutating func addWarnings() throws(SceneError) {
        let flashes = [
            try FlashDetector.warning(of: scene, instances, until: deadline),
            FlashDetector.paintWarning(of: scene), FlashDetector.shimmerWarning(of: scene),
        ]
        scene.warnings += flashes.compactMap(\.self) + warningsOfDigits
    }

    /// The warnings of blocks that stand because their effects move digits and their texts have
    /// none.
    private var warningsOfDigits: [Warning] {
        layout.blocks.indices.filter { block in
            choreography.blocks[block].effect.needsDigits
                && WrittenNumber.all(in: layout.glyphs[layout.blocks[block].glyphs]).isEmpty
        }.map { .noDigits(block: $0, effect: choreography.blocks[$0].effectName.name) }
    }
}
