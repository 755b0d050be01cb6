import CPango
import Motion

/// Gathers what one glyph draws: an outline, or several made one, pictures, decorations.
struct InkBuilder {
    /// Pango's marks in place of a glyph's number.
    private static let unknownFlag: UInt32 = 0x1000_0000
    private static let empty: UInt32 = 0x0FFF_FFFF

    private let style: SpanStyle
    private let rect: Rect
    private let library: FontLibrary
    private var parts: [(outline: Outline, origin: Point, scale: Double)] = []
    private var pictures: [(bitmap: Bitmap, rect: Rect)] = []
    private var decorations: [Rect] = []
    /// Whether no font has one of its characters.
    private(set) var isMissing = false

    init(style: SpanStyle, rect: Rect, library: FontLibrary) {
        self.style = style
        self.rect = rect
        self.library = library
    }

    /// - Parameter pen: The left end of the glyph's advance.
    mutating func add(_ info: PangoGlyphInfo, of face: FontFace, size: Double, pen: Double) {
        guard info.glyph != Self.empty else { return }
        let scale = size / face.unitsPerEm
        let origin = Point(
            x: pen + Double(info.geometry.x_offset) / Double(PANGO_SCALE),
            y: -style.rise + Double(info.geometry.y_offset) / Double(PANGO_SCALE))
        if info.glyph & Self.unknownFlag != 0 {
            isMissing = true
            let width = Double(info.geometry.width) / Double(PANGO_SCALE) / scale
            let outline = library.missingGlyph(width: width, unitsPerEm: face.unitsPerEm)
            parts.append((outline, origin, scale))
        } else if let (bitmap, box) = face.shapes.bitmap(of: info.glyph, size: size) {
            let rect = Rect(
                x: origin.x + box.x * scale, y: origin.y + box.y * scale,
                width: box.width * scale, height: box.height * scale)
            pictures.append((bitmap, rect))
        } else {
            let outline = face.shapes.outline(of: info.glyph)
            if !outline.isEmpty { parts.append((outline, origin, scale)) }
        }
    }

    /// Draws the style's lines along the glyph's box, once.
    mutating func decorate(_ face: FontFace) {
        guard decorations.isEmpty, rect.width > 0 else { return }
        let scale = style.type.size / face.unitsPerEm
        func add(_ stroke: FontFace.Stroke, below: Double = 0) {
            decorations.append(
                Rect(
                    x: rect.x, y: -style.rise + (stroke.top + below) * scale, width: rect.width,
                    height: stroke.thickness * scale))
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
    consuming func ink(into table: inout InkTable) -> Ink? {
        let shape = shape(into: &table)
        var boxes = decorations + pictures.map(\.rect)
        if let shape {
            let bounds = table.outlines[shape.outline].bounds
            boxes.append(
                Rect(
                    x: shape.origin.x + bounds.x * shape.scale,
                    y: shape.origin.y + bounds.y * shape.scale,
                    width: bounds.width * shape.scale, height: bounds.height * shape.scale))
        }
        guard let first = boxes.first else { return nil }
        return Ink(
            shape: shape,
            pictures: pictures.map { .init(bitmap: table.number(of: $0.bitmap), rect: $0.rect) },
            decorations: decorations,
            bounds: boxes.dropFirst().reduce(first) { $0.union($1) })
    }

    private func shape(into table: inout InkTable) -> Ink.Shape? {
        guard let first = parts.first else { return nil }
        guard parts.count > 1 else {
            return Ink.Shape(
                outline: table.number(of: first.outline), origin: first.origin,
                scale: first.scale)
        }
        // Tenths of a font unit are far below what anybody can see.
        let compound = library.compound(
            parts.map { part in
                let key = FontLibrary.Part(
                    outline: ObjectIdentifier(part.outline),
                    dx: Int(((part.origin.x - first.origin.x) / first.scale * 10).rounded()),
                    dy: Int(((part.origin.y - first.origin.y) / first.scale * 10).rounded()),
                    scale: part.scale / first.scale)
                return (key, part.outline)
            })
        return Ink.Shape(
            outline: table.number(of: compound), origin: first.origin, scale: first.scale)
    }
}
