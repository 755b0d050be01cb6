extension SceneBuilder {
    /// Adds the nodes of the bar above the text, which never change.
    ///
    /// Needs nothing but the layout.
    mutating func addTitleBar() {
        guard !layout.titleBar.isEmpty else { return }
        let track = scene.tracks.count
        scene.tracks.append(.shown)
        scene.nodes += layout.titleBar.map {
            SceneNode($0, as: .titleBar, track: track, isFinished: true)
        }
    }
}
