package import Bytes
package import Encoders
import Highlighting
package import Motion
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

    init(_ parameters: inout ParameterReader) {
        isMarkup = parameters.boolean(
            "markup", default: false,
            "Reads tags in the text, such as <b> and <i>: Pango's markup.")
        code = parameters.codeStyle()
        let families = parameters.text(
            "font", .families(1...200), default: FontCatalog.usual, earlier: "DejaVu Sans",
            "Font family, or several separated by commas; Inter, or DejaVu Sans where that is not "
                + "installed (auto).")
        let size = parameters.number(
            "size", default: 40, earlier: 32, in: 4...400, unit: .pixels, "Font size.")
        style = TypeStyle(
            families: families, size: size,
            weight: parameters.automaticInteger(
                "weight", earlier: 400, in: 100...1000,
                "Font weight; 400 is regular, 700 bold; 600 without font, and 400 with one (auto)."),
            isItalic: parameters.boolean("italic", default: false, "Italic or oblique."),
            features: parameters.fontSettings(
                "fontFeatures", .features,
                "OpenType features of the font, such as ss01, tnum, liga=0."),
            variations: parameters.fontSettings(
                "fontVariations", .variations,
                "Axes of a variable font, such as wght=350, wdth=80."),
            language: parameters.optionalText(
                "lang", .language,
                "Language of the text, which decides the choice of fonts.") ?? "",
            letterSpacing: parameters.length(
                "letterSpacing", in: -20...100, ems: -1...5, em: size,
                "Space between letters, in pixels or in multiples of the size: 0.05em."),
            lineHeight: parameters.automaticNumber(
                "lineHeight", in: 0.5...5,
                "Height of a line, in multiples of the size; 1.2, or more if the script needs it "
                    + "(auto)."),
            paint: parameters.automaticPaint(
                "color", earlier: .color(UsualInk.dark),
                "Colour of the text, or a gradient; one that is legible on any page, or on the "
                    + "background (auto).") ?? .color(UsualInk.anyGround))
        words = parameters.choice(
            "words", default: .auto,
            "Where words begin: after spaces, by Unicode's rules, or by these only in Chinese, "
                + "Japanese, Thai, Lao, Khmer, and Burmese (auto).")
        var paint = parameters.textPaint(fill: style.paint)
        paint.darkColors = code.darkColors
        self.paint = paint
        path = parameters.textPath()
        let kind = parameters.choice(
            "mark", default: MarkChoice.none,
            "A line drawn by hand under, through, or around the text once it has arrived, or a "
                + "pill behind it.")
        let markStyle = parameters.markStyle()
        mark = MarkStyle.Kind(rawValue: kind.rawValue).map { kind in
            var style = markStyle
            style.kind = kind
            return style
        }
        self.markStyle = markStyle
        cursor = parameters.choice(
            "cursor", default: .auto, earlier: CursorChoice.none,
            "A typing cursor; for the effect typewriter a bar that disappears when the text has "
                + "arrived (auto).")
        cursorBlink = parameters.secondsOrZero(
            "cursorBlink", default: 1, in: 0.34...10,
            "Seconds of one blink, at least 0.34; 0 for a solid cursor.")
    }
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

/// How lines break, or the way that goes with the width.
private enum WrapChoice: String, CaseIterable {
    case auto, none, normal, balance, pretty
}

/// A kind of mark, or none.
private enum MarkChoice: String, CaseIterable {
    case none, underline, strike, box, circle, highlight, bracket, pill
}

/// How a card moves, or none.
private enum CardChoice: String, CaseIterable {
    case none, fade, slide, grow, wipe, draw
}

/// The side of a bar, or none.
private enum BarChoice: String, CaseIterable {
    case none, left, right, top, bottom, start, end
}

/// A kind of motion of gradients, or none.
private enum PaintMotionChoice: String, CaseIterable {
    case none, pan, spin, breathe
}

