import Bytes

/// Text at its final position: the result of typesetting, from which choreography starts.
package struct Layout: Sendable {
    /// Glyphs in block order, logical (reading) order within a block.
    package var glyphs: [Glyph]
    package var blocks: [BlockLayout]
    /// The place of each glyph, nil for a glyph upright in its box; empty if all glyphs are.
    package var places: [Place?] = []
    package var definitions: Definitions
    /// The contents of the bar above the text: its dots, then the glyphs of its title.
    package var titleBar: [Glyph] = []
    /// The bar beside the text; nil for none.
    package var bar: AccentBar?
    /// The picture behind everything; nil for none.
    package var backdrop: Backdrop?
    /// The box of the card; nil for the whole canvas.
    package var card: Rect?
    /// True if each block has a card around its lines, as large as the padding, in place of one.
    package var hasCardOfEachBlock = false
    /// Where each block stands, where blocks have times of their own; else empty.
    package var stackPlaces: [StackPlace] = []
    /// CSS pixels.
    package var width: Double
    /// CSS pixels.
    package var height: Double
    package var room = CanvasRoom()
    /// The factor that multiplied the sizes of the request, and the lengths that scale with them.
    package var factor = 1.0
    /// The work on the layout besides setting the text, in megapixels that take as long to compose.
    package var work = 0.0
    package var warnings: [Warning]

    package init(
        glyphs: [Glyph], blocks: [BlockLayout], definitions: Definitions,
        width: Double, height: Double, warnings: [Warning]
    ) {
        self.glyphs = glyphs
        self.blocks = blocks
        self.definitions = definitions
        self.width = width
        self.height = height
        self.warnings = warnings
    }
}

/// Where a block stands that comes and goes at times of its own.
package struct StackPlace: Sendable {
    /// How far it stands from its edge; in the middle, its top from the line half-way down.
    package let distance: Double
    /// The height of the room in which it stands.
    package let height: Double

    package init(distance: Double, height: Double) {
        (self.distance, self.height) = (distance, height)
    }
}

extension Layout {
    /// Returns the place of a glyph; nil for a glyph upright in its box.
    package func place(ofGlyph index: Int) -> Place? {
        places.isEmpty ? nil : places[index]
    }

    /// Returns the box of a block as it lies on the canvas: around the boxes of its glyphs if they
    /// have places.
    package func box(ofBlock index: Int) -> Rect {
        var box: Rect?
        for glyph in blocks[index].glyphs {
            guard let place = place(ofGlyph: glyph) else { continue }
            let own = place.map.bounds(of: glyphs[glyph].rect)
            box = box?.union(own) ?? own
        }
        return box ?? blocks[index].rect
    }

    /// Returns the box of a block and of its ink, grown by the margins of outlines and shadows.
    func drawnBox(ofBlock index: Int, margins: Margins) -> Rect {
        blocks[index].glyphs.reduce(box(ofBlock: index)) { box, glyph in
            guard let ink = glyphs[glyph].ink?.bounds else { return box }
            return box.union(place(ofGlyph: glyph)?.map.bounds(of: ink) ?? ink)
        }.grown(by: margins)
    }
}

/// The outlines and bitmaps of all ink, each once, in the order of their first use.
package struct Definitions: Sendable {
    package var outlines: [Outline] = []
    package var bitmaps: [Bitmap] = []
    /// The outlines that lines follow instead, by index in `outlines`.
    private var edges: [Int: Outline] = [:]

    package init(outlines: [Outline] = [], bitmaps: [Bitmap] = []) {
        self.outlines = outlines
        self.bitmaps = bitmaps
    }

    /// Makes lines along an outline follow the edge of its ink.
    mutating func takeOutOverlaps(ofOutline index: Int) {
        edges[index] = outlines[index].withoutOverlaps
    }

    /// Returns the outline that a line follows: the edge of the same ink.
    package func edge(ofOutline index: Int) -> Outline { edges[index] ?? outlines[index] }

    /// The outlines of formats that draw ink and the line along it by one path.
    package var edgesOfOutlines: [Outline] {
        edges.isEmpty ? outlines : outlines.indices.map(edge(ofOutline:))
    }
}

/// The part of the request that decides how large a canvas is around its text.
package struct CanvasRoom: Equatable, Sendable {
    /// CSS pixels on every side.
    package var padding = 0.0
    /// True if the text does not decide the width.
    package var isWidthGiven = false
    /// True if the text does not decide the height.
    package var isHeightGiven = false
    /// True if some of the text is beyond the left or the right side.
    package var isTextTooWide = false
    /// True if some of the text is beyond the upper or the lower side.
    package var isTextTooHigh = false
    /// CSS pixels of the longest side that the text may decide.
    package var maximumSide = 4096.0
    /// True if the canvas grows to hold moving nodes, where the text decides its size.
    package var holdsMotion = false

    package init() {}
}

