package import Motion

/// How a block's text is set, from the request.
package struct TypeStyle: Hashable, Sendable {
    /// A family, or several separated by commas.
    package var families: String
    /// CSS pixels in one em.
    package var size: Double
    /// 100…1000.
    package var weight: Int
    package var isItalic: Bool
    /// CSS pixels between graphemes, half to each neighbour.
    package var letterSpacing: Double
    /// The height of a glyph's box in multiples of `size`.
    package var lineHeight: Double
    package var color: Color

    package init(
        families: String, size: Double, weight: Int, isItalic: Bool, letterSpacing: Double,
        lineHeight: Double, color: Color
    ) {
        self.families = families
        self.size = size
        self.weight = weight
        self.isItalic = isItalic
        self.letterSpacing = letterSpacing
        self.lineHeight = lineHeight
        self.color = color
    }
}

/// How a stretch of a block is set: the block's style, and what only markup can say.
package struct SpanStyle: Hashable, Sendable {
    package enum Underline: String, CaseIterable, Sendable {
        case none, single, double, low
    }

    package var type: TypeStyle
    /// CSS pixels above the baseline.
    package var rise = 0.0
    /// OpenType features in CSS syntax; empty for the font's own.
    package var features = ""
    package var underline = Underline.none
    package var isStruckThrough = false
    /// False where markup gave a colour.
    package var hasBlockColor = true

    /// Whether lines are drawn along the text.
    var isDecorated: Bool { underline != .none || isStruckThrough }

    package init(_ type: TypeStyle) {
        self.type = type
    }
}

/// Text whose stretches have styles.
package struct StyledText: Equatable, Sendable {
    package struct Span: Equatable, Sendable {
        /// UTF-8 offset at which it ends; it begins where the one before ends.
        package var end: Int
        package var style: SpanStyle
    }

    /// Normalised, without markup.
    package let text: String
    /// At least one; the last ends with the text.
    package let spans: [Span]
    /// The block's own style.
    package let base: TypeStyle

    /// Text in one style.
    package init(
        plain text: String, style: TypeStyle
    ) throws(TypesettingError) {
        let text = try TextNormalizer.normalized(text)
        try self.init(
            text: text, spans: [Span(end: text.utf8.count, style: SpanStyle(style))], base: style)
    }

    init(text: String, spans: [Span], base: TypeStyle) throws(TypesettingError) {
        guard text.unicodeScalars.contains(where: { !$0.properties.isWhitespace }) else {
            throw .blank
        }
        self.text = text
        self.spans = spans
        self.base = base
    }

    /// The number of grapheme clusters; O(n).
    package var graphemeCount: Int { text.count }
}
