import Testing

@testable import Motion

@Suite struct PaintMotionTests {
    private static let red = Color(red: 255, green: 0, blue: 0)
    private static let gold = Color(red: 255, green: 215, blue: 0)
    private static let blue = Color(red: 0, green: 0, blue: 255)
    private static let box = Rect(x: 10, y: 20, width: 200, height: 50)

    private static func gradient(
        _ kind: Gradient.Kind, repeats: Bool = false, _ stops: [(Color, Double?)]
    ) -> Gradient {
        Gradient(kind, repeats: repeats, stops: stops.map { (color: $0.0, percent: $0.1) })
    }

    private static let line = gradient(.linear(.angle(90)), [(red, nil), (gold, 30), (blue, nil)])
    private static let wheel = gradient(
        .conic(degrees: 0, center: .center), [(red, nil), (blue, nil)])
    private static let rings = gradient(
        .radial(.circle(.farthestSide), center: .center), [(red, nil), (blue, nil)])

    @Test(
        "a mirrored gradient is the same where it has stops, and goes back from there",
        arguments: [
            [(red, nil), (gold, 30), (blue, nil)], [(red, 20), (blue, 60)],
            [(red, -50), (blue, 150)],
            [(red, 40), (gold, 40), (blue, nil)],
        ] as [[(Color, Double?)]])
    func mirrored(stops: [(Color, Double?)]) {
        let gradient = Self.gradient(.linear(.angle(90)), stops)
        let mirrored = gradient.mirrored
        let low = min(gradient.stops[0].percent, 0) / 100
        let high = max(gradient.stops[gradient.stops.count - 1].percent, 100) / 100
        #expect(mirrored.repeats)
        #expect(mirrored.period == 200 * (high - low))
        for step in 1..<50 {
            let share = low + (high - low) * (Double(step) + 0.3) / 50
            let color = gradient.color(at: share)
            for same in [share, 2 * high - share, share + 2 * (high - low)] {
                #expect(abs((mirrored.color(at: same) - color).sum()) < 1e-9)
            }
        }
    }

    @Test("what repeats already is not mirrored")
    func repeating() {
        let gradient = Self.gradient(
            .linear(.angle(0)), repeats: true, [(Self.red, 10), (Self.blue, 30)])
        #expect(gradient.mirrored == gradient)
    }

    private static func moving(_ kind: PaintMotion.Kind, _ gradient: Gradient) -> MovingPaint {
        MovingPaint(
            PaintMotion(kind, count: 1, turns: Track(keyframes: [])), .gradient(gradient),
            dark: nil,
            in: box)
    }

    private static func map(
        _ kind: PaintMotion.Kind, _ gradient: Gradient, turns: Double
    ) -> Affine {
        let paint = moving(kind, gradient)
        return paint.map(of: paint.fill.gradient ?? gradient, turns: turns)
    }

    @Test(
        "whole turns move nothing", arguments: [PaintMotion.Kind.pan, .spin, .breathe],
        [line, wheel, rings])
    func whole(kind: PaintMotion.Kind, gradient: Gradient) {
        #expect(Self.map(kind, gradient, turns: 0) == .identity)
        guard kind != .breathe else { return }
        #expect(Self.map(kind, gradient, turns: 3) == .identity)
    }

    @Test("a line travels by twice its length, there and back")
    func pan() {
        #expect(Self.map(.pan, Self.line, turns: 0.25).origin == SIMD2(100, 0))
        #expect(Self.map(.pan, Self.line, turns: 7.25).origin == SIMD2(100, 0))
        let stripes = Self.gradient(
            .linear(.angle(180)), repeats: true, [(Self.red, 10), (Self.blue, 30)])
        let moved = Self.map(.pan, stripes, turns: 0.5).origin
        #expect(abs(moved.x) < 1e-9 && abs(moved.y - 5) < 1e-9)
    }

    @Test("all turns about the middle of the box, and grows about it")
    func about() {
        let center = Self.box.center.vector
        for (kind, gradient) in [
            (PaintMotion.Kind.spin, Self.line), (.pan, Self.wheel), (.breathe, Self.rings),
        ] {
            let off = Self.map(kind, gradient, turns: 0.25)(center) - center
            #expect((off * off).sum() < 1e-18)
        }
        let turned = Self.map(.spin, Self.line, turns: 0.25)(center + SIMD2(10, 0)) - center
        #expect(abs(turned.x) < 1e-9 && abs(turned.y - 10) < 1e-9)
        #expect(
            Self.map(.breathe, Self.line, turns: 1).vector(SIMD2(10, 0)) == SIMD2(15, 0))
    }

    @Test("a radial gradient has no line along which it could travel")
    func still() {
        #expect(PaintMotion.Kind.pan.motion(of: Self.rings) == nil)
        #expect(PaintMotion.Kind.pan.motion(of: Self.wheel) == .spin)
        #expect(!PaintMotion.Kind.pan.moves(.gradient(Self.rings), dark: nil))
        #expect(PaintMotion.Kind.pan.moves(.color(Self.red), dark: .gradient(Self.line)))
        #expect(!PaintMotion.Kind.spin.moves(.color(Self.red), dark: nil))
    }

    @Test("light has passed the whole box in one passage", arguments: [0.0, 90, 110, 201, 315])
    func shimmer(degrees: Double) {
        let band = ShimmerBand(color: Self.gold, degrees: degrees, width: 40)
        func alpha(_ point: SIMD2<Double>, turns: Double) -> Double {
            guard case .line(let line)? = band.gradient.geometry(in: Self.box) else { return -1 }
            let place = Self.map(.sweep, band.gradient, turns: turns).inverse(point)
            let way = line.end.vector - line.start.vector
            let share = ((place - line.start.vector) * way).sum() / (way * way).sum()
            return band.gradient.color(at: share).w
        }
        let corners = [
            SIMD2(10.0, 20), SIMD2(210.0, 20), SIMD2(10.0, 70), SIMD2(210.0, 70), SIMD2(110.0, 45),
        ]
        for corner in corners {
            #expect(alpha(corner, turns: 0) < 1e-9)
            #expect(alpha(corner, turns: 1) < 1e-9)
        }
        #expect(alpha(SIMD2(110, 45), turns: 0.5) > 0.99)
    }
}
