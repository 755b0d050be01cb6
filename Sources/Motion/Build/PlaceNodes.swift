extension SceneBuilder {
    /// Gives every node that stands for a glyph, or beside one, the place of that glyph.
    ///
    /// Needs all nodes of the text, and the places of the cursors.
    mutating func placeNodes() {
        guard !layout.places.isEmpty else { return }
        scene.places = scene.nodes.indices.map { index in
            switch scene.nodes[index].role {
            case .glyph: layout.places[index]
            case .part(let glyph), .decoy(let glyph), .overlay(let glyph), .slice(let glyph),
                .copy(let glyph):
                layout.places[glyph]
            case .cursor: cursorPlaces[index]
            case .mark, .lineNumber, .titleBar, .card, .bar: nil
            }
        }
    }
}
