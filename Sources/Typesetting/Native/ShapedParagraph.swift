import CPango
import Motion
import Raster

/// A paragraph cut into items of one font, script and direction, and shaped as if it were one line.
///
/// Any number of widths may be asked for its lines: where a line ends inside an item, the parts are
/// shaped anew, and the item stays.
struct ShapedParagraph {
    /// A part of an item.
    struct Piece: Hashable {
        /// Index into `items`.
        var item: Int
        /// UTF-8 offsets into the text.
        var bytes: Range<Int>
        /// Offsets into the text in characters.
        var characters: Range<Int>
        /// True if a hyphen is added at its end.
        var endsWithHyphen = false
    }

    let text: LogicalText
    private let segments: SegmentedText
    /// UTF-8 offsets into the text, without the line break.
    let bytes: Range<Int>
    /// Offsets into the text in characters.
    let characters: Range<Int>
    let direction: Direction
    /// In the order of the text.
    private var items: [Item]

    /// An item as Pango cuts it, with its glyphs.
    private final class Item {
        let pointer: UnsafeMutablePointer<PangoItem>
        let font: UnsafeMutablePointer<PangoFont>
        let piece: Piece
        let letterSpacing: LetterSpacing
        /// True if letter spacing turns its ligatures off.
        let isWithoutLigatures: Bool
        /// The width of the picture that it is, in Pango's units; nil for characters of a font.
        let pictureWidth: Int32?
        /// The glyphs of the whole item.
        var glyphs: GlyphString?

        init(
            _ pointer: UnsafeMutablePointer<PangoItem>, _ piece: Piece
        ) throws(LibraryFault) {
            guard let font = pointer.pointee.analysis.font else {
                pango_item_free(pointer)
                throw .font(nil)
            }
            self.pointer = pointer
            self.font = font
            self.piece = piece
            let attributes = ExtraAttributes(of: pointer)
            letterSpacing = LetterSpacing(amount: attributes.letterSpacing)
            isWithoutLigatures = attributes.isWithoutLigatures
            pictureWidth = attributes.pictureWidth
        }

        deinit { pango_item_free(pointer) }

        /// The scripts whose ligatures are not made across a change of colour, for their letters stand apart
        /// otherwise; with the signs between words, which belong to no script.
        private static let scripts = [
            G_UNICODE_SCRIPT_LATIN, G_UNICODE_SCRIPT_GREEK, G_UNICODE_SCRIPT_CYRILLIC,
            G_UNICODE_SCRIPT_ARMENIAN, G_UNICODE_SCRIPT_GEORGIAN, G_UNICODE_SCRIPT_COMMON,
        ].map { UInt8($0.rawValue) }

        /// Returns the places among some at which a ligature joins the characters at both sides.
        func cuts(at borders: [Int], in text: SegmentedText) -> [Int] {
            let own = borders.filter { piece.bytes.lowerBound < $0 && $0 < piece.bytes.upperBound }
            guard !own.isEmpty, Self.scripts.contains(pointer.pointee.analysis.script), let glyphs
            else { return [] }
            var clusters: [Int: [UInt32]] = [:]
            for index in 0..<glyphs.count {
                let start = piece.bytes.lowerBound + glyphs.cluster(of: index)
                clusters[start, default: []].append(glyphs[index].glyph)
            }
            return own.filter { border in
                guard text.isGraphemeBoundary(border) else { return false }
                guard let behind = clusters[border] else { return true }
                // Fonts for code draw `->` as the glyph of one, and leave the glyph of the other
                // empty.
                let start = text.graphemeStart(before: border)
                return isEmptied(behind, border, text)
                    || isEmptied(clusters[start] ?? [], start, text)
            }
        }

        /// Returns true if glyphs draw nothing though the character at an offset is seen.
        private func isEmptied(_ glyphs: [UInt32], _ offset: Int, _ text: SegmentedText) -> Bool {
            guard let character = text.character(at: offset), character.isSeen else { return false }
            let font = pango_font_get_hb_font(font)
            return glyphs.allSatisfy { glyph in
                var extents = hb_glyph_extents_t()
                return hb_font_get_glyph_extents(font, glyph, &extents) != 0 && extents.width == 0
            }
        }

