import Bytes
import Highlighting
import Motion
import Typesetting

/// The parameters of one text: how it is typeset, its colours and its cursor.
///
/// A block's own values take precedence over the request's.
struct BlockParameters {
    let isMarkup: Bool
    let code: CodeStyle
    var style: TypeStyle
    let words: WordBoundaries
    let paint: TextPaint
    /// The path that the text is set along; nil for a straight line.
    let path: TextPath?
    /// The mark of the whole text; nil for none.
    let mark: MarkStyle?
    /// The style of marks in markup that gives no other.
    let markStyle: MarkStyle
    let cursor: CursorChoice
    /// Seconds of one blink; 0 for a solid cursor.
    let cursorBlink: Double
    let alignment: CanvasRequest.Alignment
    let verticalAlignment: CanvasRequest.VerticalAlignment
    /// Its times where the sequence is `timed`, in seconds; nil where it gives none.
    let (at, until): (Double?, Double?)
    /// The words of the text that have times.
    let times: [WordTime]
    /// How the word that is being said differs from others.
    let spoken: SpokenStyle

    init(_ parameters: inout ParameterReader) {
        isMarkup = parameters.boolean(
            "markup", default: false,
            "Reads tags in the text, such as <b> and <i>: Pango's markup.")
        code = parameters.codeStyle()
        style = parameters.typeStyle()
        words = parameters.choice(
            "words", default: .auto,
            "Where words begin: after spaces, by Unicode's rules, or by these only in Chinese, "
                + "Japanese, Thai, Lao, Khmer, and Burmese (auto).")
        paint = parameters.textPaint(fill: style.paint, darkColors: code.darkColors)
        path = parameters.textPath()
        (mark, markStyle) = parameters.mark()
        cursor = parameters.choice(
            "cursor", default: .auto, earlier: CursorChoice.none,
            "A typing cursor; for the effect typewriter a bar that disappears when the text has "
                + "arrived (auto).")
        cursorBlink = parameters.secondsOrZero(
            "cursorBlink", default: 1, in: 0.34...10,
            "Seconds of one blink, at least 0.34; 0 for a solid cursor.")
        (alignment, verticalAlignment) = parameters.alignments()
        at = parameters.instant(
            "at",
            "With sequence=timed: the second at which the text comes; by default its first word's, "
                + "or 0.")
        until = parameters.instant(
            "until",
            "With sequence=timed: the second at which the text has gone; by default the start of "
                + "the next text, and for the last one hold after its last word.")
        times = parameters.wordTimes(
            "times",
            "With sequence=timed: the words of the text, each with the seconds in which it is said."
        )
        spoken = parameters.spokenStyle()
    }
}

/// How the word that is being said is shown, or not.
private enum SpokenChoice: String, CaseIterable {
    case none, color, sweep, box
}

/// A shape of the cursor, or the shape that goes with the effect.
enum CursorChoice: String, CaseIterable {
    case auto, none, bar, block, underscore

    /// Seconds for which a cursor that the request does not ask for stays once the text has arrived.
    private static let stay = 0.5

    /// Returns the cursor of a text with an effect.
    func cursor(with effect: any Effect) -> (shape: CursorShape, stay: Double?) {
        guard self == .auto else { return (CursorShape(rawValue: rawValue) ?? .none, nil) }
        return effect is Typewriter ? (.bar, Self.stay) : (.none, nil)
    }
}

/// A kind of mark, or none.
private enum MarkChoice: String, CaseIterable {
    case none, underline, strike, box, circle, highlight, bracket, pill, quote, bullet
}

extension ParameterReader {
    /// Reads how lines are aligned, and where the text stands in a given height.
    mutating func alignments() -> (
        CanvasRequest.Alignment, CanvasRequest.VerticalAlignment
    ) {
        (
            choice(
                "align", default: .start,
                "How lines are aligned; start and end follow their direction."),
            choice("valign", default: .middle, "Where the text stands in a given height.")
        )
    }

    /// Reads a time of the scene; nil unless it is given.
    fileprivate mutating func instant(_ name: String, _ summary: String) -> Double? {
        optionalNumber(name, in: WordTimesGrammar.seconds, unit: .seconds, summary)
            .map { Instant(seconds: $0).seconds }
    }