/// One text of the request, set.
package struct BlockLayout: Sendable {
    /// The text after normalisation, without markup.
    package var text: String
    /// Indices into `Layout.glyphs`, and of the nodes of its scene.
    package var glyphs: Range<Int>
    package var lines: [Line]
    /// The font size of one `em`, in CSS pixels.
    package var size: Double
    /// The union of the lines' boxes.
    package var rect: Rect
    /// Nil if the block has no extras.
    package private(set) var extras: BlockExtras?

    package init(
        text: String, glyphs: Range<Int>, lines: [Line], size: Double, rect: Rect,
        _ extras: BlockExtras? = nil
    ) {
        self.text = text
        self.glyphs = glyphs
        self.lines = lines
        self.size = size
        self.rect = rect
        self.extras = extras
    }
}

/// The extras that few texts have besides their lines. A class, because blocks are copied often.
package final class BlockExtras: Sendable {
    package struct Values: Sendable {
        /// The characters that the block's effect shows besides the text, then the characters of
        /// another effect's exit, each at its pen's position on a baseline at 0.
        package var characters: [Glyph] = []
        /// The index of the first character of the exit.
        package var firstExitCharacter = 0
        /// Its glyphs at other instances of their fonts, for each motion of axes.
        package var instances: [AxisInstances] = []
        /// In the order in which they are drawn.
        package var marks: [Mark] = []
        /// The digits of the numbers beside its lines, each with the index of its line.
        package var numbers: [Glyph] = []
        /// The number of its first line.
        package var firstNumber = 1
        /// The path of its only line; nil for a straight line.
        package var path: PlacedPath?
        /// The words that stand for the pictures in it, by their glyphs' indices.
        package var alternatives: [Int: String] = [:]
        /// The parts of glyphs in other paints, by the indices of the glyphs.
        package var parts: [Int: [GlyphPart]] = [:]
        /// The words that have times, in their order.
        package var words: [TimedWord] = []
    }

    package let values: Values

    private init(_ values: Values) {
        self.values = values
    }

    /// Returns the extras of a block after a change.
    package static func changed(
        _ extras: BlockExtras?, _ change: (inout Values) -> Void
    ) -> BlockExtras {
        var values = extras?.values ?? Values()
        change(&values)
        return BlockExtras(values)
    }
}

extension BlockLayout {
    package var characters: [Glyph] {
        get { extras?.values.characters ?? [] }
        set { changeExtras { $0.characters = newValue } }
    }

    package var firstExitCharacter: Int { extras?.values.firstExitCharacter ?? 0 }

    package var instances: [AxisInstances] {
        get { extras?.values.instances ?? [] }
        set { changeExtras { $0.instances = newValue } }
    }

    package var marks: [Mark] {
        get { extras?.values.marks ?? [] }
        set { changeExtras { $0.marks = newValue } }
    }

    package var numbers: [Glyph] {
        get { extras?.values.numbers ?? [] }
        set { changeExtras { $0.numbers = newValue } }
    }

    var firstNumber: Int { extras?.values.firstNumber ?? 1 }

    package var path: PlacedPath? {
        get { extras?.values.path }
        set { changeExtras { $0.path = newValue } }
    }

    package var alternatives: [Int: String] {
        get { extras?.values.alternatives ?? [:] }
        set { changeExtras { $0.alternatives = newValue } }
    }

    package var parts: [Int: [GlyphPart]] { extras?.values.parts ?? [:] }

    package var words: [TimedWord] { extras?.values.words ?? [] }

    package mutating func changeExtras(_ change: (inout BlockExtras.Values) -> Void) {
        extras = BlockExtras.changed(extras, change)
    }

    /// Moves the boxes of the block and its lines, and their numbers; glyphs stay where they are.
    package mutating func move(byX x: Double, y: Double) {
        rect = rect.offset(byX: x, y: y)
        for line in lines.indices {
            lines[line].rect = lines[line].rect.offset(byX: x, y: y)
            lines[line].baseline += y
        }
        guard let values = extras?.values, !values.numbers.isEmpty || values.path != nil
        else { return }
        changeExtras { extras in
            for number in extras.numbers.indices { extras.numbers[number].move(byX: x, y: y) }
            extras.path = extras.path?.moved(byX: x, y: y)
        }
    }
}

/// A word of a set text, and the time in which it is said.
package struct TimedWord: Equatable, Sendable {
    /// Indices into `Layout.glyphs`: its characters, and the white space and the punctuation that
    /// belong to it.
    package var glyphs: Range<Int>
    /// Its start in seconds of the cycle.
    package var start: Double
    /// Its end in seconds of the cycle.
    package var end: Double

    package init(glyphs: Range<Int>, start: Double, end: Double) {
        self.glyphs = glyphs
        self.start = start
        self.end = end
    }
}

