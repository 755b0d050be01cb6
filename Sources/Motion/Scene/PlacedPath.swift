/// The path of a block's text on the canvas. A class, because few texts have one.
package final class PlacedPath: Sendable {
    private let track: TextPath.Track
    /// The start of the text on its baseline, before it is bent.
    private let origin: SIMD2<Double>

    package init(_ track: TextPath.Track, from origin: SIMD2<Double>) {
        self.track = track
        self.origin = origin
    }

    /// Returns the same path for a canvas whose coordinates are larger by so many CSS pixels.
    func moved(byX x: Double, y: Double) -> PlacedPath {
        PlacedPath(track, from: origin + SIMD2(x, y))
    }

    /// Returns the place of a glyph that is moved along the path.
    ///
    /// - Parameters:
    ///   - x: The middle of its box on the straight line, in CSS pixels.
    ///   - share: The distance by which it is moved, as a share of the path's length.
    /// - Returns: The place, on the canvas.
    private func place(at x: Double, movedBy share: Double) -> Place {
        // Turns are exact: glyphs that move alike on a circle have the same offsets.
        track.place(at: x - origin.x, movedBy: share * track.length, isWritten: false)
            .moved(byX: origin.x, y: origin.y)
    }

    /// The move and the turn of a glyph in the directions of its place at rest.
    struct Shift {
        /// The move of the centre of its box, in CSS pixels.
        let offset: SIMD2<Double>
        /// Degrees.
        let turn: Double
    }

    /// The way of one glyph along the path.
    struct Way {
        private let path: PlacedPath
        private let center: Point
        private let rest: Place
        /// Takes the canvas to the directions of the place at rest.
        private let back: Affine

        fileprivate init(of center: Point, along path: PlacedPath) {
            self.path = path
            self.center = center
            rest = path.place(at: center.x, movedBy: 0)
            back = rest.map.inverse
        }

        /// Returns the shift of the glyph if it is moved by a share of the path's length.
        ///
        /// - Parameters:
        ///   - share: The share.
        ///   - near: A turn, in degrees; the turn of the glyph is less than half a round away from
        ///     it.
        /// - Returns: The shift.
        func shift(by share: Double, near: Double = 0) -> Shift {
            let moved = path.place(at: center.x, movedBy: share)
            let turn = moved.turn - rest.turn
            return Shift(
                offset: back(moved.map(center.vector)) - center.vector,
                turn: near + (turn - near).remainder(dividingBy: 360))
        }
    }

    /// Returns the way of a glyph whose box has a centre on the straight line, in CSS pixels.
    func way(ofCenter center: Point) -> Way { Way(of: center, along: self) }
}
