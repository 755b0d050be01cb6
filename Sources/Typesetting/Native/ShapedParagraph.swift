import CPango
import Motion
import Raster

/// A paragraph cut into items of one font, script and direction, and shaped as if it were one line.
///
/// Any number of widths may be asked for its lines: where a line ends inside an item, the parts are
/// shaped anew, and the item stays.
struct ShapedParagraph {
    /// A part of an item.
    struct Piece: Equatable {
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
    /// UTF-8 offsets into the text, without the line break.
    let bytes: Range<Int>
    /// Offsets into the text in characters.
    let characters: Range<Int>
    let direction: Direction
    /// In the order of the text.
    private let items: [Item]

    /// An item as Pango cuts it, with its glyphs.
    private final class Item {
        let pointer: UnsafeMutablePointer<PangoItem>
        let font: UnsafeMutablePointer<PangoFont>
        let piece: Piece
        /// Between graphemes, in Pango's units.
        let letterSpacing: Int
        /// The width of the picture that it is, in Pango's units; nil for characters of a font.
        let pictureWidth: Int32?
        /// Those of the whole item.
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
            let attributes = ExtraAttributes(bounding: pointer)
            letterSpacing = attributes.letterSpacing
            pictureWidth = attributes.pictureWidth
        }

        deinit { pango_item_free(pointer) }
    }

    /// Takes a paragraph's items, a list of `PangoItem` that is freed; `character` is the offset of
    /// its first one, and `features` an iterator over the text's features, which moves past it.
    /// `isWrapped` is true if its lines may end at other places than its own end.
    ///
    /// - Throws: `TypesettingError.library`, `TypesettingError.deadline`.
    init(
        of text: LogicalText, bytes: Range<Int>, character: Int, direction: Direction,
        isWrapped: Bool, items list: UnsafeMutablePointer<GList>?, features: OpaquePointer?,
        _ deadline: WorkDeadline
    ) throws(TypesettingError) {
        self.text = text
        self.bytes = bytes
        self.direction = direction
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
                if let features { pango_item_apply_attrs(item, features) }
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
        if isWrapped || !text.isASCII || items.contains(where: { $0.letterSpacing != 0 }) {
            try findBreaks(deadline)
        }
        for item in items {
            item.glyphs = try TypesettingError.catching { () throws(LibraryFault) in
                try shape(item.piece)
            }
            try deadline.look(every: 16)
        }
    }

    /// Finds where lines may end, and the graphemes.
    private func findBreaks(_ deadline: WorkDeadline) throws(TypesettingError) {
        // With the line break, which decides whether a line may end before it.
        let delimited = min(bytes.upperBound + 1, text.length) - bytes.lowerBound
        pango_default_break(
            text.start + bytes.lowerBound, Int32(delimited), nil,
            text.attributes + characters.lowerBound,
            Int32(text.characterCount - characters.lowerBound + 1))
        // Pango would have libthai cut Thai into words, which ICU does as it does Lao, Khmer and Burmese.
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

    func font(of piece: Piece) -> UnsafeMutablePointer<PangoFont> { items[piece.item].font }

    /// Returns Pango's number of the script (UAX 24); characters of all scripts have their
    /// neighbours'.
    func script(of piece: Piece) -> UInt8 { items[piece.item].pointer.pointee.analysis.script }

    /// The embedding level (UAX 9); odd from right to left.
    func level(of piece: Piece) -> Int { Int(items[piece.item].pointer.pointee.analysis.level) }

    /// Returns the glyphs of a part of an item as its font at an instance draws them.
    func glyphs(of piece: Piece, at instance: ShapeStore) throws(LibraryFault) -> InstanceGlyphs {
        try InstanceGlyphs(
            of: text, piece.bytes, items[piece.item].pointer.pointee.analysis,
            hasLetterSpacing: items[piece.item].letterSpacing != 0, at: instance)
    }

    /// Returns the space between graphemes in Pango's units, and its share left of one.
    func letterSpacing(of piece: Piece) -> (left: Int, right: Int) {
        LetterSpacing(items[piece.item].letterSpacing).sides
    }

    /// Returns the width of each character in Pango's units, those of a cluster alike.
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
        withUnsafeMutablePointer(to: &item) { item in
            if let pictureWidth {
                glyphs.setEmpty(width: pictureWidth)
            } else {
                pango_shape_item(
                    item, text.start, Int32(text.length), attributes, glyphs.pointer,
                    PANGO_SHAPE_NONE)
            }
            guard spacing != 0 else { return }
            var run = PangoGlyphItem()
            run.item = item
            run.glyphs = glyphs.pointer
            pango_glyph_item_letter_space(&run, text.start, attributes, Int32(spacing))
        }
        guard glyphs.count > 0 else { throw .font(nil) }
        if spacing != 0 {
            let sides = LetterSpacing(spacing).sides
            glyphs[0].geometry.width += Int32(sides.left)
            glyphs[0].geometry.x_offset += Int32(sides.left)
            glyphs[glyphs.count - 1].geometry.width += Int32(sides.right)
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

/// The space between graphemes, half to each neighbour.
private struct LetterSpacing {
    /// In Pango's units.
    let sides: (left: Int, right: Int)

    init(_ spacing: Int) {
        // Whole pixels are divided into whole pixels, as in `distribute_letter_spacing`.
        let unit = Int(PANGO_SCALE)
        var left = spacing / 2
        if spacing & (unit - 1) == 0 { left = (left + unit / 2) & ~(unit - 1) }
        sides = (left, spacing - left)
    }
}

/// The attributes that Pango hands to shaping with an item.
private struct ExtraAttributes {
    /// In Pango's units.
    private(set) var letterSpacing = 0
    /// The width of a picture, in Pango's units; nil for characters of a font.
    private(set) var pictureWidth: Int32?

    /// The room in Pango's list of features, without the four that letter spacing turns off.
    private static let maximumFeatures = 32 - 4

    /// Reads the attributes of an item, and sees to it that Pango does not write past its list of
    /// features: there it looks for room before the four features that letter spacing turns off, not
    /// before each (`pango_analysis_collect_features`, 1.50).
    init(bounding item: UnsafeMutablePointer<PangoItem>) {
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
        if features > Self.maximumFeatures, let spacing {
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

    /// - Throws: `LibraryFault.memory`.
    init() throws(LibraryFault) {
        guard let pointer = pango_glyph_string_new() else { throw .memory }
        self.pointer = pointer
    }

    /// - Throws: `LibraryFault.memory`.
    init(copying other: GlyphString) throws(LibraryFault) {
        guard let pointer = pango_glyph_string_copy(other.pointer) else { throw .memory }
        self.pointer = pointer
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
