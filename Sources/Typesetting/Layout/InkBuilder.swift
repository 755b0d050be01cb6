import CPango
import Motion

/// Gathers what one glyph draws: an outline, or several made one, pictures, lines.
struct InkBuilder {
    /// Pango's mark for a character that draws nothing.
    private static let empty: UInt32 = 0x0FFF_FFFF

    private var first: Ink.Shape?
    /// Shapes beside the first, by number in the table; most glyphs have none.
    private var others: [Ink.Shape] = []
    private var details: [Ink.Detail] = []
    /// Whether no font has one of its characters.
    private(set) var isMissing = false

    /// Adds a glyph of a font at so many CSS pixels an em; `origin` is the left end of its advance on
    /// its baseline.
    mutating func add(
        _ info: PangoGlyphInfo, of face: FontFace, size: Double, at origin: Point,
        _ table: inout InkTable, _ library: FontLibrary
    ) throws(LibraryFault) {
        guard info.glyph != Self.empty else { return }
        let scale = size / face.unitsPerEm
        let place = Point(
            x: origin.x + Double(info.geometry.x_offset) / Double(PANGO_SCALE),
            y: origin.y + Double(info.geometry.y_offset) / Double(PANGO_SCALE))
        if info.glyph & GlyphMeasuring.unknownFlag != 0 {
            isMissing = true
            let width = Double(info.geometry.width) / Double(PANGO_SCALE) / scale
            let outline = library.missingGlyph(width: width, unitsPerEm: face.unitsPerEm)
            return add(Ink.Shape(outline: table.number(of: outline), origin: place, scale: scale))
        }
        switch try table.drawing(of: info.glyph, face, size: size) {
        case .nothing:
            break
        case .outline(let number):
            add(Ink.Shape(outline: number, origin: place, scale: scale))
        case .picture(let number, let box):
            let rect = Rect(
                x: place.x + box.x * scale, y: place.y + box.y * scale,
                width: box.width * scale, height: box.height * scale)
            details.append(.picture(Ink.Picture(bitmap: number, rect: rect)))
        }
    }

    private mutating func add(_ shape: Ink.Shape) {
        if first == nil { first = shape } else { others.append(shape) }
    }

    /// Draws the style's lines along the glyph's box.
    mutating func addLines(_ style: SpanStyle, _ face: FontFace, along rect: Rect) {
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

    /// Nil when nothing is drawn.
    func ink(_ table: inout InkTable, _ library: FontLibrary) -> Ink? {
        let shape = others.isEmpty ? first : compound(&table, library)
        var bounds: Rect?
        if let shape {
            let box = table.outlines[shape.outline].bounds
            bounds = Rect(
                x: shape.origin.x + box.x * shape.scale, y: shape.origin.y + box.y * shape.scale,
                width: box.width * shape.scale, height: box.height * shape.scale)
        }
        for detail in details { bounds = bounds?.union(detail.bounds) ?? detail.bounds }
        return bounds.map { Ink(shape: shape, details: details, bounds: $0) }
    }

    /// All shapes as one, in the units of the first.
    private func compound(_ table: inout InkTable, _ library: FontLibrary) -> Ink.Shape? {
        guard let first else { return nil }
        let outline = library.compound(
            ([first] + others).map { shape in
                let outline = table.outlines[shape.outline]
                // Tenths of a font unit are far below what anybody can see.
                let key = GlyphKey.CompoundPart(
                    outline: outline.id,
                    dx: Int(((shape.origin.x - first.origin.x) / first.scale * 10).rounded()),
                    dy: Int(((shape.origin.y - first.origin.y) / first.scale * 10).rounded()),
                    scale: shape.scale / first.scale)
                return (key, outline)
            })
        return Ink.Shape(
            outline: table.number(of: outline), origin: first.origin, scale: first.scale)
    }
}
