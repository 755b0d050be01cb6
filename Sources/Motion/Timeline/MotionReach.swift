/// The bounds of a motion, wherever the glyph is.
struct MotionReach {
    var offsetX = 0.0...0
    var offsetY = 0.0...0
    var scale = SIMD2(1.0, 1)
    var isTurned = false
    /// The largest skews, in degrees.
    var lean = SIMD2(0.0, 0)
    /// The distance that blur and stroke reach beyond the ink, in the glyph's own coordinates.
    var margin = 0.0

    /// Returns nil for a glyph that stays in place.
    init?(_ tracks: GlyphTracks) {
        guard tracks.others.contains(where: { $0.property.reaches }) else { return nil }
        for other in tracks.others { other.property.widen(&self, other.track.range) }
    }

    /// Returns a box that holds the ink in all poses; nil if the ink may reach anywhere.
    func box(of ink: Rect, about center: Point) -> Rect? {
        var box = ink.grown(by: Margins(all: margin))
        // From 90 degrees on, upright and level lines change places.
        guard lean.max() < 90 else { return nil }
        if isTurned || scale != SIMD2(1, 1) || lean != .zero {
            let center = center.vector
            var half = pointwiseMax(
                center - SIMD2(box.x, box.y), SIMD2(box.maxX, box.maxY) - center)
            half = Affine.skew(x: lean.x, y: lean.y).vector(half) * scale
            if isTurned { half = SIMD2(repeating: (half * half).sum().squareRoot()) }
            box = Rect(
                x: center.x - half.x, y: center.y - half.y, width: 2 * half.x, height: 2 * half.y)
        }
        box.x += offsetX.lowerBound
        box.y += offsetY.lowerBound
        box.width += offsetX.upperBound - offsetX.lowerBound
        box.height += offsetY.upperBound - offsetY.lowerBound
        return box
    }
}

extension Track<Double> {
    /// Bounds of all values.
    fileprivate var range: ClosedRange<Double> {
        var (low, high) = (Double.infinity, -Double.infinity)
        var last: Keyframe<Instant, Double>?
        for keyframe in keyframes {
            if let last, case .cubic(let curve) = last.easing {
                // A curve stays within the hull of its control points.
                let way = keyframe.value - last.value
                let (first, second) = (last.value + way * curve.y1, last.value + way * curve.y2)
                (low, high) = (min(low, first, second), max(high, first, second))
            }
            (low, high) = (min(low, keyframe.value), max(high, keyframe.value))
            last = keyframe
        }
        return low <= high ? low...high : 0...0
    }
}
