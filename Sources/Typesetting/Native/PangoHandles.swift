import CPango
import Glibc
import Motion
import Synchronization

/// A font map: one a worker, because the first layout on a new map costs 7 to 10 ms.
struct FontMap: ~Copyable {
    let pointer: UnsafeMutablePointer<PangoFontMap>

    init(_ configuration: FontConfiguration) throws(LibraryFault) {
        guard let map = pango_cairo_font_map_new() else { throw .memory }
        pointer = map
        pango_fc_font_map_set_config(OpaquePointer(map), configuration.pointer)
    }

    deinit { g_object_unref(UnsafeMutableRawPointer(pointer)) }
}

/// A paragraph layout that is used again for every text, with unhinted, sub-pixel metrics and a fixed
/// language.
struct ParagraphLayout: ~Copyable {
    private let pointer: OpaquePointer

    init(_ map: borrowing FontMap) throws(LibraryFault) {
        guard let context = pango_font_map_create_context(map.pointer) else { throw .memory }
        // The layout holds it from then on.
        defer { g_object_unref(UnsafeMutableRawPointer(context)) }
        let description = pango_font_description_new()
        defer { pango_font_description_free(description) }
        guard let font = pango_context_load_font(context, description) else { throw .font(nil) }
        GlyphMeasuring.replace(for: font)
        g_object_unref(UnsafeMutableRawPointer(font))
        let options = cairo_font_options_create()
        cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE)
        cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF)
        cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY)
        pango_cairo_context_set_font_options(context, options)
        cairo_font_options_destroy(options)
        pango_cairo_context_set_resolution(context, 96)
        pango_context_set_round_glyph_positions(context, 0)
        // Not the locale's: it would choose other fonts for Han characters on other machines.
        pango_context_set_language(context, pango_language_from_string("en"))
        pango_context_set_base_dir(context, PANGO_DIRECTION_LTR)
        guard let layout = pango_layout_new(context) else { throw .memory }
        pointer = layout
        pango_layout_set_wrap(layout, PANGO_WRAP_WORD_CHAR)
        pango_layout_set_auto_dir(layout, 1)
    }

    deinit { g_object_unref(UnsafeMutableRawPointer(pointer)) }

    /// Lays out a text that wraps at `width` CSS pixels, or never.
    func set(_ text: StyledText, width: Double?, _ catalog: FontCatalog) {
        let description = FontDescription(text.spans[0].style.type, catalog)
        pango_layout_set_font_description(pointer, description.pointer)
        let attributes = AttributeList(text, catalog)
        pango_layout_set_attributes(pointer, attributes.pointer)
        pango_layout_set_width(pointer, width.map { Int32($0 * Double(PANGO_SCALE)) } ?? -1)
        text.text.withUTF8Bytes { bytes in
            pango_layout_set_text(pointer, bytes.baseAddress, Int32(bytes.count))
        }
    }

    /// Returns the lines of the text that was set last, which is given again.
    ///
    /// - Throws: `LibraryFault.font` when a font could not be chosen or opened.
    func lines(
        of text: SegmentedText, _ library: FontLibrary
    ) throws(LibraryFault) -> [ShapedLine] {
        var lines: [ShapedLine] = []
        var next = pango_layout_get_lines_readonly(pointer)
        while let node = next {
            next = node.pointee.next
            guard let line = node.pointee.data?.assumingMemoryBound(to: PangoLayoutLine.self)
            else { continue }
            let following = next?.pointee.data?.assumingMemoryBound(to: PangoLayoutLine.self)
            let isWrapped = following.map { $0.pointee.is_paragraph_start == 0 } ?? false
            lines.append(try ShapedLine(line, isWrapped: isWrapped, of: text, library))
        }
        return lines
    }

    /// Returns the font of a style for text without characters, such as an empty line.
    ///
    /// - Throws: `LibraryFault.font` when there is none or it could not be opened.
    func face(
        for style: TypeStyle, _ catalog: FontCatalog, _ library: FontLibrary
    ) throws(LibraryFault) -> FontFace {
        let description = FontDescription(style, catalog)
        guard
            let font = pango_context_load_font(
                pango_layout_get_context(pointer), description.pointer)
        else { throw .font(nil) }
        defer { g_object_unref(UnsafeMutableRawPointer(font)) }
        return try library.face(of: font)
    }

    /// Two Thai words, between which nothing but libthai's dictionary tells.
    static let thaiSample = "ภาษาไทย"

    /// Returns true if the text that was set last, which ends with the Thai sample, can be broken
    /// within it.
    ///
    /// For that libthai opens a dictionary at the first Thai text; without it Pango goes on and breaks
    /// lines elsewhere.
    func breaksThaiSample() -> Bool {
        // A Pango that was built without libthai breaks lines of Thai alike at all times.
        guard dlsym(nil, "th_brk_new") != nil else { return true }
        var count: Int32 = 0
        guard let attributes = pango_layout_get_log_attrs_readonly(pointer, &count) else {
            return false
        }
        let characters = UnsafeBufferPointer(start: attributes, count: Int(count))
        // One attribute stands before each character and one behind the last.
        let inside = characters.dropLast().suffix(Self.thaiSample.unicodeScalars.count - 1)
        return inside.contains { $0.is_line_break != 0 }
    }
}