/// The parameters of the whole scene: canvas, sequence, playback.
struct SceneParameters {
    let width: Double?
    let height: Double?
    private(set) var maximumWidth: Double?
    private(set) var fit: TextFit
    /// True if nothing of the scene says how wide lines are or where they break.
    let leavesLinesOpen: Bool
    let room: CanvasRequest.Room
    let padding: Double
    let alignment: CanvasRequest.Alignment
    let verticalAlignment: CanvasRequest.VerticalAlignment
    let spacing: Double
    let flow: CanvasRequest.Flow
    let card: Card
    /// Nil where the card stands still.
    let cardMotion: CardMotion?
    /// Nil for no bar beside the text.
    let sideBar: SideBar?
    let hasTitleBar: Bool
    let windowTitle: String?
    let sequence: Choreography.Sequence
    let gap: Double
    let delay: Double
    let hold: Double
    /// `between`, `auto`, `none`, or an effect's name.
    let exit: String
    /// `none`, or the name of an effect that standing text can run.
    let emphasis: String
    /// Seconds; nil for the effect's.
    let emphasisDuration: Double?
    /// Seconds.
    let emphasisInterval: Double?
    /// CSS pixels a second; nil for the effect's own.
    let emphasisRate: Double?
    /// Nil where gradients stand still.
    let paintMotion: Choreography.PaintTurn?
    let loop: Loop
    let pace: Choreography.Pace
    /// The most seconds of one cycle; nil for any number.
    let mostSeconds: Double?
    let seed: UInt64
    let isAnimated: Bool
    let title: String?
    /// Pictures that texts may have besides the pictures of the operator.
    let pictures: [TextPicture]

    init(_ parameters: inout ParameterReader, _ effects: EffectCatalog) {
        width = parameters.optionalNumber(
            "width", in: 1...4096, unit: .pixels,
            "Width of the canvas; the text wraps to it.")
        height = parameters.optionalNumber(
            "height", in: 1...4096, unit: .pixels, "Height of the canvas.")
        let maximumWidth = parameters.automaticNumber(
            "maxWidth", in: 1...4096, or: "none", unit: .pixels,
            "Without width: the canvas is as wide as its text, up to this width, at which the text "
                + "wraps. auto is 830, or none if another parameter decides the lines.")
        self.maximumWidth = maximumWidth.given
        (fit, leavesLinesOpen) = parameters.textFit(
            hasWidth: width != nil || maximumWidth != .auto)
        room = parameters.choice(
            "room", default: .motion,
            "Where the text decides the canvas: padding grows for text that moves beyond it "
                + "(motion), or not (none).")
        padding = parameters.number(
            "padding", default: 16, in: 0...1024, unit: .pixels,
            "Space between the text and the edges of the picture.")
        alignment = parameters.choice(
            "align", default: .start,
            "How lines are aligned; start and end follow their direction.")
        verticalAlignment = parameters.choice(
            "valign", default: .middle, "Where the text stands in a given height.")
        spacing = parameters.number(
            "spacing", default: 16, in: 0...1024, unit: .pixels,
            "Space between texts that stand below or beside each other.")
        flow = parameters.choice(
            "flow", default: .column,
            "Whether several texts stand below each other (column), or beside each other on one "
                + "baseline (row).")
        card = parameters.card()
        cardMotion = parameters.cardMotion()
        sideBar = parameters.sideBar()
        hasTitleBar = parameters.boolean(
            "titleBar", default: false, "A bar with three dots above the text, as on a window.")
        windowTitle = parameters.optionalText(
            "windowTitle", .prose(1...100), "With titleBar: the title in the bar.")
        sequence = parameters.choice(
            "sequence", default: .queue, "How several texts follow each other.")
        gap = parameters.seconds(
            "gap", default: 0, in: 0...60,
            "Seconds from the end of one text's motion to the start of the next one's.")
        delay = parameters.seconds(
            "delay", default: 0, in: 0...60, "Seconds before anything moves.")
        hold = parameters.seconds(
            "hold", default: 1, in: 0...60,
            "Seconds for which the finished text stands before it leaves or starts again.")
        exit = parameters.choice(
            "exit", default: "between",
            of: ["between", "auto"] + effects.exitNames + ["none"],
            "How texts leave: only to make room for the next one (between), always (auto), by "
                + "another effect's exit, or never (none).")
        emphasis = parameters.choice(
            "emphasis", default: "none", of: ["none"] + effects.emphasisNames,
            "Motion of texts while they stand: none, or an effect that begins and ends with the "
                + "finished text.")
        emphasisDuration = parameters.optionalNumber(
            "emphasisDuration", in: 0...10, unit: .seconds,
            "Seconds for which each item moves in the emphasis; by default the effect's own.")
        emphasisInterval = parameters.optionalNumber(
            "emphasisInterval", in: 0...60, unit: .seconds,
            "Seconds from the end of one emphasis to the start of the next; by default the "
                + "effect's own.")
        emphasisRate = parameters.optionalNumber(
            "emphasisRate", in: 1...2000, unit: .pixelsPerSecond,
            "With emphasis=marquee: how fast lines run; by default the effect's own rate.")
        paintMotion = parameters.paintMotion()
        loop = parameters.loop("loop", in: 1...1000, "How many times it plays.")
        let speed = parameters.number(
            "speed", default: 1, in: 0.1...10,
            "Divides all times: at 2 everything is twice as fast.")
        let cycle = parameters.optionalNumber(
            "cycle", in: 0.1...120, unit: .seconds,
            "Instead of speed: the seconds from start to end.")
        pace = cycle.map { .cycle($0) } ?? .speed(speed)
        mostSeconds = parameters.optionalNumber(
            "maxCycle", in: 0.1...120, unit: .seconds,
            "The most seconds from start to end; a longer animation plays faster.")
        // As many bits as a Double holds exactly.
        let seed = parameters.integer(
            "seed", default: 0, in: 0...(1 << 53 - 1),
            "Random seed. The same seed gives the same order.")
        self.seed = UInt64(seed)
        isAnimated = parameters.boolean(
            "animate", default: true, "False: the finished text, still.")
        title = parameters.optionalText(
            "title", .prose(1...1000),
            "Text for screen readers; by default the text itself.")
        pictures = parameters.pictures(
            "pictures",
            "With markup: pictures for <picture>, each a name with a PNG file in Base64.")
    }

