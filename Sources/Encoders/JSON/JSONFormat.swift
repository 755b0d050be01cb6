package import Motion

/// The scene itself: each glyph's rectangle and tracks (docs/api.md).
package struct JSONFormat: OutputFormat {
    package static let name = "json"
    package static let title = "JSON"
    package static let mediaType = "application/json"
    package static let fileExtension = "json"
    package static let isText = true

    /// True if the file has the shapes of glyphs.
    private let hasShapes: Bool

    package init(_ parameters: inout ParameterReader) {
        hasShapes = parameters.boolean(
            "outlines", default: false,
            "Adds the shapes of glyphs, for programs that draw them: outlines, lines, and "
                + "pictures.")
    }

    package func price(of scene: Scene, _ context: EncodingContext) throws(EncodingError) -> Price {
        var bytes = 4096.0
        for block in scene.blocks { bytes += Double(2 * block.layout.text.utf8.count + 1024) }
        let sizes = scene.tracks.map(\.jsonSize)
        for node in scene.nodes {
            bytes += 320 + sizes[node.track]
            if let mask = node.mask { bytes += Double(90 * scene.masks[mask].count) }
        }
        bytes += gradientBytes(scene)
        for shimmer in scene.shimmers { bytes += 1024 + shimmer.passage.keyframes.jsonSize() }
        if let motion = scene.paintMotion { bytes += 64 + motion.turns.keyframes.jsonSize() }
        if hasShapes {
            let tally = SceneTally(scene)
            bytes += Double(240 * scene.nodes.count + 20 * tally.commands) + tally.pictureBytes
            for layer in scene.layers { bytes += Double(240 + 6 * layer.nodes.count) }
        }
        return Price(ofText: bytes)
    }

    /// Returns the most bytes of the gradients in their places.
    private func gradientBytes(_ scene: Scene) -> Double {
        // A gradient that travels has its stops twice.
        let times = scene.paintMotion == nil ? 1.0 : 2.0
        return scene.blocks.reduce(0) { sum, block in
            guard let gradient = block.paint.fill.gradient else { return sum }
            let places =
                switch block.paint.gradientBox {
                case .block: 1
                case .line: block.layout.lines.count
                case .glyph: block.layout.glyphs.count
                }
            let stops = StraightGradient(gradient, in: block.layout.rect).stops.count
            return sum + times * Double(places * (100 + 45 * stops))
        }
    }

    package func encode(
        _ scene: Scene, _ context: EncodingContext
    ) throws(EncodingError) -> [UInt8] {
        var writer = JSONSceneWriter(scene, JSONDrawing(scene, hasShapes: hasShapes))
        try writer.write(context)
        return writer.bytes()
    }
}

extension GlyphTracks {
    /// The approximate bytes of its keyframes.
    fileprivate var jsonSize: Double {
        var size = opacity.keyframes.jsonSize()
        for index in others.indices { size += others[index].track.keyframes.jsonSize() }
        if let fill { size += fill.keyframes.jsonSize() }
        return size
    }
}

extension Array {
    fileprivate func jsonSize<Value>() -> Double where Element == Keyframe<Instant, Value> {
        var size = 12.0
        for keyframe in self {
            switch keyframe.easing {
            case .linear: size += 27
            case .hold: size += 44
            case .cubic: size += 58
            }
        }
        return size
    }
}
