import Bytes
import CPango
import Motion
import Raster

/// The fonts that one worker has opened.
///
/// Belongs to one worker.
final class FontLibrary {
    /// Each font in each size.
    private static let maximumFaces = 256
    /// Pages of 256 glyphs each, over all faces.
    private static let maximumPages = 1024
    /// HarfBuzz keeps a plan of shaping for each list of features, with each face.
    private static let maximumFeatures = 256
    /// Pango keeps a list of all fonts, sorted by how well they match, for each font that was asked
    /// for: up to half a megabyte.
    private static let maximumQueries = 64

    /// Freed after the fonts (see `deinit`).
    let map: FontMap
    let cache: any GlyphCache
    /// The reading of the installed fonts that they come from.
    private let catalog: FontCatalog

    /// Fonts by Pango's address, kept alive so that no address comes twice.
    private var faces: [UnsafeMutablePointer<PangoFont>: FontFace] = [:]
    private var stores: [StoreKey: ShapeStore] = [:]
    /// Pages of drawings, over all faces.
    private var pageCount = 0
    /// The fonts that texts asked for, whatever was found for them.
    private var queries: Set<FontQuery> = []
    /// The choices for the lists of families in them.
    private var choices: [ByteString: FamilyChoice] = [:]
    /// The lists of features that texts were shaped with.
    private var features: Set<String> = []
    /// The characters that the fonts of families have, by name.
    private var characters: [ByteString: FontCharacters] = [:]

    /// Faces that draw alike whatever their size: HarfBuzz's face, variations, synthesis.
    private struct StoreKey: Hashable {
        var face: OpaquePointer?
        var variations: [Int32]
        var synthesis: Synthesis
    }

    init(_ catalog: FontCatalog, _ cache: any GlyphCache) throws(LibraryFault) {
        map = try FontMap(catalog.configuration)
        self.catalog = catalog
        self.cache = cache
    }

    deinit {
        // Before the map: threads that Pango has started for it may hold it longer than we do. The
        // last of them frees it and goes through its fonts, which nobody else may free meanwhile.
        for font in faces.keys { g_object_unref(UnsafeMutableRawPointer(font)) }
        for key in stores.keys { hb_face_destroy(key.face) }
    }

    /// - Throws: `LibraryFault.font` when the font's file could not be opened.
    func face(of font: UnsafeMutablePointer<PangoFont>) throws(LibraryFault) -> FontFace {
        if let face = faces[font] { return face }
        let face = FontFace(font, shapes: try store(of: font))
        g_object_ref(UnsafeMutableRawPointer(font))
        faces[font] = face
        return face
    }

    /// True when so much has gathered that all of it should go: fonts, sizes, features and
    /// characters are the users' to choose.
    var isFull: Bool {
        faces.count > Self.maximumFaces || pageCount > Self.maximumPages
            || features.count > Self.maximumFeatures || queries.count > Self.maximumQueries
    }

    /// Returns true if it holds more than a number of fonts, or a quarter as many lists of them.
    func holds(moreThan fonts: Int) -> Bool {
        faces.count > fonts || queries.count > max(fonts / 4, 1)
    }

    /// Returns the choice for a list of families.
    func choice(of families: ByteString) -> FamilyChoice {
        if let choice = choices[families] { return choice }
        let choice =
            families.text.isSame(as: FontCatalog.usual)
            ? FamilyChoice(usualIn: catalog) : FamilyChoice(families.text, in: catalog)
        choices[families] = choice
        return choice
    }

    /// Returns true if the fonts of a family have all of some characters.
    func hasFamily(_ family: String, with wanted: Set<UInt32>) -> Bool {
        let key = FontCatalog.key(family)
        if let known = characters[key] { return wanted.allSatisfy(known.contains) }
        let own = FontCharacters(ofFamily: family, in: catalog.configuration)
        characters[key] = own
        return wanted.allSatisfy(own.contains)
    }