    /// The width to which texts wrap by default, in CSS pixels: the width of a README on GitHub,
    /// less a little.
    private static let usualWidth = 830.0

    /// Balances lines of the usual width.
    mutating func wrapUsually() {
        maximumWidth = Self.usualWidth
        fit.wrap = .balance
    }
}

extension ParameterReader {
    /// Reads how a text fits the room that its canvas leaves, and whether it leaves open how lines
    /// break.
    fileprivate mutating func textFit(hasWidth: Bool) -> (fit: TextFit, leavesLinesOpen: Bool) {
        var fit = TextFit(
            mode: choice(
                "fit", default: .none,
                "How the size adapts: it stays (none), shrinks if the text does not fit (shrink), "
                    + "or becomes as large as fits (fill)."),
            minimumSize: number(
                "minSize", default: 12, in: 4...400, unit: .pixels,
                "With fit: the smallest size; text that still does not fit is cut."),
            maximumLines: optionalInteger(
                "maxLines", in: 1...100, "The most lines of each text; further lines are cut."))
        let wrap = choice(
            "wrap", default: WrapChoice.auto, earlier: .normal,
            "How lines break: only at line breaks (none), when full (normal), into even lines "
                + "(balance), or without a last line of one word (pretty). auto is balance with an "
                + "automatic maxWidth, and otherwise normal.")
        if let wrap = LineWrap(rawValue: wrap.rawValue) { fit.wrap = wrap }
        return (fit, !hasWidth && fit.mode == .none && wrap == .auto)
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

    /// Reads the paints of a text besides its own fill.
    fileprivate mutating func textPaint(fill: Paint) -> TextPaint {
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
        return TextPaint(
            fill: fill, darkFill: darkFill, gradientBox: gradientBox, outline: outline,
            shadows: shadows, darkShadows: darkShadows)
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

    /// Reads how gradients move.
    fileprivate mutating func paintMotion() -> Choreography.PaintTurn? {
        let choice = choice(
            "paintMotion", default: PaintMotionChoice.none,
            "How gradients move: not (none), along their line (pan), around the middle (spin), or larger and "
                + "smaller (breathe).")
        let duration = seconds(
            "paintDuration", default: 4, in: 1...60,
            "With paintMotion: the approximate seconds of one turn; a cycle has a whole number of "
                + "turns.")
        let easing = easing(
            "paintEasing", default: .linear,
            "With paintMotion: how a turn, or either half of breathe, proceeds.")
        guard choice != .none else { return nil }
        return PaintMotion.Kind(rawValue: choice.rawValue).map {
            Choreography.PaintTurn($0, duration: duration, easing: easing)
        }
    }

    /// Reads the look of marks, and when they are drawn.
    fileprivate mutating func markStyle() -> MarkStyle {
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
                "Width of a mark's line; by default 0.05em, 0.8em for highlights, and 1.6em for "
                    + "pills."),
            strokes: optionalInteger(
                "markStrokes", in: 1...2,
                "How many times a mark's lines are drawn; by default twice, and once for "
                    + "highlights and pills."),
            padding: number(
                "markPadding", default: 0.1, in: 0...2, unit: .em,
                "Space between the words and their mark."),
            delay: seconds(
                "markDelay", default: 0,
                "Seconds from the words' arrival to their mark, or from the text's start to a "
                    + "pill."),
            duration: seconds("markDuration", default: 0.8, "Seconds in which a mark is drawn."))
    }

