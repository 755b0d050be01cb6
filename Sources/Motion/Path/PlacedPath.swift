/// The path of a block's text on the canvas: an object, because few texts have one.
package final class PlacedPath: Sendable {
    private let track: TextPath.Track
    /// Where the text begins on its baseline, before it is bent.
    private let origin: SIMD2<Double>

    package init(_ track: TextPath.Track, from origin: SIMD2<Double>) {
        self.track = track
        self.origin = origin
    }

    /// Returns the same path for a canvas whose coordinates are larger by so many CSS pixels.
    func moved(byX x: Double, y: Double) -> PlacedPath {
        PlacedPath(track, from: origin + SIMD2(x, y))
    }

    /// Returns where a glyph stands that is moved along the path.
    ///
    /// - Parameters:
    ///   - x: The middle of its box on the straight line, in CSS pixels.
    ///   - share: How far it is moved, as a share of the path's length.
    /// - Returns: The place, on the canvas.
    private func place(at x: Double, movedBy share: Double) -> Place {
        // By exact turns: glyphs that move alike on a circle have the same offsets.
        track.place(at: x - origin.x, movedBy: share * track.length, isWritten: false)
            .moved(byX: origin.x, y: origin.y)
    }

    /// Returns how a glyph is moved and turned in the directions of its place at rest.
    ///
    /// - Parameters:
    ///   - center: The centre of its box on the straight line, in CSS pixels.
    ///   - share: How far it is moved along the path, as a share of its length.
    ///   - near: The turn, in degrees, of which that of the glyph is less than half a round away.
    /// - Returns: The offset of its centre in CSS pixels, and its turn in degrees.
    func shift(
        ofCenter center: Point, by share: Double, near: Double
    ) -> (offset: SIMD2<Double>, turn: Double) {
        let rest = place(at: center.x, movedBy: 0)
        let moved = place(at: center.x, movedBy: share)
        let offset = rest.map.inverse(moved.map(center.vector)) - center.vector
        let turn = moved.turn - rest.turn
        return (offset, near + (turn - near).remainder(dividingBy: 360))
    }
}
