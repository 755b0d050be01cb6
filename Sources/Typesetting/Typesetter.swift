package import Motion
package import Raster

/// Lays out text with Pango.
///
/// Not `Sendable`: each worker keeps one of its own, with its own font map, because fonts and shapes
/// are read once.
package final class Typesetter {
    // Freed before the library, which frees fonts before their map.
    private let shaper: TextShaper
    private let library: FontLibrary
    /// The number of layouts that were begun.
    private var layouts: UInt64 = 0

    package init(catalog: FontCatalog, cache: any GlyphCache) throws(LibraryFault) {
        // Pango starts threads of its own.
        try LibraryWatch.checkMemory()
        library = try FontLibrary(catalog, cache)
        shaper = try TextShaper(library.map)
    }

    /// True when a new typesetter should replace it, because Pango keeps something of every font in
    /// every size that was ever asked for.
    package var isFull: Bool { library.isFull }

    /// Returns true if it holds more than a number of fonts, each of which is one face in one size, or
    /// the lists of families of many texts.
    package func holds(moreThan fonts: Int) -> Bool { library.holds(moreThan: fonts) }

    /// Lays out a sample, so that all that a first text needs is open, and works.
    package func warmUp() throws(LibraryFault) {
        let style = TypeStyle(
            families: FontCatalog.fallback, size: 32, weight: 400, isItalic: false,
            letterSpacing: 0, lineHeight: 1.2, paint: .transparent)
        let canvas = CanvasRequest(
            width: nil, height: nil, padding: 0, alignment: .start, verticalAlignment: .middle,
            spacing: 0)
        do {
            _ = try layout(
                [BlockText(StyledText(plain: "Titlecard", style: style))], on: canvas)
        } catch {
            guard case .library(let fault) = error else {
                throw .warning("the sample text cannot be typeset")
            }
            throw fault
        }
    }

    /// Returns the texts at their final positions, with the characters that their effects show
    /// besides.
    ///
    /// - Parameters:
    ///   - texts: The texts.
    ///   - canvas: The canvas that they are set on.
    ///   - workLimit: The most work that pictures in the texts may be, in megapixels that take as long to
    ///     compose.
    ///   - deadline: The end of the work.
    /// - Returns: The layout.
    /// - Throws: `TypesettingError.deadline`; `TypesettingError.tooMuchWork`;
    ///   `TypesettingError.canvasTooLarge` if an automatic canvas would be;
    ///   `TypesettingError.colorGlyphs` if a font cannot be drawn; `TypesettingError.library` if a
    ///   library failed, after which the typesetter may draw other fonts and has to be thrown away.
    package func layout(
        _ texts: [BlockText], on canvas: CanvasRequest, workLimit: Double = .infinity,
        until deadline: WorkDeadline = WorkDeadline()
    ) throws(TypesettingError) -> Layout {
        let scaler = PictureScaler(library.cache, limit: workLimit, until: deadline)
        var layout = try TextFitter.layout(texts, on: canvas) {
            texts, canvas, trial throws(TypesettingError) in
            try self.set(texts, on: canvas, trial, scaler, deadline)
        }
        layout.work = scaler.megapixels
        layout.warnings += try LineOverlap.warnings(of: layout, deadline)
        return layout
    }

    private func set(
        _ texts: [BlockText], on canvas: CanvasRequest, _ trial: LayoutTrial?,
        _ scaler: PictureScaler, _ deadline: WorkDeadline
    ) throws(TypesettingError) -> FitAttempt {
        // Each character on a line of its own, so that no two are shaped together.
        let lists = try texts.indices.map { index throws(TypesettingError) in
            let characters = texts[index].characters + texts[index].exitCharacters
            return characters.isEmpty
                ? nil
                : try StyledText(
                    plain: characters.joined(separator: "\n"), style: texts[index].text.base)
        }
        layouts += 1
        let motionCount = texts.indices.reduce(0) { $0 + texts[$1].axes.count }
        let isWrapped = canvas.baselines == nil && canvas.fit.wrap != .none
        let setting = LineSetting(
            width: isWrapped ? canvas.textWidth : nil, wrap: canvas.fit.wrap, trial: trial)
        var inks = InkTable(library, scaler, layout: layouts)
        var glyphs: [Glyph] = []
        var blocks: [LaidOutBlock] = []
        let watch = try TypesettingError.catching { () throws(LibraryFault) in try LibraryWatch() }
        let lineNumbers = LineNumbering.numbers(of: texts, in: canvas.places(of: texts.count))
        let last = lineNumbers.reduce(0) { max($0, $1?.upperBound ?? 0) }
        let columns = try texts.indices.map { index throws(TypesettingError) in
            try lineNumbers[index].flatMap { own throws(TypesettingError) in
                LineNumbers(
                    digits: try digits(of: texts[index], &inks, deadline), first: own.lowerBound,
                    last: last)
            }
        }
        let widths = try lineWidths(
            of: texts, beside: columns, on: canvas, upTo: setting.width, &inks, deadline)
        // By index, because reading a text copies it.
        for index in texts.indices {
            var setting = setting
            setting.width = widths[index]
            let numbers = columns[index]
            if let numbers { setting.width = setting.width.map { max($0 - numbers.width, 1) } }
            if texts[index].path != nil { setting.width = nil }
            blocks.append(
                try BlockShaper.shape(
                    texts[index].text, index: index, words: texts[index].words, setting,
                    AxisSetting(texts[index].axes, sharing: trial == nil ? motionCount : 0),
                    with: shaper, into: &glyphs, &inks, deadline))
            blocks[index].numbers = numbers
            if let path = texts[index].path {
                try blocks[index].bend(
                    along: path, &glyphs, &inks, spacing: texts[index].text.base.letterSpacing,
                    isTrial: trial != nil)
            }
        }
        var title: [Glyph] = []
        if let line = canvas.titleBar?.title {
            _ = try BlockShaper.shape(
                line, index: 0, words: .spaces, LineSetting(), with: shaper, into: &title, &inks,
                deadline)
        }
        for (index, list) in lists.enumerated() {
            guard let list else { continue }
            let characters = try shape(characters: list, &inks, deadline)
            blocks[index].extras = BlockExtras.changed(blocks[index].extras) {
                $0.characters = characters
                $0.firstExitCharacter = texts[index].characters.count
            }
        }
        try TypesettingError.catching { () throws(LibraryFault) in
            if canvas.baselines?.areMiddles == true {
                for index in texts.indices {
                    blocks[index].xHeight = try xHeight(of: texts[index].text.base)
                }
            }
            try watch.check()
        }
        if let font = inks.colorFont { throw .colorGlyphs(font: font) }
        return FitAttempt(
            layout: try CanvasLayout.layout(
                blocks, of: texts, glyphs: consume glyphs, title: title, inks, on: canvas,
                deadline),
            isWhole: blocks.allSatisfy(\.isWhole),
            brokenBlocks: blocks.indices.filter { blocks[$0].breaksWord }, lineWidths: widths)
    }

    /// Returns the width that the lines of each text may have.
    ///
    /// The places of a row that is too long share its width: a place that needs less than an equal
    /// share has what it needs, and the others share the rest.
    private func lineWidths(
        of texts: [BlockText], beside columns: [LineNumbers?], on canvas: CanvasRequest,
        upTo width: Double?, _ inks: inout InkTable, _ deadline: WorkDeadline
    ) throws(TypesettingError) -> [Double?] {
        let places = canvas.places(of: texts.count)
        guard canvas.flow == .row, let width, places.count > 1 else {
            return Array(repeating: width, count: texts.count)
        }
        var glyphs: [Glyph] = []
        var needed = [Double](repeating: 0, count: places.count)
        for (place, members) in places.enumerated() {
            // By index, because reading a text copies it.
            for index in members {
                let block = try BlockShaper.shape(
                    texts[index].text, index: index, words: texts[index].words, LineSetting(),
                    with: shaper, into: &glyphs, &inks, deadline)
                needed[place] = max(needed[place], block.width + (columns[index]?.width ?? 0))
            }
        }
        var rest = max(width - canvas.spacing * Double(places.count - 1), 1)
        var widths = [Double](repeating: 0, count: places.count)
        let order = places.indices.sorted { (needed[$0], $0) < (needed[$1], $1) }
        for (number, place) in order.enumerated() {
            widths[place] = min(needed[place], rest / Double(places.count - number))
            rest -= widths[place]
        }
        return places.enumerated().flatMap { place, members in
            members.map { _ in widths[place] }
        }
    }

    /// Returns the glyphs of 0 to 9 of which the numbers beside a text are made.
    private func digits(
        of text: BlockText, _ inks: inout InkTable, _ deadline: WorkDeadline
    ) throws(TypesettingError) -> [Glyph] {
        let digits = (0...9).map { "\($0)" }.joined(separator: "\n")
        let list = try StyledText(
            normalized: digits, style: text.text.base,
            parts: [TextPart(end: digits.utf8.count, color: text.numbering?.color)])
        return try shape(characters: list, &inks, deadline)
    }

    /// Returns the height of small letters in CSS pixels.
    private func xHeight(of style: TypeStyle) throws(LibraryFault) -> Double {
        let face = try shaper.face(for: style, library)
        return face.xHeight * style.size / face.unitsPerEm
    }

    /// Returns the first glyph of each line, at the origin of its pen on a baseline at 0.
    private func shape(
        characters: StyledText, _ inks: inout InkTable, _ deadline: WorkDeadline
    ) throws(TypesettingError) -> [Glyph] {
        var glyphs: [Glyph] = []
        let block = try BlockShaper.shape(
            characters, index: 0, words: .spaces, LineSetting(), with: shaper, into: &glyphs, &inks,
            deadline)
        return block.lines.compactMap { line in line.glyphs.first.map { glyphs[$0] } }
    }
}

