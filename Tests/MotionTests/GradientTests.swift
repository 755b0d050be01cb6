import Testing

@testable import Motion

@Suite struct GradientTests {
    private static let red = Color(red: 255, green: 0, blue: 0)
    private static let gold = Color(red: 255, green: 215, blue: 0, alpha: 160)
    private static let faint = Color(red: 0, green: 255, blue: 128, alpha: 9)
    private static let blue = Color(red: 0, green: 0, blue: 255)

    private func gradient(
        _ direction: Gradient.Direction = .angle(90), _ stops: [(Color, Double?)]
    ) -> Gradient {
        Gradient(.linear(direction), stops: stops.map { (color: $0.0, percent: $0.1) })
    }

    @Test(
        "positions that are missing are spread, and those that fall are raised",
        arguments: [
            ([nil, nil], [0, 100]),
            ([nil, nil, nil, nil], [0, 33.3333, 66.6667, 100]),
            ([20, nil, nil, 50], [20, 30, 40, 50]),
            ([nil, 70, 20, nil], [0, 70, 70, 100]),
            ([-40, nil, 180], [-40, 70, 180]),
            ([nil, 120], [0, 120]),
            ([120, nil], [120, 120]),
            ([nil, 60, nil, 40, nil], [0, 60, 60, 60, 100]),
            ([0.00004, 99.99996], [0, 100]),
        ] as [([Double?], [Double])])
    func positions(given: [Double?], percents: [Double]) {
        let gradient = gradient(.angle(0), given.map { (Self.red, $0) })
        #expect(gradient.stops.map(\.percent) == percents)
    }

