extension SceneBuilder {
    /// Adds overlays in the colour of an effect to the glyphs of blocks whose paint has a gradient.
    ///
    /// Needs the glyphs and their parts, with their masks. Takes the colour out of their tracks.
    mutating func addOverlays() throws(SceneError) {
        for (block, own) in choreography.blocks.enumerated() where own.paint.hasGradient {
            guard case .blend(let color) = own.effect.colorChange(in: .entrance) else { continue }
            // The tracks of overlays by the tracks of their glyphs.
            var tracks: [Int: Int] = [:]
            let parts = scene.nodes.indices.filter {
                scene.nodes[$0].role.name == .part && scene.nodes[$0].glyph.block == block
            }
            for node in Array(layout.blocks[block].glyphs) + parts {
                try deadline.checkScene(every: 8)
                let track = scene.nodes[node].track
                if scene.tracks[track].fill != nil {
                    tracks[track] = scene.tracks.count
                    scene.tracks.append(scene.tracks[track].overlay)
                    scene.tracks[track].fill = nil
                }
                guard let overlayTrack = tracks[track],
                    let glyph = scene.nodes[node].glyph.overlaid(in: color)
                else { continue }
                var overlay = SceneNode(
                    glyph, as: .overlay(of: scene.nodes[node].role.source ?? node),
                    track: overlayTrack, isFinished: false)
                overlay.mask = scene.nodes[node].mask
                scene.nodes.append(overlay)
            }
        }
    }
}
