/// The smallest unit that can move on its own: a grapheme cluster, or a ligature that draws
/// several.
package struct Glyph: Sendable {
    /// Index of the block it belongs to.
    package var block: Int
    /// Index of its line within the block.
    package var line: Int
    /// Index of its word within the block.
    package var word: Int
    /// The characters that it represents.
    package var text: String
    /// First UTF-16 code unit of the block's text.
    package var start: Int
    /// UTF-16 code units.
    package var length: Int
    /// True if every character of it has Unicode's property White_Space.
    package var isWhitespace: Bool
    /// The paint of its shape and its lines.
    package var paint: Paint
    /// True if the paint is its block's, and not a paint of markup.
    package var hasBlockPaint: Bool
    /// The advance box at its final position.
    package var rect: Rect
    /// The y of its baseline in CSS pixels.
    package var baseline: Double
    /// Its font's size in CSS pixels.
    package var size: Double
    /// The drawing; nil for white space and invisible characters.
    package var ink: Optional<Ink>

    /// True for a picture that stands in the text.
    var isTextPicture: Bool { text.unicodeScalars.first == TextPicture.character }

    /// The colour of its paint, or its gradient's first stop.
    package var color: Color { paint.firstColor }

    package init(
        block: Int, line: Int, word: Int, text: String, start: Int, length: Int,
        isWhitespace: Bool, paint: Paint, hasBlockPaint: Bool, rect: Rect, baseline: Double,
        size: Double, ink: Ink?
    ) {
        self.block = block
        self.line = line
        self.word = word
        self.text = text
        self.start = start
        self.length = length
        self.isWhitespace = isWhitespace
        self.paint = paint
        self.hasBlockPaint = hasBlockPaint
        self.rect = rect
        self.baseline = baseline
        self.size = size
        self.ink = ink
    }
}

/// A part of a glyph in another paint, such as a vowel sign that markup colours.
package struct GlyphPart: Sendable {
    package var paint: Paint
    /// True if the paint is its block's, and not a paint of markup.
    package var hasBlockPaint: Bool
    /// The ink in coordinates from the left end of the glyph's box, on its baseline.
    private var ink: Ink

    /// Takes the ink as it lies on the canvas.
    package init(paint: Paint, hasBlockPaint: Bool, ink: Ink, of glyph: Glyph) {
        self.paint = paint
        self.hasBlockPaint = hasBlockPaint
        self.ink = ink
        self.ink.move(byX: -glyph.rect.x, y: -glyph.baseline)
    }

    /// Returns the glyph with only this part.
    func only(of glyph: Glyph) -> Glyph {
        var part = glyph
        part.paint = paint
        part.hasBlockPaint = hasBlockPaint
        part.ink = ink
        part.ink?.move(byX: glyph.rect.x, y: glyph.baseline)
        return part
    }
}

/// The drawing of a glyph at rest.
package struct Ink: Sendable {
    /// A shape, filled with the glyph's paint.
    package struct Shape: Sendable {
        /// Index into `Definitions.outlines`.
        package var outline: Int
        /// The position of the outline's origin.
        package var origin: Point
        /// CSS pixels in one font unit.
        package var scale: Double

        package init(outline: Int, origin: Point, scale: Double) {
            self.outline = outline
            self.origin = origin
            self.scale = scale
        }

        /// Returns the box of its ink in CSS pixels.
        package func bounds(in outlines: [Outline]) -> Rect {
            let box = outlines[outline].bounds
            return Rect(
                x: origin.x + box.x * scale, y: origin.y + box.y * scale,
                width: box.width * scale, height: box.height * scale)
        }
    }

    /// A picture, stretched over a rectangle.
    package struct Picture: Sendable {
        /// Index into `Definitions.bitmaps`.
        package var bitmap: Int
        package var rect: Rect
        /// True if the pixels at its sides go on to the edge of the rectangle; the pictures of
        /// glyphs fade there.
        package var isFramed: Bool

        package init(bitmap: Int, rect: Rect, isFramed: Bool = false) {
            self.bitmap = bitmap
            self.rect = rect
            self.isFramed = isFramed
        }
    }

    /// A part of a glyph's drawing over its shape.
    package enum Detail: Sendable {
        case picture(Picture)
        /// An underline or a strikethrough, filled with the glyph's paint.
        case line(Rect)

        package var bounds: Rect {
            switch self {
            case .picture(let picture): picture.rect
            case .line(let rect): rect
            }
        }
    }

    package var shape: Shape?
    /// The details in the order of drawing; most glyphs have none.
    package var details: [Detail]
    /// The box of all ink in CSS pixels.
    package var bounds: Rect

    /// True if a picture is among its details.
    package var hasPicture: Bool {
        details.contains { if case .picture = $0 { true } else { false } }
    }

    /// The bitmap of the first picture among its details.
    var firstPicture: Int? {
        for case .picture(let picture) in details { return picture.bitmap }
        return nil
    }

    /// True if an underline or a strikethrough is among its details.
    package var hasLine: Bool {
        details.contains { if case .line = $0 { true } else { false } }
    }

    /// True if it is drawn in one go, so that nothing in it can overlap.
    package var isOnePart: Bool { details.count + (shape == nil ? 0 : 1) == 1 }

    /// Returns the ink with another shape, nil for none; nil if nothing is left.
    func with(_ shape: Shape?, of outlines: [Outline]) -> Ink? {
        guard let outer = shape?.bounds(in: outlines) ?? details.first?.bounds else { return nil }
        var ink = Ink(shape: shape, details: details, bounds: outer)
        ink.includeDetails()
        return ink
    }

    /// Extends the bounds to all details, after a change of these.
    package mutating func includeDetails() {
        bounds = details.reduce(bounds) { $0.union($1.bounds) }
    }

    package init(shape: Shape?, details: [Detail], bounds: Rect) {
        self.shape = shape
        self.details = details
        self.bounds = bounds
    }
}

extension Glyph {
    /// Moves its box, its baseline and its ink.
    package mutating func move(byX x: Double, y: Double) {
        rect.x += x
        rect.y += y
        baseline += y
        ink?.move(byX: x, y: y)
    }
}

extension Ink {
    fileprivate mutating func move(byX x: Double, y: Double) {
        shape?.origin.x += x
        shape?.origin.y += y
        bounds.x += x
        bounds.y += y
        guard !details.isEmpty else { return }
        details = details.map { detail in
            switch detail {
            case .line(let rect):
                return .line(rect.offset(byX: x, y: y))
            case .picture(var picture):
                picture.rect = picture.rect.offset(byX: x, y: y)
                return .picture(picture)
            }
        }
    }
}

extension Glyph {
    /// Returns its shape and lines in a colour of their own; nil without any.
    func overlaid(in color: Color) -> Glyph? {
        guard var ink else { return nil }
        ink.details.removeAll { if case .picture = $0 { true } else { false } }
        guard ink.shape != nil || !ink.details.isEmpty else { return nil }
        var glyph = self
        glyph.ink = ink
        glyph.paint = .color(color)
        glyph.hasBlockPaint = false
        return glyph
    }
}
