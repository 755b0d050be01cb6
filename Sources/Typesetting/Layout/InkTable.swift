import Motion

/// The distinct outlines and pictures of a layout, numbered by first use.
struct InkTable {
    private(set) var outlines: [Outline] = []
    private(set) var bitmaps: [Bitmap] = []
    /// By the outlines' ids.
    private var numbers: [UInt64: Int] = [:]
    /// What pictures were found, which differ from size to size.
    private var pictures: [PictureKey: Drawing] = [:]
    /// Tells this layout's numbers from those of layouts before.
    private let layout: UInt64

    init(layout: UInt64) {
        self.layout = layout
    }

    /// Which of a layout's outlines a glyph draws; valid for that layout only.
    struct Number {
        let layout: UInt64
        let drawing: Drawing
    }

    /// What one glyph of a face draws.
    enum Drawing {
        case nothing
        /// Index into `outlines`.
        case outline(Int)
        /// Index into `bitmaps`, and the box in font units.
        case picture(Int, box: Rect)
    }

    private struct PictureKey: Hashable {
        var shapes: ObjectIdentifier
        var glyph: UInt32
        var size: Double
    }

    mutating func drawing(
        of glyph: UInt32, _ face: FontFace, size: Double
    ) throws(LibraryFault) -> Drawing {
        if face.shapes.hasPictures, let picture = try picture(of: glyph, face, size: size) {
            return picture
        }
        if let known = face.shapes.numbers[glyph], known.layout == layout { return known.drawing }
        let outline = try face.shapes.outline(of: glyph)
        let drawing = outline.isEmpty ? Drawing.nothing : .outline(number(of: outline))
        face.shapes.numbers[glyph] = Number(layout: layout, drawing: drawing)
        return drawing
    }

    private mutating func picture(
        of glyph: UInt32, _ face: FontFace, size: Double
    ) throws(LibraryFault) -> Drawing? {
        let key = PictureKey(shapes: ObjectIdentifier(face.shapes), glyph: glyph, size: size)
        if let known = pictures[key] { return known }
        guard let (bitmap, box) = try face.shapes.bitmap(of: glyph, size: size) else {
            return nil
        }
        let drawing = Drawing.picture(bitmaps.count, box: box)
        bitmaps.append(bitmap)
        pictures[key] = drawing
        return drawing
    }

    mutating func number(of outline: Outline) -> Int {
        if let number = numbers[outline.id] { return number }
        numbers[outline.id] = outlines.count
        outlines.append(outline)
        return outlines.count - 1
    }
}
