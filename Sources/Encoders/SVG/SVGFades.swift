import Motion

/// The opacities of items whose glyphs are blended once although each is scaled, turned, or blurred by
/// itself: the element around the glyphs of an item fades instead of theirs.
struct SVGFades {
    /// For motions of glyphs the motions of the elements around them, as indices into the scene's tracks.
    private var fades: [Int: Int] = [:]

    /// Takes the opacity out of the motions of such glyphs.
    init(_ scene: inout Scene, usesPivots: Bool) {
        guard scene.hasJoins, scene.duration > .zero else { return }
        let joined = scene.nodes.indices.filter { scene.join(ofNode: $0) != nil }
        var uses = [Int](repeating: 0, count: scene.tracks.count)
        for index in joined {
            for track in scene.nodes[index].tracks { uses[track] += 1 }
        }
        var others = [Int](scene.tracks.indices)
        for (track, uses) in uses.enumerated() where uses > 1 {
            let tracks = scene.tracks[track]
            guard tracks.fades, usesPivots || tracks[.blur] != nil else { continue }
            var (fade, other) = (GlyphTracks.shown, tracks)
            fade.opacity = tracks.opacity
            other.opacity = GlyphTracks.shown.opacity
            others[track] = scene.tracks.count
            fades[scene.tracks.count] = scene.tracks.count + 1
            scene.tracks += [other, fade]
        }
        guard !fades.isEmpty else { return }
        for index in joined {
            scene.nodes[index].track = others[scene.nodes[index].track]
            scene.nodes[index].outlineTrack = others[scene.nodes[index].outlineTrack]
            scene.nodes[index].shadowTrack = others[scene.nodes[index].shadowTrack]
        }
    }

    /// Returns the motion of the element around a node in a layer; nil where the node fades itself.
    func fade(aroundNode index: Int, in part: SceneLayer.Part, _ scene: borrowing Scene) -> Int? {
        // Of most scenes, in few steps.
        fades.isEmpty ? nil : fades[scene.track(ofNode: index, in: part)]
    }
}

extension SceneNode {
    /// The distinct motions of its parts.
    fileprivate var tracks: Set<Int> { [track, outlineTrack, shadowTrack] }
}
