import Bytes
import CPango
import Glibc
import Motion
import Raster
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

/// Cuts texts into paragraphs and items, and shapes these with unhinted, sub-pixel metrics.
///
/// Pango never gets a width: with one it breaks lines itself, and ends the process where its
/// conditions contradict each other (`process_line`, Pango 1.50). Without a `PangoLayout` items are
/// shaped once for any number of widths, and nothing is done per attribute and run.
struct TextShaper: ~Copyable {
    private let context: OpaquePointer

    /// The number of fonts that itemisation may load in one call.
    private static let fontsOfOneCall = 8

    init(_ map: borrowing FontMap) throws(LibraryFault) {
        guard let context = pango_font_map_create_context(map.pointer) else { throw .memory }
        let description = pango_font_description_new()
        defer { pango_font_description_free(description) }
        guard let font = pango_context_load_font(context, description) else {
            g_object_unref(UnsafeMutableRawPointer(context))
            throw .font(nil)
        }
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
        pango_context_set_base_dir(context, PANGO_DIRECTION_LTR)
        self.context = context
    }

    deinit { g_object_unref(UnsafeMutableRawPointer(context)) }

    /// Returns the paragraphs of a text, shaped, and the words that no font draws whole.
    ///
    /// - Throws: `TypesettingError.library` when a font could not be chosen or opened,
    ///   `TypesettingError.deadline`.
    func paragraphs(
        of text: StyledText, _ segments: SegmentedText, _ boundaries: TextBoundaries,
        _ choices: FamilyChoices, _ library: FontLibrary, _ deadline: WorkDeadline
    ) throws(TypesettingError) -> (all: [ShapedParagraph], torn: [WordFonts.TornWord]) {
        setLanguage(of: text.base)
        let hidden = segments.isASCII ? [] : library.strangePrivateUse(in: text, choices)
        let logical = LogicalText(text.text, lineEnds: boundaries.lineEnds, hiding: hidden)
        var attributes = AttributeLists(text, choices)
        if attributes.fontCount > Self.fontsOfOneCall { try load(text, choices, deadline) }
        var passages = try passages(of: logical, attributes, deadline)
        var torn: [WordFonts.TornWord] = []
        if !segments.isASCII {
            let words = try WordFonts(of: text, logical, passages, choices, library, deadline) {
                letters, span throws(TypesettingError) in
                try family(with: letters, for: text.spans[span].style.type, choices[ofSpan: span])
            }
            torn = words.torn
            if !words.choices.isEmpty {
                try load(words.choices, library, deadline)
                attributes = AttributeLists(text, choices, words.choices)
                passages = try self.passages(of: logical, attributes, deadline)
            }
        }
        let borders = text.colorBorders
        var paragraphs: [ShapedParagraph] = []
        var character = 0
        for passage in passages {
            attributes.addFeatures(to: passage.items)
            var paragraph = try ShapedParagraph(
                passage, of: logical, segments, from: character,
                isWrapped: boundaries.isWrapped, deadline)
            do throws(LibraryFault) {
                try paragraph.takeLigaturesApart(at: borders)
            } catch {
                throw .library(error)
            }
            paragraphs.append(paragraph)
            character = paragraph.characters.upperBound + 1
        }
        return (paragraphs, torn)
    }

    /// Cuts a text into paragraphs, and these into items.
    private func passages(
        of logical: LogicalText, _ attributes: borrowing AttributeLists, _ deadline: WorkDeadline
    ) throws(TypesettingError) -> [Passage] {
        var passages: [Passage] = []
        // A paragraph without a letter has the direction of the one before it; the first one has
        // the direction of the first paragraph with a letter.
        var direction = titlecard_find_base_direction(logical.start, Int32(logical.length))
        if direction == PANGO_DIRECTION_NEUTRAL { direction = PANGO_DIRECTION_LTR }
        var bytes = 0
        while true {
            let end = logical.endOfParagraph(from: bytes)
            let own = titlecard_find_base_direction(logical.start + bytes, Int32(end - bytes))
            if own != PANGO_DIRECTION_NEUTRAL { direction = own }
            try deadline.look()
            let items = pango_itemize_with_base_dir(
                context, direction, logical.start, Int32(bytes), Int32(end - bytes),
                attributes.itemization, attributes.iterator)
            passages.append(
                Passage(
                    bytes: bytes..<end,
                    direction: direction == PANGO_DIRECTION_RTL ? .rightToLeft : .leftToRight,
                    items: ItemList(items)))
            guard end < logical.length else { return passages }
            bytes = end + 1
        }
    }

