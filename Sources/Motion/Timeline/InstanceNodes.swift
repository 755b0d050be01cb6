/// The nodes that draw glyphs at other instances of their fonts, for parts of their time.
struct InstanceNodes {
    /// The decoys, then the colours over them.
    var nodes = 0..<0
    /// The nodes of whose time they take parts, with the opacity over all of it.
    var opacities: [Int: Track<Double>] = [:]

    /// Returns the glyph that a node is, or that it draws at another instance; nil for other nodes.
    func glyph(ofNode index: Int, in scene: Scene) -> Int? {
        switch scene.nodes[index].role {
        case .glyph: index
        case .decoy(let glyph) where nodes.contains(index): glyph
        default: nil
        }
    }
}