        /// Returns the item in parts that end at some places, and are numbered from a number on.
        func cut(
            at cuts: [Int], in text: LogicalText, numberedFrom number: Int
        ) throws(LibraryFault) -> [Item] {
            guard !cuts.isEmpty || number != piece.item else { return [self] }
            var rest = self
            var parts: [Item] = []
            for cut in cuts {
                let whole = rest.piece
                let start = whole.bytes.lowerBound
                let count = text.characters(in: start..<cut).unicodeScalars.count
                let middle = whole.characters.lowerBound + count
                guard let second = pango_item_copy(rest.pointer),
                    let first = pango_item_split(second, Int32(cut - start), Int32(count))
                else { throw .memory }
                parts.append(
                    try Item(
                        first,
                        Piece(
                            item: number + parts.count, bytes: start..<cut,
                            characters: whole.characters.lowerBound..<middle)))
                rest = try Item(
                    second,
                    Piece(
                        item: number + parts.count, bytes: cut..<whole.bytes.upperBound,
                        characters: middle..<whole.characters.upperBound))
            }
            if cuts.isEmpty { rest = try renumbered(number) }
            return parts + [rest]
        }

        private func renumbered(_ number: Int) throws(LibraryFault) -> Item {
            guard let copy = pango_item_copy(pointer) else { throw .memory }
            var piece = piece
            piece.item = number
            let item = try Item(copy, piece)
            item.glyphs = glyphs
            return item
        }
    }

    /// Takes the items of a passage, and shapes them.
    ///
    /// - Parameters:
    ///   - passage: The passage; its items are taken away.
    ///   - text: The whole text.
    ///   - segments: The same in graphemes.
    ///   - character: The offset of the passage in characters.
    ///   - isWrapped: True if its lines may end at other places than its own end.
    ///   - deadline: The end of the work.
    /// - Throws: `TypesettingError.library`, `TypesettingError.deadline`.
    init(
        _ passage: Passage, of text: LogicalText, _ segments: SegmentedText, from character: Int,
        isWrapped: Bool, _ deadline: WorkDeadline
    ) throws(TypesettingError) {
        self.text = text
        self.segments = segments
        bytes = passage.bytes
        direction = passage.direction
        let list = passage.items.take()
        var items: [Item] = []
        var end = character
        do throws(LibraryFault) {
            var next = list
            defer {
                while let node = next {
                    pango_item_free(node.pointee.data?.assumingMemoryBound(to: PangoItem.self))
                    next = node.pointee.next
                }
                g_list_free(list)
            }
            while let node = next {
                next = node.pointee.next
                guard let item = node.pointee.data?.assumingMemoryBound(to: PangoItem.self) else {
                    continue
                }
                let offset = Int(item.pointee.offset)
                let count = Int(item.pointee.num_chars)
                let piece = Piece(
                    item: items.count, bytes: offset..<offset + Int(item.pointee.length),
                    characters: end..<end + count)
                end += count
                items.append(try Item(item, piece))
            }
        } catch {
            throw .library(error)
        }
        characters = character..<end
        self.items = items
        // Nothing else asks for them: no hyphen is added at the end of ASCII.
        if isWrapped || !text.isASCII {
            try findBreaks(deadline)
        }
        for item in items {
            item.glyphs = try TypesettingError.catching { () throws(LibraryFault) in
                try shape(item.piece)
            }
            try deadline.look(every: 16)
        }
    }

    /// Cuts items where their colour changes within a ligature; `borders` are the UTF-8 offsets, in
    /// their order, at which the text's colour changes.
    ///
    /// - Throws: `LibraryFault.font`, `LibraryFault.memory`.
    mutating func takeLigaturesApart(at borders: [Int]) throws(LibraryFault) {
        guard !borders.isEmpty else { return }
        var parts: [Item] = []
        for item in items {
            let cuts = item.cuts(at: borders, in: segments)
            parts += try item.cut(at: cuts, in: text, numberedFrom: parts.count)
        }
        items = parts
        for item in items where item.glyphs == nil { item.glyphs = try shape(item.piece) }
    }

    /// Finds where lines may end, and the graphemes.
    private func findBreaks(_ deadline: WorkDeadline) throws(TypesettingError) {
        // With the line break, which decides whether a line may end before it.
        let delimited = min(bytes.upperBound + 1, text.length) - bytes.lowerBound
        pango_default_break(
            text.start + bytes.lowerBound, Int32(delimited), nil,
            text.attributes + characters.lowerBound,
            Int32(text.characterCount - characters.lowerBound + 1))
        // Pango would cut Thai into words by libthai. ICU does that here, as for Lao, Khmer and
        // Burmese.
        for item in items
        where item.pointer.pointee.analysis.script != UInt8(PANGO_SCRIPT_THAI.rawValue) {
            pango_tailor_break(
                text.start + item.piece.bytes.lowerBound, Int32(item.piece.bytes.count),
                &item.pointer.pointee.analysis, -1,
                text.attributes + item.piece.characters.lowerBound,
                Int32(item.piece.characters.count + 1))
            try deadline.look(every: 16)
        }
        text.setLineEnds(of: characters)
    }

    /// The items whole, in the order of the text.
    var pieces: [Piece] { items.map(\.piece) }

