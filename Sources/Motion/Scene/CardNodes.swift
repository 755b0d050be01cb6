/// A bar beside the text.
package struct AccentBar: Equatable, Sendable {
    package var rect: Rect
    package var color: Color
    /// The colour under a dark colour scheme; nil if it does not differ.
    package var darkColor: Color?
    /// True if the bar is upright: its length is its height.
    package var isUpright: Bool

    package init(rect: Rect, color: Color, darkColor: Color?, isUpright: Bool) {
        self.rect = rect
        self.color = color
        self.darkColor = darkColor
        self.isUpright = isUpright
    }
}

/// The nodes of a card that does not simply stand on the whole canvas, and of the bar beside the
/// text: the last ones, in the order of drawing.
extension Scene {
    /// Takes the card away from the canvas, and returns it.
    mutating func takeCard() -> Card {
        defer { appearance.card = Card(background: .transparent) }
        return appearance.card
    }

    /// Adds the bar beside the text, with a track.
    mutating func addBar(_ bar: AccentBar, track: Int) {
        addCardNodes(
            { .bar($0) }, .color(bar.color), dark: bar.darkColor.map { .color($0) },
            Ink(shape: nil, details: [.line(bar.rect)], bounds: bar.rect), track: track)
    }

    /// Adds the ground of a card in its box, with a track.
    mutating func addGround(of card: Card, in box: Rect, track: Int) {
        addCard(
            card.background, dark: card.darkBackground, in: box, card.outline(in: box, insets: [0]),
            track: track)
    }

    /// Adds the border of a card, with a track: the area between two edges.
    mutating func addBorder(_ border: LineStyle, of card: Card, in box: Rect, track: Int) {
        let isRing = 2 * border.width < min(box.width, box.height)
        addCard(
            .color(border.color), dark: border.darkColor.map { .color($0) }, in: box,
            card.outline(in: box, insets: isRing ? [0, border.width] : [0]), track: track)
    }

    /// Adds the line that draws the border of a card, along the middle of it.
    mutating func addPen(_ border: LineStyle, of card: Card, in box: Rect, track: Int) {
        addCard(
            .color(border.color), dark: border.darkColor.map { .color($0) }, in: box,
            card.outline(in: box, insets: [border.width / 2]), track: track, isFinished: false)
    }

    private mutating func addCard(
        _ paint: Paint, dark: Paint?, in box: Rect, _ outline: Outline, track: Int,
        isFinished: Bool = true
    ) {
        let shape = Ink.Shape(
            outline: definitions.outlines.count, origin: Point(x: box.x, y: box.maxY), scale: 1)
        definitions.outlines.append(outline)
        addCardNodes(
            { .card($0) }, paint, dark: dark,
            Ink(shape: shape, details: [], bounds: box), track: track, isFinished: isFinished)
    }

    /// Adds a node, or one for each colour scheme if their paints differ; none without paint.
    private mutating func addCardNodes(
        _ role: (SceneLayer.Scheme) -> SceneNode.Role, _ paint: Paint, dark: Paint?,
        _ ink: Ink, track: Int, isFinished: Bool = true
    ) {
        var paints: [(SceneLayer.Scheme, Paint)] = [(.any, paint)]
        if let dark, dark != paint { paints = [(.light, paint), (.dark, dark)] }
        for (scheme, paint) in paints where !paint.isTransparent {
            let glyph = Glyph(
                block: 0, line: 0, word: 0, text: "", start: 0, length: 0, isWhitespace: false,
                paint: paint, hasBlockPaint: false, rect: ink.bounds, baseline: ink.bounds.maxY,
                size: ink.bounds.height, ink: ink)
            nodes.append(
                SceneNode(glyph, as: role(scheme), track: track, isFinished: isFinished))
            cardNodeCount += 1
        }
    }
}

extension Card {
    /// Returns the outline of the card, with its corners, about the lower left corner of its box.
    fileprivate func outline(in box: Rect, insets: [Double]) -> Outline {
        let radius = cornerRadius(width: box.width, height: box.height)
        return .box(box.width, box.height, radius: radius, insets: insets)
    }
}

extension Outline {
    /// Makes a box with round corners, whose lower left corner is the origin and whose unit is a
    /// CSS pixel: one contour for each inset, in alternating directions.
    static func box(
        _ width: Double, _ height: Double, radius: Double, insets: [Double]
    ) -> Outline {
        var commands: [Command] = []
        var coordinates: [Float] = []
        for (number, inset) in insets.enumerated() {
            let radius = max(radius - inset, 0)
            // The distance of a control point from the corner, where the curve is nearly a circle.
            let near = radius * 0.447_715
            let (left, right) = (inset, width - inset)
            let (top, bottom) = (inset - height, -inset)
            func add(_ command: Command, _ points: (x: Double, y: Double)...) {
                commands.append(command)
                for point in points {
                    let x = number.isMultiple(of: 2) ? point.x : width - point.x
                    coordinates += [Float(x), Float(point.y)]
                }
            }
            add(.move, (left + radius, top))
            add(.line, (right - radius, top))
            if radius > 0 {
                add(.cubic, (right - near, top), (right, top + near), (right, top + radius))
            }
            add(.line, (right, bottom - radius))
            if radius > 0 {
                add(
                    .cubic, (right, bottom - near), (right - near, bottom),
                    (right - radius, bottom))
            }
            add(.line, (left + radius, bottom))
            if radius > 0 {
                add(.cubic, (left + near, bottom), (left, bottom - near), (left, bottom - radius))
            }
            add(.line, (left, top + radius))
            if radius > 0 {
                add(.cubic, (left, top + near), (left + near, top), (left + radius, top))
            }
            add(.close)
        }
        return Outline(
            commands: commands, coordinates: coordinates, unitsPerEm: max(width, height, 1),
            isUnited: true)
    }
}
