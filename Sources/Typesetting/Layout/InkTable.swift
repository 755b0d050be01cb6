import Motion

/// The distinct outlines and pictures of a layout, numbered by first use.
struct InkTable {
    private(set) var outlines: [Outline] = []
    private(set) var bitmaps: [Bitmap] = []
    private var numbers: [ObjectIdentifier: Int] = [:]
    /// What glyphs that stand alone were found to draw.
    private var glyphs: [GlyphKey: Drawing] = [:]

    /// What one glyph of a face draws.
    enum Drawing {
        case nothing
        /// Index into `outlines`.
        case outline(Int)
        /// Index into `bitmaps`, and the box in font units.
        case picture(Int, box: Rect)
    }

    private struct GlyphKey: Hashable {
        var shapes: ObjectIdentifier
        var glyph: UInt32
        /// Pictures differ from size to size, outlines do not.
        var size: Double
    }

    mutating func drawing(of glyph: UInt32, _ face: FontFace, size: Double) -> Drawing {
        let key = GlyphKey(
            shapes: ObjectIdentifier(face.shapes), glyph: glyph,
            size: face.shapes.hasPictures ? size : 0)
        if let known = glyphs[key] { return known }
        let drawing: Drawing
        if let (bitmap, box) = face.shapes.bitmap(of: glyph, size: size) {
            drawing = .picture(number(of: bitmap), box: box)
        } else {
            let outline = face.shapes.outline(of: glyph)
            drawing = outline.isEmpty ? .nothing : .outline(number(of: outline))
        }
        glyphs[key] = drawing
        return drawing
    }

    mutating func number(of outline: Outline) -> Int {
        let identity = ObjectIdentifier(outline)
        if let number = numbers[identity] { return number }
        numbers[identity] = outlines.count
        outlines.append(outline)
        return outlines.count - 1
    }

    private mutating func number(of bitmap: Bitmap) -> Int {
        let identity = ObjectIdentifier(bitmap)
        if let number = numbers[identity] { return number }
        numbers[identity] = bitmaps.count
        bitmaps.append(bitmap)
        return bitmaps.count - 1
    }
}