/// One block of a request.
package struct BlockText: Sendable {
    package var text: StyledText
    /// The boundaries at which words begin.
    package var words: WordBoundaries
    /// The characters that the block's effect shows besides the text.
    package var characters: [String]
    /// The characters of the exit, if it is another effect.
    package var exitCharacters: [String]
    /// The motions of axes that it goes through.
    package var axes: [AxisMotion]
    package var cursor: CursorShape
    /// The room that outlines and shadows need around the ink.
    package var margins: Margins
    /// The numbers beside its lines; nil where there are none.
    package var numbering: LineNumbering?
    /// The path that it is set along; nil for straight lines.
    package var path: TextPath?

    package init(
        _ text: StyledText, words: WordBoundaries = .auto, characters: [String] = [],
        exitCharacters: [String] = [], axes: [AxisMotion] = [], cursor: CursorShape = .none,
        margins: Margins = .zero,
        numbering: LineNumbering? = nil,
        path: TextPath? = nil
    ) {
        self.text = text
        self.words = words
        self.characters = characters
        self.exitCharacters = exitCharacters
        self.axes = axes
        self.cursor = cursor
        self.margins = margins
        self.numbering = numbering
        self.path = path
    }
}

/// The reason for which a text cannot be laid out.
package enum TypesettingError: LibraryError, Equatable, Sendable {
    /// The text holds a control character other than a line break or a tab.
    case controlCharacter(Unicode.Scalar)
    /// The text is empty or white space.
    case blank
    /// The markup is malformed or not supported; the message.
    case markup(String)
    /// An automatic canvas would be larger than the limit, in CSS pixels.
    case canvasTooLarge(name: String, length: Double, limit: Double)
    /// A font has nothing but colour drawings of a character, none of them a picture; its family.
    case colorGlyphs(font: String)
    /// A grapheme has more characters than can be set in bounded time; their number.
    case graphemeTooLong(count: Int, limit: Int)
    /// Embeddings and isolates of directions are nested deeper than can be resolved.
    case directionsTooDeep(limit: Int)
    /// Markup asks for more different fonts than can be loaded in bounded time; their number.
    case tooManyFonts(count: Int, limit: Int)
    /// A picture cannot be decoded.
    case damagedPicture(name: String)
    /// The pictures in the texts would be more work to scale than a rendering may take, in megapixels
    /// that take as long to compose.
    case tooMuchWork(megapixels: Double, limit: Double)
    /// A path is shorter than its text, or ends before it; the text's length, and the missing
    /// length, in CSS pixels.
    case longerThanPath(length: Double, overflow: Double)
    /// A font lacks an axis that an effect changes; its family, and the tags of the axes that it has.
    case noAxis(String, font: String, axes: [String])
    /// Axes change in more steps than can be drawn in bounded time.
    case tooManyInstances
    /// The time that the layout may take is over.
    case deadline
    /// A library failed.
    case library(LibraryFault)
}

extension WorkDeadline {
    /// Checks the clock, one time of `stride`.
    ///
    /// - Throws: `TypesettingError.deadline`.
    func look(every stride: Int = 1) throws(TypesettingError) {
        if hasPassed(every: stride) { throw .deadline }
    }
}