    /// Returns the UTF-8 offsets of a text's characters of private use that no family named in it
    /// has: other fonts have other characters there.
    func strangePrivateUse(in text: StyledText, _ choices: FamilyChoices) -> [Int] {
        var offsets: [Int] = []
        var (offset, span) = (0, 0)
        for scalar in text.text.unicodeScalars {
            defer { offset += UTF8.width(scalar) }
            guard scalar.isPrivateUse else { continue }
            while offset >= text.spans[span].end { span += 1 }
            let families = choices[ofSpan: span].asked
            if !families.contains(where: { hasFamily($0, with: [scalar.value]) }) {
                offsets.append(offset)
            }
        }
        return offsets
    }

    /// Notes the fonts that a text asks for, and the features that it is shaped with.
    func noteFonts(of text: StyledText) {
        for span in text.spans {
            note(span.style.type.font)
            let list = span.style.allFeatures
            if !list.isEmpty { features.insert(list) }
        }
    }

    /// Notes a font that is asked for.
    func note(_ query: FontQuery) {
        queries.insert(query)
    }

    /// Keeps the drawing of a glyph for the rest of a layout.
    func keep(_ entry: InkTable.Entry, of glyph: UInt32, in shapes: ShapeStore) {
        if shapes.drawings.insert(entry, for: glyph) { pageCount += 1 }
    }

    /// Returns the parts as one shape in the units of the first.
    func compound(_ parts: [(outline: Outline, part: Outline.Part)]) -> Outline {
        let numbers = parts.flatMap { _, part in
            [part.outline, part.scale.bitPattern]
                + [part.dx, part.dy].map { UInt64(bitPattern: Int64($0)) }
        }
        return cache.outline(for: GlyphKey(Outline.Part.self, others: numbers)) {
            Outline(joining: parts, unitsPerEm: parts[0].outline.unitsPerEm)
        }
    }

    /// Returns the box that stands for a character that no font has; lengths in font units.
    func missingGlyph(width: Double, unitsPerEm: Double) -> Outline {
        let key = GlyphKey(Outline.self, width.bitPattern, unitsPerEm.bitPattern)
        return cache.outline(for: key) {
            .missingGlyph(width: width, unitsPerEm: unitsPerEm)
        }
    }

    private func store(
        of font: UnsafeMutablePointer<PangoFont>
    ) throws(LibraryFault) -> ShapeStore {
        var count: UInt32 = 0
        let coordinates = hb_font_get_var_coords_normalized(pango_font_get_hb_font(font), &count)
        return try store(
            of: font, at: Array(UnsafeBufferPointer(start: coordinates, count: Int(count))))
    }

    /// Returns the shapes of a font at other coordinates of some of its axes.
    ///
    /// - Throws: `LibraryFault.font` when the font's file could not be opened.
    func instance(
        of font: ChosenFont, at values: [AxisTag: Double]
    ) throws(LibraryFault) -> ShapeStore {
        try store(of: font.pointer, at: FontAxes(font).normalized(values))
    }

    private func store(
        of font: UnsafeMutablePointer<PangoFont>, at coordinates: [Int32]
    ) throws(LibraryFault) -> ShapeStore {
        let pattern = FontPattern(font)
        let synthesis = Synthesis(pattern)
        let key = StoreKey(
            face: hb_font_get_face(pango_font_get_hb_font(font)), variations: coordinates,
            synthesis: synthesis)
        if let store = stores[key] { return store }
        let identity = [
            "\(catalog.number)", pattern.string(FC_FILE) ?? "",
            "\(pattern.integer(FC_INDEX) ?? 0)", "\(key.variations)",
            "\(synthesis.isEmboldened)", "\(synthesis.slant)",
        ].joined(separator: "\u{1F}")
        let store = try ShapeStore(
            key.face, at: coordinates, pattern, synthesis, number: cache.number(ofFont: identity),
            cache)
        hb_face_reference(key.face)
        stores[key] = store
        return store
    }
}

