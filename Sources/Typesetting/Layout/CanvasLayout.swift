package import Motion

/// The requested canvas for texts; lengths in CSS pixels.
package struct CanvasRequest: Equatable, Sendable {
    package enum Alignment: String, CaseIterable, Sendable {
        case left, center, right
        /// By each paragraph's direction.
        case start, end
    }

    package enum VerticalAlignment: String, CaseIterable, Sendable {
        case top, middle, bottom
    }

    /// The direction in which blocks follow each other.
    package enum Flow: String, CaseIterable, Sendable {
        /// One below another.
        case column
        /// One beside another on a common baseline, in the direction of the first one's text.
        case row
    }

    /// The box of the card behind the text.
    package enum CardExtent: String, CaseIterable, Sendable {
        /// The whole canvas.
        case canvas
        /// The text with its padding, and its bars.
        case fit
    }

    /// The room in a canvas whose size follows from the text.
    package enum Room: String, CaseIterable, Sendable {
        /// The text at rest.
        case none
        /// The text wherever it moves, except for motion that leaves the canvas by intent.
        case motion
    }

    /// Nil for what the text needs.
    package var width: Double?
    /// Nil for what the text needs.
    package var height: Double?
    /// The width that the canvas has at most where the text decides it; nil for any.
    package var maximumWidth: Double?
    /// Between the text and every edge of the card.
    package var padding: Double
    package var card = CardExtent.canvas
    /// The shares of a given width and height, from 0 to 1, that stay clear at the edges of the canvas.
    package var safeArea = Margins.zero
    package var alignment = Alignment.start
    package var verticalAlignment = VerticalAlignment.middle
    /// Between neighbouring blocks.
    package var spacing = 0.0
    package var flow = Flow.column
    /// The first of the blocks that have the last place in common; nil if each has its own.
    package var firstOverlaid: Int?
    /// The longest side that an automatic canvas may have.
    package var maximumSide = 4096.0
    /// Where blocks of one line each stand, instead of being stacked and wrapped; needs width and
    /// height.
    package var baselines: Baselines?
    package var fit = TextFit()
    package var room = Room.none
    /// Nil for none.
    package var titleBar: TitleBar?
    /// Beside the text; nil for none.
    package var sideBar: SideBar?
    /// Nil for none.
    package var backdrop: Backdrop?

    /// The height of the bar above the text in CSS pixels.
    var barHeight: Double { titleBar?.height ?? 0 }

    package init(
        width: Double? = nil, height: Double? = nil, maximumWidth: Double? = nil,
        padding: Double = 0
    ) {
        self.width = width
        self.height = height
        self.maximumWidth = maximumWidth
        self.padding = padding
    }

    /// Returns the blocks of each place, of so many blocks.
    func places(of count: Int) -> [Range<Int>] {
        let single = min(firstOverlaid ?? count, count)
        return (0..<single).map { $0..<$0 + 1 } + (single < count ? [single..<count] : [])
    }

    /// The distances of the text's room from the edges of the canvas.
    var margins: Margins { clearMargins + cardMargins }

    /// The distances of the safe area from the edges of the canvas.
    var clearMargins: Margins {
        let (width, height) = (width ?? 0, height ?? 0)
        return Margins(
            left: safeArea.left * width, top: safeArea.top * height, right: safeArea.right * width,
            bottom: safeArea.bottom * height)
    }

    /// The distances of the text from the edges of a card that fits it.
    var cardMargins: Margins {
        var margins = Margins(all: padding)
        margins.top += barHeight
        guard let sideBar else { return margins }
        switch sideBar.side {
        case .left, .start: margins.left += sideBar.room
        case .right, .end: margins.right += sideBar.room
        case .top: margins.top += sideBar.room
        case .bottom: margins.bottom += sideBar.room
        }
        return margins
    }
}

/// The heights of blocks of one line each.
package struct Baselines: Equatable, Sendable {
    /// The position of each block, in CSS pixels from the canvas's top.
    package var positions: [Double]
    /// True if the middles of small letters stand there, half an x-height above the baselines.
    package var areMiddles: Bool

    package init(positions: [Double], areMiddles: Bool) {
        self.positions = positions
        self.areMiddles = areMiddles
    }
}

