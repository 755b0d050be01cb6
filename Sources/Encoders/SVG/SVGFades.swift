import Motion

/// The motions whose opacity an element around the glyphs has: the glyphs are blended once,
/// although each is scaled, turned, or blurred on its own.
struct SVGFades {
    /// True for each of the scene's tracks that is such a motion; empty where none is.
    private var isAround: [Bool] = []

    init(_ scene: borrowing Scene, usesPivots: Bool) {
        guard scene.hasJoins, scene.duration > .zero else { return }
        var uses = [Int](repeating: 0, count: scene.tracks.count)
        for index in scene.nodes.indices where scene.join(ofNode: index) != nil {
            for track in scene.nodes[index].tracks { uses[track] += 1 }
        }
        let isAround = uses.indices.map { track in
            uses[track] > 1 && scene.tracks[track].fades
                && (usesPivots || scene.tracks[track][.blur] != nil)
        }
        if isAround.contains(true) { self.isAround = isAround }
    }

    /// Returns the motion of the element around a node in a layer, as an index into the scene's
    /// tracks; nil where the node fades itself.
    func fade(aroundNode index: Int, in part: SceneLayer.Part, _ scene: borrowing Scene) -> Int? {
        guard !isAround.isEmpty, scene.join(ofNode: index) != nil else { return nil }
        let track = scene.track(ofNode: index, in: part)
        return isAround[track] ? track : nil
    }
}

extension SceneNode {
    /// The distinct motions of its parts.
    fileprivate var tracks: Set<Int> { [track, outlineTrack, shadowTrack] }
}
