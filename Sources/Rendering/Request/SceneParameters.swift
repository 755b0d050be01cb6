import Bytes
import Motion
import Typesetting

/// The parameters of the whole scene: canvas, sequence, playback.
struct SceneParameters {
    /// The canvas, except for its longest side and the bar above the text.
    private(set) var canvas: CanvasRequest
    /// True if nothing of the scene says how wide lines are or where they break.
    let leavesLinesOpen: Bool
    let card: Card
    /// The picture behind everything, by its name; nil for none.
    let backdrop: (name: ByteString, fit: Backdrop.Fit, dim: Double)?
    /// Nil where the card stands still.
    let cardMotion: CardMotion?
    let hasTitleBar: Bool
    let windowTitle: String?
    let sequence: Choreography.Sequence
    let timing: Choreography.Timing
    /// `between`, `auto`, `none`, or an effect's name.
    let exit: String
    let emphasis: EmphasisParameters
    /// Nil where gradients stand still.
    let paintMotion: Choreography.PaintTurn?
    /// The seconds by which all times of a timed sequence are later.
    let offset: Double
    let loop: Loop
    let seed: UInt64
    let isAnimated: Bool
    let title: String?
    /// How captions are read, and become pages.
    let captions: CaptionParameters
    /// Pictures that texts may have, and that may lie behind them, besides the pictures of the operator.
    let pictures: [TextPicture]

    init(_ parameters: inout ParameterReader, _ effects: EffectCatalog) {
        (canvas, leavesLinesOpen) = parameters.canvas()
        backdrop = parameters.backdrop()
        card = parameters.card(in: &canvas)
        cardMotion = parameters.cardMotion()
        canvas.sideBar = parameters.sideBar()
        hasTitleBar = parameters.boolean(
            "titleBar", default: false, "A bar with three dots above the text, as on a window.")
        windowTitle = parameters.optionalText(
            "windowTitle", .prose(1...100), "With titleBar: the title in the bar.")
        sequence = parameters.choice(
            "sequence", default: .queue, "How several texts follow each other.")
        canvas.firstOverlaid = sequence.firstOverlaid
        let gap = parameters.seconds(
            "gap", default: 0, in: 0...60,
            "Seconds from the end of one text's motion to the start of the next one's.")
        let delay = parameters.seconds(
            "delay", default: 0, in: 0...60, "Seconds before anything moves.")
        let hold = parameters.seconds(
            "hold", default: 1, in: 0...60,
            "Seconds for which the finished text stands before it leaves or starts again.")
        exit = parameters.choice(
            "exit", default: "between",
            of: ["between", "auto"] + effects.exitNames + ["none"],
            "How texts leave: only to make room for the next one (between), always (auto), by "
                + "another effect's exit, or never (none).")
        emphasis = EmphasisParameters(&parameters, effects)
        paintMotion = parameters.paintMotion()
        offset = parameters.number(
            "offset", default: 0, in: -86_400...86_400, unit: .seconds,
            "With sequence=timed: the seconds by which everything comes later.")
        loop = parameters.loop("loop", in: 1...1000, "How many times it plays.")
        timing = Choreography.Timing(
            gap: gap, delay: delay, hold: hold, pace: parameters.pace(),
            cycle: parameters.cycleLength())
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
        captions = CaptionParameters(&parameters)
        pictures = parameters.pictures(
            "pictures",
            "Pictures for backdrop and, with markup, for <picture>, each a name with a PNG or WebP "
                + "file in Base64.")
    }

    /// Puts a picture behind everything.
    mutating func setBackdrop(to picture: TextPicture) {
        canvas.backdrop = backdrop.map {
            CanvasRequest.Backdrop(picture, fit: $0.fit, dim: $0.dim)
        }
    }

    /// The width to which texts wrap by default, in CSS pixels: the width of a README on GitHub,
    /// less a little.
    private static let usualWidth = 830.0

    /// Balances lines of the usual width.
    mutating func wrapUsually() {
        canvas.maximumWidth = Self.usualWidth
        canvas.fit.wrap = .balance
    }
}

/// The parameters of the motion of texts while they stand.
struct EmphasisParameters {
    /// `none`, or the name of an effect that standing text can run.
    let effect: String
    /// Seconds; nil for the effect's.
    let duration: Double?
    /// Seconds; nil for the effect's.
    let interval: Double?
    /// CSS pixels a second; nil for the effect's own.
    let rate: Double?

    fileprivate init(_ parameters: inout ParameterReader, _ effects: EffectCatalog) {
        effect = parameters.choice(
            "emphasis", default: "none", of: ["none"] + effects.emphasisNames,
            "Motion of texts while they stand: none, or an effect that begins and ends with the "
                + "finished text.")
        duration = parameters.optionalNumber(
            "emphasisDuration", in: 0...10, unit: .seconds,
            "Seconds for which each item moves in the emphasis; by default the effect's own.")
        interval = parameters.optionalNumber(
            "emphasisInterval", in: 0...60, unit: .seconds,
            "Seconds from the end of one emphasis to the start of the next; by default the "
                + "effect's own.")
        rate = parameters.optionalNumber(
            "emphasisRate", in: 1...2000, unit: .pixelsPerSecond,
            "With emphasis=marquee: how fast lines run; by default the effect's own rate.")
    }
}

