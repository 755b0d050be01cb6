extension Scene {
    /// Adds the parts of glyphs in other paints, which have the motions and masks of their glyphs.
    ///
    /// Needs the nodes of the glyphs, with their masks.
    mutating func addParts(of layout: Layout) {
        for parts in layout.blocks.lazy.map(\.parts) {
            for index in parts.keys.sorted() {
                for part in parts[index] ?? [] {
                    var node = nodes[index]
                    node.glyph = part.only(of: node.glyph)
                    node.become(.part(of: index))
                    nodes.append(node)
                }
            }
        }
    }
}
