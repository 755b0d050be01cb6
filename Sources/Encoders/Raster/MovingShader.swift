import Motion
import Raster

/// The colours of a moving paint at pixels of the canvas.
struct MovingShader: Sendable {
    private let paint: MovingPaint
    private let gradient: Gradient
    private var turns = 0.0
    /// True if it has moved since the last moment.
    private(set) var hasMoved = false
    private(set) var shader: GradientShader

    /// Makes the shader of a gradient; nil for one colour.
    init?(_ paint: MovingPaint, scale: Double) {
        guard let gradient = paint.fill.gradient else { return nil }
        self.paint = paint
        self.gradient = gradient
        shader = Self.shader(gradient, paint, turns: 0, scale: scale)
    }

    /// True unless it is transparent everywhere.
    var isSeen: Bool { paint.isSeen(turns: turns) }

    mutating func move(to moment: Moment, scale: Double) {
        let wanted = paint.motion.turns(at: moment)
        hasMoved = wanted != turns
        guard hasMoved else { return }
        turns = wanted
        shader = Self.shader(gradient, paint, turns: turns, scale: scale)
    }

    private static func shader(
        _ gradient: Gradient, _ paint: MovingPaint, turns: Double, scale: Double
    ) -> GradientShader {
        let inverse = paint.map(of: gradient, turns: turns).inverse
        return GradientShader(gradient, in: paint.box) { inverse($0 / scale) }
    }

    /// Returns a part of a tile with its coverage painted.
    func painted(_ tile: Tile, within rect: PixelRect) -> Tile {
        let first = (rect.minY - tile.rect.minY) * tile.stride + rect.minX - tile.rect.minX
        return Tile(
            kind: .picture, rect: rect, stride: 4 * rect.width,
            bytes: shader.pixels(
                of: rect, coverage: tile.bytes, from: first, stride: tile.stride))
    }
}