/// How lines break, or the way that goes with the width.
private enum WrapChoice: String, CaseIterable {
    case auto, none, normal, balance, pretty
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

extension ParameterReader {
    /// Reads the canvas, and whether nothing says how wide lines are or where they break.
    fileprivate mutating func canvas() -> (canvas: CanvasRequest, leavesLinesOpen: Bool) {
        let width = optionalNumber(
            "width", in: 1...4096, unit: .pixels,
            "Width of the canvas; the text wraps to it.")
        let height = optionalNumber(
            "height", in: 1...4096, unit: .pixels, "Height of the canvas.")
        let maximumWidth = automaticNumber(
            "maxWidth", in: 1...4096, or: "none", unit: .pixels,
            "Without width: the canvas is as wide as its text, up to this width, at which the text "
                + "wraps. auto is 830, or none if another parameter decides the lines.")
        let (fit, leavesLinesOpen) = textFit(hasWidth: width != nil || maximumWidth != .auto)
        let room = choice(
            "room", default: CanvasRequest.Room.motion,
            "Where the text decides the canvas: padding grows for text that moves beyond it "
                + "(motion), or not (none).")
        let padding = number(
            "padding", default: 16, in: 0...1024, unit: .pixels,
            "Space between the text and the edges of the picture, or of a fitting card.")
        var canvas = CanvasRequest(
            width: width, height: height, maximumWidth: maximumWidth.given, padding: padding)
        canvas.fit = fit
        canvas.room = room
        // Blocks read them too, and list them.
        var shared = self
        (canvas.alignment, canvas.verticalAlignment) = shared.alignments()
        canvas.spacing = number(
            "spacing", default: 16, in: 0...1024, unit: .pixels,
            "Space between texts that stand below or beside each other.")
        canvas.safeArea = insets(
            "safeArea", in: 0...40, unit: .percent,
            "Space that text and a fitting card leave at the edges of a given width and height, in "
                + "percent of them: a number, or as in CSS top, right, bottom, and left."
        ).scaled(by: 0.01)
        canvas.flow = choice(
            "flow", default: .column,
            "Whether several texts stand below each other (column), or beside each other on one "
                + "baseline (row).")
        return (canvas, leavesLinesOpen)
    }

    /// Reads how a text fits the room that its canvas leaves, and whether it leaves open how lines
    /// break.
    private mutating func textFit(hasWidth: Bool) -> (fit: TextFit, leavesLinesOpen: Bool) {
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

    /// Reads the picture behind everything; nil for none.
    fileprivate mutating func backdrop() -> (name: ByteString, fit: Backdrop.Fit, dim: Double)? {
        let name = picture(
            "backdrop",
            "The picture behind everything: the name of one of pictures, or of the operator's.")
        let fit = choice(
            "backdropFit", default: Backdrop.Fit.cover,
            "With backdrop: the picture covers the canvas, which cuts it (cover), or is whole "
                + "within it (contain).")
        let dim = number(
            "backdropDim", default: 0, in: 0...1,
            "With backdrop: how opaque the black over the picture is.")
        return name.map { ($0, fit, dim) }
    }

    /// Reads the card behind the text.
    fileprivate mutating func card(in canvas: inout CanvasRequest) -> Card {
        canvas.card = choice(
            "card", default: CanvasRequest.CardExtent.canvas,
            "What the background with its corners and border covers: the whole canvas, or the text "
                + "with its padding (fit), at the place that align, valign, and safeArea give it.")
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

    /// Reads how fast it plays.
    fileprivate mutating func pace() -> Choreography.Pace {
        let speed = number(
            "speed", default: 1, in: 0.1...10,
            "Divides all times: at 2 everything is twice as fast.")
        let cycle = optionalNumber(
            "cycle", in: 0.1...120, unit: .seconds,
            "Instead of speed: the seconds from start to end.")
        return cycle.map { .cycle($0) } ?? .speed(speed)
    }

    /// Reads how long it may take.
    fileprivate mutating func cycleLength() -> CycleLength {
        let least = optionalNumber(
            "minCycle", in: 0.1...120, unit: .seconds,
            "The fewest seconds from start to end; the finished text of a shorter animation stands "
                + "longer.")
        let most = optionalNumber(
            "maxCycle", in: 0.1...120, unit: .seconds,
            "The most seconds from start to end; a longer animation plays faster.")
        let step = optionalNumber(
            "cycleStep", in: 0.1...60, unit: .seconds,
            "The seconds from start to end are a multiple of this; the finished text stands "
                + "longer.")
        return CycleLength(least: least, most: most, step: step)
    }
}
