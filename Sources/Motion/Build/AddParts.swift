extension Scene {
    /// Adds the parts of glyphs in other paints, which have the motions and masks of their glyphs.
    ///
    /// Needs the nodes of the glyphs, with their masks.
    mutating func addParts(of layout: Layout) {
        // By index, because reading a block copies it.
        for block in layout.blocks.indices {
            let parts = layout.blocks[block].parts
            for index in parts.keys.sorted() {
                for part in parts[index] ?? [] {
                    var node = nodes[index]
                    node.glyph = part.only(of: node.glyph)
                    node.role = .part(of: index)
                    nodes.append(node)
                }
            }
        }
    }
}