/// One font as Pango chose it, with the measures that layout needs; lengths are in font units.
///
/// Belongs to one worker.
final class FontFace {
    let family: String
    /// All names of the family, in small letters.
    private let familyNames: [ByteString]
    let weight: Int
    let isItalic: Bool
    let unitsPerEm: Double
    /// Above and below the baseline, both positive.
    let ascent: Double
    let descent: Double
    /// The distances at which Windows clips its lines (OS/2), both positive.
    let clippingExtents: (ascent: Double, descent: Double)
    let xHeight: Double
    let underline: Stroke
    let strikethrough: Stroke
    let shapes: ShapeStore

    /// A horizontal line drawn with the text.
    struct Stroke {
        /// From the baseline down to its upper edge; negative above.
        var top: Double
        var thickness: Double
    }

    fileprivate init(_ font: UnsafeMutablePointer<PangoFont>, shapes: ShapeStore) {
        let description = pango_font_describe(font)
        family = pango_font_description_get_family(description).map { String(cString: $0) } ?? ""
        familyNames = FontPattern(font).strings(FC_FAMILY).map(FontCatalog.key)
        weight = Int(pango_font_description_get_weight(description).rawValue)
        isItalic = pango_font_description_get_style(description) != PANGO_STYLE_NORMAL
        pango_font_description_free(description)
        self.shapes = shapes
        unitsPerEm = shapes.unitsPerEm
        (ascent, descent) = shapes.verticalExtents
        let clippingAscent = shapes.metric(HB_OT_METRICS_TAG_HORIZONTAL_CLIPPING_ASCENT) ?? 0
        let clippingDescent = shapes.metric(HB_OT_METRICS_TAG_HORIZONTAL_CLIPPING_DESCENT) ?? 0
        clippingExtents =
            clippingAscent + clippingDescent > 0
            ? (clippingAscent, clippingDescent) : (ascent, descent)
        // CSS takes half of an em if a font does not say it.
        xHeight = shapes.metric(HB_OT_METRICS_TAG_X_HEIGHT) ?? shapes.unitsPerEm / 2
        underline = shapes.stroke(
            HB_OT_METRICS_TAG_UNDERLINE_OFFSET, HB_OT_METRICS_TAG_UNDERLINE_SIZE,
            fallback: Stroke(top: 0.1, thickness: 0.05))
        strikethrough = shapes.stroke(
            HB_OT_METRICS_TAG_STRIKEOUT_OFFSET, HB_OT_METRICS_TAG_STRIKEOUT_SIZE,
            fallback: Stroke(top: -0.3, thickness: 0.05))
    }

    /// The height of capital letters, used only for pictures in the text; a usual height if the
    /// font does not give it.
    var capHeight: Double { shapes.metric(HB_OT_METRICS_TAG_CAP_HEIGHT) ?? 0.7 * unitsPerEm }

    /// True if its name belongs to a face for Nastaliq.
    private(set) lazy var isNastaliq = familyNames.contains { name in
        let name = name.text
        return name.contains("nastaliq") || name.contains("nastaleeq")
    }

    /// Returns true if it is a face of one of the families, which are in small letters.
    func isOf(_ families: Set<ByteString>) -> Bool {
        familyNames.contains(where: families.contains)
    }
}

/// The outlines and pictures of one face's glyphs, shared by all sizes of the face.
///
/// Belongs to one worker; the shapes themselves are in the cache of all workers.
final class ShapeStore {
    /// The font's number in the cache.
    let number: Int
    private let cache: any GlyphCache
    private let reader: OutlineReader
    let family: String
    /// True if glyphs may have pictures of their own.
    let hasPictures: Bool
    /// True for an instance of a variable font.
    let isVariable: Bool
    private let synthesis: Synthesis
    /// The drawings of this face's glyphs in the layout that is being made. Unchecked: each glyph
    /// looks here, and nothing else runs meanwhile.
    @exclusivity(unchecked) fileprivate(set) var drawings = GlyphPages<InkTable.Entry>()

    /// - Throws: `LibraryFault.font` when the font's file could not be opened.
    fileprivate init(
        _ face: OpaquePointer?, at coordinates: [Int32], _ pattern: FontPattern,
        _ synthesis: Synthesis, number: Int, _ cache: any GlyphCache
    ) throws(LibraryFault) {
        self.number = number
        self.cache = cache
        self.synthesis = synthesis
        isVariable = !coordinates.isEmpty
        let name = pattern.string(FC_FAMILY)
        family = name ?? ""
        reader = try OutlineReader(face, at: coordinates, family: name)
        hasPictures = reader.hasPictures
    }

