extension SceneBuilder {
    /// Adds the tracks of outlines and shadows that move otherwise than their glyphs.
    ///
    /// Needs all nodes of the text, with their final tracks.
    mutating func addUnderlayTracks() throws(SceneError) {
        guard choreography.blocks.contains(where: \.paint.hasUnderlay),
            scene.tracks.contains(where: { $0.hasOwnOutline || $0.hasOwnShadow })
        else { return }
        func index(of tracks: GlyphTracks, _ known: Int...) -> Int {
            if let same = known.first(where: { scene.tracks[$0] == tracks }) { return same }
            scene.tracks.append(tracks)
            return scene.tracks.count - 1
        }
        let underlays = try scene.tracks.indices.map { track throws(SceneError) in
            try deadline.checkScene(every: 8)
            let outline = index(of: scene.tracks[track].outline, track)
            return (outline: outline, shadow: index(of: scene.tracks[track].shadow, track, outline))
        }
        for index in scene.nodes.indices {
            // The fill of a word that is said may be hidden.
            let underlay = underlays[scene.nodes[index].outlineTrack]
            scene.nodes[index].outlineTrack = underlay.outline
            scene.nodes[index].shadowTrack = underlay.shadow
        }
    }
}
