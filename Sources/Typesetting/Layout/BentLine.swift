import Motion

/// A line of text along a path, before it is put on the canvas.
struct BentLine {
    /// The place of each glyph of the line, which takes it from the start of the line's baseline to
    /// the coordinates of the path.
    let places: [Place]
    /// Around the boxes of all glyphs, in the coordinates of the path.
    let box: Rect
    let track: TextPath.Track

    fileprivate init(_ line: LaidOutLine, of glyphs: [Glyph], along track: TextPath.Track) {
        self.track = track
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
    ///   - inks: The ink of the glyphs.
    ///   - spacing: The space between letters, which a circle that closes has at its seam too.
    ///   - isTrial: True if the block only ends early where the path is too short.
    /// - Throws: `TypesettingError.longerThanPath`.
    mutating func bend(
        along path: TextPath, _ glyphs: inout [Glyph], _ inks: inout InkTable, spacing: Double,
        isTrial: Bool
    ) throws(TypesettingError) {
        let line = lines[0]
        var (path, hasRoom) = (path, false)
        if case .circle(nil) = path.shape {
            path = path.with(.circle(diameter: max(line.width + spacing, 0) / .pi))
            hasRoom = true
        }
        let track = TextPath.Track(path, forTextOf: line.width)
        if !hasRoom, track.overflow > 0.01 {
            guard isTrial else {
                throw .longerThanPath(length: line.width, overflow: track.overflow)
            }
            isWhole = false
        }
        let bent = BentLine(line, of: glyphs, along: track)
        self.bent = bent
        var instances = extras?.values.instances ?? []
        for (number, (glyph, place)) in zip(line.glyphs, bent.places).enumerated() {
            guard let ink = glyphs[glyph].ink, ink.hasLine else { continue }
            glyphs[glyph].ink?.bendLines(at: place, along: track, &inks)
            for motion in instances.indices {
                instances[motion].changeShapes(ofGlyph: number) { shape in
                    shape = ink.bent(with: shape, at: place, along: track, &inks)
                }
            }
        }
        if !instances.isEmpty {
            extras = BlockExtras.changed(extras) { $0.instances = instances }
        }
    }
}

extension Ink {
    /// CSS pixels of a bent line: the length of its straight pieces, and its overlap with the line
    /// of the next glyph, so that no seam shows.
    private static let (step, overlap) = (3.0, 0.3)
    private static let mostSteps = 64.0

    /// Returns another shape, counted from the origin of this ink's shape, with its lines as
    /// contours.
    fileprivate func bent(
        with shape: Shape?, at place: Place, along track: TextPath.Track, _ inks: inout InkTable
    ) -> Shape? {
        let origin = self.shape?.origin ?? .zero
        var ink = self
        ink.shape = shape
        ink.shape?.origin.x += origin.x
        ink.shape?.origin.y += origin.y
        ink.bendLines(at: place, along: track, &inks)
        ink.shape?.origin.x -= origin.x
        ink.shape?.origin.y -= origin.y
        return ink.shape
    }

    /// Bends underlines and strikethroughs along a path, as contours beside the letter's.
    fileprivate mutating func bendLines(
        at place: Place, along track: TextPath.Track, _ inks: inout InkTable
    ) {
        let letter = shape.map { inks.definitions.outlines[$0.outline] }
        let (origin, unit) = (shape?.origin ?? .zero, shape?.scale ?? 1)
        var commands = letter?.commands ?? []
        var coordinates = letter?.coordinates ?? []
        let back = place.map.inverse
        for case .line(let line) in details {
            let (start, end) = (line.x, line.maxX + Self.overlap)
            let count = min(max(((end - start) / Self.step).rounded(.up), 1), Self.mostSteps)
            func edge(_ y: Double) -> [SIMD2<Double>] {
                (0...Int(count)).map { number in
                    let x = start + (end - start) * Double(number) / count
                    return (back(track.place(at: x).map(SIMD2(x, y))) - origin.vector) / unit
                }
            }
            // If the contours run in the direction of the letter's, no line cuts a hole into it.
            var points = edge(line.y) + edge(line.maxY).reversed()
            if letter?.isClockwise == false { points.reverse() }
            commands += points.indices.map { $0 == 0 ? .move : .line } + [.close]
            coordinates += points.flatMap { [Float($0.x), Float($0.y)] }
        }
        details.removeAll { if case .line = $0 { true } else { false } }
        // Without a letter the unit is a pixel, of which as many are an em as a line is long.
        let outline = Outline(
            commands: commands, coordinates: coordinates, unitsPerEm: letter?.unitsPerEm ?? 32)
        shape = Shape(outline: inks.index(ofComposed: outline), origin: origin, scale: unit)
        let box = outline.bounds
        bounds = Rect(
            x: origin.x + box.x * unit, y: origin.y + box.y * unit, width: box.width * unit,
            height: box.height * unit)
        includeDetails()
    }
}
