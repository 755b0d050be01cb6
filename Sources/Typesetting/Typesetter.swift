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
        var style = TypeStyle(
            families: FontCatalog.fallback, size: 32, weight: 400, paint: .transparent)
        style.lineHeight = 1.2
        do {
            _ = try layout(
                [BlockText(StyledText(plain: "Titlecard", style: style))], on: CanvasRequest())
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
    ///   - workLimit: The most work that pictures in the texts and behind them may be, in megapixels that take as long to
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
        if let backdrop = canvas.backdrop {
            layout.add(backdrop, try scaler.bitmap(of: backdrop.picture))
        }
        layout.work = scaler.megapixels
        layout.warnings += try LineOverlap.warnings(of: layout, deadline)
        return layout
    }

    /// Returns true if texts fit their canvas in their own size (`TextFitter.fit`).
    package func fits(
        _ texts: [BlockText], on canvas: CanvasRequest, until deadline: WorkDeadline
    ) throws(TypesettingError) -> Bool {
        let scaler = PictureScaler(library.cache, limit: .infinity, until: deadline)
        return try TextFitter.fit(texts, on: canvas) {
            texts, canvas, trial throws(TypesettingError) in
            try self.set(texts, on: canvas, trial, scaler, deadline)
        }
    }

    private func set(
        _ texts: [BlockText], on canvas: CanvasRequest, _ trial: LayoutTrial?,
        _ scaler: PictureScaler, _ deadline: WorkDeadline
    ) throws(TypesettingError) -> FitAttempt {
        let lists = try texts.map { text throws(TypesettingError) in try characterList(of: text) }
        layouts += 1
        var inks = InkTable(library, scaler, layout: layouts)
        let watch = try TypesettingError.catching { () throws(LibraryFault) in try LibraryWatch() }
        let columns = try numberColumns(beside: texts, on: canvas, &inks, deadline)
        let widths = try lineWidths(of: texts, beside: columns, on: canvas, &inks, deadline)
        var glyphs: [Glyph] = []
        var blocks = try shape(
            texts, beside: columns,
            inLines: widths.map { LineSetting(width: $0, wrap: canvas.fit.wrap, trial: trial) },
            into: &glyphs, &inks, deadline)
        let title = try shapeTitle(of: canvas, &inks, deadline)
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
                for (index, text) in texts.enumerated() {
                    blocks[index].xHeight = try xHeight(of: text.text.base)
                }
            }
            try watch.check()
        }
        if let font = inks.colorFont { throw .colorGlyphs(font: font) }
        var layout = try CanvasLayout.layout(
            blocks, of: texts, glyphs: consume glyphs, inks, on: canvas, deadline)
        if let bar = canvas.titleBar {
            let card = layout.card ?? Rect(x: 0, y: 0, width: layout.width, height: layout.height)
            layout.titleBar = bar.glyphs(title: title, on: card, &layout.definitions)
        }
        try deadline.look()
        return FitAttempt(
            layout: layout, isWhole: blocks.allSatisfy(\.isWhole),
            brokenBlocks: blocks.indices.filter { blocks[$0].breaksWord }, lineWidths: widths)
    }

    /// Returns the characters that effects show besides a text, each on a line of its own, so that
    /// no two are shaped together; nil for none.
    private func characterList(of text: BlockText) throws(TypesettingError) -> StyledText? {
        let characters = text.characters + text.exitCharacters
        guard !characters.isEmpty else { return nil }
        return try StyledText(plain: characters.joined(separator: "\n"), style: text.text.base)
    }

    /// Returns the columns of numbers beside the texts; nil for texts without numbers.
    private func numberColumns(
        beside texts: [BlockText], on canvas: CanvasRequest, _ inks: inout InkTable,
        _ deadline: WorkDeadline
    ) throws(TypesettingError) -> [LineNumbers?] {
        let numbers = LineNumbering.numbers(of: texts, in: canvas.places(of: texts.count))
        guard let last = numbers.compactMap({ $0?.upperBound }).max() else {
            return Array(repeating: nil, count: texts.count)
        }
        var columns: [LineNumbers?] = []
        for (text, own) in zip(texts, numbers) {
            let column = try own.flatMap { own throws(TypesettingError) in
                LineNumbers(
                    digits: try digits(of: text, &inks, deadline), first: own.lowerBound,
                    last: last)
            }
            columns.append(column)
        }
        return columns
    }

    /// Returns the width that the lines of each text may have.
    ///
    /// The places of a row that is too long share its width: a place that needs less than an equal
    /// share has what it needs, and the others share the rest.
    private func lineWidths(
        of texts: [BlockText], beside columns: [LineNumbers?], on canvas: CanvasRequest,
        _ inks: inout InkTable, _ deadline: WorkDeadline
    ) throws(TypesettingError) -> [Double?] {
        let places = canvas.places(of: texts.count)
        let width = canvas.wrapsLines ? canvas.textWidth : nil
        guard canvas.flow == .row, let width, places.count > 1 else {
            return Array(repeating: width, count: texts.count)
        }
        var glyphs: [Glyph] = []
        var needed = [Double](repeating: 0, count: places.count)
        for (place, members) in places.enumerated() {
            for index in members {
                let text = texts[index]
                let block = try BlockShaper.shape(
                    text.text, BlockSetting(index: index, words: text.words), with: shaper,
                    into: &glyphs, &inks, deadline)
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

    /// Shapes the texts in lines beside their columns of numbers, and appends their glyphs.
    private func shape(
        _ texts: [BlockText], beside columns: [LineNumbers?], inLines lines: [LineSetting],
        into glyphs: inout [Glyph], _ inks: inout InkTable, _ deadline: WorkDeadline
    ) throws(TypesettingError) -> [LaidOutBlock] {
        let motionCount = texts.reduce(0) { $0 + $1.axes.count }
        var blocks: [LaidOutBlock] = []
        for (index, text) in texts.enumerated() {
            let (numbers, isTrial) = (columns[index], lines[index].trial != nil)
            var setting = BlockSetting(index: index, words: text.words, lines: lines[index])
            setting.axes = AxisSetting(text.axes, sharing: isTrial ? 0 : motionCount)
            if let numbers {
                setting.lines.width = setting.lines.width.map { max($0 - numbers.width, 1) }
            }
            if text.path != nil { setting.lines.width = nil }
            var block = try BlockShaper.shape(
                text.text, setting, with: shaper, into: &glyphs, &inks, deadline)
            block.numbers = numbers
            if let path = text.path {
                try block.bend(
                    along: path, &glyphs, &inks, spacing: text.text.base.letterSpacing,
                    isTrial: isTrial)
            }
            blocks.append(block)
        }
        return blocks
    }

    /// Returns the glyphs of the title in the bar above the text; none without a title.
    private func shapeTitle(
        of canvas: CanvasRequest, _ inks: inout InkTable, _ deadline: WorkDeadline
    ) throws(TypesettingError) -> [Glyph] {
        var glyphs: [Glyph] = []
        if let title = canvas.titleBar?.title {
            _ = try BlockShaper.shape(
                title, BlockSetting(), with: shaper, into: &glyphs, &inks, deadline)
        }
        return glyphs
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
            characters, BlockSetting(), with: shaper, into: &glyphs, &inks, deadline)
        return block.lines.compactMap { line in line.glyphs.first.map { glyphs[$0] } }
    }
}