    @Test("the spelling says every position, and keeps a corner")
    func spelling() {
        let stops: [(Color, Double?)] = [(Self.red, nil), (.transparent, 12.5), (Self.gold, nil)]
        #expect(
            gradient(.angle(12.25), stops).text
                == "linear-gradient(12.25deg, #ff0000 0%, transparent 12.5%, #ffd700a0 100%)")
        #expect(
            gradient(.corner(.bottomLeft), stops).text
                == "linear-gradient(to bottom left, #ff0000 0%, transparent 12.5%, #ffd700a0 100%)")
    }

    private static let boxes = [
        Rect(x: 0, y: 0, width: 100, height: 100), Rect(x: -7, y: 30, width: 240, height: 18),
        Rect(x: 3.5, y: 2, width: 9, height: 90),
    ]

    private func share(of point: Point, on line: GradientLine) -> Double {
        let (x, y) = (line.end.x - line.start.x, line.end.y - line.start.y)
        return ((point.x - line.start.x) * x + (point.y - line.start.y) * y) / (x * x + y * y)
    }

    private func corners(of box: Rect) -> [Gradient.Corner: Point] {
        [
            .topLeft: Point(x: box.x, y: box.y), .topRight: Point(x: box.maxX, y: box.y),
            .bottomLeft: Point(x: box.x, y: box.maxY),
            .bottomRight: Point(x: box.maxX, y: box.maxY),
        ]
    }

    @Test("at any angle the furthest corners have exactly the first and the last colour")
    func angles() throws {
        for box in Self.boxes {
            for degrees in stride(from: 0.0, to: 360, by: 7.5) {
                let line = gradient(.angle(degrees), [(Self.red, nil), (Self.blue, nil)]).line(
                    in: box)
                let shares = corners(of: box).values.map { share(of: $0, on: line) }
                #expect(try abs(#require(shares.min())) < 1e-9, "\(degrees)")
                #expect(try abs(#require(shares.max()) - 1) < 1e-9, "\(degrees)")
                let middle = Point(
                    x: (line.start.x + line.end.x) / 2, y: (line.start.y + line.end.y) / 2)
                #expect(abs(middle.x - box.center.x) + abs(middle.y - box.center.y) < 1e-9)
            }
        }
    }

    @Test(
        "upright and level lines are exact",
        arguments: [
            (0, Point(x: 20, y: 40), Point(x: 20, y: 10)),
            (90, Point(x: 10, y: 25), Point(x: 30, y: 25)),
            (180, Point(x: 20, y: 10), Point(x: 20, y: 40)),
            (270, Point(x: 30, y: 25), Point(x: 10, y: 25)),
        ] as [(Double, Point, Point)])
    func straight(degrees: Double, start: Point, end: Point) {
        let box = Rect(x: 10, y: 10, width: 20, height: 30)
        let line = gradient(.angle(degrees), [(Self.red, nil), (Self.blue, nil)]).line(in: box)
        #expect(line == GradientLine(start: start, end: end))
    }

    @Test(
        "to a corner, the two beside it have the colour half way",
        arguments: Gradient.Corner.allCases)
    func corners(corner: Gradient.Corner) throws {
        let opposite: [Gradient.Corner: Gradient.Corner] = [
            .topLeft: .bottomRight, .topRight: .bottomLeft, .bottomLeft: .topRight,
            .bottomRight: .topLeft,
        ]
        for box in Self.boxes {
            let line = gradient(.corner(corner), [(Self.red, nil), (Self.blue, nil)]).line(in: box)
            for (name, point) in corners(of: box) {
                let wanted = name == corner ? 1 : name == opposite[corner] ? 0 : 0.5
                #expect(abs(share(of: point, on: line) - wanted) < 1e-9, "\(name) of \(box)")
            }
        }
    }

    @Test("a box without extent has a line without one")
    func points() {
        let flat = Rect(x: 5, y: 6, width: 0, height: 30)
        let across = gradient(.angle(90), [(Self.red, nil), (Self.blue, nil)]).line(in: flat)
        #expect(across.start == across.end)
        let none = Rect(x: 5, y: 6, width: 0, height: 0)
        for corner in Gradient.Corner.allCases {
            let line = gradient(.corner(corner), [(Self.red, nil), (Self.blue, nil)]).line(in: none)
            #expect(line.start == Point(x: 5, y: 6) && line.end == line.start)
        }
    }

    @Test("colours mix premultiplied, go on at both ends, and jump where stops coincide")
    func colors() {
        let gradient = gradient(
            .angle(0),
            [(Self.red, 20), (.transparent, 40), (Self.blue, 40), (Self.gold, 80)])
        func color(_ share: Double) -> SIMD4<Double> { gradient.color(at: share) }
        #expect(color(-3) == Self.red.premultiplied && color(0.2) == Self.red.premultiplied)
        // Half of red is left, and no black has come in.
        #expect(color(0.3) == SIMD4(0.5, 0, 0, 0.5))
        #expect(color(0.399999).w < 0.001 && color(0.4) == Self.blue.premultiplied)
        #expect(
            abs(color(0.6).w - (1 + 160.0 / 255) / 2) < 1e-12
                && abs(color(0.6).x - 160.0 / 255 / 2) < 1e-12)
        #expect(color(0.8) == Self.gold.premultiplied && color(9) == Self.gold.premultiplied)
    }

    @Test("a paint knows its first colour, and whether anything shows through or at all")
    func paints() {
        let opaque = Paint.gradient(gradient(.angle(0), [(Self.red, nil), (Self.blue, nil)]))
        let pale = Paint.gradient(gradient(.angle(0), [(Self.gold, nil), (.transparent, nil)]))
        let nothing = Paint.gradient(
            gradient(.angle(0), [(.transparent, nil), (.transparent, nil)]))
        #expect(opaque.isOpaque && !pale.isOpaque && !nothing.isOpaque)
        #expect(nothing.isTransparent && !pale.isTransparent && Paint.transparent.isTransparent)
        #expect(opaque.firstColor == Self.red && pale.firstColor == Self.gold)
        #expect(pale.withAlpha(255).isOpaque && Paint.color(Self.gold).withAlpha(255).isOpaque)
        #expect(pale.withAlpha(0).isTransparent)
    }

    // MARK: Stops for renderers that mix straight colours

    /// Returns premultiplied parts as a renderer mixes straight stops.
    private func straightColor(_ gradient: StraightGradient, at offset: Double) -> SIMD4<Double> {
        let stops = gradient.stops
        guard let next = stops.firstIndex(where: { $0.offset > offset }) else {
            return stops[stops.count - 1].color.premultiplied
        }
        guard next > 0 else { return stops[0].color.premultiplied }
        func parts(_ color: Color) -> SIMD4<Double> {
            SIMD4(Double(color.red), Double(color.green), Double(color.blue), Double(color.alpha))
                / 255
        }
        let (from, to) = (stops[next - 1], stops[next])
        let way = (offset - from.offset) / (to.offset - from.offset)
        var mix = parts(from.color) + (parts(to.color) - parts(from.color)) * way
        let alpha = mix.w
        mix *= alpha
        mix.w = alpha
        return mix
    }

    private static let lists: [[(Color, Double?)]] = [
        [(red, nil), (blue, nil)],
        [(red, nil), (.transparent, nil)],
        [(.transparent, nil), (red, nil), (.transparent, nil), (blue, nil)],
        [(red, 0), (faint, 100)],
        [(faint, -30), (gold, 20), (blue, 170)],
        [(gold, 130), (faint, 150)],
        [(gold, -90), (blue, -10)],
        [(red, 50), (gold, 50), (faint, 50), (blue, nil)],
        [(.transparent, 40), (.transparent, 60)],
        [(red, nil), (gold, 10), (.transparent, 30), (faint, 31), (blue, 80), (gold, nil)],
    ]

    @Test("straight stops give the colours of the premultiplied ones", arguments: lists.indices)
    func straight(list: Int) {
        let box = Rect(x: 10, y: 20, width: 300, height: 40)
        let gradient = gradient(.angle(60), Self.lists[list])
        let straight = StraightGradient(gradient, in: box)
        let offsets = straight.stops.map(\.offset)
        #expect(offsets.allSatisfy { (0...1).contains($0) })
        #expect(zip(offsets, offsets.dropFirst()).allSatisfy { $0 <= $1 })
        let line = gradient.line(in: box)
        for step in -50...250 {
            // Off the stops, where it depends on the renderer which of two counts.
            let wanted = Double(step) / 100 + 0.0013
            let point = Point(
                x: line.start.x + (line.end.x - line.start.x) * wanted,
                y: line.start.y + (line.end.y - line.start.y) * wanted)
            let mixed = straightColor(straight, at: share(of: point, on: straight.line))
            let off = mixed - gradient.color(at: wanted)
            #expect(max(off.max(), -off.min()) <= 1.01 / 255, "at \(wanted)")
        }
    }

    @Test("where the alpha stays no stops are added")
    func few() {
        let box = Rect(x: 0, y: 0, width: 10, height: 10)
        let opaque = StraightGradient(
            gradient(.angle(0), [(Self.red, nil), (Self.blue, nil), (Self.red, nil)]), in: box)
        #expect(opaque.stops.map(\.offset) == [0, 0.5, 1])
        let out = StraightGradient(
            gradient(.angle(0), [(Self.red, nil), (.transparent, nil)]), in: box)
        #expect(out.stops.map(\.color.text) == ["#ff0000", "transparent"])
        #expect(out.stops.map(\.color.red) == [255, 255])
        let wide = StraightGradient(
            gradient(.angle(90), [(Self.red, -100), (Self.blue, 300)]), in: box)
        #expect(wide.stops.map(\.offset) == [0, 1])
        #expect(wide.line == GradientLine(start: Point(x: -10, y: 5), end: Point(x: 30, y: 5)))
    }

    // MARK: Around a centre

    private func ellipse(
        _ radius: Gradient.Radius, at center: Gradient.Position = .center, in box: Rect
    ) -> (center: Point, radii: SIMD2<Double>)? {
        let gradient = Gradient(
            .radial(radius, center: center), stops: [(Self.red, nil), (Self.blue, nil)])
        guard case .ellipse(let center, let radii)? = gradient.geometry(in: box) else { return nil }
        return (center, radii)
    }

    @Test(
        "an ellipse goes to the sides or the corners that its centre is nearest to or farthest from"
    )
    func ellipses() throws {
        let box = Rect(x: 10, y: 20, width: 100, height: 40)
        let corner = Gradient.Position(x: .percent(30), y: .pixels(10))
        for (radius, radii) in [
            (.circle(.closestSide), SIMD2(10, 10)), (.circle(.farthestSide), SIMD2(70, 70)),
            (.ellipse(.closestSide), SIMD2(30, 10)), (.ellipse(.farthestSide), SIMD2(70, 30)),
            (.pixels(12.5), SIMD2(12.5, 12.5)),
            (.axes(x: .percent(50), y: .pixels(7)), SIMD2(50, 7)),
        ] as [(Gradient.Radius, SIMD2<Double>)] {
            let found = try #require(ellipse(radius, at: corner, in: box))
            #expect(found.center == Point(x: 40, y: 30) && found.radii == radii)
        }
        // Through the corner, as wide for its height as the one to the sides.
        for (extent, side, x, y) in [
            (Gradient.Extent.closestCorner, Gradient.Extent.closestSide, 30.0, 10.0),
            (.farthestCorner, .farthestSide, 70, 30),
        ] {
            let to = try #require(ellipse(.ellipse(extent), at: corner, in: box)).radii
            let sides = try #require(ellipse(.ellipse(side), at: corner, in: box)).radii
            #expect(abs(x * x / (to.x * to.x) + y * y / (to.y * to.y) - 1) < 1e-12)
            #expect(abs(to.x / to.y - sides.x / sides.y) < 1e-12)
            let circle = try #require(ellipse(.circle(extent), at: corner, in: box)).radii
            #expect(abs(circle.x - (x * x + y * y).squareRoot()) < 1e-12)
        }
        let side = Gradient.Position(x: .percent(0), y: .percent(50))
        #expect(ellipse(.ellipse(.closestSide), at: side, in: box) == nil)
        #expect(ellipse(.pixels(0), in: box) == nil)
    }

    @Test("what repeats has each colour again after a period, before its first stop too")
    func periods() {
        let gradient = Gradient(
            .conic(degrees: 0, center: .center), repeats: true,
            stops: [(Self.red, 10), (Self.gold, 15), (Self.blue, 30)])
        for percent in stride(from: -40.0, to: 120, by: 1.7) {
            let (one, other) = (
                gradient.color(at: percent / 100), gradient.color(at: percent / 100 + 0.2)
            )
            let difference = one - other
            #expect(max(difference.max(), -difference.min()) < 1e-9)
        }
        #expect(gradient.color(at: 0.15) == Self.gold.premultiplied)
        #expect(gradient.color(at: -0.05) == Self.gold.premultiplied)
    }

    @Test(
        "renderers get the colours from the centre on, wherever in a period it is",
        arguments: [false, true])
    func stopsFromTheCentre(repeats: Bool) throws {
        let box = Rect(x: 0, y: 0, width: 200, height: 200)
        for first in stride(from: -70.0, to: 70, by: 7.3) {
            let gradient = Gradient(
                .radial(.pixels(80), center: .center), repeats: repeats,
                stops: [(Self.red, first), (Self.blue, first + 11), (Self.red, first + 36)])
            let straight = StraightGradient(gradient, in: box)
            guard case .ellipse(_, let radii)? = straight.geometry else {
                Issue.record("it has no ellipse")
                continue
            }
            for distance in stride(from: 0.5, to: 100, by: 3.1) {
                var offset = distance / radii.x
                if repeats { offset -= offset.rounded(.down) }
                let mixed = straightColor(straight, at: offset)
                let difference = mixed - gradient.color(at: distance / 80)
                #expect(
                    max(difference.max(), -difference.min()) < 1.5 / 255, "\(first), \(distance)")
            }
        }
    }
}

extension Gradient {
    /// The line of a linear gradient, also where it has no length.
    fileprivate func line(in box: Rect) -> GradientLine {
        guard case .linear(let direction) = kind else {
            return GradientLine(start: box.center, end: box.center)
        }
        return direction.line(in: box)
    }
}

extension StraightGradient {
    fileprivate var line: GradientLine {
        if case .line(let line)? = geometry { line } else { GradientLine(start: .zero, end: .zero) }
    }
}