    /// Loads the fonts of words one by one, so that itemisation finds them loaded.
    private func load(
        _ words: [WordFonts.Choice], _ library: FontLibrary, _ deadline: WorkDeadline
    ) throws(TypesettingError) {
        var known: Set<FontQuery> = []
        for word in words where known.insert(word.style.font).inserted {
            library.note(word.style.font)
            g_object_unref(try fonts(of: FontDescription(word.style)))
            try deadline.look()
        }
    }

    /// Returns the family of the first font that has all of some characters, in the order in which fonts
    /// are looked for in a style; nil if none has.
    private func family(
        with characters: Set<UInt32>, for style: TypeStyle, _ choice: FamilyChoice
    ) throws(TypesettingError) -> String? {
        let fonts = try fonts(of: FontDescription(style, choice))
        defer { g_object_unref(UnsafeMutableRawPointer(fonts)) }
        var search = (characters: characters, family: String?.none)
        withUnsafeMutablePointer(to: &search) { search in
            pango_fontset_foreach(
                fonts,
                { _, font, search in
                    typealias Search = (characters: Set<UInt32>, family: String?)
                    guard let font, let search = search?.assumingMemoryBound(to: Search.self),
                        search.pointee.characters.allSatisfy({
                            pango_font_has_char(font, $0) != 0
                        })
                    else { return 0 }
                    search.pointee.family = FontPattern(font).string(FC_FAMILY)
                    return 1
                }, search)
        }
        return search.family
    }

    /// Returns the fonts that answer a query, in their order; the caller releases them.
    private func fonts(
        of description: borrowing FontDescription
    ) throws(TypesettingError) -> UnsafeMutablePointer<PangoFontset> {
        guard
            let fonts = pango_font_map_load_fontset(
                pango_context_get_font_map(context), context, description.pointer,
                pango_context_get_language(context))
        else { throw .library(.font(nil)) }
        return fonts
    }

    private func setLanguage(of style: TypeStyle) {
        let name = FontLanguage.name(for: style.language)
        pango_context_set_language(context, pango_language_from_string(name))
    }

    /// Loads the fonts of a text with many one by one, so that itemisation finds them loaded: each
    /// takes fontconfig milliseconds, and it would load them all in one call.
    private func load(
        _ text: StyledText, _ choices: FamilyChoices, _ deadline: WorkDeadline
    ) throws(TypesettingError) {
        var start = text.text.utf8.startIndex
        var offset = 0
        for (index, span) in text.spans.enumerated() {
            let end = text.text.utf8.index(start, offsetBy: span.end - offset)
            let fonts = try fonts(
                of: FontDescription(span.style.type, choices[ofSpan: index]))
            defer { g_object_unref(UnsafeMutableRawPointer(fonts)) }
            try deadline.look()
            for scalar in text.text[start..<end].unicodeScalars where !scalar.isASCII {
                if let font = pango_fontset_get_font(fonts, scalar.value) {
                    g_object_unref(UnsafeMutableRawPointer(font))
                }
                try deadline.look(every: 16)
            }
            (start, offset) = (end, span.end)
        }
    }

    /// Returns the font of a style for text without characters, such as an empty line.
    ///
    /// - Throws: `LibraryFault.font` when there is none or it could not be opened.
    func face(
        for style: TypeStyle, _ library: FontLibrary
    ) throws(LibraryFault) -> FontFace {
        setLanguage(of: style)
        let choice = library.choice(of: ByteString(style.families))
        let description = FontDescription(style, choice)
        guard let font = pango_context_load_font(context, description.pointer) else {
            throw .font(nil)
        }
        defer { g_object_unref(UnsafeMutableRawPointer(font)) }
        return try library.face(of: font)
    }
}

/// A query for the font map.
private struct FontDescription: ~Copyable {
    let pointer: OpaquePointer

    /// - Parameters:
    ///   - style: The style.
    ///   - choice: The choice for its list of families.
    init(_ style: TypeStyle, _ choice: FamilyChoice) {
        self.init(style, choice.list, weight: style.weight ?? choice.usualWeight)
    }

    /// - Parameter style: A style with families as fonts are looked for by.
    init(_ style: TypeStyle) {
        self.init(style, style.families, weight: style.weight ?? FamilyChoice.regular)
    }

    private init(_ style: TypeStyle, _ families: String, weight: Int) {
        pointer = pango_font_description_new()
        // Never parsed as a description: "Sans Bold 900" is a family's name like any other.
        pango_font_description_set_family(pointer, families)
        pango_font_description_set_absolute_size(pointer, style.size * Double(PANGO_SCALE))
        pango_font_description_set_weight(pointer, PangoWeight(UInt32(weight)))
        pango_font_description_set_style(
            pointer, style.isItalic ? PANGO_STYLE_ITALIC : PANGO_STYLE_NORMAL)
        let coordinates = Self.coordinates(of: style, weight: weight)
        if !coordinates.isEmpty { pango_font_description_set_variations(pointer, coordinates) }
    }

