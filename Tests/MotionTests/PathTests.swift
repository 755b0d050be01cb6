import Motion
import Testing

@Suite struct PathTests {
    private static let curves = [
        // A parabola, an S, a loop, one with a cusp, and one that begins and ends without a speed.
        CubicCurve(from: SIMD2(0, 0), quadratic: SIMD2(50, 100), to: SIMD2(100, 0)),
        CubicCurve(from: SIMD2(0, 0), SIMD2(300, 0), SIMD2(-200, 100), to: SIMD2(100, 100)),
        CubicCurve(from: SIMD2(0, 0), SIMD2(200, 200), SIMD2(-100, 200), to: SIMD2(100, 0)),
        CubicCurve(from: SIMD2(0, 0), SIMD2(100, 100), SIMD2(0, 100), to: SIMD2(100, 0)),
        CubicCurve(from: SIMD2(0, 0), SIMD2(0, 0), SIMD2(100, 50), to: SIMD2(100, 50)),
    ]

    private func curve(_ curves: [CubicCurve], isClosed: Bool = false) -> LengthwiseCurve {
        let data = PathData(text: "", curves: curves, isClosed: isClosed)
        return LengthwiseCurve(.data(data), forTextOf: 10)
    }

    @Test("curves have their lengths")
    func lengths() {
        let parabola = 50 * 5.0.squareRoot() + 25 * 1.443_635_475_2
        #expect(abs(curve([Self.curves[0]]).length - parabola) < 1e-4)
        let quarters = CubicCurve.arc(
            from: SIMD2(100, 0), to: SIMD2(-100, 0), radii: SIMD2(100, 100), turn: 0, isLarge: true,
            isClockwise: true)
        #expect(quarters.count == 2)
        #expect(abs(curve(quarters).length - 100 * .pi) < 0.1)
    }

    @Test("what lies at a length is as far along the curve", arguments: curves.indices)
    func inverse(number: Int) {
        let curve = curve([Self.curves[number]])
        let steps = 4000
        var (sum, before) = (0.0, curve.place(at: 0).point)
        var (miss, stretch) = (0.0, 0.0)
        for step in 1...steps {
            let length = curve.length * Double(step) / Double(steps)
            let (point, direction) = curve.place(at: length)
            let way = point - before
            sum += (way * way).sum().squareRoot()
            before = point
            stretch = max(stretch, abs((direction * direction).sum() - 1))
            miss = max(miss, abs(sum - length))
        }
        #expect(stretch < 1e-9)
        #expect(miss < 0.01)
    }

    @Test("a closed curve goes round, an open one straight on")
    func ends() {
        let square = [
            CubicCurve(lineFrom: SIMD2(0, 0), to: SIMD2(100, 0)),
            CubicCurve(lineFrom: SIMD2(100, 0), to: SIMD2(100, 100)),
        ]
        let open = curve(square)
        #expect(open.place(at: -50).point == SIMD2(-50, 0))
        #expect(abs(open.place(at: 230).point.y - 130) < 1e-6)
        let closed = curve(
            square + [CubicCurve(lineFrom: SIMD2(100, 100), to: SIMD2(0, 0))], isClosed: true)
        let (first, again) = (closed.place(at: 30), closed.place(at: 30 - 2 * closed.length))
        #expect(abs(first.point.x - again.point.x) < 1e-6 && first.direction == again.direction)
    }

    private static let straight: [PathShape] = [
        .none, .arc(degrees: 0), .arc(degrees: 1e-9), .circle(diameter: 0),
        .wave(amplitude: 0, length: 100),
        .data(PathData(text: "", curves: [], isClosed: false)),
    ]

    @Test("shapes that end in nothing are lines", arguments: straight)
    func lines(shape: PathShape) {
        for text in [0.0, 100] {
            let (point, direction) = LengthwiseCurve(shape, forTextOf: text).place(at: 30)
            #expect(abs(point.x - 30) < 1e-6 && abs(point.y) < 1e-6 && direction == SIMD2(1, 0))
        }
    }

    @Test("an arc of an ellipse ends where it should, and grows where it must")
    func arcs() {
        let ends: [SIMD2<Double>] = [SIMD2(50, 0), SIMD2(0.001, 0), SIMD2(9000, -9000)]
        for end in ends {
            for flags in 0..<4 {
                let curves = CubicCurve.arc(
                    from: .zero, to: end, radii: SIMD2(30, 1e-3), turn: 40,
                    isLarge: flags & 1 == 1, isClockwise: flags & 2 == 2)
                #expect((1...4).contains(curves.count))
                #expect(curves.first?.start == .zero && curves.last?.end == end)
            }
        }
        #expect(
            CubicCurve.arc(
                from: .zero, to: .zero, radii: SIMD2(1, 1), turn: 0, isLarge: true,
                isClockwise: true
            ).isEmpty)
    }

    @Test("a place takes a pose to the canvas")
    func places() {
        let place = Place(turn: 90, taking: SIMD2(10, 0), to: SIMD2(200, 50))
        #expect(place.map(SIMD2(10, 0)) == SIMD2(200, 50))
        let moved = place.moved(byX: 3, y: 4)
        let point = moved.map(SIMD2(13, 4))
        #expect(abs(point.x - 203) < 1e-9 && abs(point.y - 54) < 1e-9)
        var pose = Pose.rest
        pose.offsetY = -5
        pose.rotation = 10
        let placed = pose.placed(at: place, about: Point(x: 10, y: 0))
        #expect(placed.rotation == 100)
        #expect(abs(placed.offsetX - 195) < 1e-9 && abs(placed.offsetY - 50) < 1e-9)
        let shadow = place.unturned(SIMD2(0, 3))
        #expect(abs(shadow.x - 3) < 1e-9 && abs(shadow.y) < 1e-9)
    }
}
