import Motion

/// The distinct outlines and pictures of a document, each once.
struct SVGDefinitions {
    private let scene: Scene
    /// For each outline the largest scale at which it is drawn; 0 for parts of others.
    private var scales: [Double]
    /// For each outline how far its first glyph draws it from the box's centre, in font units.
    ///
    /// What turns is drawn about that centre; outlines that hold the distance need no place.
    private var shifts: [Point]

    init(_ scene: Scene, turns: Bool) {
        self.scene = scene
        scales = [Double](repeating: 0, count: scene.layout.outlines.count)
        shifts = [Point](repeating: .zero, count: scene.layout.outlines.count)
        // Decoys first: they are many, and all of a place stand about its centre.
        for index in scene.layout.glyphs.indices where scene.layout.glyphs[index].role == .decoy {
            add(scene.layout.glyphs[index], centersX: true, centersY: turns)
        }
        for index in scene.layout.glyphs.indices where scene.layout.glyphs[index].role != .decoy {
            add(scene.layout.glyphs[index], centersX: turns, centersY: turns)
        }
    }

    private mutating func add(_ glyph: Glyph, centersX: Bool, centersY: Bool) {
        guard let shape = glyph.ink?.shape else { return }
        if scales[shape.outline] == 0 {
            let center = glyph.rect.center
            shifts[shape.outline] = Point(
                x: centersX ? ((shape.origin.x - center.x) / shape.scale).rounded() : 0,
                y: centersY ? ((shape.origin.y - center.y) / shape.scale).rounded() : 0)
        }
        scales[shape.outline] = max(scales[shape.outline], shape.scale)
    }

    /// How far an outline's definition is drawn from its origin, in CSS pixels.
    func shift(ofOutline outline: Int, scale: Double) -> Point {
        Point(x: shifts[outline].x * scale, y: shifts[outline].y * scale)
    }

    func write(
        _ names: SVGNames, _ workshop: Workshop, to sink: inout ByteSink
    ) throws(LibraryFault) {
        sink.append("<defs>")
        for (index, outline) in scene.layout.outlines.enumerated() where scales[index] > 0 {
            sink.append("<path id=\"")
            sink.append(names.prefix)
            sink.append(SVGNames.letters(index))
            sink.append("\" d=\"")
            sink.append(
                SVGPath.text(
                    of: outline, SVGPath.Precision(scale: scales[index]), shift: shifts[index],
                    workshop.cache))
            sink.append("\"/>")
        }
        for (index, bitmap) in scene.layout.bitmaps.enumerated() {
            sink.append("<image id=\"")
            sink.append(names.prefix)
            sink.append("p")
            sink.append(index)
            sink.append("\" width=\"")
            sink.append(bitmap.width)
            sink.append("\" height=\"")
            sink.append(bitmap.height)
            sink.append("\" href=\"data:image/png;base64,")
            sink.append(Base64.standard.encoded(try workshop.painter.png(of: bitmap)))
            sink.append("\"/>")
        }
        sink.append("</defs>")
    }
}
