import CPango
import Motion

/// The fonts that one worker has met.
///
/// Belongs to one worker.
final class FontLibrary {
    /// Each font in each size.
    private static let maximumFaces = 256
    /// Of 256 glyphs each, over all faces.
    private static let maximumPages = 1024

    /// Goes after the fonts (see `deinit`).
    let map: FontMap
    let cache: any GlyphCache
    /// The reading of the installed fonts that they come from.
    private let configuration: FontConfiguration

    /// Fonts by Pango's address, kept alive so that no address comes twice.
    private var faces: [UnsafeMutablePointer<PangoFont>: FontFace] = [:]
    private var stores: [StoreKey: ShapeStore] = [:]

    /// Faces that draw alike whatever their size: HarfBuzz's face, variations, synthesis.
    private struct StoreKey: Hashable {
        var face: OpaquePointer?
        var variations: [Int32]
        var synthesis: Synthesis
    }

    init(_ configuration: FontConfiguration, _ cache: any GlyphCache) throws(LibraryFault) {
        map = try FontMap(configuration)
        self.configuration = configuration
        self.cache = cache
    }

    deinit {
        // Before the map: threads that Pango has started for it may hold it longer than we do, and the
        // last of them ends it, going through fonts that nobody may be letting go of meanwhile.
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

    /// Whether so much has gathered that all of it should go: fonts, sizes and characters are the
    /// users' to choose.
    var isFull: Bool {
        faces.count > Self.maximumFaces
            || stores.values.reduce(0) { $0 + $1.numbers.pageCount } > Self.maximumPages
    }

    /// The parts as one shape in the units of the first.
    func compound(_ parts: [(key: GlyphKey.CompoundPart, outline: Outline)]) -> Outline {
        cache.outline(for: .compound(parts.map(\.key))) {
            Outline(
                joining: parts.map { part in
                    Outline.Part(
                        outline: part.outline, scale: part.key.scale,
                        dx: Double(part.key.dx) / 10, dy: Double(part.key.dy) / 10)
                },
                unitsPerEm: parts[0].outline.unitsPerEm)
        }
    }

    /// What stands for a character that no font has.
    func missingGlyph(width: Double, unitsPerEm: Double) -> Outline {
        cache.outline(for: .missing(width: width, unitsPerEm: unitsPerEm)) {
            MissingGlyph.outline(width: width, unitsPerEm: unitsPerEm)
        }
    }

    private func store(
        of font: UnsafeMutablePointer<PangoFont>
    ) throws(LibraryFault) -> ShapeStore {
        let shaper = pango_font_get_hb_font(font)
        var count: UInt32 = 0
        let coordinates = hb_font_get_var_coords_normalized(shaper, &count)
        let synthesis = Synthesis(font)
        let key = StoreKey(
            face: hb_font_get_face(shaper),
            variations: Array(UnsafeBufferPointer(start: coordinates, count: Int(count))),
            synthesis: synthesis)
        if let store = stores[key] { return store }
        let pattern = FontPattern(font)
        let identity = [
            "\(configuration.number)", pattern.string(FC_FILE) ?? "",
            "\(pattern.integer(FC_INDEX) ?? 0)", "\(key.variations)",
            "\(synthesis.isEmboldened)", "\(synthesis.slant)",
        ].joined(separator: "\u{1F}")
        let store = try ShapeStore(
            font, synthesis, number: cache.number(ofFont: identity), cache)
        hb_face_reference(key.face)
        stores[key] = store
        return store
    }
}