/// Puts laid-out blocks on the canvas: each line aligned, nothing of the ink cut off where the canvas
/// is automatic.
struct CanvasLayout {
    let canvas: CanvasRequest
    let texts: [BlockText]
    var layout: Layout

    private init(_ canvas: CanvasRequest, _ texts: [BlockText], _ layout: consuming Layout) {
        self.canvas = canvas
        self.texts = texts
        self.layout = layout
    }

    /// Returns the layout of blocks whose glyphs, in the same order, are still relative to their
    /// lines.
    ///
    /// - Throws: `TypesettingError.canvasTooLarge`, `TypesettingError.deadline`.
    static func layout(
        _ blocks: [LaidOutBlock], of texts: [BlockText], glyphs: consuming [Glyph],
        _ inks: InkTable, on canvas: CanvasRequest, _ deadline: WorkDeadline
    ) throws(TypesettingError) -> Layout {
        var canvas = canvas
        canvas.sideBar = canvas.sideBar?.beside(blocks[0].lines[0].direction)
        var result = CanvasLayout(
            canvas, texts,
            Layout(
                glyphs: glyphs, blocks: [], definitions: inks.definitions,
                width: 0, height: 0, warnings: []))
        try deadline.look()
        try result.arrange(blocks)
        result.layout.bar = canvas.sideBar.map { $0.bar(beside: result.layout.blocks) }
        return result.layout
    }

    private mutating func arrange(_ blocks: [LaidOutBlock]) throws(TypesettingError) {
        let hasOneCard = canvas.card == .fit && texts[0].time == nil
        let room = hasOneCard ? nil : canvas.width.map { $0 - canvas.margins.across }
        let size: (width: Double, height: Double)
        if let baselines = canvas.baselines {
            size = (room ?? blocks.reduce(0) { max($0, $1.width) }, canvas.height ?? 0)
            put(blocks, at: baselines, width: size.width)
        } else if texts[0].time != nil {
            size = stackInTime(blocks, room: room)
        } else if canvas.flow == .row {
            size = arrangeInRow(blocks, room: room)
        } else {
            size = stack(blocks, room: room)
        }
        try fit(Rect(x: 0, y: 0, width: size.width, height: size.height), ink: inkBounds)
    }

    /// Puts blocks on given baselines.
    private mutating func put(_ blocks: [LaidOutBlock], at baselines: Baselines, width: Double) {
        for (index, block) in blocks.enumerated() {
            let baseline =
                baselines.positions[index] + (baselines.areMiddles ? block.xHeight / 2 : 0)
            // Browsers leave the letter spacing after the last letter, too.
            align(
                block, top: baseline - block.lines[0].ascent,
                width: width - texts[index].text.base.letterSpacing)
        }
    }

    /// Puts blocks one below another, and returns the size of all.
    private mutating func stack(
        _ blocks: [LaidOutBlock], room: Double?
    ) -> (width: Double, height: Double) {
        let width = room ?? blocks.reduce(0) { max($0, $1.width) }
        var top = 0.0
        for place in canvas.places(of: blocks.count).map({ blocks[$0] }) {
            let height = place.reduce(0) { max($0, $1.height) }
            for block in place {
                let free = (height - block.height) * verticalShare
                align(block, top: top + free, width: width)
            }
            top += height + canvas.spacing
        }
        return (width, top - canvas.spacing)
    }

