import CPango

/// The space between graphemes, half to each neighbour.
struct LetterSpacing {
    /// In Pango's units; 0 for none.
    let amount: Int

    /// The halves in Pango's units.
    private var sides: (left: Int, right: Int) {
        // Whole pixels are divided into whole pixels, as in `distribute_letter_spacing`.
        let unit = Int(PANGO_SCALE)
        var left = amount / 2
        if amount & (unit - 1) == 0 { left = (left + unit / 2) & ~(unit - 1) }
        return (left, amount - left)
    }

    /// Adds the space at both sides of each grapheme, and notes the space at the ends of the
    /// string.
    ///
    /// Characters that shaping keeps together are one grapheme here, and a mark belongs to the
    /// character before it, even where UAX 29 makes it a grapheme (U+102C).
    /// `pango_glyph_item_letter_space` spaces clusters, and tears graphemes apart: its clusters are
    /// single characters where possible.
    ///
    /// - Parameters:
    ///   - glyphs: The glyphs of a part of an item.
    ///   - bytes: The UTF-8 offsets of that part.
    ///   - text: The text that it is a part of.
    ///   - isRightToLeft: The direction of the item.
    func add(
        to glyphs: GlyphString, of bytes: Range<Int>, in text: SegmentedText, isRightToLeft: Bool
    ) {
        let sides = sides
        var first = 0
        var isAtStart = true
        while first < glyphs.count {
            let start = bytes.lowerBound + glyphs.cluster(of: first)
            var (lowest, last) = (start, first + 1)
            while last < glyphs.count {
                let next = bytes.lowerBound + glyphs.cluster(of: last)
                // The border between two glyphs is the start of the later one in the text.
                let border = isRightToLeft ? lowest : next
                guard next == lowest || !Self.isBorder(border, in: text) else { break }
                (lowest, last) = (next, last + 1)
            }
            let end =
                isRightToLeft
                ? first == 0 ? bytes.upperBound : bytes.lowerBound + glyphs.cluster(of: first - 1)
                : last == glyphs.count
                    ? bytes.upperBound : bytes.lowerBound + glyphs.cluster(of: last)
            let grapheme = min(start, lowest)..<end
            // The hyphen at a line's end stands for no character of the text.
            if grapheme.isEmpty || Self.isSpaced(Self.base(of: grapheme, in: text)) {
                let begins = Self.isBorder(grapheme.lowerBound, in: text)
                let ends = Self.isBorder(grapheme.upperBound, in: text)
                let (atLeft, atRight) = isRightToLeft ? (ends, begins) : (begins, ends)
                let (left, right) = (atLeft ? sides.left : 0, atRight ? sides.right : 0)
                glyphs.addSpace(left: left, right: right, around: first..<last)
                if isAtStart { glyphs.spacing.left = left }
                glyphs.spacing.right = right
                isAtStart = false
            } else if glyphs.hasRoom(first..<last) {
                glyphs.spacing.right = 0
                isAtStart = false
            }
            first = last
        }
    }

    /// Returns true at the end of the text, and before a grapheme that does not begin with a mark.
    private static func isBorder(_ offset: Int, in text: SegmentedText) -> Bool {
        text.isGraphemeBoundary(offset) && !(text.character(at: offset)?.isMark ?? false)
    }

    /// Returns the first character of the grapheme that a part of the text belongs to.
    private static func base(of part: Range<Int>, in text: SegmentedText) -> Unicode.Scalar {
        var start = part.lowerBound
        while start > 0, !isBorder(start, in: text) { start -= 1 }
        return text.character(at: start) ?? "\u{FFFD}"
    }

    /// Returns true if there is space beside a grapheme with a base: it draws something, and does not
    /// join its neighbours.
    private static func isSpaced(_ base: Unicode.Scalar) -> Bool {
        guard !base.isASCII else { return true }
        return !base.properties.isDefaultIgnorableCodePoint && JoiningScript(of: base) == nil
    }
}

extension GlyphString {
    fileprivate func hasRoom(_ glyphs: Range<Int>) -> Bool {
        glyphs.contains { self[$0].geometry.width != 0 }
    }

    /// Adds room at the sides of neighbouring glyphs; glyphs without width, such as marks, stay
    /// where they are beside the others.
    fileprivate func addSpace(left: Int, right: Int, around glyphs: Range<Int>) {
        let first = glyphs.first { self[$0].geometry.width != 0 } ?? glyphs.lowerBound
        let last = glyphs.last { self[$0].geometry.width != 0 } ?? glyphs.upperBound - 1
        for index in glyphs.lowerBound...first {
            self[index].geometry.x_offset += Int32(left)
        }
        self[first].geometry.width += Int32(left)
        for index in glyphs where index > last {
            self[index].geometry.x_offset -= Int32(right)
        }
        self[last].geometry.width += Int32(right)
    }
}
