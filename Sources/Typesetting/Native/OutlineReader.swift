import CPango
import Motion
import Raster

/// Reads a font's outlines in font units, as the font has them: quadratic or cubic.
struct OutlineReader: ~Copyable {
    /// A font at one unit a font unit, so that nothing is scaled or rounded.
    private let font: OpaquePointer
    private let functions: OpaquePointer
    let unitsPerEm: Double
    /// True if some glyphs have drawings in several colours.
    private let hasColors: Bool

    /// Makes a font of a face at an instance.
    ///
    /// - Parameters:
    ///   - face: HarfBuzz's face.
    ///   - coordinates: Its axes' as HarfBuzz normalises them; empty for a font without axes.
    ///   - family: Its family, for messages.
    /// - Throws: `LibraryFault.font` when the font's file could not be opened.
    init(
        _ face: OpaquePointer?, at coordinates: [Int32], family: String?
    ) throws(LibraryFault) {
        // HarfBuzz makes an empty face of a file that cannot be opened.
        guard hb_face_get_glyph_count(face) > 0 else { throw .font(family) }
        let upem = max(hb_face_get_upem(face), 1)
        let font: OpaquePointer = hb_font_create(face)
        let functions = Self.makeFunctions()
        // HarfBuzz makes inert objects, which cannot be changed, when it gets no memory.
        guard hb_font_is_immutable(font) == 0, hb_draw_funcs_is_immutable(functions) == 0 else {
            hb_draw_funcs_destroy(functions)
            hb_font_destroy(font)
            throw .memory
        }
        hb_font_set_scale(font, Int32(upem), Int32(upem))
        if !coordinates.isEmpty {
            hb_font_set_var_coords_normalized(font, coordinates, UInt32(coordinates.count))
        }
        (self.font, self.functions, unitsPerEm) = (font, functions, Double(upem))
        hasColors = hb_ot_color_has_svg(face) != 0 || Self.withColors(of: face) { !$0.isEmpty }
    }

    deinit {
        hb_draw_funcs_destroy(functions)
        hb_font_destroy(font)
    }

    func outline(of glyph: UInt32) -> Outline {
        let pen = Pen()
        hb_font_get_glyph_shape(font, glyph, functions, Unmanaged.passUnretained(pen).toOpaque())
        return withExtendedLifetime(pen) {
            Outline(
                commands: pen.commands, coordinates: pen.coordinates, unitsPerEm: unitsPerEm)
        }
    }

    /// Shapes the text in a buffer, in font units.
    func shape(_ buffer: OpaquePointer, _ features: [hb_feature_t]) {
        hb_shape(font, buffer, features, UInt32(features.count))
    }

    /// Ascent and descent in font units, both positive.
    var verticalExtents: (ascent: Double, descent: Double) {
        var extents = hb_font_extents_t()
        hb_font_get_h_extents(font, &extents)
        return (Double(extents.ascender), Double(-extents.descender))
    }

    /// Returns one of the font's own measures in font units, or nil if it has none.
    func metric(_ tag: hb_ot_metrics_tag_t) -> Double? {
        var position: hb_position_t = 0
        guard hb_ot_metrics_get_position(font, tag, &position) != 0 else { return nil }
        return Double(position)
    }

    /// Returns the PNG file of a colour glyph and its box in font units (y grows downwards); nil for a glyph
    /// that has none.
    func picture(of glyph: UInt32) throws(LibraryFault) -> (png: [UInt8], box: Rect)? {
        guard let blob = hb_ot_color_glyph_reference_png(font, glyph) else { return nil }
        defer { hb_blob_destroy(blob) }
        var count: UInt32 = 0
        var extents = hb_glyph_extents_t()
        guard let bytes = hb_blob_get_data(blob, &count), count > 0 else { return nil }
        guard hb_font_get_glyph_extents(font, glyph, &extents) != 0 else {
            throw .drawing("a colour glyph's picture has no place")
        }
        let box = Rect(
            x: Double(extents.x_bearing), y: Double(-extents.y_bearing),
            width: Double(extents.width), height: Double(-extents.height))
        let buffer = UnsafeRawBufferPointer(start: bytes, count: Int(count))
        return (Array(buffer), box)
    }