    /// Puts blocks one beside another on a common baseline, and returns the size of all.
    private mutating func arrangeInRow(
        _ blocks: [LaidOutBlock], room: Double?
    ) -> (width: Double, height: Double) {
        let places = canvas.places(of: blocks.count).map { blocks[$0] }
        let widths = places.map { $0.reduce(0) { max($0, $1.width) } }
        let needed = widths.reduce(canvas.spacing * Double(places.count - 1), +)
        let width = room ?? needed
        let ascent = blocks.reduce(0) { max($0, $1.lines[0].ascent) }
        let direction = blocks[0].lines[0].direction
        let start = max(width - needed, 0) * leftShare(of: direction)
        var (passed, height) = (0.0, 0.0)
        for (number, (place, own)) in zip(places, widths).enumerated() {
            let left =
                start + (direction == .leftToRight ? passed : needed - passed - own)
            let share = innerShare(ofPlace: number, of: places.count, direction)
            for block in place {
                let top = ascent - block.lines[0].ascent
                align(block, left: left, top: top, width: own, share: share)
                height = max(height, top + block.height)
            }
            passed += own + canvas.spacing
        }
        return (width, height)
    }

    /// Returns the share of the free width left of the lines in a place of a row; nil for the share
    /// by the alignment.
    ///
    /// In a row in the middle the first and the last text face each other, as the roles and the names
    /// in credits.
    private func innerShare(
        ofPlace number: Int, of count: Int, _ direction: Direction
    ) -> Double? {
        guard canvas.alignment == .center, count > 1, number == 0 || number == count - 1 else {
            return nil
        }
        return (number == 0) == (direction == .leftToRight) ? 1 : 0
    }

    /// Moves the lines of the next block to their positions relative to the text's top left corner.
    ///
    /// - Parameters:
    ///   - block: The block.
    ///   - start: The left end of its room.
    ///   - top: The top of its first line.
    ///   - width: The width of its room.
    ///   - share: The share of the free width beside a line that is left of it; nil for the share by
    ///     the alignment.
    mutating func align(
        _ block: LaidOutBlock, left start: Double = 0, top: Double, width: Double,
        share: Double? = nil
    ) {
        let index = layout.blocks.count
        let text = texts[index].text
        var lines: [Line] = []
        lines.reserveCapacity(block.lines.count)
        var y = top
        var numbers: [Glyph] = []
        let firstNumber = block.numbers?.first ?? 1
        var number = firstNumber
        for line in block.lines {
            let own = share ?? leftShare(of: line.direction, text: index)
            var x = start + block.column + left(of: line, in: block, width: width, share: own)
            if let bent = block.bent {
                x -= bent.box.x
                y -= bent.box.y + line.ascent
                place(line, bent, byX: x, y: y + line.ascent)
            }
            let baseline = y + line.ascent
            for glyph in line.glyphs { layout.glyphs[glyph].move(byX: x, y: baseline) }
            if let column = block.numbers, line.beginsParagraph {
                numbers += column.glyphs(
                    of: number, block: index, line: lines.count, baseline: baseline)
                number += 1
            }
            lines.append(
                Line(
                    rect: Rect(x: x, y: y, width: line.width, height: line.height),
                    baseline: baseline, direction: line.direction, runs: line.runs))
            y += line.height
        }
        let rect = lines.dropFirst().reduce(lines[0].rect) { $0.union($1.rect) }
        let glyphs =
            block.lines[0].glyphs.lowerBound..<block.lines[lines.count - 1].glyphs.upperBound
        var placed = BlockLayout(
            text: text.text, glyphs: glyphs, lines: lines, size: text.base.size, rect: rect,
            block.extras)
        let words = texts[index].timedWords(of: glyphs, in: layout.glyphs)
        if !text.marks.isEmpty || !numbers.isEmpty || block.bent != nil || !words.isEmpty {
            let origin = SIMD2(lines[0].rect.x, lines[0].baseline)
            placed.changeExtras { extras in
                extras.marks = text.marks(of: glyphs, in: layout.glyphs)
                extras.words = words
                extras.numbers = numbers
                extras.firstNumber = firstNumber
                extras.path = block.bent.map { PlacedPath($0.track, from: origin) }
            }
        }
        layout.blocks.append(placed)
        layout.warnings += block.warnings
    }