    /// Returns the glyphs of a part of an item.
    func glyphs(of piece: Piece) throws(LibraryFault) -> GlyphString {
        let item = items[piece.item]
        if piece == item.piece, let glyphs = item.glyphs { return glyphs }
        return try shape(piece)
    }

    /// Returns the font of a part of an item, which is valid as long as the paragraph.
    func font(of piece: Piece) -> ChosenFont { ChosenFont(pointer: items[piece.item].font) }

    /// Returns Pango's number of the script (UAX 24); characters of all scripts have their
    /// neighbours'.
    func script(of piece: Piece) -> UInt8 { items[piece.item].pointer.pointee.analysis.script }

    /// The embedding level (UAX 9); odd from right to left.
    func level(of piece: Piece) -> Int { Int(items[piece.item].pointer.pointee.analysis.level) }

    /// Returns the glyphs of a part of an item as its font at an instance draws them.
    func glyphs(of piece: Piece, at instance: ShapeStore) throws(LibraryFault) -> InstanceGlyphs {
        try InstanceGlyphs(
            of: text, piece.bytes, items[piece.item].pointer.pointee.analysis,
            isWithoutLigatures: items[piece.item].isWithoutLigatures, at: instance)
    }

    /// Returns the glyphs of a part of an item from left to right, each with its first character,
    /// without the glyphs of characters that draw nothing.
    func characterGlyphs(
        of piece: Piece, _ shapes: ShapeStore
    ) throws(LibraryFault) -> [InstanceGlyphs.Glyph] {
        try InstanceGlyphs(
            of: text, piece.bytes, items[piece.item].pointer.pointee.analysis,
            isWithoutLigatures: items[piece.item].isWithoutLigatures, at: shapes,
            keepsCharacters: true
        ).glyphs
    }

    /// Returns the width of each character in Pango's units; the characters of a cluster have equal
    /// widths.
    func characterWidths(of piece: Piece, _ glyphs: GlyphString) -> [Int32] {
        var item = pangoItem(of: piece)
        return withUnsafeMutablePointer(to: &item) { item in
            var run = PangoGlyphItem()
            run.item = item
            run.glyphs = glyphs.pointer
            var widths = [Int32](repeating: 0, count: piece.characters.count)
            pango_glyph_item_get_logical_widths(&run, text.start, &widths)
            return widths
        }
    }

    /// Returns the sum of the widths of all characters before each, and of all, in Pango's units: an
    /// approximation, since clusters change where lines end.
    func offsets() throws(LibraryFault) -> [Int] {
        var offsets = [0]
        offsets.reserveCapacity(characters.count + 1)
        for piece in pieces {
            for width in characterWidths(of: piece, try glyphs(of: piece)) {
                offsets.append((offsets.last ?? 0) + Int(width))
            }
        }
        return offsets
    }

    /// Returns the width of the hyphen that a line's end may need, in Pango's units.
    func hyphenWidth(of piece: Piece) -> Int {
        let font = pango_font_get_hb_font(items[piece.item].font)
        var glyph: hb_codepoint_t = 0
        let hyphens: [hb_codepoint_t] = [0x2010, 0x2D]
        guard hyphens.contains(where: { hb_font_get_nominal_glyph(font, $0, &glyph) != 0 }) else {
            return 0
        }
        return Int(hb_font_get_glyph_h_advance(font, glyph))
    }

    /// Shapes a part of an item, with letter spacing around every grapheme.
    private func shape(_ piece: Piece) throws(LibraryFault) -> GlyphString {
        let glyphs = try GlyphString()
        let attributes = text.attributes + piece.characters.lowerBound
        let spacing = items[piece.item].letterSpacing
        let pictureWidth = items[piece.item].pictureWidth
        var item = pangoItem(of: piece)
        if let pictureWidth {
            glyphs.setEmpty(width: pictureWidth)
        } else {
            pango_shape_item(
                &item, text.start, Int32(text.length), attributes, glyphs.pointer,
                PANGO_SHAPE_NONE)
        }
        guard glyphs.count > 0 else { throw .font(nil) }
        if spacing.amount != 0 {
            spacing.add(
                to: glyphs, of: piece.bytes, in: segments,
                isRightToLeft: item.analysis.level & 1 == 1)
        }
        return glyphs
    }

    private func pangoItem(of piece: Piece) -> PangoItem {
        var item = items[piece.item].pointer.pointee
        item.offset = Int32(piece.bytes.lowerBound)
        item.length = Int32(piece.bytes.count)
        item.num_chars = Int32(piece.characters.count)
        let hyphen = UInt8(PANGO_ANALYSIS_FLAG_NEED_HYPHEN)
        if piece.endsWithHyphen {
            item.analysis.flags |= hyphen
        } else {
            item.analysis.flags &= ~hyphen
        }
        // Pango's own field after the structure is not copied.
        item.analysis.flags &= ~Self.hasCharacterOffset
        return item
    }

