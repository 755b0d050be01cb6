import Motion
import Raster

/// The pixels of a card with a gradient, round corners, or a border.
///
/// They are computed when they are needed, and take no memory.
struct CardImage: Sendable {
    /// The background's gradient; nil for one colour.
    private var shader: GradientShader?
    /// The background's gradient if it moves; nil where it stands still.
    private var moving: MovingShader?
    /// Premultiplied red, green, blue, and alpha of the background without a gradient, 0…1 each.
    private let color: SIMD4<Float>
    /// In pixels.
    private let size: SIMD2<Float>
    private let radius: Float
    private let border: (width: Float, color: SIMD4<Float>)?
    /// The distance from the edges within which a pixel may have a part of border or corner.
    private let rim: Int

    /// True if the background has moved since the last moment.
    var hasMoved: Bool { moving?.hasMoved ?? false }

    /// Makes the pixels of a card; nil for a card of one colour.
    init?(_ scene: Scene, size: PixelSize, scale: Double) {
        let card = scene.appearance.card
        guard card.flatColor == nil else { return nil }
        let (width, height) = (Double(size.width), Double(size.height))
        self.size = SIMD2(Float(width), Float(height))
        radius = Float(
            card.cornerRadius(width: width / scale, height: height / scale) * scale)
        border = card.border.map {
            (Float($0.width * scale), SIMD4<Float>($0.color.premultiplied))
        }
        rim = Int(max(radius, border?.width ?? 0).rounded(.up)) + 1
        color = SIMD4<Float>(card.background.firstColor.premultiplied)
        moving = scene.movingBackground.flatMap { MovingShader($0, scale: scale) }
        shader =
            moving?.shader
            ?? card.background.gradient.map { gradient in
                GradientShader(
                    gradient.scaled(by: scale), in: Rect(x: 0, y: 0, width: width, height: height)
                ) { $0 }
            }
    }

    /// Moves the background.
    mutating func move(to moment: Moment, scale: Double) {
        moving?.move(to: moment, scale: scale)
        if let moving { shader = moving.shader }
    }

    /// Calls a function with premultiplied red, green, blue, and alpha, 0…65,535 each, of the
    /// pixels of a row.
    @inline(__always)
    func forEachPixel(
        ofRow y: Int, _ columns: Range<Int>, _ body: (Int, SIMD4<UInt16>) -> Void
    ) {
        let isRim = y < rim || y >= Int(size.y) - rim
        var colors = [SIMD4<Float>](repeating: color, count: columns.count)
        colors.withUnsafeMutableBufferPointer { colors in
            guard let start = colors.baseAddress else { return }
            shader?.write(row: y, columns, to: start)
            for x in columns {
                var color = start[x &- columns.lowerBound]
                if isRim || x < rim || x >= Int(size.x) - rim {
                    color = framed(color, x: Float(x) + 0.5, y: Float(y) + 0.5)
                }
                let scaled = pointwiseMin(color * 65_535 + 0.5, SIMD4(repeating: 65_535))
                body(
                    x,
                    SIMD4(
                        UInt16(scaled.x), UInt16(scaled.y), UInt16(scaled.z),
                        UInt16(scaled.w)))
            }
        }
    }

    /// Returns the columns of a row among some in which the background has one colour, without border
    /// and corner; an empty range if none is known to.
    func plainColumns(ofRow y: Int, _ columns: Range<Int>) -> Range<Int> {
        let (top, left, right) = (rim, rim, Int(size.x) - rim)
        guard shader == nil, left < right, top <= y, y < Int(size.y) - rim else {
            return columns.lowerBound..<columns.lowerBound
        }
        return (left..<right).clamped(to: columns)
    }

    /// Returns a colour with border and corner at a position.
    private func framed(_ color: SIMD4<Float>, x: Float, y: Float) -> SIMD4<Float> {
        var color = color
        let position = SIMD2(x, y)
        if let border {
            let inner = coverage(
                position, inset: border.width, radius: max(radius - border.width, 0))
            let ring = border.color * (1 - inner)
            color = ring + color * (1 - ring.w)
        }
        return color * coverage(position, inset: 0, radius: radius)
    }

    /// Returns the share of a pixel within a rounded rectangle, from the distance between its
    /// middle and the edge; `inset` is the rectangle's distance from the canvas's edges.
    private func coverage(_ position: SIMD2<Float>, inset: Float, radius: Float) -> Float {
        let half = size / 2 - inset
        let middle = size / 2
        let offset = position - middle
        let away = SIMD2(abs(offset.x), abs(offset.y)) - half + radius
        let outside = SIMD2(max(away.x, 0), max(away.y, 0))
        let distance =
            min(max(away.x, away.y), 0) + (outside * outside).sum().squareRoot() - radius
        return min(max(0.5 - distance, 0), 1)
    }
}
