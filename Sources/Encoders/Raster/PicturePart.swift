import Motion
import Raster

/// A part of a node that pictures draw.
struct PicturePart: Sendable {
    let part: SceneLayer.Part
    /// The number of its layer.
    let layer: Int
    /// The number of the nodes with which it is blended once; nil for none.
    let join: Int?
    /// Index into `Scene.nodes`.
    let node: Int
    let content: TilePart
    /// The index of its motion in the scene.
    let track: Int
    /// The colour of an outline or a shadow; nil for the glyph's.
    let color: Color?
    /// A factor for the pose's opacity: the alpha of that colour.
    let opacity: Double
    /// The index in `Scene.movingPaints` of the paint of its coverage; nil for the glyph's paint.
    let paint: Int?
    /// The largest alpha of that paint.
    private let paintAlpha: Double

    /// Makes a part; nil where it draws nothing.
    init?(
        _ part: SceneLayer.Part, ofLayer layer: Int, ofNode index: Int,
        paint: (number: Int, gradient: Gradient)?, _ scene: Scene
    ) {
        guard let ink = scene.nodes[index].glyph.ink else { return nil }
        self.paint = paint?.number
        paintAlpha = paint?.gradient.largestAlpha ?? 1
        switch part {
        case .fill:
            let gradient = paint == nil ? scene.nodes[index].glyph.paint.gradient : nil
            content = .fill(
                gradient.map {
                    TilePart.GradientFill(gradient: $0, box: scene.gradientRect(ofNode: index))
                })
            color = nil
        case .outline(let outline):
            guard ink.shape != nil || ink.hasLine else { return nil }
            content = .outline(width: outline.width, cap: outline.cap)
            color = outline.color
        case .shadow(let cast):
            let block = scene.nodes[index].glyph.block
            let outline = scene.blocks[block].paint.outline
            let shadow = scene.shadow(cast, ofNode: index)
            content = .shadow(shadow, outlineWidth: outline?.width ?? 0)
            color = shadow.color
        }
        opacity = color.map { Double($0.alpha) / 255 } ?? 1
        guard opacity > 0 else { return nil }
        self.part = part
        self.layer = layer
        join = scene.join(ofNode: index)
        node = index
        track = scene.track(ofNode: index, in: part)
    }

    /// Returns the alpha that a tile has where ink covers a pixel, 0…1; 1 for shadows, whose alpha
    /// says how dark they are.
    func inkAlpha(of tile: Tile, _ color: Color) -> Double {
        switch content {
        case .shadow: 1
        case .outline: opacity
        case .fill(let fill?): fill.gradient.largestAlpha
        case .fill(nil) where paint != nil: paintAlpha
        case .fill(nil): tile.kind == .coverage ? Double(color.alpha) / 255 : 1
        }
    }
}

extension PicturePart {
    /// Returns the factor that turns the product of two coverages into the coverage that counts
    /// twice, where the tiles of two parts overlap.
    ///
    /// Blurred shadows have no edge at which they meet, and are blended one after another.
    func overlap(_ color: Color) -> Double {
        switch content {
        case .shadow(let shadow, _): shadow.blurRadius > 0 ? opacity : 1
        case .outline: 1
        case .fill: 255 / Double(max(color.alpha, 1))
        }
    }

    /// Returns true if its colour or paint may be translucent.
    func isTranslucent(_ tile: Tile, _ color: Color) -> Bool {
        paint != nil || opacity < 1 || inkAlpha(of: tile, color) < 1
    }

    /// Returns the glyph that it draws, opaque where its coverage is painted.
    func glyph(of scene: Scene) -> Glyph {
        var glyph = scene.nodes[node].glyph
        if paint != nil { glyph.paint = .color(Color(red: 0, green: 0, blue: 0)) }
        return glyph
    }
}

extension Gradient {
    /// The largest alpha of its stops, 0…1.
    fileprivate var largestAlpha: Double {
        stops.reduce(0) { max($0, Double($1.color.alpha) / 255) }
    }
}

extension Scene {
    /// The parts of glyphs with ink that pictures draw, in order.
    var pictureParts: [PicturePart] {
        var paints = 0
        return lightLayers.enumerated().flatMap { number, layer in
            var paint: (number: Int, gradient: Gradient)?
            if let gradient = layer.paint?.fill.gradient {
                paint = (paints, gradient)
                paints += 1
            }
            return layer.nodes.compactMap {
                PicturePart(layer.part, ofLayer: number, ofNode: $0, paint: paint, self)
            }
        }
    }

    /// The paints that move in pictures, in the order of their numbers in `pictureParts`.
    var movingPaints: [MovingPaint] {
        guard paintMotion != nil || !shimmers.isEmpty else { return [] }
        return lightLayers.compactMap(\.paint).filter { $0.fill.gradient != nil }
    }
}
