import Glibc

/// A map of the plane that keeps lines straight and parallel: scaled, turned, sheared, moved.
///
/// Coordinates are CSS pixels unless a caller says otherwise; x grows to the right and y downwards,
/// so that positive angles turn clockwise. A point (x, y) is mapped to
///
///     x' = x · across.x + y · down.x + origin.x
///     y' = x · across.y + y · down.y + origin.y
///
/// The six numbers, in this order, are the numbers of SVG's `matrix()` and of `cairo_matrix_t`.
package struct Affine: Equatable, Sendable {
    /// The image of the vector of one pixel to the right.
    package var across: SIMD2<Double>
    /// The image of the vector of one pixel downwards.
    package var down: SIMD2<Double>
    /// The image of the point (0, 0).
    package var origin: SIMD2<Double>

    package static let identity = Affine(across: SIMD2(1, 0), down: SIMD2(0, 1))

    package init(
        across: SIMD2<Double>, down: SIMD2<Double>, origin: SIMD2<Double> = .zero
    ) {
        self.across = across
        self.down = down
        self.origin = origin
    }

    package static func translation(_ offset: SIMD2<Double>) -> Affine {
        Affine(across: SIMD2(1, 0), down: SIMD2(0, 1), origin: offset)
    }

    package static func scale(_ factors: SIMD2<Double>) -> Affine {
        Affine(across: SIMD2(factors.x, 0), down: SIMD2(0, factors.y))
    }

    /// A clockwise turn by so many degrees.
    package static func rotation(_ degrees: Double) -> Affine {
        // The map is exact if nothing is turned.
        guard degrees != 0 else { return .identity }
        let angle = degrees * .pi / 180
        let (sine, cosine) = (sin(angle), cos(angle))
        return Affine(across: SIMD2(cosine, sine), down: SIMD2(-sine, cosine))
    }

    /// A shear that leans level lines by `y` degrees and then upright ones by `x` degrees, like
    /// CSS's `skewX(x) skewY(y)`; its determinant is 1.
    package static func skew(x: Double, y: Double) -> Affine {
        let (x, y) = (tan(x * .pi / 180), tan(y * .pi / 180))
        return Affine(across: SIMD2(1 + x * y, y), down: SIMD2(x, 1))
    }

    /// Returns the map that applies the right one first.
    package static func * (outer: Affine, inner: Affine) -> Affine {
        Affine(
            across: outer.vector(inner.across), down: outer.vector(inner.down),
            origin: outer(inner.origin))
    }

    /// Returns the map that scales, turns and shears like this one and takes a point to another.
    package func taking(_ point: SIMD2<Double>, to target: SIMD2<Double>) -> Affine {
        Affine(across: across, down: down, origin: target - vector(point))
    }

    /// Returns the image of a point.
    package func callAsFunction(_ point: SIMD2<Double>) -> SIMD2<Double> {
        vector(point) + origin
    }

    /// Returns the image of a vector; the origin does not matter.
    package func vector(_ vector: SIMD2<Double>) -> SIMD2<Double> {
        across * vector.x + down * vector.y
    }

    /// The area of a square pixel's image; negative if it is mirrored.
    package var determinant: Double { across.x * down.y - across.y * down.x }

    /// The inverse map. Its numbers are not finite if the determinant is 0.
    package var inverse: Affine {
        let factor = 1 / determinant
        let inverse = Affine(
            across: SIMD2(down.y, -across.y) * factor, down: SIMD2(-down.x, across.x) * factor)
        return Affine(
            across: inverse.across, down: inverse.down, origin: -inverse.vector(origin))
    }

    /// The lengths of the images of one pixel to the right and of one downwards.
    package var lengths: SIMD2<Double> {
        SIMD2((across * across).sum().squareRoot(), (down * down).sum().squareRoot())
    }

    /// The distances between the left and the right edge, and between the upper and the lower, of
    /// the parallelogram that is a square pixel's image. They are not finite if it has no height,
    /// or no width.
    package var thickness: SIMD2<Double> {
        let lengths = lengths
        return abs(determinant) / SIMD2(lengths.y, lengths.x)
    }

    /// Returns the smallest upright rectangle around the image of a rectangle.
    package func bounds(of rect: Rect) -> Rect {
        let middle = self(SIMD2(rect.x + rect.width / 2, rect.y + rect.height / 2))
        let (x, y) = (across * (rect.width / 2), down * (rect.height / 2))
        let half = SIMD2(abs(x.x) + abs(y.x), abs(x.y) + abs(y.y))
        return Rect(
            x: middle.x - half.x, y: middle.y - half.y, width: 2 * half.x, height: 2 * half.y)
    }
}

extension Point {
    package var vector: SIMD2<Double> { SIMD2(x, y) }
}
