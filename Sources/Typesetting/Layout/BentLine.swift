import Motion

/// A line of text along a path, before it is put on the canvas.
struct BentLine {
    /// For each glyph of the line its place, which takes it from where the line begins on its
    /// baseline to the coordinates of the path.
    let places: [Place]
    /// Around the boxes of all glyphs, in the coordinates of the path.
    let box: Rect

    fileprivate init(_ line: LaidOutLine, of glyphs: [Glyph], along track: TextPath.Track) {
        places = line.glyphs.map { track.place(at: glyphs[$0].rect.center.x) }
        let boxes = zip(line.glyphs, places).map { $1.map.bounds(of: glyphs[$0].rect) }
        let start = track.place(at: 0).map(.zero)
        box = boxes.dropFirst().reduce(
            boxes.first ?? Rect(x: start.x, y: start.y, width: 0, height: 0)
        ) { $0.union($1) }
    }
}

extension LaidOutBlock {
    /// Sets the block's only line along a path.
    ///
    /// Each glyph has the middle of its advance on the path and is turned by its direction there, as
    /// in SVG's `textPath`.
    ///
    /// - Parameters:
    ///   - path: The path.
    ///   - glyphs: The glyphs of the layout.
    ///   - spacing: The space between letters, which a circle that closes has at its seam too.
    ///   - isTrial: True if the block only ends early where the path is too short.
    /// - Throws: `TypesettingError.longerThanPath`.
    mutating func bend(
        along path: TextPath, _ glyphs: [Glyph], spacing: Double, isTrial: Bool
    ) throws(TypesettingError) {
        let line = lines[0]
        var path = path
        if case .circle(nil) = path.shape {
            path.shape = .circle(diameter: max(line.width + spacing, 0) / .pi)
        }
        let track = TextPath.Track(path, forTextOf: line.width)
        if track.overflow > 0.01 {
            guard isTrial else {
                throw .longerThanPath(length: line.width, overflow: track.overflow)
            }
            isWhole = false
        }
        bent = BentLine(line, of: glyphs, along: track)
    }
}