    /// Returns the coordinates of variable fonts, of which later ones take precedence over earlier
    /// ones.
    private static func coordinates(of style: TypeStyle, weight: Int) -> String {
        // On the way through fontconfig's scale, a weight between the hundreds is rounded.
        guard !weight.isMultiple(of: 100) else { return style.variations }
        return "wght=\(weight)" + (style.variations.isEmpty ? "" : "," + style.variations)
    }

    deinit { pango_font_description_free(pointer) }
}

/// The attributes that decide the fonts, spacing and features of a text's spans.
private struct AttributeLists: ~Copyable {
    /// Fonts and letter spacing, at whose borders items end.
    let itemization: OpaquePointer?
    let iterator: OpaquePointer?
    /// Iterates over the features, which apply to parts of items; nil if there are none.
    private let featureIterator: OpaquePointer?
    let fontCount: Int
    private let features: OpaquePointer?

    /// Takes the styles of a text, the choices for its lists of families, and the fonts of words.
    init(
        _ text: StyledText, _ choices: FamilyChoices, _ words: [WordFonts.Choice] = []
    ) {
        let base = text.spans[0].style.type
        let itemization = pango_attr_list_new()
        let hasFeatures = text.spans.contains { !$0.style.allFeatures.isEmpty }
        let features = hasFeatures ? pango_attr_list_new() : nil
        func insert(
            _ attribute: UnsafeMutablePointer<PangoAttribute>?, _ range: Range<Int>,
            into list: OpaquePointer?
        ) {
            guard let attribute else { return }
            attribute.pointee.start_index = UInt32(range.lowerBound)
            attribute.pointee.end_index = UInt32(range.upperBound)
            pango_attr_list_insert(list, attribute)
        }
        let description = FontDescription(base, choices[ofSpan: 0])
        // By default it is of the whole text.
        pango_attr_list_insert(itemization, pango_attr_font_desc_new(description.pointer))
        var start = 0
        for (index, span) in text.spans.enumerated() {
            let range = start..<span.end
            let type = span.style.type
            if type.font != base.font {
                let description = FontDescription(type, choices[ofSpan: index])
                insert(pango_attr_font_desc_new(description.pointer), range, into: itemization)
            }
            if type.letterSpacing != 0 {
                let spacing = Int32(type.letterSpacing * Double(PANGO_SCALE))
                insert(pango_attr_letter_spacing_new(spacing), range, into: itemization)
            }
            let list = span.style.allFeatures
            if !list.isEmpty { insert(pango_attr_font_features_new(list), range, into: features) }
            start = span.end
        }
        for word in words {
            let description = FontDescription(word.style)
            insert(
                pango_attr_font_desc_new(description.pointer), word.bytes, into: itemization)
        }
        for placed in text.pictures {
            let type = text.style(at: placed.offset).type
            let width = Int32(placed.width(size: type.size) * Double(PANGO_SCALE))
            var box = PangoRectangle(x: 0, y: 0, width: width, height: 0)
            insert(pango_attr_shape_new(&box, &box), placed.range, into: itemization)
            // It stands in the text's own font, whether or not the font has its character.
            insert(pango_attr_fallback_new(0), placed.range, into: itemization)
        }
        fontCount = text.spans.count > 1 ? Set(text.spans.map(\.style.type.font)).count : 1
        self.itemization = itemization
        self.features = features
        iterator = pango_attr_list_get_iterator(itemization)
        featureIterator = features.map { pango_attr_list_get_iterator($0) }
    }

    /// Adds the features to the items of the next paragraph.
    func addFeatures(to items: ItemList) {
        guard let featureIterator else { return }
        items.forEach { pango_item_apply_attrs($0, featureIterator) }
    }

    deinit {
        pango_attr_iterator_destroy(iterator)
        pango_attr_list_unref(itemization)
        if let featureIterator { pango_attr_iterator_destroy(featureIterator) }
        if let features { pango_attr_list_unref(features) }
    }
}

/// Stands in for Pango's measuring of glyphs.
///
/// Pango measures every glyph of a layout by cairo, although nobody asks for it. cairo 1.16 opens
/// and closes FreeType's faces for all threads at once without a common lock
/// (`_cairo_ft_unscaled_font_lock_face`), which ends the process when two threads use more than ten
/// fonts; and it takes a third of a layout's time. The advances come from HarfBuzz, so only the
/// width of a character that no font has depends on these measures here.
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
            // The metrics of no font, which are constants.
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
