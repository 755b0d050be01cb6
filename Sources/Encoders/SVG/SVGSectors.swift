import Bytes
import Glibc
import Motion

/// The sectors, of one colour each, that draw a conic gradient: SVG has no such gradients.
struct SVGSectors {
    private struct Sector {
        /// Shares of a turn from upwards, clockwise.
        let start: Double
        let end: Double
        let color: Color
    }

    /// The centre of the gradient in the region.
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
    ///   - region: The region in which it is seen; coordinates begin at the region's corner.
    init(_ gradient: Gradient, in box: Rect, seenIn region: Rect) {
        isOpaque = gradient.isOpaque
        guard case .sweep(let center, let degrees)? = gradient.geometry(in: box) else {
            (center, radius, sectors) = (.zero, 0, [])
            return
        }
        self.center = Point(x: center.x - region.x, y: center.y - region.y)
        let x = max(abs(center.x - region.x), abs(region.maxX - center.x))
        let y = max(abs(center.y - region.y), abs(region.maxY - center.y))
        // A chord of the widest sector is nearer than its ends.
        radius = (x * x + y * y).squareRoot() / cos(.pi * Self.widest)
        var sectors: [Sector] = []
        for (from, to) in Self.parts(of: gradient, in: box) {
            let count = Self.count(from: from, to: to)
            // A gradient that repeats may begin before the turn and end after it.
            let (low, high) = (max(from.offset, 0), min(to.offset, 1))
            for number in 0..<count where low < high {
                func share(_ number: Double) -> Double {
                    low + (high - low) * number / Double(count)
                }
                let middle = gradient.color(at: share(Double(number) + 0.5))
                sectors.append(
                    Sector(
                        start: share(Double(number)) + degrees / 360,
                        end: share(Double(number + 1)) + degrees / 360,
                        color: Color(premultiplied: middle)))
            }
        }
        self.sectors = sectors
    }

    /// Returns the neighbouring stops of a turn.
    private static func parts(
        of gradient: Gradient, in box: Rect
    ) -> [(from: StraightGradient.Stop, to: StraightGradient.Stop)] {
        let stops = StraightGradient(gradient, in: box).stops
        let period = gradient.period / 100
        var periods = 0...0
        if gradient.repeats, period > 0, let first = stops.first, let last = stops.last {
            let low = (-last.offset / period).rounded(.up)
            let high = ((1 - first.offset) / period).rounded(.down)
            periods = Int(low)...Int(high)
        }
        return periods.flatMap { number in
            func moved(_ stop: StraightGradient.Stop) -> StraightGradient.Stop {
                var stop = stop
                stop.offset += Double(number) * period
                return stop
            }
            return zip(stops, stops.dropFirst()).map { (from: moved($0), to: moved($1)) }
        }
    }

    /// Returns the number of sectors between two stops.
    private static func count(from: StraightGradient.Stop, to: StraightGradient.Stop) -> Int {
        let width = to.offset - from.offset
        guard width > 0 else { return 0 }
        let difference = from.color.straight - to.color.straight
        let alpha = Double(from.color.alpha) - Double(to.color.alpha)
        let most = max(255 * max(difference.max(), -difference.min()), abs(alpha))
        let fine = min((most / step).rounded(.up), (width / narrowest).rounded(.up))
        return Int(max(fine, (width / widest).rounded(.up)))
    }

    /// Returns the most bytes that the conic gradients of a scene take.
    static func mostBytes(in scene: Scene) -> Double {
        var bytes = 0.0
        var known: Set<SVGGradients.CentredRoot> = []
        func add(_ paint: Paint?, _ box: Rect) {
            guard let gradient = paint?.gradient, case .conic = gradient.kind,
                known.insert(SVGGradients.CentredRoot(gradient: gradient, size: box.size)).inserted
            else { return }
            bytes += parts(of: gradient, in: box).reduce(200) { sum, part in
                sum + 90 * Double(count(from: part.from, to: part.to))
            }
        }
        let card = scene.appearance.card
        let canvas = Rect(x: 0, y: 0, width: scene.width, height: scene.height)
        add(card.background, canvas)
        add(card.darkBackground, canvas)
        guard scene.blocks.contains(where: \.paint.hasGradient) else { return bytes }
        if scene.paintMotion != nil {
            // Each moving paint is written on its own.
            for case let paint? in scene.layers.map(\.paint) {
                known = []
                add(paint.fill, paint.box)
                add(paint.darkFill, paint.box)
            }
        }
        for index in scene.nodes.indices where scene.nodes[index].glyph.hasBlockPaint {
            let glyph = scene.nodes[index].glyph
            let box = scene.gradientRect(ofNode: index)
            add(glyph.paint, box)
            add(scene.blocks[glyph.block].paint.darkFill, box)
        }
        return bytes
    }

    /// Returns the region in which a still gradient of a box is seen: ink may leave the box.
    static func region(of box: Rect) -> Rect {
        box.grown(by: Margins(all: box.height))
    }

    func write(to sink: inout ByteSink) {
        // Smooth edges of sectors narrower than a pixel would let the ground through.
        sink.append("<g shape-rendering=\"crispEdges\" transform=\"translate(")
        sink.append(center.x, decimals: 2, leadingZero: false)
        sink.append(" ")
        sink.append(center.y, decimals: 2, leadingZero: false)
        sink.append(")\">")
        // Each opaque sector goes on under the next, so rounding leaves no gaps.
        for (index, sector) in sectors.enumerated() where !sector.color.isTransparent {
            let isCovered = isOpaque && index + 1 < sectors.count
            write(sector, under: isCovered ? sectors[index + 1].end : nil, &sink)
        }
        sink.append("</g>")
    }

    /// Writes a sector, which goes on under half of the next one; `next` is the end of that one as
    /// a share of a turn.
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

extension Rect {
    /// Its width and height.
    var size: SIMD2<Double> { SIMD2(width, height) }
}
