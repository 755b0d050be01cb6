import CPango
import Motion

/// The fonts that one worker has met, and their shapes.
///
/// Belongs to one worker. Bounded: sizes and characters are the users' to choose.
final class FontLibrary {
    private static let maximumFaces = 256
    private static let maximumShapes = 16_384

    /// Fonts by Pango's address, kept alive so that no address comes twice.
    private var faces: [UnsafeMutablePointer<PangoFont>: FontFace] = [:]
    private var stores: [StoreKey: ShapeStore] = [:]
    private var compounds: [CompoundKey: Outline] = [:]
    private var missing: [MissingKey: Outline] = [:]

    /// Of a compound shape: an outline moved by tenths of a font unit.
    struct Part: Hashable {
        var outline: ObjectIdentifier
        var dx: Int
        var dy: Int
        var scale: Double
    }

    private struct MissingKey: Hashable {
        var width: Double
        var unitsPerEm: Double
    }

    private struct CompoundKey: Hashable {
        var parts: [Part]
    }

    /// Faces that draw alike whatever their size: HarfBuzz's face, variations, synthesis.
    private struct StoreKey: Hashable {
        var face: OpaquePointer?
        var variations: [Int32]
        var isEmboldened: Bool
        var slant: Double
    }

    deinit { dropFaces() }

    func face(of font: UnsafeMutablePointer<PangoFont>) -> FontFace {
        if let face = faces[font] { return face }
        let face = FontFace(font, shapes: store(of: font))
        g_object_ref(UnsafeMutableRawPointer(font))
        faces[font] = face
        return face
    }

    /// Forgets everything when too much has gathered; call between layouts only, for a layout that
    /// is being made tells faces apart by their addresses.
    func trim() {
        let shapes = stores.values.reduce(compounds.count + missing.count) { $0 + $1.count }
        if shapes > Self.maximumShapes || faces.count > Self.maximumFaces { dropFaces() }
    }

    /// The parts as one shape in the units of the first.
    func compound(_ parts: [(key: Part, outline: Outline)]) -> Outline {
        let key = CompoundKey(parts: parts.map(\.key))
        if let known = compounds[key] { return known }
        let outline = Outline(
            joining: parts.map { part in
                Outline.Part(
                    outline: part.outline, scale: part.key.scale,
                    dx: Double(part.key.dx) / 10, dy: Double(part.key.dy) / 10)
            },
            unitsPerEm: parts[0].outline.unitsPerEm)
        compounds[key] = outline
        return outline
    }

    /// What stands for a character that no font has.
    func missingGlyph(width: Double, unitsPerEm: Double) -> Outline {
        let key = MissingKey(width: width, unitsPerEm: unitsPerEm)
        if let known = missing[key] { return known }
        let outline = MissingGlyph.outline(width: width, unitsPerEm: unitsPerEm)
        missing[key] = outline
        return outline
    }

    private func dropFaces() {
        for font in faces.keys { g_object_unref(UnsafeMutableRawPointer(font)) }
        faces = [:]
        for key in stores.keys { hb_face_destroy(key.face) }
        stores = [:]
        // They name outlines by address, which may come again.
        compounds = [:]
        missing = [:]
    }

    private func store(of font: UnsafeMutablePointer<PangoFont>) -> ShapeStore {
        let shaper = pango_font_get_hb_font(font)
        var count: UInt32 = 0
        let coordinates = hb_font_get_var_coords_normalized(shaper, &count)
        let synthesis = Synthesis(font)
        let key = StoreKey(
            face: hb_font_get_face(shaper),
            variations: Array(UnsafeBufferPointer(start: coordinates, count: Int(count))),
            isEmboldened: synthesis.isEmboldened, slant: synthesis.slant)
        if let store = stores[key] { return store }
        let store = ShapeStore(font)
        hb_face_reference(key.face)
        stores[key] = store
        return store
    }
}
