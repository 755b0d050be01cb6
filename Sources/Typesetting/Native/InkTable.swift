import Motion
import Raster

/// The distinct outlines and pictures of a layout, numbered by first use.
struct InkTable {
    private(set) var definitions = Definitions()
    let library: FontLibrary
    private let scaler: PictureScaler
    /// The family of the first font of which a glyph cannot be drawn.
    private(set) var colorFont: String?
    /// Indices of outlines that belong to no glyph of a face, by their ids.
    private var composed: [UInt64: Int] = [:]
    /// Pictures, which differ from size to size.
    private var pictures: [PictureKey: Drawing] = [:]
    /// Indices of bitmaps of pictures that stand in texts.
    private var textPictures: [TextPictureKey: Int] = [:]
    /// Tells this layout's indices from indices of layouts before.
    private let layout: UInt64

    init(_ library: FontLibrary, _ scaler: PictureScaler, layout: UInt64) {
        self.library = library
        self.scaler = scaler
        self.layout = layout
        // Most texts have fewer distinct letters.
        definitions.outlines.reserveCapacity(32)
    }

    /// A drawing with the layout that its index is valid for.
    struct Entry {
        let layout: UInt64
        let drawing: Drawing
    }

    /// The ink of one glyph of a face.
    enum Drawing {
        case nothing
        /// Index into `definitions.outlines`.
        case outline(Int)
        /// Index into `definitions.bitmaps`, and the box in font units.
        case picture(Int, box: Rect)
    }

    private struct PictureKey: Hashable {
        var shapes: ObjectIdentifier
        var glyph: UInt32
        var size: Double
    }

    private struct TextPictureKey: Hashable {
        var picture: TextPicture
        var size: Double
    }

    /// Returns the index of the bitmap of a picture that is so many CSS pixels high.
    ///
    /// - Throws: The errors of `PictureScaler`.
    mutating func bitmap(
        of picture: TextPicture, size: Double
    ) throws(TypesettingError) -> Int {
        let key = TextPictureKey(picture: picture, size: size)
        if let known = textPictures[key] { return known }
        let bitmap = try scaler.bitmap(of: picture, size: size)
        textPictures[key] = definitions.bitmaps.count
        definitions.bitmaps.append(bitmap)
        return definitions.bitmaps.count - 1
    }

    mutating func drawing(
        of glyph: UInt32, _ shapes: ShapeStore, size: Double
    ) throws(LibraryFault) -> Drawing {
        if shapes.hasPictures, let picture = try picture(of: glyph, shapes, size: size) {
            return picture
        }
        if let known = shapes.drawings[glyph], known.layout == layout { return known.drawing }
        if shapes.hasColorDrawing(of: glyph) { colorFont = colorFont ?? shapes.family }
        let outline = try shapes.outline(of: glyph)
        let drawing = outline.isEmpty ? Drawing.nothing : .outline(definitions.outlines.count)
        if !outline.isEmpty { definitions.outlines.append(outline) }
        library.keep(Entry(layout: layout, drawing: drawing), of: glyph, in: shapes)
        return drawing
    }

    private mutating func picture(
        of glyph: UInt32, _ shapes: ShapeStore, size: Double
    ) throws(LibraryFault) -> Drawing? {
        let key = PictureKey(shapes: ObjectIdentifier(shapes), glyph: glyph, size: size)
        if let known = pictures[key] { return known }
        guard let (bitmap, box) = try shapes.bitmap(of: glyph, size: size) else { return nil }
        let drawing = Drawing.picture(definitions.bitmaps.count, box: box)
        definitions.bitmaps.append(bitmap)
        pictures[key] = drawing
        return drawing
    }

    /// Returns the index of an outline that belongs to no glyph of a face.
    mutating func index(ofComposed outline: Outline) -> Int {
        if let index = composed[outline.id] { return index }
        composed[outline.id] = definitions.outlines.count
        definitions.outlines.append(outline)
        return definitions.outlines.count - 1
    }
}
