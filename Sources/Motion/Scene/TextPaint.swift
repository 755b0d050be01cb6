import Bytes

/// The paint of a block's glyphs: their fill, and the outline and shadows beneath all fills.
package struct TextPaint: Equatable, Sendable {
    /// The fill of glyphs that have their block's paint.
    package var fill: Paint
    /// The paint in its place under a dark colour scheme; nil if it does not differ.
    package var darkFill: Paint?
    /// Colours of glyphs that have another paint than their block's, each with its counterpart
    /// under a dark colour scheme; no colour twice, and at most `mostDarkColors`.
    package var darkColors: [SchemeColor] = []
    package static let mostDarkColors = 32
    package var gradientBox: GradientBox
    /// A line centred on the contours of glyphs, with round joins, beneath all fills of the block.
    package var outline: LineStyle?
    /// In the order of requests: the first lies on top.
    package var shadows: [Shadow]
    /// The shadows under a dark colour scheme; nil if they do not differ.
    package var darkShadows: [Shadow]?

    /// True if its fill has more than one colour under some colour scheme.
    package var hasGradient: Bool { fill.gradient != nil || darkFill?.gradient != nil }

    package init(
        fill: Paint, darkFill: Paint? = nil, gradientBox: GradientBox = .block,
        outline: LineStyle? = nil, shadows: [Shadow] = [], darkShadows: [Shadow]? = nil
    ) {
        self.fill = fill
        self.darkFill = darkFill
        self.gradientBox = gradientBox
        self.outline = outline
        self.shadows = shadows
        self.darkShadows = darkShadows
    }

    /// Returns the index in `darkColors` of a paint that is not the block's; nil if it is not among
    /// them.
    package func darkColor(of paint: Paint) -> Int? {
        guard !darkColors.isEmpty, case .color(let color) = paint else { return nil }
        return darkColors.firstIndex { $0.light == color }
    }

    /// Returns the paint of a glyph under a dark colour scheme; nil if it does not differ.
    package func darkPaint(of glyph: Glyph) -> Paint? {
        guard !glyph.hasBlockPaint else { return darkFill }
        return darkColor(of: glyph.paint).map { .color(darkColors[$0].dark) }
    }

    /// True if an outline or shadows lie beneath the fills.
    package var hasUnderlay: Bool { outline != nil || hasShadow }

    /// True if glyphs cast a shadow under some colour scheme.
    var hasShadow: Bool { !shadows.isEmpty || darkShadows?.isEmpty == false }

    /// The distance by which the outline reaches beyond the ink, in CSS pixels.
    var outlineReach: Double { (outline?.width ?? 0) / 2 }

    /// The distances by which outline and shadows reach beyond the ink.
    package var margins: Margins {
        let line = outlineReach
        var margins = Margins(left: line, top: line, right: line, bottom: line)
        for shadow in shadows + (darkShadows ?? []) {
            let reach = line + shadow.blurRadius
            margins.left = max(margins.left, reach - shadow.offsetX)
            margins.top = max(margins.top, reach - shadow.offsetY)
            margins.right = max(margins.right, reach + shadow.offsetX)
            margins.bottom = max(margins.bottom, reach + shadow.offsetY)
        }
        return margins
    }
}

extension TextPaint {
    /// Returns the paint with all lengths multiplied.
    package func scaled(by factor: Double) -> TextPaint {
        func scaled(_ shadows: [Shadow]) -> [Shadow] {
            shadows.map {
                Shadow(
                    offsetX: $0.offsetX * factor, offsetY: $0.offsetY * factor,
                    blurRadius: $0.blurRadius * factor, color: $0.color)
            }
        }
        var paint = self
        paint.outline?.width *= factor
        paint.shadows = scaled(shadows)
        paint.darkShadows = darkShadows.map(scaled)
        return paint
    }
}

/// A colour, and its counterpart under a dark colour scheme.
package struct SchemeColor: Hashable, Sendable {
    package var light: Color
    package var dark: Color

    package init(light: Color, dark: Color) {
        self.light = light
        self.dark = dark
    }
}

/// A line around letters or a card, or of a mark.
package struct LineStyle: Hashable, Sendable {
    /// The ends of open contours.
    package enum Cap: Sendable {
        case butt, round
    }

    /// CSS pixels, above 0.
    package var width: Double
    package var color: Color
    /// The colour under a dark colour scheme; nil if it does not differ.
    package var darkColor: Color?
    package var cap: Cap

    package init(
        width: Double, color: Color, darkColor: Color? = nil, cap: Cap = .butt
    ) {
        self.width = width
        self.color = color
        self.darkColor = darkColor
        self.cap = cap
    }
}

/// A shadow of a glyph's fill and outline together (CSS Text Decoration 3, 4).
package struct Shadow: Hashable, Sendable {
    /// CSS pixels, positive to the right.
    package var offsetX: Double
    /// CSS pixels, positive downwards.
    package var offsetY: Double
    /// CSS pixels; twice the standard deviation of the Gaussian.
    package var blurRadius: Double
    package var color: Color

    /// The most shadows that a text may have.
    package static let mostShadows = 4

    package init(offsetX: Double, offsetY: Double, blurRadius: Double, color: Color) {
        self.offsetX = offsetX
        self.offsetY = offsetY
        self.blurRadius = blurRadius
        self.color = color
    }

    /// In CSS pixels.
    package var standardDeviation: Double { blurRadius / 2 }

    /// The canonical spelling: `2px 2px 4px #00000088`.
    package var text: String {
        let lengths = [offsetX, offsetY, blurRadius].map { NumberText.of($0) + "px" }
        return (lengths + [color.text]).joined(separator: " ")
    }
}

extension [Shadow] {
    /// The canonical spelling of a list.
    package var text: String {
        isEmpty ? "none" : map(\.text).joined(separator: ", ")
    }
}

/// The background of the text: a fill with round corners, and a line within its edge.
package struct Card: Equatable, Sendable {
    package var background: Paint
    /// The paint in its place under a dark colour scheme; nil if it does not differ.
    package var darkBackground: Paint?
    /// CSS pixels.
    package var cornerRadius: Double
    /// A line within the edge.
    package var border: LineStyle?

    package init(
        background: Paint, darkBackground: Paint? = nil, cornerRadius: Double = 0,
        border: LineStyle? = nil
    ) {
        self.background = background
        self.darkBackground = darkBackground
        self.cornerRadius = cornerRadius
        self.border = border
    }

    /// The colour that encoders put behind the canvas: none where the canvas holds the card.
    package var backdrop: Color { flatColor ?? .transparent }

    /// The colour of the whole canvas; nil if the card has more than one colour.
    package var flatColor: Color? {
        guard border == nil, case .color(let color) = background else { return nil }
        return cornerRadius == 0 || color.isTransparent ? color : nil
    }

    /// True if it is fully opaque.
    package var isOpaque: Bool { background.isOpaque && cornerRadius == 0 }

    /// True if its background is seen under some colour scheme.
    var hasGround: Bool { !background.isTransparent || darkBackground?.isTransparent == false }

    /// Returns the radius of the corners of a canvas, no more than half of its shorter side.
    package func cornerRadius(width: Double, height: Double) -> Double {
        min(cornerRadius, width / 2, height / 2)
    }
}
