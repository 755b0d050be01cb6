import Motion
import Raster

/// Gathers the ink of one unit: an outline, or several made one, pictures, lines.
struct InkBuilder {
    private var first: Ink.Shape?
    /// Shapes beside the first; most glyphs have none.
    private var others: [Ink.Shape] = []
    private var details: [Ink.Detail] = []
    /// True if no font has one of its characters.
    private(set) var isMissing = false

    /// Adds a glyph of a font at so many CSS pixels an em; `origin` is the left end of its advance on
    /// its baseline.
    mutating func add(
        _ glyph: ShapedLine.Glyph, of face: FontFace, size: Double, at origin: Point,
        to table: inout InkTable
    ) throws(LibraryFault) {
        let scale = size / face.unitsPerEm
        let position = Point(x: origin.x + glyph.offset.x, y: origin.y + glyph.offset.y)
        switch glyph.symbol {
        case .empty:
            break
        case .missing:
            isMissing = true
            let outline = table.library.missingGlyph(
                width: glyph.advance / scale, unitsPerEm: face.unitsPerEm)
            add(
                Ink.Shape(outline: table.index(ofComposed: outline), origin: position, scale: scale)
            )
        case .glyph(let number):
            try add(number, in: face.shapes, size: size, at: position, to: &table)
        }
    }

    /// Adds a glyph by its number at so many CSS pixels an em; `position` is the position of its
    /// origin.
    mutating func add(
        _ number: UInt32, in shapes: ShapeStore, size: Double, at position: Point,
        to table: inout InkTable
    ) throws(LibraryFault) {
        let scale = size / shapes.unitsPerEm
        switch try table.drawing(of: number, shapes, size: size) {
        case .nothing:
            break
        case .outline(let index):
            add(Ink.Shape(outline: index, origin: position, scale: scale))
        case .picture(let index, let box):
            let rect = Rect(
                x: position.x + box.x * scale, y: position.y + box.y * scale,
                width: box.width * scale, height: box.height * scale)
            details.append(.picture(Ink.Picture(bitmap: index, rect: rect)))
        }
    }

    /// Adds a picture that stands in the text, an em high, in the middle of the height of capitals.
    mutating func add(
        _ placed: PlacedPicture, beside face: FontFace, size: Double, at origin: Point,
        to table: inout InkTable
    ) throws(TypesettingError) {
        let middle = origin.y - face.capHeight * size / face.unitsPerEm / 2
        let rect = Rect(
            x: origin.x, y: middle - size / 2, width: placed.width(size: size), height: size)
        let bitmap = try table.bitmap(of: placed.picture, size: size)
        details.append(.picture(Ink.Picture(bitmap: bitmap, rect: rect)))
    }

    private mutating func add(_ shape: Ink.Shape) {
        if first == nil { first = shape } else { others.append(shape) }
    }

    /// Adds the style's lines along the glyph's box.
    mutating func addLines(_ style: SpanStyle, of face: FontFace, along rect: Rect) {
        guard rect.width > 0 else { return }
        let scale = style.type.size / face.unitsPerEm
        func add(_ stroke: FontFace.Stroke, below: Double = 0) {
            let line = Rect(
                x: rect.x, y: -style.rise + (stroke.top + below) * scale, width: rect.width,
                height: stroke.thickness * scale)
            details.append(.line(line))
        }
        switch style.underline {
        case .none: break
        case .single: add(face.underline)
        case .double:
            add(face.underline)
            add(face.underline, below: 2 * face.underline.thickness)
        case .low: add(face.underline, below: face.descent - face.underline.top)
        }
        if style.isStruckThrough { add(face.strikethrough) }
    }

    /// True if nothing is drawn.
    var isEmpty: Bool { first == nil && details.isEmpty }

    /// True if it has an outline.
    var hasShape: Bool { first != nil }

    /// Returns nil when nothing is drawn.
    func ink(in table: inout InkTable) -> Ink? {
        let shape = others.isEmpty ? first : compound(in: &table)
        var bounds = shape?.bounds(in: table.definitions.outlines)
        for detail in details { bounds = bounds?.union(detail.bounds) ?? detail.bounds }
        return bounds.map { Ink(shape: shape, details: details, bounds: $0) }
    }

    /// All shapes as one, in the units of the first.
    private func compound(in table: inout InkTable) -> Ink.Shape? {
        guard let first else { return nil }
        let outline = table.library.compound(
            ([first] + others).map { shape in
                let outline = table.definitions.outlines[shape.outline]
                // Tenths of a font unit are far too small to see.
                let part = Outline.Part(
                    outline: outline.id, scale: shape.scale / first.scale,
                    dx: Int(((shape.origin.x - first.origin.x) / first.scale * 10).rounded()),
                    dy: Int(((shape.origin.y - first.origin.y) / first.scale * 10).rounded()))
                return (outline, part)
            })
        return Ink.Shape(
            outline: table.index(ofComposed: outline), origin: first.origin, scale: first.scale)
    }
}