    /// `PANGO_ANALYSIS_FLAG_HAS_CHAR_OFFSET`, which is private.
    private static let hasCharacterOffset: UInt8 = 1 << 7
}

/// The attributes that Pango hands to shaping with an item.
private struct ExtraAttributes {
    /// In Pango's units.
    private(set) var letterSpacing = 0
    /// True if letter spacing turns ligatures off.
    private(set) var isWithoutLigatures = false
    /// The width of a picture, in Pango's units; nil for characters of a font.
    private(set) var pictureWidth: Int32?

    /// The room in Pango's list of features, without the five that letter spacing turns off.
    private static let maximumFeatures = 32 - 5

    /// Reads the attributes of an item, and changes its attribute of letter spacing as needed.
    ///
    /// Pango keeps the attribute by which it turns ligatures off, unless no letter is spaced. It
    /// would write past its list of features: there it looks for room before these four features,
    /// not before each (`pango_analysis_collect_features`, 1.50). Contextual alternates, which draw
    /// ligatures too, are turned off as well (CSS Text 3, 8.2); features of the text's own take
    /// precedence.
    init(of item: UnsafeMutablePointer<PangoItem>) {
        var features = 0
        var next = item.pointee.analysis.extra_attrs
        var spacing: UnsafeMutablePointer<PangoAttribute>?
        while let node = next {
            next = node.pointee.next
            guard let attribute = node.pointee.data?.assumingMemoryBound(to: PangoAttribute.self)
            else { continue }
            switch attribute.pointee.klass.pointee.type {
            case PANGO_ATTR_LETTER_SPACING:
                let value = UnsafeRawPointer(attribute).load(as: PangoAttrInt.self).value
                letterSpacing = Int(value)
                spacing = attribute
            case PANGO_ATTR_SHAPE:
                let shape = UnsafeRawPointer(attribute).load(as: PangoAttrShape.self)
                pictureWidth = shape.logical_rect.width
            case PANGO_ATTR_FONT_FEATURES:
                let list = UnsafeRawPointer(attribute).load(as: PangoAttrFontFeatures.self)
                features += 1
                var character = list.features
                while let byte = character?.pointee, byte != 0 {
                    if byte == 0x2C { features += 1 }
                    character = character?.advanced(by: 1)
                }
            default: break
            }
        }
        guard let spacing else { return }
        isWithoutLigatures =
            features <= Self.maximumFeatures
            && JoiningScript(number: item.pointee.analysis.script) == nil
        if isWithoutLigatures {
            item.pointee.analysis.extra_attrs = g_slist_prepend(
                item.pointee.analysis.extra_attrs, pango_attr_font_features_new("calt=0"))
        } else {
            item.pointee.analysis.extra_attrs = g_slist_remove(
                item.pointee.analysis.extra_attrs, spacing)
            pango_attribute_destroy(spacing)
        }
    }
}

/// Glyphs in the order in which they are drawn.
///
/// Belongs to one thread.
final class GlyphString {
    let pointer: UnsafeMutablePointer<PangoGlyphString>
    /// The letter spacing at its ends, in Pango's units.
    var spacing = (left: 0, right: 0)

    /// - Throws: `LibraryFault.memory`.
    init() throws(LibraryFault) {
        guard let pointer = pango_glyph_string_new() else { throw .memory }
        self.pointer = pointer
    }

    /// - Throws: `LibraryFault.memory`.
    init(copying other: GlyphString) throws(LibraryFault) {
        guard let pointer = pango_glyph_string_copy(other.pointer) else { throw .memory }
        self.pointer = pointer
        spacing = other.spacing
    }

    deinit { pango_glyph_string_free(pointer) }

    var count: Int { Int(pointer.pointee.num_glyphs) }

    /// The sum of the advances, in Pango's units.
    var width: Int { (0..<count).reduce(0) { $0 + Int(self[$1].geometry.width) } }

    subscript(index: Int) -> PangoGlyphInfo {
        get { pointer.pointee.glyphs[index] }
        set { pointer.pointee.glyphs[index] = newValue }
    }

    /// Makes it one glyph that draws nothing, of a width in Pango's units (`_pango_shape_shape`).
    func setEmpty(width: Int32) {
        pango_glyph_string_set_size(pointer, 1)
        var glyph = PangoGlyphInfo()
        glyph.glyph = ShapedLine.Glyph.emptySymbol
        glyph.geometry.width = width
        glyph.attr.is_cluster_start = 1
        self[0] = glyph
        pointer.pointee.log_clusters[0] = 0
    }

    /// Returns the UTF-8 offset in its item of the cluster that a glyph belongs to.
    func cluster(of index: Int) -> Int { Int(pointer.pointee.log_clusters[index]) }
}
