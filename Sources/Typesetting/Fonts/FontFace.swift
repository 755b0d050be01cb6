import CPango
import Motion

/// One font as Pango chose it, with what typesetting needs of it; sizes are in font units.
///
/// Belongs to one worker.
final class FontFace {
    let family: String
    /// Family, weight unless 400, and `italic` where it is.
    let name: String
    let unitsPerEm: Double
    /// Above and below the baseline, both positive.
    let ascent: Double
    let descent: Double
    let underline: Stroke
    let strikethrough: Stroke
    let shapes: ShapeStore

    /// A horizontal line drawn with the text.
    struct Stroke {
        /// From the baseline down to its upper edge; negative above.
        var top: Double
        var thickness: Double
    }

    init(_ font: UnsafeMutablePointer<PangoFont>, shapes: ShapeStore) {
        let description = pango_font_describe(font)
        family = pango_font_description_get_family(description).map { String(cString: $0) } ?? ""
        let weight = Int(pango_font_description_get_weight(description).rawValue)
        let isItalic = pango_font_description_get_style(description) != PANGO_STYLE_NORMAL
        pango_font_description_free(description)
        name = family + (weight == 400 ? "" : " \(weight)") + (isItalic ? " italic" : "")
        self.shapes = shapes
        unitsPerEm = shapes.unitsPerEm
        (ascent, descent) = shapes.verticalExtents
        underline = shapes.stroke(
            HB_OT_METRICS_TAG_UNDERLINE_OFFSET, HB_OT_METRICS_TAG_UNDERLINE_SIZE,
            fallback: Stroke(top: 0.1, thickness: 0.05))
        strikethrough = shapes.stroke(
            HB_OT_METRICS_TAG_STRIKEOUT_OFFSET, HB_OT_METRICS_TAG_STRIKEOUT_SIZE,
            fallback: Stroke(top: -0.3, thickness: 0.05))
    }
}

/// What the glyphs of one face draw; shared by all sizes of the face.
///
/// Belongs to one worker; the shapes themselves are in the cache of all workers.
final class ShapeStore {
    /// The font's number in the cache.
    let number: Int
    private let cache: any GlyphCache
    private let reader: OutlineReader
    /// Whether glyphs may have pictures of their own.
    let hasPictures: Bool
    private let synthesis: Synthesis
    /// Where the layout that is being made has put glyphs of this face.
    var numbers = GlyphPages<InkTable.Number>()

    /// - Throws: `LibraryFault.font` when the font's file could not be opened.
    init(
        _ font: UnsafeMutablePointer<PangoFont>, _ synthesis: Synthesis, number: Int,
        _ cache: any GlyphCache
    ) throws(LibraryFault) {
        self.number = number
        self.cache = cache
        self.synthesis = synthesis
        let family = FontPattern(font).string(FC_FAMILY)
        reader = try OutlineReader(pango_font_get_hb_font(font), family: family)
        hasPictures = reader.hasPictures
    }

    var unitsPerEm: Double { reader.unitsPerEm }
    var verticalExtents: (ascent: Double, descent: Double) { reader.verticalExtents }
    func stroke(
        _ offset: hb_ot_metrics_tag_t, _ size: hb_ot_metrics_tag_t, fallback: FontFace.Stroke
    ) -> FontFace.Stroke {
        guard let offset = reader.metric(offset), let thickness = reader.metric(size),
            thickness > 0
        else {
            return FontFace.Stroke(
                top: fallback.top * unitsPerEm, thickness: fallback.thickness * unitsPerEm)
        }
        return FontFace.Stroke(top: -offset, thickness: thickness)
    }

    func outline(of glyph: UInt32) throws(LibraryFault) -> Outline {
        try cache.outline(for: .outline(font: number, glyph: glyph)) { () throws(LibraryFault) in
            let outline = reader.outline(of: glyph)
            return hasPictures ? outline : try synthesis.applied(to: outline)
        }
    }

    /// A colour glyph's picture at twice the size shown, at most the font's own, and its box in
    /// font units; nil for glyphs that have none.
    func bitmap(
        of glyph: UInt32, size: Double
    ) throws(LibraryFault) -> (bitmap: Bitmap, box: Rect)? {
        guard hasPictures, let (png, box) = try reader.picture(of: glyph) else { return nil }
        let shown = box.width * size / unitsPerEm
        let bitmap = try BitmapScaler.bitmap(
            font: number, glyph: glyph, png: png, width: 2 * shown)
        return (bitmap, box)
    }
}
