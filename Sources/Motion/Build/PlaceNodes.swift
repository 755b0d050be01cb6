extension SceneBuilder {
    /// Gives every node that stands for a glyph, or beside one, the place of that glyph.
    ///
    /// Needs all nodes of the text, and the places of the cursors.
    mutating func placeNodes() {
        guard !layout.places.isEmpty else { return }
        scene.places = scene.nodes.indices.map { index in
            let role = scene.nodes[index].role
            guard let glyph = role == .glyph ? index : role.source else {
                return cursorPlaces[index]
            }
            return layout.places[glyph]
        }
    }
}
