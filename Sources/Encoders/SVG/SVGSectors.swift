import Bytes
import Glibc
import Motion

/// The sectors of one colour each that a conic gradient is drawn with: SVG has none of its own.
struct SVGSectors {
    private struct Sector {
        /// Shares of a turn from upwards, clockwise.
        let start: Double
        let end: Double
        let color: Color
    }

    /// In the region.
    private let center: Point
    private let radius: Double
    private let sectors: [Sector]
    private let isOpaque: Bool

    /// The largest difference of a part of a colour between neighbours, of 255.
    private static let step = 3.0
    /// The narrowest sectors and the widest ones, as shares of a turn.
    private static let (narrowest, widest) = (1.0 / 1440, 1.0 / 8)

    /// - Parameters:
    ///   - gradient: A conic gradient.
    ///   - box: The box that it fills.
    init(_ gradient: Gradient, in box: Rect) {
        isOpaque = gradient.isOpaque
        let region = Self.region(of: box)
        guard case .sweep(let center, let degrees)? = gradient.geometry(in: box) else {
            (center, radius, sectors) = (.zero, 0, [])
            return
        }
        self.center = Point(x: center.x - region.x, y: center.y - region.y)
        let x = max(abs(center.x - region.x), abs(region.maxX - center.x))
        let y = max(abs(center.y - region.y), abs(region.maxY - center.y))
        // A chord of the widest sector is nearer than its ends.
        radius = (x * x + y * y).squareRoot() / cos(.pi * Self.widest)
        let stops = StraightGradient(gradient, in: box).stops
        sectors = zip(stops, stops.dropFirst()).flatMap { from, to -> [Sector] in
            let width = to.offset - from.offset
            guard width > 0 else { return [] }
            let difference = from.color.straight - to.color.straight
            let alpha = Double(from.color.alpha) - Double(to.color.alpha)
            let most = max(255 * max(difference.max(), -difference.min()), abs(alpha))
            let fine = min((most / Self.step).rounded(.up), (width / Self.narrowest).rounded(.up))
            let count = Int(max(fine, (width / Self.widest).rounded(.up), 1))
            return (0..<count).map { number in
                func share(_ number: Double) -> Double {
                    from.offset + width * number / Double(count)
                }
                let middle = gradient.color(at: share(Double(number) + 0.5))
                return Sector(
                    start: share(Double(number)) + degrees / 360,
                    end: share(Double(number + 1)) + degrees / 360,
                    color: Color(premultiplied: middle))
            }
        }
    }

    /// Returns where a box's gradient is seen: ink may leave the box. The sectors' coordinates begin at its
    /// corner.
    static func region(of box: Rect) -> Rect {
        box.grown(by: Margins(all: box.height))
    }

    func write(to sink: inout ByteSink) {
        // Smooth edges of sectors that are narrower than a pixel would let through what is below.
        sink.append("<g shape-rendering=\"crispEdges\" transform=\"translate(")
        sink.append(center.x, decimals: 2, leadingZero: false)
        sink.append(" ")
        sink.append(center.y, decimals: 2, leadingZero: false)
        sink.append(")\">")
        // Each opaque one goes on under the next, and so there are no gaps where renderers round.
        for (index, sector) in sectors.enumerated() where !sector.color.isTransparent {
            let isCovered = isOpaque && index + 1 < sectors.count
            write(sector, under: isCovered ? sectors[index + 1].end : nil, &sink)
        }
        sink.append("</g>")
    }

    /// Writes a sector, which goes on under half of the one behind it that ends at a share of a turn.
    private func write(_ sector: Sector, under next: Double?, _ sink: inout ByteSink) {
        sink.append("<path d=\"M0 0")
        writeLine(to: sector.start, &sink)
        writeLine(to: sector.end, &sink)
        if let next { writeLine(to: (sector.end + next) / 2, &sink) }
        sink.append("z\"")
        sink.append(fill: sector.color)
        sink.append("/>")
    }

    private func writeLine(to share: Double, _ sink: inout ByteSink) {
        sink.append("L")
        sink.append(sin(2 * .pi * share) * radius, decimals: 1, leadingZero: false)
        sink.append(" ")
        sink.append(-cos(2 * .pi * share) * radius, decimals: 1, leadingZero: false)
    }
}