    /// Returns how far a line begins from the left end of its room, behind the numbers of lines.
    private func left(
        of line: LaidOutLine, in block: LaidOutBlock, width: Double, share: Double
    ) -> Double {
        if let bent = block.bent { return max(width - bent.box.width, 0) * share }
        let free = width - block.column - line.width
        let isRightToLeft = line.direction == .rightToLeft
        // A line that is too long keeps its beginning.
        guard free > 0 else { return isRightToLeft ? free : 0 }
        guard share != (isRightToLeft ? 1 : 0) else { return free * share }
        let hanging = trailingSpace(of: line)
        return (free + hanging) * share - (isRightToLeft ? hanging : 0)
    }

    /// Returns the width of the spaces at the end of a line, which do not count where it is aligned.
    private func trailingSpace(of line: LaidOutLine) -> Double {
        layout.glyphs[line.glyphs].reversed().prefix { $0.isWhitespace && !$0.isNoBreakSpace }
            .reduce(0) { $0 + $1.rect.width }
    }

    /// Gives the glyphs of a bent line their places, moved by `x` and `y` from their places along
    /// its path.
    private mutating func place(_ line: LaidOutLine, _ bent: BentLine, byX x: Double, y: Double) {
        if layout.places.isEmpty {
            layout.places = [Place?](repeating: nil, count: layout.glyphs.count)
        }
        for (glyph, place) in zip(line.glyphs, bent.places) {
            layout.places[glyph] = place.moved(byX: x, y: y)
        }
    }

    /// Returns the share of the free width beside a line that is left of it; `text` is the number of
    /// its text, nil for all of them.
    private func leftShare(of direction: Direction, text: Int? = nil) -> Double {
        switch text.flatMap({ texts[$0].alignment }) ?? canvas.alignment {
        case .left: 0
        case .center: 0.5
        case .right: 1
        case .start: direction == .leftToRight ? 0 : 1
        case .end: direction == .leftToRight ? 1 : 0
        }
    }

    /// The box of all ink with its outlines and shadows, and of all marks.
    private var inkBounds: Rect? {
        var bounds = layout.blocks.lazy.compactMap { [layout] in $0.markBounds(in: layout.glyphs) }
            .reduce(nil as Rect?) { $0?.union($1) ?? $1 }
        let areUpright = layout.places.isEmpty
        for index in layout.glyphs.indices {
            guard var ink = layout.glyphs[index].ink?.bounds else { continue }
            if !areUpright, let place = layout.places[index] { ink = place.map.bounds(of: ink) }
            let drawn = ink.grown(by: texts[layout.glyphs[index].block].margins)
            bounds = bounds?.union(drawn) ?? drawn
        }
        return bounds
    }

    /// The box of all cursors' positions.
    private var cursorBounds: Rect? {
        var bounds: Rect?
        for (text, block) in zip(texts, layout.blocks) where text.cursor != .none {
            let positions = CursorPositions(
                text.cursor, block: block, glyphs: layout.glyphs[block.glyphs])
            func add(_ position: Rect, beside glyph: Int) {
                let place = layout.place(ofGlyph: block.glyphs.lowerBound + glyph)
                let placed = place.map { $0.map.bounds(of: position) } ?? position
                let drawn = placed.grown(by: text.margins)
                bounds = bounds?.union(drawn) ?? drawn
            }
            if !block.glyphs.isEmpty { add(positions.start, beside: 0) }
            for glyph in 0..<block.glyphs.count { add(positions.behind(glyph), beside: glyph) }
        }
        return bounds
    }

    /// Moves everything to its position on the canvas, and gives the canvas its size.
    private mutating func fit(_ text: Rect, ink: Rect?) throws(TypesettingError) {
        let all = [ink, cursorBounds].compactMap(\.self).reduce(text) { $0.union($1) }
        layout.room.padding = canvas.padding
        layout.room.isWidthGiven = canvas.width != nil
        layout.room.isHeightGiven = canvas.height != nil
        layout.room.maximumSide = canvas.maximumSide
        layout.room.holdsMotion = canvas.room == .motion
        let position: Point
        switch layout.hasCardOfEachBlock ? .canvas : canvas.card {
        case .canvas:
            let margins = canvas.margins
            layout.width = try length("width", canvas.width, needed: all.width + margins.across)
            layout.height = try length("height", canvas.height, needed: all.height + margins.down)
            let free = max((canvas.height ?? 0) - margins.down - text.height, 0)
            position = Point(
                x: margins.left - (canvas.width == nil ? all.x : 0),
                y: margins.top + (canvas.height == nil ? -all.y : free * verticalShare))
        case .fit:
            let card = try fittingCard(around: all)
            layout.card = card
            position = Point(
                x: card.x + canvas.cardMargins.left - all.x,
                y: card.y + canvas.cardMargins.top - all.y)
        }
        move(byX: position.x, y: position.y)
        warn(ink?.offset(byX: position.x, y: position.y))
    }