    /// Reads how words change as they are said.
    mutating func spokenStyle() -> SpokenStyle {
        let kind = choice(
            "spoken", default: SpokenChoice.none,
            "With times: how the word that is being said shows: by its colour (color), by colour "
                + "that runs through it and stays (sweep), or by a box behind it (box).")
        let color = optionalColor(
            "spokenColor",
            "The colour of that word; by default a blue, and with spoken=box its own.")
        let own = SpokenStyle.Kind(rawValue: kind.rawValue)
        var style = SpokenStyle(
            own, color: color ?? (own == nil || own == .box ? nil : SpokenStyle.usualColor))
        style.scale = number(
            "spokenScale", default: 1, in: 1...2, "The factor by which that word is larger.")
        style.weight = optionalInteger(
            "spokenWeight", in: 100...1000,
            "The weight of that word where its font is variable; by default its own.")
        style.box = paint(
            "spokenBox", default: SpokenStyle.usualBox,
            "With spoken=box: the colour of the box, or a gradient.")
        style.boxMotion = choice(
            "spokenBoxMotion", default: SpokenStyle.BoxMotion.jump,
            "With spoken=box: whether each word has its box (jump), or one box slides along the "
                + "line (slide).")
        style.upcomingOpacity = number(
            "upcomingOpacity", default: 1, in: 0...1,
            "The opacity of words that are not said yet.")
        style.pastOpacity = number(
            "pastOpacity", default: 1, in: 0...1, "The opacity of words that have been said.")
        style.pastColor = optionalColor(
            "pastColor",
            "The colour of words that have been said; by default their own, and after a sweep "
                + "spokenColor.")
        return style
    }

    /// Reads how a text is coloured as source code.
    fileprivate mutating func codeStyle() -> CodeStyle {
        let language = choice(
            "codeLanguage", default: "none", of: ["none"] + CodeLanguage.allCases.map(\.rawValue),
            "Colours the text as source code of a language.")
        let theme = choice(
            "codeTheme", default: CodeTheme.light,
            "With codeLanguage: colours for a light or a dark background.")
        let darkTheme: CodeTheme? = optionalChoice(
            "darkCodeTheme", "SVG: the code's colours where the viewer prefers dark.")
        let hasLineNumbers = boolean(
            "lineNumbers", default: false, "Numbers beside the lines of the text.")
        let firstLine = automaticInteger(
            "firstLine", earlier: 1, in: 0...999_999,
            "With lineNumbers: the number of the first line; one more than the last number above it, "
                + "or 1 (auto).")
        return CodeStyle(
            language: CodeLanguage(rawValue: language), hasLineNumbers: hasLineNumbers,
            firstLine: firstLine, theme: theme, darkTheme: darkTheme)
    }

    /// Reads the font of a text, its settings, and its colour.
    fileprivate mutating func typeStyle() -> TypeStyle {
        let families = text(
            "font", .families(1...200), default: FontCatalog.usual, earlier: "DejaVu Sans",
            "Font family, or several separated by commas; Inter, or DejaVu Sans where that is not "
                + "installed (auto).")
        let size = number(
            "size", default: 40, earlier: 32, in: 4...400, unit: .pixels, "Font size.")
        var style = TypeStyle(families: families, size: size, paint: .color(UsualInk.anyGround))
        style.weight = automaticWeight(
            "weight", earlier: 400, in: 100...1000,
            "Font weight; 400 is regular, 700 bold; 600 without font, and 400 with one (auto).")
        style.isItalic = boolean("italic", default: false, "Italic or oblique.")
        style.features = fontSettings(
            "fontFeatures", .features, "OpenType features of the font, such as ss01, tnum, liga=0.")
        style.variations = fontSettings(
            "fontVariations", .variations, "Axes of a variable font, such as wght=350, wdth=80.")
        style.language =
            optionalText(
                "lang", .language, "Language of the text, which decides the choice of fonts.") ?? ""
        style.letterSpacing = length(
            "letterSpacing", in: -20...100, ems: -1...5, em: size,
            "Space between letters, in pixels or in multiples of the size: 0.05em.")
        style.lineHeight = automaticNumber(
            "lineHeight", in: 0.5...5,
            "Height of a line, in multiples of the size; 1.2, or more if the script needs it "
                + "(auto).")
        let paint = automaticPaint(
            "color", earlier: .color(UsualInk.dark),
            "Colour of the text, or a gradient; one that is legible on any page, or on the "
                + "background (auto).")
        if let paint { style.paint = paint }
        return style
    }

    /// Reads settings of a font by tags; empty for none.
    private mutating func fontSettings(
        _ name: String, _ kind: Parameter.Kind, _ summary: String
    ) -> String {
        let settings = text(name, kind, default: FontSettingList.none, summary)
        return settings.isSame(as: FontSettingList.none) ? "" : settings
    }

