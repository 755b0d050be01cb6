import CPango
import Motion
import Testing
import Typesetting

/// Layout equals Pango's: 30 texts in 10 scripts.
@Suite struct PangoAgreementTests {
    static let texts = [
        "Who you gonna call?", "office fflach Wave AVAToYe", "The quick brown fox",
        "Ünïcödé façade naïve", "e\u{301}te\u{301} cafe\u{301}", "1,234.56 – “quoted”…",
        "Съешь же ещё этих мягких", "Ελληνικά κείμενο άέή", "Жёлтый ґанок",
        "שלום עולם", "עברית with English", "בְּרֵאשִׁית בָּרָא", "مرحبا بالعالم", "السلام عليكم ١٢٣",
        "لا إله كلمة", "हिन्दी क्षत्रिय नमस्ते", "কবিতা বাংলা", "தமிழ் எழுத்து", "ภาษาไทย น้ำ ก็",
        "สวัสดีชาวโลก", "日本語と漢字", "ひらがなカタカナ", "한국어 텍스트", "中文字符，标点。", "ქართული ენა",
        "Հայերեն տեքստ", "👩‍👩‍👧‍👦 🇩🇪 👍🏽 👻", "mixed עברית 日本 text", "a  b   c    d", "ﬁ ﬀ ligature ﬃ",
    ]

    /// The widths of a text's lines as Pango measures them, in pixels.
    private func widths(_ text: String, wrap: Double?) -> [Double] {
        let map = pango_cairo_font_map_new()
        let context = pango_font_map_create_context(map)
        let options = cairo_font_options_create()
        cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE)
        cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF)
        pango_cairo_context_set_font_options(context, options)
        pango_context_set_round_glyph_positions(context, 0)
        pango_context_set_language(context, pango_language_from_string("en"))
        let layout = pango_layout_new(context)
        let font = pango_font_description_new()
        pango_font_description_set_family(font, "DejaVu Sans")
        pango_font_description_set_absolute_size(font, 32 * Double(PANGO_SCALE))
        pango_layout_set_font_description(layout, font)
        pango_layout_set_wrap(layout, PANGO_WRAP_WORD_CHAR)
        // A word that is too long for a line breaks without a hyphen.
        let attributes = pango_attr_list_new()
        pango_attr_list_insert(attributes, pango_attr_insert_hyphens_new(0))
        pango_layout_set_attributes(layout, attributes)
        if let wrap { pango_layout_set_width(layout, Int32(wrap * Double(PANGO_SCALE))) }
        pango_layout_set_text(layout, text, Int32(text.utf8.count))
        return (0..<pango_layout_get_line_count(layout)).map { index in
            var logical = PangoRectangle()
            pango_layout_line_get_extents(
                pango_layout_get_line_readonly(layout, index), nil, &logical)
            return Double(logical.width) / Double(PANGO_SCALE)
        }
    }

    @Test("the advances of each line add up to Pango's extents", arguments: texts)
    func advances(text: String) throws {
        let layout = try TestTypesetter().layout([text])
        let expected = widths(text, wrap: nil)
        let lines = layout.blocks[0].lines
        #expect(lines.count == expected.count)
        for (index, width) in expected.enumerated() {
            let sum = layout.glyphs.filter { $0.line == index }.reduce(0) { $0 + $1.rect.width }
            #expect(abs(sum - width) < 0.05)
            #expect(abs(lines[index].rect.width - width) < 0.05)
        }
    }

    @Test("wrapped lines are Pango's too", arguments: texts)
    func wrapping(text: String) throws {
        let layout = try TestTypesetter().layout(
            [text], canvas: TestTypesetter.canvas(width: 150, padding: 0))
        let expected = widths(text, wrap: 150)
        #expect(layout.blocks[0].lines.count == expected.count)
        // Of several spaces at the end of a line Pango takes the room of one only.
        guard !text.contains("  ") else { return }
        for (line, width) in zip(layout.blocks[0].lines, expected) {
            #expect(abs(line.rect.width - width) < 0.05)
        }
    }

    /// Pango puts what does not fit on a line where no line can end before it.
    @Test(
        "a line is wider than the width where Pango's is, and as much", arguments: [10.0, 45, 75],
        [
            "aaaaaaaaaaaaaaaa", "office fflach", "हिन्दी क्षत्रिय", "தமிழ் எழுத்து", "السلام عليكم",
            "日本語と漢字", "a\u{20DD}b ab\u{20DD}",
        ])
    func overflow(width: Double, text: String) throws {
        let layout = try TestTypesetter().layout(
            [text], canvas: TestTypesetter.canvas(width: width, padding: 0))
        let expected = widths(text, wrap: width)
        let lines = layout.blocks[0].lines
        #expect(lines.count == expected.count)
        for (index, (line, expected)) in zip(lines, expected).enumerated() {
            #expect(abs(line.rect.width - expected) < 0.05)
            let last = layout.glyphs.last { $0.line == index && $0.rect.width > 0 }
            #expect(line.rect.width - (last?.rect.width ?? 0) <= width)
        }
    }
}