    /// Gives the canvas its size, and returns the box of the card that fits the text and its ink, on
    /// whole pixels within the safe area of the canvas.
    private mutating func fittingCard(around text: Rect) throws(TypesettingError) -> Rect {
        let (margins, clear) = (canvas.cardMargins, canvas.clearMargins)
        let width = Self.wholePixels(text.width + margins.across)
        let height = Self.wholePixels(text.height + margins.down)
        layout.width = try length("width", canvas.width, needed: width)
        layout.height = try length("height", canvas.height, needed: height)
        let share = leftShare(of: layout.blocks[0].lines[0].direction)
        let x = clear.left + max(layout.width - clear.across - width, 0) * share
        let y = clear.top + max(layout.height - clear.down - height, 0) * verticalShare
        return Rect(x: x.rounded(), y: y.rounded(), width: width, height: height)
    }

    private var verticalShare: Double {
        switch canvas.verticalAlignment {
        case .top: 0
        case .middle: 0.5
        case .bottom: 1
        }
    }

    /// Returns a length rounded up, except for an error of arithmetic.
    private static func wholePixels(_ length: Double) -> Double {
        max((length - 1e-6).rounded(.up), 1)
    }

    /// Returns a side of the canvas: as given, or the length needed in whole pixels.
    private func length(
        _ name: String, _ given: Double?, needed: Double
    ) throws(TypesettingError) -> Double {
        if let given { return given }
        let whole = Self.wholePixels(needed)
        guard whole <= canvas.maximumSide else {
            throw .canvasTooLarge(name: name, length: whole, limit: canvas.maximumSide)
        }
        return whole
    }

    private mutating func move(byX x: Double, y: Double) {
        for index in layout.glyphs.indices {
            layout.glyphs[index].move(byX: x, y: y)
            layout.glyphs[index].snapLines()
        }
        for index in layout.places.indices {
            layout.places[index] = layout.places[index]?.moved(byX: x, y: y)
        }
        for block in layout.blocks.indices {
            layout.blocks[block].move(byX: x, y: y)
        }
    }

    private mutating func warn(_ ink: Rect?) {
        guard let ink else { return }
        let slack = 0.01
        let isTooWide = ink.x < -slack || ink.maxX > layout.width + slack
        let isTooHigh = ink.y < -slack || ink.maxY > layout.height + slack
        guard isTooWide || isTooHigh else { return }
        layout.room.isTextTooWide = isTooWide
        layout.room.isTextTooHigh = isTooHigh
        layout.warnings.append(.clippedText(isTooWide: isTooWide, isTooHigh: isTooHigh))
    }
}

extension Glyph {
    /// True for white space that belongs to the characters beside it.
    fileprivate var isNoBreakSpace: Bool {
        text.unicodeScalars.contains { [0xA0, 0x2007, 0x202F].contains($0.value) }
    }

    /// Rounds its lines' ends to whole pixels, so that lines of neighbours meet without a seam.
    fileprivate mutating func snapLines() {
        guard let details = ink?.details, !details.isEmpty else { return }
        ink?.details = details.map { detail in
            guard case .line(let line) = detail else { return detail }
            let (left, right) = (line.x.rounded(), line.maxX.rounded())
            return .line(Rect(x: left, y: line.y, width: right - left, height: line.height))
        }
        ink?.includeDetails()
    }
}