    /// Reads the card behind the text.
    fileprivate mutating func card() -> Card {
        let background = paint(
            "background", default: .transparent, "Colour behind the text, or a gradient.")
        let darkBackground = optionalPaint(
            "darkBackground", "SVG: the background where the viewer prefers dark.")
        let cornerRadius = number(
            "cornerRadius", default: 0, in: 0...512, unit: .pixels,
            "How round the background's corners are.")
        let border = line(
            number(
                "borderWidth", default: 0, in: 0...32, unit: .pixels,
                "Width of a line within the background's edge."),
            color(
                "borderColor", default: Color(red: 0xD0, green: 0xD7, blue: 0xDE),
                "Colour of that line."),
            dark: optionalColor(
                "darkBorderColor", "SVG: the line's colour where the viewer prefers dark."))
        return Card(
            background: background, darkBackground: darkBackground, cornerRadius: cornerRadius,
            border: border)
    }

    /// Reads how the card comes and goes; nil where it stands still.
    fileprivate mutating func cardMotion() -> CardMotion? {
        let effect = choice(
            "cardEffect", default: CardChoice.none,
            "How the background with its corners and border comes before the text, and leaves "
                + "after it; with none it always stands.")
        let duration = seconds(
            "cardDuration", default: 0.6,
            "With cardEffect: the seconds in which the card comes or leaves.")
        let easing = easing(
            "cardEasing", default: .easeOut,
            "With cardEffect: how the card comes; it leaves the same way backwards.")
        let direction = choice(
            "cardDirection", default: CardMotion.Direction.right,
            "With cardEffect=slide or wipe: the direction in which the card comes.")
        guard effect != .none else { return nil }
        return CardMotion.Effect(rawValue: effect.rawValue).map {
            CardMotion($0, duration: duration, easing: easing, direction: direction)
        }
    }

    /// Reads the bar beside the text; nil for none.
    fileprivate mutating func sideBar() -> SideBar? {
        let side = choice(
            "bar", default: BarChoice.none,
            "A bar beside the text, which comes with the card; start and end follow the first "
                + "text's direction.")
        let color = color(
            "barColor", default: Color(red: 0x09, green: 0x69, blue: 0xDA), "Colour of the bar.")
        let darkColor = optionalColor(
            "darkBarColor", "SVG: the bar's colour where the viewer prefers dark.")
        let width = number(
            "barWidth", default: 4, in: 0.5...256, unit: .pixels, "Width of the bar.")
        let gap = number(
            "barGap", default: 16, in: 0...256, unit: .pixels,
            "Space between the text and the bar.")
        guard side != .none else { return nil }
        return SideBar.Side(rawValue: side.rawValue).map {
            SideBar($0, color: color, darkColor: darkColor, width: width, gap: gap)
        }
    }

    /// Returns a line of a width in colours for light and dark; nil if it is invisible.
    private func line(_ width: Double, _ color: Color, dark darkColor: Color?) -> LineStyle? {
        let isSeen = width > 0 && !(color.isTransparent && darkColor?.isTransparent ?? true)
        return isSeen ? LineStyle(width: width, color: color, darkColor: darkColor) : nil
    }

    /// Reads settings of a font by tags; empty for none.
    fileprivate mutating func fontSettings(
        _ name: String, _ kind: Parameter.Kind, _ summary: String
    ) -> String {
        let settings = text(name, kind, default: FontSettingList.none, summary)
        return settings.isSame(as: FontSettingList.none) ? "" : settings
    }
}

