import Motion

/// A feature that not all players of Lottie have.
enum LottieFeature {
    case masks, pictures, mattes
    /// Lines along contours in a gradient.
    case gradientLines
}

/// The differences between kinds of Lottie files, by the abilities of their players.
struct LottieProfile {
    let features: Set<LottieFeature>
    /// True if compositions can be translucent as one.
    let blendsGlyphs: Bool
    let framesPerSecond: Int
    /// The most seconds of a cycle; a longer one plays faster.
    var mostSeconds = Double.infinity
    /// The width and height in pixels; nil for those of the canvas.
    var side: Int?
    /// True if a cycle begins anew after a whole frame.
    var endsWithWholeFrame = false
    /// The members by which players know the kind.
    var mark: StaticString = ""
    var version = LottieVersion.first
    /// True if programs may replace colours.
    var hasSlots = false

    /// Returns a Lottie animation of a version of the specification.
    static func animation(_ version: LottieVersion) -> LottieProfile {
        LottieProfile(
            features: [.masks, .pictures, .mattes, .gradientLines], blendsGlyphs: true,
            framesPerSecond: 100, version: version, hasSlots: true)
    }
}

/// A version of the specification.
enum LottieVersion: String, CaseIterable {
    case first = "1.0"
    case second = "1.1"

    /// The version by which files name it: two digits for each part.
    var number: Int {
        switch self {
        case .first: 10000
        case .second: 10100
        }
    }

    var hasConicGradients: Bool { self != .first }
}

/// The colours of a file.
enum LottieColors {
    case light, dark

    func layers(of scene: Scene) -> [SceneLayer] {
        switch self {
        case .light: scene.lightLayers
        case .dark: scene.darkLayers
        }
    }

    /// Returns the paint of a node.
    func paint(ofNode node: Int, in scene: Scene) -> Paint {
        let dark = self == .dark ? scene.darkPaint(ofNode: node) : nil
        return dark ?? scene.nodes[node].glyph.paint
    }

    /// Returns the fill of a block.
    func fill(of paint: TextPaint) -> Paint {
        self == .dark ? paint.darkFill ?? paint.fill : paint.fill
    }

    func color(of outline: LineStyle) -> Color {
        let dark = self == .dark ? outline.darkColor : nil
        return dark ?? outline.color
    }

    func card(of scene: Scene) -> Card {
        var card = scene.appearance.card
        guard self == .dark else { return card }
        card.background = card.darkBackground ?? card.background
        if let color = card.border?.darkColor { card.border?.color = color }
        return card
    }
}