/// A query for the font map.
private struct FontDescription: ~Copyable {
    let pointer: OpaquePointer

    init(_ style: TypeStyle, _ catalog: FontCatalog) {
        pointer = pango_font_description_new()
        // Never parsed as a description: "Sans Bold 900" is a family's name like any other.
        pango_font_description_set_family(pointer, catalog.findable(style.families))
        pango_font_description_set_absolute_size(pointer, style.size * Double(PANGO_SCALE))
        pango_font_description_set_weight(pointer, PangoWeight(UInt32(style.weight)))
        pango_font_description_set_style(
            pointer, style.isItalic ? PANGO_STYLE_ITALIC : PANGO_STYLE_NORMAL)
        let coordinates = Self.coordinates(of: style)
        if !coordinates.isEmpty { pango_font_description_set_variations(pointer, coordinates) }
    }

    /// Returns the coordinates of variable fonts, of which later ones go before earlier ones.
    private static func coordinates(of style: TypeStyle) -> String {
        // On the way through fontconfig's scale, a weight between the hundreds is rounded.
        guard !style.weight.isMultiple(of: 100) else { return style.variations }
        return "wght=\(style.weight)" + (style.variations.isEmpty ? "" : "," + style.variations)
    }

    deinit { pango_font_description_free(pointer) }
}

/// The differences between a text's spans, as far as they decide shapes and advances.
private struct AttributeList: ~Copyable {
    /// Nil if the first span's description suffices.
    let pointer: OpaquePointer?

    init(_ text: StyledText, _ catalog: FontCatalog) {
        let isPlain = text.spans.allSatisfy { span in
            span.style.type.letterSpacing == 0 && span.style.allFeatures.isEmpty
                && !Self.differ(span.style.type, text.spans[0].style.type)
        }
        pointer = isPlain ? nil : pango_attr_list_new()
        guard pointer != nil else { return }
        var start: UInt32 = 0
        for span in text.spans {
            let end = UInt32(span.end)
            if Self.differ(span.style.type, text.spans[0].style.type) {
                let description = FontDescription(span.style.type, catalog)
                insert(pango_attr_font_desc_new(description.pointer), start, end)
            }
            if span.style.type.letterSpacing != 0 {
                let spacing = Int32(span.style.type.letterSpacing * Double(PANGO_SCALE))
                insert(pango_attr_letter_spacing_new(spacing), start, end)
            }
            let features = span.style.allFeatures
            if !features.isEmpty { insert(pango_attr_font_features_new(features), start, end) }
            start = end
        }
    }

    deinit { if let pointer { pango_attr_list_unref(pointer) } }

    private static func differ(_ one: TypeStyle, _ other: TypeStyle) -> Bool {
        one.families != other.families || one.size != other.size || one.weight != other.weight
            || one.isItalic != other.isItalic || one.variations != other.variations
    }

    private func insert(
        _ attribute: UnsafeMutablePointer<PangoAttribute>?, _ start: UInt32, _ end: UInt32
    ) {
        guard let attribute else { return }
        attribute.pointee.start_index = start
        attribute.pointee.end_index = end
        pango_attr_list_insert(pointer, attribute)
    }
}

extension String {
    /// Lends the text's bytes, not terminated; C takes their count.
    fileprivate func withUTF8Bytes<Result>(
        _ body: (UnsafeBufferPointer<CChar>) -> Result
    ) -> Result {
        var text = self
        return text.withUTF8 { bytes in bytes.withMemoryRebound(to: CChar.self, body) }
    }
}

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
    fileprivate static func replace(for font: UnsafeMutablePointer<PangoFont>) {
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