    /// Returns true if the font has drawings of a glyph in several colours, as layers or paints
    /// (`COLR`) or as documents (`SVG`).
    func hasColorDrawing(of glyph: UInt32) -> Bool {
        guard hasColors else { return false }
        let face = hb_font_get_face(font)
        if hb_ot_color_glyph_get_layers(face, glyph, 0, nil, nil) > 0 { return true }
        if let document = hb_ot_color_glyph_reference_svg(face, glyph) {
            defer { hb_blob_destroy(document) }
            if hb_blob_get_length(document) > 0 { return true }
        }
        return Self.withColors(of: face) { $0.hasPaint(of: Int(glyph)) }
    }

    /// Lends a face's table `COLR`, which is empty if it has none.
    private static func withColors<Result>(
        of face: OpaquePointer?, _ body: (ColorTable) -> Result
    ) -> Result {
        let table = hb_face_reference_table(face, ColorTable.tag)
        defer { hb_blob_destroy(table) }
        var count: UInt32 = 0
        let bytes = hb_blob_get_data(table, &count)
        return body(ColorTable(UnsafeRawBufferPointer(start: bytes, count: Int(count))))
    }

    var hasPictures: Bool { hb_ot_color_has_png(hb_font_get_face(font)) != 0 }

    /// Lives as long as one glyph is read, on one thread.
    private final class Pen {
        var commands: [Outline.Command] = []
        var coordinates: [Float] = []

        static func take(
            _ pointer: UnsafeMutableRawPointer?, _ command: Outline.Command, _ points: Float...
        ) {
            guard let pointer else { return }
            let pen = Unmanaged<Pen>.fromOpaque(pointer).takeUnretainedValue()
            pen.commands.append(command)
            for (index, value) in points.enumerated() {
                // Fonts count upwards, scenes downwards.
                pen.coordinates.append(index.isMultiple(of: 2) ? value : 0 - value)
            }
        }
    }

    private static func makeFunctions() -> OpaquePointer {
        let functions: OpaquePointer = hb_draw_funcs_create()
        hb_draw_funcs_set_move_to_func(
            functions, { _, pen, _, x, y, _ in Pen.take(pen, .move, x, y) }, nil, nil)
        hb_draw_funcs_set_line_to_func(
            functions, { _, pen, _, x, y, _ in Pen.take(pen, .line, x, y) }, nil, nil)
        hb_draw_funcs_set_quadratic_to_func(
            functions,
            { _, pen, _, x1, y1, x, y, _ in Pen.take(pen, .quadratic, x1, y1, x, y) }, nil, nil)
        hb_draw_funcs_set_cubic_to_func(
            functions,
            { _, pen, _, x1, y1, x2, y2, x, y, _ in
                Pen.take(pen, .cubic, x1, y1, x2, y2, x, y)
            }, nil, nil)
        hb_draw_funcs_set_close_path_func(
            functions, { _, pen, _, _ in Pen.take(pen, .close) }, nil, nil)
        return functions
    }
}

/// The table `COLR` of a font, of which HarfBuzz 6 reads the layers only.
///
/// Source: OpenType 1.9, "COLR — Color Table", "COLR version 1 rendering model".
private struct ColorTable {
    static let tag: hb_tag_t = 0x434F_4C52

    private let table: BigEndianBytes<UnsafeRawBufferPointer>

    init(_ bytes: UnsafeRawBufferPointer) {
        table = BigEndianBytes(bytes: bytes)
    }

    var isEmpty: Bool { table.bytes.isEmpty }

    /// Returns true if a glyph is in the list of glyphs that paints draw.
    func hasPaint(of glyph: Int) -> Bool {
        guard let version = table.uint16(at: 0), version >= 1,
            let list = table.uint32(at: 14), list > 0, let count = table.uint32(at: list)
        else { return false }
        // The records, of 6 bytes each, are sorted by glyph.
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            guard let found = table.uint16(at: list + 4 + 6 * middle) else { return false }
            if found == glyph { return true }
            if found < glyph { low = middle + 1 } else { high = middle }
        }
        return false
    }
}
