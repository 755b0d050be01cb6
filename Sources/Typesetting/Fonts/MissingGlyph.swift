import Motion

/// What stands where no font has a character: a hollow box.
enum MissingGlyph {
    /// The box for an advance of so many font units.
    static func outline(width: Double, unitsPerEm: Double) -> Outline {
        let stroke = unitsPerEm / 20
        let margin = min(width / 10, unitsPerEm / 12)
        let outer = (left: margin, top: -0.72 * unitsPerEm, right: width - margin, bottom: 0.0)
        let inner = (
            left: outer.left + stroke, top: outer.top + stroke, right: outer.right - stroke,
            bottom: outer.bottom - stroke
        )
        // The inner contour runs the other way round, which leaves it empty.
        let points = [
            (outer.left, outer.top), (outer.right, outer.top), (outer.right, outer.bottom),
            (outer.left, outer.bottom),
            (inner.left, inner.top), (inner.left, inner.bottom), (inner.right, inner.bottom),
            (inner.right, inner.top),
        ]
        let contour: [Outline.Command] = [.move, .line, .line, .line, .close]
        return Outline(
            commands: contour + contour,
            coordinates: points.flatMap { [Float($0.0.rounded()), Float($0.1.rounded())] },
            unitsPerEm: unitsPerEm)
    }
}
