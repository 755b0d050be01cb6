import Encoders
package import Motion
import Typesetting

/// Every parameter of a request that is not an effect's, with type, default and range.
package enum RequestParameters {
    // MARK: Text

    static let markup = ParameterKey.boolean(
        "markup", default: false, "Read the text as Pango markup.")

    // MARK: Type

    static let font = ParameterKey.string(
        "font", default: "DejaVu Sans", 1...200,
        "Font family, or several separated by commas.")
    static let size = ParameterKey.number(
        "size", default: 32, in: 4...400, unit: .pixels, "Font size.")
    static let weight = ParameterKey<Int>.count(
        "weight", default: 400, in: 100...1000, "Font weight; 400 is regular, 700 bold.")
    static let italic = ParameterKey.boolean("italic", default: false, "Italic or oblique.")
    static let letterSpacing = ParameterKey.number(
        "letterSpacing", default: 0, in: -20...100, unit: .pixels, "Space between letters.")
    static let lineHeight = ParameterKey.number(
        "lineHeight", default: 1.2, in: 0.5...5, "Height of a line, in multiples of the size.")
    static let color = ParameterKey.color(
        "color", default: Color(red: 0x24, green: 0x29, blue: 0x2F), "Colour of the text.")
    static let darkColor = ParameterKey.optionalColor(
        "darkColor", "SVG: the colour where the viewer prefers dark.")

    // MARK: Cursor

    static let cursor = ParameterKey<CursorShape>.choice(
        "cursor", default: .none, "A typing cursor.")
    static let cursorBlink = ParameterKey.blink(
        "cursorBlink", default: 1, "Seconds of one blink, from 0.34; 0 for solid.")

    // MARK: Canvas

    static let width = ParameterKey.optionalNumber(
        "width", in: 1...4096, unit: .pixels, "Width of the canvas; the text wraps to it.")
    static let height = ParameterKey.optionalNumber(
        "height", in: 1...4096, unit: .pixels, "Height of the canvas.")
    static let padding = ParameterKey.number(
        "padding", default: 16, in: 0...1024, unit: .pixels, "Room on every side.")
    static let align = ParameterKey<CanvasRequest.Alignment>.choice(
        "align", default: .start, "How lines are aligned; start and end go by their direction.")
    static let valign = ParameterKey<CanvasRequest.VerticalAlignment>.choice(
        "valign", default: .middle, "Where the text stands in a given height.")
    static let spacing = ParameterKey.number(
        "spacing", default: 16, in: 0...1024, unit: .pixels, "Room between stacked texts.")
    static let background = ParameterKey.color(
        "background", default: .transparent, "Colour behind the text.")
    static let darkBackground = ParameterKey.optionalColor(
        "darkBackground", "SVG: the background where the viewer prefers dark.")
    static let matte = ParameterKey.color(
        "matte", default: Color(red: 255, green: 255, blue: 255),
        "GIF: what partly transparent pixels are blended with.")

    // MARK: Sequence and playback

    static let sequence = ParameterKey<Choreography.Sequence>.choice(
        "sequence", default: .queue, "How several texts follow each other.")
    static let gap = ParameterKey.seconds(
        "gap", default: 0, in: 0...60,
        "Seconds between one text's arrival and the next one's start.")
    static let delay = ParameterKey.seconds(
        "delay", default: 0, in: 0...60, "Seconds before anything moves.")
    static let hold = ParameterKey.seconds(
        "hold", default: 1, in: 0...60, "Seconds that the finished text stands.")
    static let exit = Parameter(
        "exit",
        .choice(
            ["between", "auto"] + EffectCatalog.all.map { $0.name }.filter { $0 != "none" } + [
                "none"
            ]),
        default: .string("between"),
        "How texts leave: only to make room, always, by an effect's exit, or not at all.")
    static let loop = ParameterKey.loop("loop", 1...1000, "Number of cycles.")
    static let speed = ParameterKey.number(
        "speed", default: 1, in: 0.1...10, "All times are divided by it.")
    static let cycle = ParameterKey.optionalSeconds(
        "cycle", in: 0.1...120, "Instead of speed: the seconds that one cycle shall last.")
    static let seed = ParameterKey.number(
        seed: "seed", "What all chance is drawn from.")

    // MARK: Output

    static let fps = ParameterKey.number(
        "fps", default: 25, in: 1...50, "GIF, APNG: frames a second while something moves.")
    static let levels = ParameterKey<Int>.count(
        "levels", default: 32, in: 2...255, "GIF: levels of each colour; fewer make it smaller.")
    static let poster = ParameterKey<OutputOptions.Poster>.choice(
        "poster", default: .start,
        "GIF, APNG: what a viewer that never plays shows; end is the finished text.")
    static let scale = ParameterKey.number(
        "scale", default: 1, in: 0.5...4, "GIF, APNG, PNG: pixels in one CSS pixel.")
    static let time = ParameterKey.moment(
        "time", in: 0...120, "PNG: the instant in seconds, or end for the finished text.")
    static let animate = ParameterKey.boolean(
        "animate", default: true, "False: the finished text, still.")
    static let title = ParameterKey.optionalString(
        "title", 1...1000, "Accessible name; the text itself unless given.")

    // MARK: Lists

    /// What a block may set for itself besides `text`, `effect` and that effect's parameters.
    package static let blockParameters: [Parameter] =
        [
            markup.definition, font.definition, size.definition, weight.definition,
            italic.definition, letterSpacing.definition, lineHeight.definition,
            color.definition, darkColor.definition,
            cursor.definition, cursorBlink.definition,
        ]

    package static let effect = Parameter(
        "effect", .choice(EffectCatalog.all.map { $0.name }),
        default: .string(EffectCatalog.standard.name), "How the text comes alive.")

    package static let format = Parameter(
        "format", .choice(FormatCatalog.all.map { $0.name }), default: nil,
        "What is made of the text.")

    /// All but `text`, `blocks` and `format`, in the order in which they are listed.
    package static let all: [Parameter] =
        blockParameters
        + [
            width.definition, height.definition, padding.definition, align.definition,
            valign.definition, spacing.definition, background.definition,
            darkBackground.definition, matte.definition, sequence.definition, gap.definition,
            delay.definition, hold.definition, exit, loop.definition, speed.definition,
            cycle.definition, seed.definition, effect,
            fps.definition, levels.definition, poster.definition, scale.definition,
            time.definition, animate.definition, title.definition,
        ]

    package static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })
    static let blockNames = Set(blockParameters.map(\.name) + ["text", "effect"])

    /// Names that stand beside the parameters: the texts, the format, a URL's signature.
    static let otherNames = ["text", "blocks", "format"]

    /// Every effect's parameters by name.
    static let effectNames = Set(EffectCatalog.all.flatMap { $0.parameters.map(\.name) })

    /// Every name that a request may use at its top.
    static let allNames = all.map(\.name) + otherNames + effectNames.sorted()
}
