import Motion

/// The bar above a text, as windows have one: three dots, and a title in the middle.
package struct TitleBar: Equatable, Sendable {
    /// One line; nil for none.
    package var title: StyledText?
    /// CSS pixels.
    var height = 40.0

    package init(title: StyledText?) {
        self.title = title
    }
}

extension TitleBar {
    /// The colours of the dots, from left to right.
    private static let dots = [
        Color(red: 0xFF, green: 0x5F, blue: 0x57), Color(red: 0xFE, green: 0xBC, blue: 0x2E),
        Color(red: 0x28, green: 0xC8, blue: 0x40),
    ]
    /// CSS pixels.
    private static let (radius, pitch, margin) = (6.0, 20.0, 24.0)
    /// The room on either side of the title.
    private static let side = margin + pitch * Double(dots.count)

    /// A circle of radius 500 about its origin, in four curves.
    private static func circle() -> Outline {
        // The distance of the control points, as a share of the radius.
        let (r, c): (Float, Float) = (500, 276.142)
        return Outline(
            commands: [.move, .cubic, .cubic, .cubic, .cubic, .close],
            coordinates: [
                r, 0, r, c, c, r, 0, r, -c, r, -r, c, -r, 0,
                -r, -c, -c, -r, 0, -r, c, -r, r, -c, r, 0,
            ], unitsPerEm: 1000, isUnited: true)
    }

    /// Returns the glyphs of the bar at their places.
    ///
    /// - Parameters:
    ///   - title: The glyphs of the title, at the origin of its line on a baseline at 0; glyphs
    ///     that do not fit are left out.
    ///   - card: The box of the card in CSS pixels.
    ///   - definitions: The definitions that the ink of the dots is added to.
    /// - Returns: The dots, then the title.
    func glyphs(
        title: [Glyph], on card: Rect, _ definitions: inout Definitions
    ) -> [Glyph] {
        let outline = definitions.outlines.count
        definitions.outlines.append(Self.circle())
        let diameter = 2 * Self.radius
        var glyphs = Self.dots.enumerated().map { index, color in
            let center = Point(
                x: card.x + Self.margin + Double(index) * Self.pitch, y: card.y + height / 2)
            let box = Rect(
                x: center.x - Self.radius, y: center.y - Self.radius, width: diameter,
                height: diameter)
            return Glyph(
                block: 0, line: 0, word: 0, text: "", start: 0, length: 0, isWhitespace: false,
                paint: .color(color), hasBlockPaint: false, rect: box, baseline: center.y,
                size: diameter,
                ink: Ink(
                    shape: Ink.Shape(outline: outline, origin: center, scale: diameter / 1000),
                    details: [], bounds: box))
        }
        let shown = title.prefix { $0.rect.maxX <= card.width - 2 * Self.side }
        guard let last = shown.last else { return glyphs }
        let x = card.x + (card.width - last.rect.maxX) / 2
        for glyph in shown {
            var glyph = glyph
            (glyph.block, glyph.line) = (0, 0)
            glyph.move(byX: x, y: card.y + height / 2 - glyph.rect.center.y)
            glyphs.append(glyph)
        }
        return glyphs
    }
}