    var unitsPerEm: Double { reader.unitsPerEm }

    /// Shapes the text in a buffer, in font units.
    func shape(_ buffer: OpaquePointer, _ features: [hb_feature_t]) {
        reader.shape(buffer, features)
    }

    var verticalExtents: (ascent: Double, descent: Double) { reader.verticalExtents }

    /// Returns one of the font's own measures in font units, or nil if it has none.
    func metric(_ tag: hb_ot_metrics_tag_t) -> Double? { reader.metric(tag) }

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

    /// True if the glyph is to be drawn in several colours; its outline is another drawing then.
    func hasColorDrawing(of glyph: UInt32) -> Bool { reader.hasColorDrawing(of: glyph) }

    func outline(of glyph: UInt32) throws(LibraryFault) -> Outline {
        let key = GlyphKey(ShapeStore.self, UInt64(number), UInt64(glyph))
        return try cache.outline(for: key) { () throws(LibraryFault) in
            let outline = reader.outline(of: glyph)
            return hasPictures ? outline : try synthesis.applied(to: outline)
        }
    }

    /// Returns a colour glyph's picture at twice the size shown, at most the font's own, and its box
    /// in font units; nil for glyphs that have none.
    func bitmap(
        of glyph: UInt32, size: Double
    ) throws(LibraryFault) -> (bitmap: Bitmap, box: Rect)? {
        guard hasPictures, let (png, box) = try reader.picture(of: glyph) else { return nil }
        let shown = box.width * size / unitsPerEm
        let bitmap = try BitmapScaler.bitmap(
            font: number, glyph: glyph, file: png, width: 2 * shown)
        return (bitmap, box)
    }
}

/// Values by a font's glyph numbers, in pages that come as they are needed: faster than a
/// dictionary, smaller than an array for fonts of tens of thousands of glyphs.
struct GlyphPages<Value> {
    private static var pageSize: Int { 256 }

    private var pages: [[Value?]] = []

    subscript(glyph: UInt32) -> Value? {
        let (page, index) = Int(glyph).quotientAndRemainder(dividingBy: Self.pageSize)
        return page < pages.count && !pages[page].isEmpty ? pages[page][index] : nil
    }

    /// Sets the value of a glyph, and returns true if that took a new page.
    fileprivate mutating func insert(_ value: Value, for glyph: UInt32) -> Bool {
        let (page, index) = Int(glyph).quotientAndRemainder(dividingBy: Self.pageSize)
        while pages.count <= page { pages.append([]) }
        let isNew = pages[page].isEmpty
        if isNew { pages[page] = [Value?](repeating: nil, count: Self.pageSize) }
        pages[page][index] = value
        return isNew
    }
}

extension Outline {
    /// A hollow box for an advance of so many font units.
    fileprivate static func missingGlyph(width: Double, unitsPerEm: Double) -> Outline {
        let stroke = unitsPerEm / 20
        let margin = min(width / 10, unitsPerEm / 12)
        let outer = (left: margin, top: -0.72 * unitsPerEm, right: width - margin, bottom: 0.0)
        let inner = (
            left: outer.left + stroke, top: outer.top + stroke, right: outer.right - stroke,
            bottom: outer.bottom - stroke
        )
        // The inner contour runs the other way round, which leaves it empty.
        let points = [
            (outer.left, outer.top), (outer.right, outer.top), (outer.right, outer.bottom),
            (outer.left, outer.bottom),
            (inner.left, inner.top), (inner.left, inner.bottom), (inner.right, inner.bottom),
            (inner.right, inner.top),
        ]
        let contour: [Outline.Command] = [.move, .line, .line, .line, .close]
        return Outline(
            commands: contour + contour,
            coordinates: points.flatMap { [Float($0.0.rounded()), Float($0.1.rounded())] },
            unitsPerEm: unitsPerEm)
    }
}
