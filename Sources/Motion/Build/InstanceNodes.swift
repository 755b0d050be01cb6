/// The nodes that draw glyphs at other instances of their fonts, for parts of their time.
struct InstanceNodes {
    /// The decoys, then the overlays over them.
    var nodes = 0..<0
    /// The opacity, over the whole time, of each node that these replace for a part of it, by
    /// index.
    var opacities: [Int: Track<Double>] = [:]

    /// Returns the glyph of a node, or the glyph that it draws at another instance; nil for other
    /// nodes.
    func glyph(ofNode index: Int, in scene: Scene) -> Int? {
        let role = scene.nodes[index].role
        if role == .glyph { return index }
        return role.name == .decoy && nodes.contains(index) ? role.source : nil
    }
}
