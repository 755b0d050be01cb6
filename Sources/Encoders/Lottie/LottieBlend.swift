import Motion

/// The common translucency of the glyphs of a composition, which are blended once.
struct LottieBlend {
    /// The number of its glyphs' set in the scene.
    private let join: Int
    /// The number of the layers below.
    private let start: Int
    /// The opacity of the composition, 0…1.
    let opacity: [Keyframe<Instant, Double>]
    /// True if `opacity` is the glyphs' whole opacity; false if it is only their colour's, and each
    /// glyph fades on its own.
    private let isWhole: Bool

    /// Returns true if another item of the file is blended with it.
    func isSame(as other: LottieBlend?) -> Bool {
        join == other?.join && start == other?.start
    }

    /// Returns the motion of a glyph within the composition.
    func inner(_ tracks: GlyphTracks) -> GlyphTracks {
        guard isWhole else { return tracks }
        var inner = tracks
        inner.opacity = GlyphTracks.shown.opacity
        return inner
    }

    /// Returns the blends of a layer by the numbers of their sets, for sets of several glyphs that
    /// are translucent at some instant. Glyphs whose colour changes, and glyphs in translucent
    /// gradients, are drawn one by one.
    ///
    /// - Parameters:
    ///   - layer: The layer.
    ///   - start: The number of the file's layers below.
    ///   - scene: The scene.
    ///   - colors: The file's colours.
    /// - Returns: The blends.
    static func blends(
        of layer: SceneLayer, from start: Int, _ scene: Scene, _ colors: LottieColors
    ) -> [Int: LottieBlend] {
        guard scene.hasJoins else { return [:] }
        var sets: [Int: [Int]] = [:]
        for node in layer.nodes where scene.shape(ofNode: node) != nil {
            if let join = scene.join(ofNode: node) { sets[join, default: []].append(node) }
        }
        var blends: [Int: LottieBlend] = [:]
        for (join, nodes) in sets where nodes.count > 1 {
            let motions = Set(nodes.map { scene.track(ofNode: $0, in: layer.part) })
            let first = scene.tracks[scene.track(ofNode: nodes[0], in: layer.part)]
            guard let alpha = alpha(ofNode: nodes[0], in: layer.part, scene, colors),
                !motions.contains(where: { scene.tracks[$0].isPainted }),
                alpha < 1 || motions.count == 1 && first.fades
            else { continue }
            let isWhole = motions.count == 1
            let opacity =
                isWhole
                ? ShareTrack.keyframes(of: first.opacity.keyframes) : [Keyframe(.zero, value: 1)]
            blends[join] = LottieBlend(
                join: join, start: start,
                opacity: opacity.map {
                    Keyframe($0.time, value: alpha * $0.value, easing: $0.easing)
                }, isWhole: isWhole)
        }
        return blends
    }

    /// Returns the alpha, 0…1, of the colour or paint of a part of a node; nil where the alpha
    /// differs within it.
    private static func alpha(
        ofNode node: Int, in part: SceneLayer.Part, _ scene: Scene, _ colors: LottieColors
    ) -> Double? {
        let color: Color
        switch part {
        case .fill:
            switch colors.paint(ofNode: node, in: scene) {
            case .color(let own): color = own
            case .gradient(let gradient): return gradient.isOpaque ? 1 : nil
            }
        case .outline(let outline): color = colors.color(of: outline)
        case .shadow(let shadow): color = shadow.color
        }
        return Double(color.alpha) / 255
    }
}
