/// The smallest thing that can move alone: a grapheme cluster, or a ligature that draws several.
package struct Glyph: Sendable {
    package enum Role: String, Sendable {
        case glyph, decoy, cursor
    }

    /// Index of the block it belongs to.
    package var block: Int
    /// Index of its line within the block.
    package var line: Int
    /// Index of its word within the block.
    package var word: Int
    package var role: Role
    /// The characters that it stands for.
    package var text: String
    /// First UTF-16 code unit of the block's text.
    package var start: Int
    /// UTF-16 code units.
    package var length: Int
    /// Whether every character of it has Unicode's property White_Space.
    package var isWhitespace: Bool
    package var color: Color
    /// Whether the colour is its block's and not one that markup gave.
    package var hasBlockColor: Bool
    /// The advance box in its final place.
    package var rect: Rect
    /// The y of its baseline in CSS pixels.
    package var baseline: Double
    /// Its font's size in CSS pixels.
    package var size: Double
    /// Of a decoy the glyph whose place it holds.
    package var standsFor: Int?
    /// What is drawn; nil for white space and invisible characters.
    package var ink: Ink?

    package init(
        block: Int, line: Int, word: Int, role: Role, text: String, start: Int, length: Int,
        isWhitespace: Bool, color: Color, hasBlockColor: Bool, rect: Rect, baseline: Double,
        size: Double, ink: Ink?
    ) {
        self.block = block
        self.line = line
        self.word = word
        self.role = role
        self.text = text
        self.start = start
        self.length = length
        self.isWhitespace = isWhitespace
        self.color = color
        self.hasBlockColor = hasBlockColor
        self.rect = rect
        self.baseline = baseline
        self.size = size
        self.ink = ink
    }
}

/// What a glyph draws at rest.
package struct Ink: Sendable {
    /// A shape, filled with the glyph's colour.
    package struct Shape: Sendable {
        /// Index into `Layout.outlines`.
        package var outline: Int
        /// Where the outline's origin goes.
        package var origin: Point
        /// CSS pixels in one font unit.
        package var scale: Double

        package init(outline: Int, origin: Point, scale: Double) {
            self.outline = outline
            self.origin = origin
            self.scale = scale
        }
    }

    /// A picture, stretched over a rectangle.
    package struct Picture: Sendable {
        /// Index into `Layout.bitmaps`.
        package var bitmap: Int
        package var rect: Rect

        package init(bitmap: Int, rect: Rect) {
            self.bitmap = bitmap
            self.rect = rect
        }
    }

    /// What a glyph draws over its shape.
    package enum Detail: Sendable {
        case picture(Picture)
        /// An underline or a strikethrough, filled with the glyph's colour.
        case line(Rect)

        package var bounds: Rect {
            switch self {
            case .picture(let picture): picture.rect
            case .line(let rect): rect
            }
        }
    }

    package var shape: Shape?
    /// In the order in which they are drawn; most glyphs have none.
    package var details: [Detail]
    /// The box of all ink in CSS pixels.
    package var bounds: Rect

    /// Whether it is drawn in one go, so that nothing in it can overlap.
    package var isOnePart: Bool { details.count + (shape == nil ? 0 : 1) == 1 }

    package init(shape: Shape?, details: [Detail], bounds: Rect) {
        self.shape = shape
        self.details = details
        self.bounds = bounds
    }
}
