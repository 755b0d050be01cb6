/// The place of a node that is not upright at rest: turned, then moved.
///
/// The node's box, ink, gradient, mask, and motion belong to the straight line that it was set on.
/// The place takes all of them to the canvas.
package struct Place: Equatable, Sendable {
    /// Degrees clockwise.
    package let turn: Double
    /// The turn and the move in one.
    package let map: Affine

    /// Makes the place that is turned by so many degrees and takes a point of the straight line to
    /// a point of the canvas.
    package init(turn: Double, taking point: SIMD2<Double>, to target: SIMD2<Double>) {
        self.turn = turn
        map = Affine.rotation(turn).taking(point, to: target)
    }

    /// Returns the same place for a straight line and a canvas whose coordinates are larger by so
    /// many CSS pixels.
    package func moved(byX x: Double, y: Double) -> Place {
        let offset = SIMD2(x, y)
        return Place(turn: turn, taking: offset, to: map(.zero) + offset)
    }

    /// Returns a vector of the canvas in the directions of the straight line.
    package func unturned(_ vector: SIMD2<Double>) -> SIMD2<Double> {
        Affine.rotation(-turn).vector(vector)
    }
}

extension Pose {
    /// Returns the pose on the canvas of a glyph with this pose on its straight line, where its box
    /// has a centre.
    package func placed(at place: Place, about center: Point) -> Pose {
        var pose = self
        let offset = place.map(center.vector + offset) - center.vector
        (pose.offsetX, pose.offsetY) = (offset.x, offset.y)
        pose.rotation += place.turn
        return pose
    }
}