/// All parameters of requests with their types, defaults and ranges.
///
/// The request reader, the documents and the command line use it. It is derived from the catalogues
/// of effects and formats, `BlockParameters` and `SceneParameters`.
///
/// A class, because all requests share one schema.
package final class RequestSchema: Sendable {
    package static let standard = RequestSchema(
        effects: .standard, formats: .standard, presets: .standard)

    package let effects: EffectCatalog
    package let formats: FormatCatalog
    package let presets: PresetCatalog
    /// The places that files go to, of whose formats there are.
    package let targets: [Target]
    /// The pictures that every text may have.
    package let pictures: PictureCatalog
    /// The parameters of a block, except for `text`, `effect` and that effect's parameters.
    package let blockParameters: [Parameter]
    /// The parameters of the scene.
    package let sceneParameters: [Parameter]
    package let effect: Parameter
    package let format: Parameter
    /// The names of presets, whose parameters lie beneath the request's own.
    package let preset: Parameter
    /// The place that the file goes to, whose rules decide parameters.
    package let target: Parameter
    /// The colours that the request is drawn in.
    package let scheme: Parameter
    /// The version whose defaults a request has.
    package let defaults: Parameter
    /// All parameters except for `otherNames` and the parameters of effects, in the order of the
    /// lists.
    package let parameters: [Parameter]
    /// The parameters in `parameters` that had another default in version 0.3, with that default.
    let earlierDefaults: [(key: ByteString, value: ParameterValue)]
    /// `parameters` by name.
    package let byName: [ByteString: Parameter]
    /// The names that a block may use with any effect.
    let blockNames: Set<ByteString>
    /// The names of all effects' parameters.
    package let effectNames: Set<ByteString>
    /// The names that a request may use at its top.
    let allNames: [String]
    let topNames: Set<ByteString>

    /// The names of the texts, presets, the target, the scheme, the defaults and the format, which are not
    /// among `parameters`.
    static let otherNames: [ByteString] = [
        "text", "blocks", "preset", "for", "scheme", "defaults", "format",
    ]

    /// The most texts, or blocks, of a request.
    package static let mostTexts = 32

    /// Returns true if a block may have a value of its own.
    package func takesInBlock(_ parameter: Parameter) -> Bool {
        blockNames.contains(parameter.key)
    }

    /// All parameters, and the others that a request has, except for texts and effects.
    package var all: [Parameter] { parameters + [preset, target, scheme, defaults, format] }

    package init(
        effects: EffectCatalog, formats: FormatCatalog, presets: PresetCatalog,
        pictures: PictureCatalog = .empty
    ) {
        self.pictures = pictures
        self.effects = effects
        self.formats = formats
        self.presets = presets
        blockParameters = ParameterReader.definitions { _ = BlockParameters(&$0) }
        sceneParameters = ParameterReader.definitions { _ = SceneParameters(&$0, effects) }
        effect = Parameter(
            "effect", .choice(effects.entries.map(\.name)),
            default: .string(ByteString(effects.defaultEntry.name)), "How the text comes alive.")
        preset = Parameter(
            "preset", .presets(presets.entries.map { $0.name }), default: nil,
            "Ready-made parameters to start from.")
        targets = Target.all.filter { formats[ByteString($0.format)] != nil }
        target = Parameter(
            "for", .choice(targets.map(\.name)), default: nil,
            "The place that the file goes to, which decides format, size, rate, and length.")
        scheme = Parameter(
            "scheme", .choice(ColorScheme.allCases.map(\.rawValue)),
            default: .string(ByteString(ColorScheme.auto.rawValue)),
            "Colours: for light, and also for dark where a format can have both (auto), or for "
                + "only one of them.")
        defaults = Parameter(
            "defaults", .choice(["0.3"]), default: nil,
            "The version whose defaults apply, if not this one's.")
        format = Parameter(
            "format", .choice(formats.entries.map(\.name)), default: nil,
            "Output format; the path's extension takes precedence.")
        parameters = blockParameters + sceneParameters + [effect] + formats.parameters
        earlierDefaults = parameters.compactMap { parameter in
            parameter.earlierDefault.map { (parameter.key, $0) }
        }
        byName = Dictionary(uniqueKeysWithValues: parameters.map { ($0.key, $0) })
        blockNames = Set(blockParameters.map(\.key) + ["text", "effect"])
        effectNames = Set(effects.entries.flatMap(\.keys))
        allNames =
            parameters.map(\.name) + Self.otherNames.map(\.text)
            + effectNames.sorted().map(\.text)
        topNames = Set(allNames.map { ByteString($0) })
    }
}