/// A direction of writing.
package enum Direction: String, Sendable {
    case leftToRight = "ltr"
    case rightToLeft = "rtl"
}

/// One line of a block.
package struct Line: Sendable {
    /// The union of its glyphs' boxes; an empty line has its font's box, 0 wide.
    package var rect: Rect
    /// The y of the baseline in CSS pixels.
    package var baseline: Double
    package var direction: Direction
    package var runs: [Run]

    package init(rect: Rect, baseline: Double, direction: Direction, runs: [Run]) {
        self.rect = rect
        self.baseline = baseline
        self.direction = direction
        self.runs = runs
    }
}

/// The font of a run, in the terms of CSS.
package struct RunFont: Sendable {
    package var family: String
    /// 1…1000.
    package var weight: Int
    /// True for italic and oblique faces.
    package var isItalic: Bool
    /// CSS pixels in one em.
    package var size: Double
    /// OpenType features besides the font's own, such as `liga=0,ss01`; empty for none.
    package var features = ""
    /// Coordinates of a variable font, such as `wdth=80`; empty for none.
    package var variations = ""
    /// True for an instance of a variable font.
    package var isVariable = false
    /// CSS pixels between graphemes.
    package var letterSpacing = 0.0
    /// A language tag (BCP 47); empty for none.
    package var language = ""
    /// The distance above the baseline that its font is clipped at (OS/2, usWinAscent), in CSS pixels.
    package var clippingAscent = 0.0
    /// The distance below it (usWinDescent), positive.
    package var clippingDescent = 0.0

    package init(
        family: String, weight: Int = 400, isItalic: Bool = false, size: Double
    ) {
        self.family = family
        self.weight = weight
        self.isItalic = isItalic
        self.size = size
    }

    /// Family, weight unless 400, `italic` where it is, and size: `DejaVu Sans 700 italic 32px`.
    package var text: String {
        family + (weight == 400 ? "" : " \(weight)") + (isItalic ? " italic" : "")
            + " \(NumberText.of(size))px"
    }

    /// The value of CSS's `font`: `italic 700 32px "DejaVu Sans"`.
    package var css: String {
        let quoted = family.pieces(separatedBy: "\"").joined(separator: "\\\"")
        return (isItalic ? "italic " : "") + "\(weight) \(NumberText.of(size))px \"\(quoted)\""
    }
}

/// Neighbouring glyphs in reading order that share font, paint and direction.
package struct Run: Sendable {
    package var font: RunFont
    package var paint: Paint
    package var direction: Direction
    /// Indices into `Layout.glyphs`, and of the nodes of its scene.
    package var glyphs: [Int]

    package init(font: RunFont, paint: Paint, direction: Direction, glyphs: [Int]) {
        self.font = font
        self.paint = paint
        self.direction = direction
        self.glyphs = glyphs
    }
}

/// A fault that the author should know although the rendering succeeded.
package struct Warning: Equatable, Sendable {
    package enum Code: String, Sendable {
        case missingGlyph = "missing-glyph"
        case missingFont = "missing-font"
        case similarFont = "similar-font"
        case fallback
        case notSpaced = "not-spaced"
        case oneColor = "one-colour"
        case noDictionary = "no-dictionary"
        case noDigits = "no-digits"
        case brokenWord = "broken-word"
        case linesOverlap = "lines-overlap"
        case clipped
        case cut
        case flashing
        case unsupported
        case halftone
        case captionsMended = "captions-mended"
    }

    package var code: Code
    package var message: String
    /// The index of the block that the warning concerns; nil for none.
    package var block: Int?
    /// The padding that would fix it, in whole CSS pixels; nil if none would.
    package var padding: Int?

    package init(code: Code, message: String, block: Int?, padding: Int? = nil) {
        self.code = code
        self.message = message
        self.block = block
        self.padding = padding
    }

    /// Returns the warning of a block whose words cannot be told without a dictionary.
    package static func noDictionary(block: Int) -> Warning {
        Warning(
            code: .noDictionary,
            message: "words cannot be found in a script without spaces between them: this server "
                + "has no ICU 72",
            block: block)
    }

    /// Returns the warning of text without the digits that its effect moves.
    static func noDigits(block: Int, effect: String) -> Warning {
        Warning(
            code: .noDigits,
            message: "the text has no digits for \(effect) to move, so it stands still",
            block: block)
    }

    /// Returns the warning of text that does not fit a canvas whose sides are given.
    package static func clippedText(isTooWide: Bool, isTooHigh: Bool) -> Warning {
        let sides = [isTooWide ? "width" : nil, isTooHigh ? "height" : nil].compactMap { $0 }
        return Warning(
            code: .clipped,
            message: "the text is larger than the given \(sides.joined(separator: " and "))",
            block: nil)
    }
}
