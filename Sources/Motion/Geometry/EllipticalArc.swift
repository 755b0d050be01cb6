import Glibc

extension CubicCurve {
    /// The length of the polygon of its points, which is no less than the length of the curve.
    package var polygonLength: Double {
        [first - start, second - first, end - second].reduce(0) {
            $0 + ($1 * $1).sum().squareRoot()
        }
    }

    /// Returns an elliptical arc as curves of at most a quarter (SVG 2, B.2.4).
    ///
    /// - Parameters:
    ///   - start: The start of the arc.
    ///   - end: The end of the arc.
    ///   - radii: At least 1e-6; they grow if the ellipse would not reach both ends.
    ///   - turn: The turn of the ellipse, in degrees clockwise.
    ///   - isLarge: True for the longer way round.
    ///   - isClockwise: True if the angle grows.
    /// - Returns: The curves; none if start and end are the same.
    package static func arc(
        from start: SIMD2<Double>, to end: SIMD2<Double>, radii: SIMD2<Double>, turn: Double,
        isLarge: Bool, isClockwise: Bool
    ) -> [CubicCurve] {
        guard ((end - start) * (end - start)).sum() > 1e-12 else { return [] }
        let there = Affine.rotation(turn)
        // Half the way from the end to the start, in the axes of the ellipse.
        let half = Affine.rotation(-turn).vector((start - end) / 2)
        let share = half / radii
        let excess = (share * share).sum()
        let radii = radii * max(excess.squareRoot(), 1)
        let distance = max(1 / excess - 1, 0).squareRoot() * (isLarge == isClockwise ? -1 : 1)
        let own = SIMD2(radii.x * half.y / radii.y, -radii.y * half.x / radii.x) * distance
        let center = there.vector(own) + (start + end) / 2
        let (from, to) = ((half - own) / radii, (-half - own) / radii)
        let first = atan2(from.y, from.x)
        var sweep = atan2(to.y, to.x) - first
        if isClockwise, sweep < 0 { sweep += 2 * .pi }
        if !isClockwise, sweep > 0 { sweep -= 2 * .pi }
        let count = max((abs(sweep) / (.pi / 2) - 1e-9).rounded(.up), 1)
        let step = sweep / count
        let pull = 4.0 / 3 * tan(step / 4)
        func curve(_ number: Int) -> CubicCurve {
            let (a, b) = (first + step * Double(number), first + step * Double(number + 1))
            let (one, two) = (SIMD2(cos(a), sin(a)), SIMD2(cos(b), sin(b)))
            func place(_ unit: SIMD2<Double>) -> SIMD2<Double> {
                there.vector(unit * radii) + center
            }
            return CubicCurve(
                from: place(one), place(one + SIMD2(-one.y, one.x) * pull),
                place(two - SIMD2(-two.y, two.x) * pull), to: place(two))
        }
        var curves = (0..<Int(count)).map(curve)
        // The ends are exact.
        curves[0].start = start
        curves[curves.count - 1].end = end
        return curves
    }
}
