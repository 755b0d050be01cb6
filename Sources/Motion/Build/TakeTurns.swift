extension SceneBuilder {
    /// Limits each node to its part of the time that it shares with others, and removes the tracks
    /// that no node has then.
    ///
    /// Needs the instances and all nodes that follow the motion of a glyph over the whole cycle.
    ///
    /// - Parameter shared: The nodes that `addInstances` returns.
    mutating func takeTurns(_ shared: [SharedNode]) {
        guard !shared.isEmpty else { return }
        var known: [PartKey: Int] = [:]
        func part(_ key: PartKey) -> Int {
            if let index = known[key] { return index }
            known[key] = scene.tracks.count
            scene.tracks.append(scene.tracks[key.track].seen(in: key.spans, key.isInside))
            return scene.tracks.count - 1
        }
        for one in shared {
            let track = scene.nodes[one.node].track
            instances.opacities[one.node] = scene.tracks[track].opacity
            scene.nodes[one.node].setTrack(
                part(PartKey(track: track, spans: one.spans, isInside: false)))
            for other in one.others {
                scene.nodes[other.node].setTrack(
                    part(PartKey(track: track, spans: other.spans, isInside: true)))
            }
        }
        removeUnusedTracks()
    }

    /// Tracks that are seen for a part of their time.
    private struct PartKey: Hashable {
        let track: Int
        let spans: [Range<Instant>]
        let isInside: Bool
    }

    private mutating func removeUnusedTracks() {
        var indices = [Int?](repeating: nil, count: scene.tracks.count)
        var tracks: [GlyphTracks] = []
        for node in scene.nodes.indices {
            let track = scene.nodes[node].track
            let index = indices[track] ?? tracks.count
            if index == tracks.count {
                indices[track] = index
                tracks.append(scene.tracks[track])
            }
            scene.nodes[node].setTrack(index)
        }
        scene.tracks = tracks
    }
}
