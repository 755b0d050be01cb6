extension SceneBuilder {
    /// Makes strokes follow the edges of the ink where the parts of a letter overlap.
    ///
    /// Needs all nodes of the text, with their final tracks.
    mutating func takeOutOverlaps() throws(SceneError) {
        // At rest there is no stroke.
        guard scene.movedProperties.contains(.strokeOpacity),
            scene.tracks.contains(where: \.hasStroke)
        else { return }
        let hasStroke = scene.tracks.map(\.hasStroke)
        var isFollowed = [Bool](repeating: false, count: scene.definitions.outlines.count)
        for index in scene.nodes.indices where hasStroke[scene.nodes[index].track] {
            if let shape = scene.shape(ofNode: index) { isFollowed[shape.outline] = true }
        }
        for index in isFollowed.indices where isFollowed[index] {
            try deadline.checkScene()
            scene.definitions.takeOutOverlaps(ofOutline: index)
        }
    }
}
