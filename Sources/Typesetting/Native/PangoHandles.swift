import CPango
import Motion

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

/// Where text is laid out: a font map with unhinted, sub-pixel metrics and a fixed language.
struct TextContext: ~Copyable {
    let pointer: OpaquePointer

    init(_ map: borrowing FontMap) throws(LibraryFault) {
        guard let context = pango_font_map_create_context(map.pointer) else {
            throw .memory
        }
        let description = pango_font_description_new()
        defer { pango_font_description_free(description) }
        guard let font = pango_context_load_font(context, description) else {
            g_object_unref(UnsafeMutableRawPointer(context))
            throw .font(nil)
        }
        GlyphMeasuring.replace(for: font)
        g_object_unref(UnsafeMutableRawPointer(font))
        pointer = context
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
    }

    deinit { g_object_unref(UnsafeMutableRawPointer(pointer)) }
}

/// A paragraph layout that is used again for every text.
struct ParagraphLayout: ~Copyable {
    let pointer: OpaquePointer

    init(_ context: borrowing TextContext) throws(LibraryFault) {
        guard let layout = pango_layout_new(context.pointer) else { throw .memory }
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
}

/// What to look for in the font map.
struct FontDescription: ~Copyable {
    let pointer: OpaquePointer

    init(_ style: TypeStyle, _ catalog: FontCatalog) {
        pointer = pango_font_description_new()
        // Never parsed as a description: "Sans Bold 900" is a family's name like any other.
        pango_font_description_set_family(pointer, catalog.findable(style.families))
        pango_font_description_set_absolute_size(pointer, style.size * Double(PANGO_SCALE))
        pango_font_description_set_weight(pointer, PangoWeight(UInt32(style.weight)))
        pango_font_description_set_style(
            pointer, style.isItalic ? PANGO_STYLE_ITALIC : PANGO_STYLE_NORMAL)
    }

    deinit { pango_font_description_free(pointer) }
}

/// What stretches of a text differ in, as far as it decides shapes and advances.
struct AttributeList: ~Copyable {
    /// Nil where the description of the first stretch says it all.
    let pointer: OpaquePointer?

    init(_ text: StyledText, _ catalog: FontCatalog) {
        let isPlain = text.spans.allSatisfy { span in
            span.style.type.letterSpacing == 0 && span.style.features.isEmpty
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
            if !span.style.features.isEmpty {
                insert(pango_attr_font_features_new(span.style.features), start, end)
            }
            start = end
        }
    }

    deinit { if let pointer { pango_attr_list_unref(pointer) } }

    private static func differ(_ one: TypeStyle, _ other: TypeStyle) -> Bool {
        one.families != other.families || one.size != other.size || one.weight != other.weight
            || one.isItalic != other.isItalic
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
    func withUTF8Bytes<Result>(
        _ body: (UnsafeBufferPointer<CChar>) -> Result
    ) -> Result {
        var text = self
        return text.withUTF8 { bytes in bytes.withMemoryRebound(to: CChar.self, body) }
    }
}
