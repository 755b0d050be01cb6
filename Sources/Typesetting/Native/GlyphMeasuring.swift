import CPango
import Synchronization

/// Stands in for Pango's measuring of glyphs.
///
/// Pango has cairo measure every glyph of a layout, although nobody asks for it. cairo 1.16 opens and
/// closes FreeType's faces for all threads at once without a common lock
/// (`_cairo_ft_unscaled_font_lock_face`), which ends the process when two threads use more than ten
/// fonts; and it takes a third of a layout's time. The advances come from HarfBuzz, so nothing that
/// is used here depends on these measures but the width of a character that no font has.
enum GlyphMeasuring {
    /// The advance of a character that no font has, in ems.
    private static let missingAdvance = 0.6

    /// Replaces the measuring of a font and of all other fonts of its class, which are all that there
    /// are; later calls change nothing.
    static func replace(for font: UnsafeMutablePointer<PangoFont>) {
        isReplaced.withLock { isReplaced in
            if !isReplaced { replaceAll(of: font) }
            isReplaced = true
        }
    }

    private static let isReplaced = Mutex(false)

    private static func replaceAll(of font: UnsafeMutablePointer<PangoFont>) {
        // An object begins with the pointer to its class.
        let fontClass = UnsafeRawPointer(font).load(as: UnsafeMutablePointer<PangoFontClass>.self)
        fontClass.pointee.get_metrics = { _, _ in
            // Those of no font, which are constants.
            pango_font_get_metrics(nil, nil)
        }
        fontClass.pointee.get_glyph_extents = { font, glyph, ink, logical in
            ink?.pointee = PangoRectangle()
            logical?.pointee = PangoRectangle()
            guard let font, let logical, glyph & GlyphMeasuring.unknownFlag != 0 else { return }
            let description = pango_font_describe_with_absolute_size(font)
            let size = Double(pango_font_description_get_size(description))
            pango_font_description_free(description)
            logical.pointee.width = Int32((size * GlyphMeasuring.missingAdvance).rounded())
        }
    }

    /// Pango's mark in place of a glyph's number.
    static let unknownFlag: UInt32 = 0x1000_0000
}
