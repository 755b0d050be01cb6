import Glibc
import Motion
import Testing

@Suite("Affine maps")
struct AffineTests {
    private static let maps: [Affine] = [
        .identity, .translation(SIMD2(3, -4)), .scale(SIMD2(2, -0.5)), .rotation(30),
        .skew(x: 20, y: -35),
        (.rotation(200) * .scale(SIMD2(1.5, 0.2)) * .skew(x: 45, y: 10))
            .taking(SIMD2(7, 8), to: SIMD2(-1, 100)),
    ]

    private func expectEqual(
        _ one: SIMD2<Double>, _ other: SIMD2<Double>,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let difference = one - other
        #expect(
            abs(difference.x) < 1e-9 && abs(difference.y) < 1e-9, "\(one), \(other)",
            sourceLocation: sourceLocation)
    }

    @Test("positive angles turn clockwise, since y grows downwards")
    func turns() {
        expectEqual(Affine.rotation(90)(SIMD2(1, 0)), SIMD2(0, 1))
        expectEqual(Affine.rotation(90)(SIMD2(0, 1)), SIMD2(-1, 0))
    }

    @Test("skews are those of CSS")
    func skews() {
        expectEqual(Affine.skew(x: 45, y: 0)(SIMD2(0, 2)), SIMD2(2, 2))
        expectEqual(Affine.skew(x: 0, y: 45)(SIMD2(2, 0)), SIMD2(2, 2))
        let both = Affine.skew(x: 30, y: 0) * .skew(x: 0, y: 20)
        expectEqual(Affine.skew(x: 30, y: 20)(SIMD2(3, 5)), both(SIMD2(3, 5)))
        #expect(abs(Affine.skew(x: 30, y: 20).determinant - 1) < 1e-12)
    }

    @Test("the right map of a product is applied first", arguments: maps)
    func products(map: Affine) {
        let point = SIMD2(2.0, 5)
        expectEqual((Affine.scale(SIMD2(2, 3)) * map)(point), map(point) * SIMD2(2, 3))
    }

    @Test("the inverse maps back", arguments: maps)
    func inverses(map: Affine) {
        expectEqual(map.inverse(map(SIMD2(-3, 11))), SIMD2(-3, 11))
    }

    @Test("a point is taken to another")
    func taking() {
        for map in Self.maps {
            expectEqual(map.taking(SIMD2(4, 5), to: SIMD2(6, 7))(SIMD2(4, 5)), SIMD2(6, 7))
        }
    }

    @Test("bounds are those of the corners", arguments: maps)
    func bounds(map: Affine) {
        let bounds = map.bounds(of: Rect(x: 1, y: 2, width: 3, height: 4))
        let corners = [(1.0, 2.0), (4, 2), (1, 6), (4, 6)].map { map(SIMD2($0, $1)) }
        expectEqual(
            SIMD2(bounds.x, bounds.y), corners.dropFirst().reduce(corners[0], pointwiseMin))
        expectEqual(
            SIMD2(bounds.maxX, bounds.maxY), corners.dropFirst().reduce(corners[0], pointwiseMax))
    }

    @Test("a parallelogram is as thick as its edges are apart")
    func thickness() {
        expectEqual((Affine.rotation(77) * .scale(SIMD2(3, 0.5))).thickness, SIMD2(3, 0.5))
        expectEqual(Affine.skew(x: 60, y: 0).thickness, SIMD2(0.5, 1))
    }
}