    /// Reads the paints of a text besides its own fill.
    fileprivate mutating func textPaint(
        fill: Paint, darkColors: [SchemeColor]
    ) -> TextPaint {
        let darkFill = optionalPaint(
            "darkColor", "SVG: the colour where the viewer prefers dark.")
        let gradientBox = choice(
            "gradientBox", default: GradientBox.block,
            "The box that a gradient fills: the whole text, each line, or each glyph.")
        let outline = line(
            number(
                "outlineWidth", default: 0, in: 0...20, unit: .pixels,
                "Width of a line around the letters, beneath their fill."),
            color(
                "outlineColor", default: UsualInk.outline, "Colour of that line."),
            dark: optionalColor(
                "darkOutlineColor", "SVG: the line's colour where the viewer prefers dark."))
        let shadows = shadows(
            "shadow", "Shadows of the letters, as in CSS's text-shadow.")
        let darkShadows = optionalShadows(
            "darkShadow", "SVG: the shadows where the viewer prefers dark.")
        var paint = TextPaint(
            fill: fill, darkFill: darkFill, gradientBox: gradientBox, outline: outline,
            shadows: shadows, darkShadows: darkShadows)
        paint.darkColors = darkColors
        return paint
    }

    /// Returns a line of a width in colours for light and dark; nil if it is invisible.
    func line(_ width: Double, _ color: Color, dark darkColor: Color?) -> LineStyle? {
        let isSeen = width > 0 && !(color.isTransparent && darkColor?.isTransparent ?? true)
        return isSeen ? LineStyle(width: width, color: color, darkColor: darkColor) : nil
    }

    /// Reads the path that a text is set along; nil for a straight line.
    fileprivate mutating func textPath() -> TextPath? {
        let shape = path(
            "path",
            "The curve of a text of one line: an arc, a circle, a wave, or the path data of an "
                + "SVG.")
        let alignment = choice(
            "pathAlign", default: TextPath.Alignment.start,
            "With path: the place of the text on it; a closed path counts from its start.")
        let offset = number(
            "pathOffset", default: 0, in: -100...100, unit: .percent,
            "With path: how far the text is moved along it, in percent of its length.")
        let side = choice(
            "pathSide", default: TextPath.Side.left,
            "With path: the side on which the text stands, seen along the path; on the right it "
                + "runs backwards."
        )
        let turnsLetters = boolean(
            "pathRotate", default: true,
            "With path: true turns letters with it; false leaves them upright.")
        guard shape != .none else { return nil }
        return TextPath(
            shape, alignment: alignment, offset: offset / 100, side: side,
            turnsLetters: turnsLetters)
    }

    /// Reads the mark of the whole text, nil for none, and the style of marks in markup.
    fileprivate mutating func mark() -> (own: MarkStyle?, style: MarkStyle) {
        let kind = choice(
            "mark", default: MarkChoice.none,
            "A line drawn by hand under, through, or around the text once it has arrived, a pill "
                + "behind it, a quotation mark above its start, or a dot before each line.")
        let style = markStyle()
        let own = MarkStyle.Kind(rawValue: kind.rawValue).map { kind in
            var own = style
            own.kind = kind
            return own
        }
        return (own, style)
    }

    /// Reads the look of marks, and when they are drawn.
    private mutating func markStyle() -> MarkStyle {
        MarkStyle(
            .highlight,
            layer: optionalChoice(
                "markLayer",
                "Whether marks lie behind all text or in front of it; by default highlights and "
                    + "pills lie behind, other marks in front."),
            color: optionalColor(
                "markColor",
                "Colour of marks; by default the text's own, a tint of it for pills, and yellow "
                    + "for highlights."),
            darkColor: optionalColor(
                "darkMarkColor", "SVG: the colour of marks where the viewer prefers dark."),
            width: optionalNumber(
                "markWidth", in: MarkStyle.widths, unit: .em,
                "Width of a mark's line; by default 0.05em, 0.8em for highlights, 1.6em for pills, "
                    + "0.15em for quotation marks, and 0.28em for bullets."),
            strokes: optionalInteger(
                "markStrokes", in: 1...2,
                "How many times a mark's lines are drawn; by default twice, and once for "
                    + "highlights, pills, quotation marks, and bullets."),
            padding: number(
                "markPadding", default: 0.1, in: 0...2, unit: .em,
                "Space between the words and their mark."),
            delay: seconds(
                "markDelay", default: 0,
                "Seconds from the words' arrival to their mark, or from the text's start to a "
                    + "pill, a quotation mark, or a bullet."),
            duration: seconds("markDuration", default: 0.8, "Seconds in which a mark is drawn."))
    }
}
