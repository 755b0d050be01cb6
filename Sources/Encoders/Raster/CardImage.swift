import Motion
import Raster

/// The pixels of a card that is more than one colour: a gradient, round corners, a border.
///
/// They are computed whenever they are needed, which takes no memory.
struct CardImage: Sendable {
    /// The premultiplied colours of the background along its line, 0…1 each.
    private let stops: [Stop]
    /// The share of the line at a pixel: `origin` + x · `step.x` + y · `step.y`.
    private let origin: Float
    private let step: SIMD2<Float>
    /// In pixels.
    private let size: SIMD2<Float>
    private let radius: Float
    private let border: (width: Float, color: SIMD4<Float>)?
    /// The distance from the edges within which a pixel may have a part of border or corner.
    private let rim: Int

    private struct Stop {
        let share: Float
        let color: SIMD4<Float>
        /// The change of the colour in the whole line, up to the next stop.
        let slope: SIMD4<Float>
    }

    /// Makes nothing of a card of one colour.
    init?(_ card: Card, size: PixelSize, scale: Double) {
        guard card.flatColor == nil else { return nil }
        let (width, height) = (Double(size.width), Double(size.height))
        self.size = SIMD2(Float(width), Float(height))
        radius = Float(
            card.cornerRadius(width: width / scale, height: height / scale) * scale)
        border = card.border.map {
            (Float($0.width * scale), SIMD4<Float>($0.color.premultiplied))
        }
        rim = Int(max(radius, border?.width ?? 0).rounded(.up)) + 1
        switch card.background {
        case .color(let color):
            stops = [
                Stop(share: 0, color: SIMD4<Float>(color.premultiplied), slope: .zero)
            ]
            (origin, step) = (0, .zero)
        case .gradient(let gradient):
            let box = Rect(x: 0, y: 0, width: width, height: height)
            let line = gradient.line(in: box)
            let (dx, dy) = (line.end.x - line.start.x, line.end.y - line.start.y)
            let length = dx * dx + dy * dy
            step = SIMD2(Float(dx / length), Float(dy / length))
            // From the middle of the first pixel.
            origin = Float(
                ((0.5 - line.start.x) * dx + (0.5 - line.start.y) * dy) / length)
            stops = Self.stops(of: gradient)
        }
    }

    private static func stops(of gradient: Gradient) -> [Stop] {
        let all = gradient.stops
        return all.indices.map { index in
            let color = SIMD4<Float>(all[index].color.premultiplied)
            let next = all[min(index + 1, all.count - 1)]
            let way = Float((next.percent - all[index].percent) / 100)
            let slope =
                way > 0 ? (SIMD4<Float>(next.color.premultiplied) - color) / way : .zero
            return Stop(share: Float(all[index].percent / 100), color: color, slope: slope)
        }
    }

    /// Calls a function with premultiplied red, green, blue and alpha, 0…65,535 each, of the pixels
    /// of a row.
    @inline(__always)
    func forEachPixel(
        ofRow y: Int, _ columns: Range<Int>, _ body: (Int, SIMD4<UInt16>) -> Void
    ) {
        let isRim = y < rim || y >= Int(size.y) - rim
        let start = origin + Float(y) * step.y
        stops.withUnsafeBufferPointer { stops in
            var stop = 0
            for x in columns {
                let share = start + Float(x) * step.x
                while stop + 1 < stops.count, stops[stop + 1].share <= share { stop += 1 }
                while stop > 0, stops[stop].share > share { stop -= 1 }
                var color =
                    stops[stop].color
                    + stops[stop].slope * max(share - stops[stop].share, 0)
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

    /// Returns the share of a pixel within a rounded rectangle, whose edges are so far within the
    /// canvas, by its middle's distance from the edge.
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
