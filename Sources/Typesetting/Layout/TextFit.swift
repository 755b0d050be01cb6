import Motion

/// How a text is made to go with the room that its canvas leaves.
package struct TextFit: Equatable, Sendable {
    package enum Mode: String, CaseIterable, Sendable {
        /// Keeps the sizes.
        case none
        /// Makes the text smaller where it does not fit.
        case shrink
        /// Makes the text as large as fits.
        case fill
    }

    package var mode: Mode
    /// The size that no text is made smaller than, in CSS pixels.
    package var minimumSize: Double
    /// The most lines of a block; nil for any number.
    package var maximumLines: Int?
    package var wrap: LineWrap

    package init(
        mode: Mode = .none, minimumSize: Double = 12, maximumLines: Int? = nil,
        wrap: LineWrap = .normal
    ) {
        self.mode = mode
        self.minimumSize = minimumSize
        self.maximumLines = maximumLines
        self.wrap = wrap
    }
}

/// The conditions that end a layout made to see whether texts fit: it has the lines up to there.
struct LayoutTrial {
    /// The most lines of a block.
    var maximumLines: Int?
    /// True if it ends at a line that ends within a word.
    var endsAtBrokenWord = true

    /// Returns true if it ends at a line of a block, counted from 1.
    func ends(breaksWord: Bool, number: Int) -> Bool {
        endsAtBrokenWord && breaksWord || number > maximumLines ?? .max
    }
}

/// A layout, and whether its lines are whole.
struct FitAttempt {
    var layout: Layout
    /// False if it ended early, as a trial may.
    var isWhole: Bool
    /// The blocks in which a line ends within a word.
    var brokenBlocks: [Int] = []
    /// The width that the lines of each block may have; nil for any.
    var lineWidths: [Double?] = []
}

/// Finds the sizes at which texts fit their canvas, and cuts them where none does.
///
/// All blocks are scaled by one factor, such that the largest block's size is a whole number of
/// quarters of a pixel. While it searches, the canvas is scaled and not the text, which gives the
/// same lines without a font for every size.
struct TextFitter {
    /// Sets texts on a canvas.
    typealias Setter = (
        [BlockText], CanvasRequest, LayoutTrial?
    ) throws(TypesettingError) -> FitAttempt

    private let texts: [BlockText]
    private let canvas: CanvasRequest
    private let set: Setter
    /// The size of the largest block.
    private let size: Double
    /// The quarters of a pixel that `size` may become.
    private let quarters: ClosedRange<Int>

    /// The largest size of a request.
    private static let maximumSize = 400.0
    /// The number of sizes that are set after the search: the found size, and its neighbours.
    private static let checkedSizes = 3

    /// Returns the layout of texts that fit their canvas as it asks for.
    static func layout(
        _ texts: [BlockText], on canvas: CanvasRequest, _ set: @escaping Setter
    ) throws(TypesettingError) -> Layout {
        let fitter = TextFitter(texts, canvas, set)
        switch canvas.fit.mode {
        case .none:
            guard let most = canvas.fit.maximumLines else {
                return try set(texts, canvas, nil).layout
            }
            let trial = LayoutTrial(maximumLines: most, endsAtBrokenWord: false)
            let attempt = try set(texts, canvas, trial)
            return attempt.isWhole ? try fitter.whole(attempt.layout) : try fitter.cut(at: 1)
        case .shrink:
            let attempt = try set(texts, canvas, fitter.trial)
            return fitter.fits(attempt, on: canvas)
                ? try fitter.whole(attempt.layout) : try fitter.largest()
        case .fill:
            return try fitter.largest()
        }
    }

    /// Returns true if texts fit their canvas in their own size: no text has more lines than it may,
    /// no word is broken, and all have room.
    static func fit(
        _ texts: [BlockText], on canvas: CanvasRequest, _ set: @escaping Setter
    ) throws(TypesettingError) -> Bool {
        let canvas = canvas.withPlainLines
        let fitter = TextFitter(texts, canvas, set)
        return fitter.fits(try set(texts, canvas, fitter.trial), on: canvas)
    }

    /// The conditions that end the layout of texts that do not fit.
    private var trial: LayoutTrial { LayoutTrial(maximumLines: canvas.fit.maximumLines) }

    private init(_ texts: [BlockText], _ canvas: CanvasRequest, _ set: @escaping Setter) {
        self.texts = texts
        self.canvas = canvas
        self.set = set
        let sizes = texts.map(\.text.base.size)
        let size = sizes.max() ?? 0
        // Each block stays as large as the least size, or as itself where it is smaller.
        let least = sizes.reduce(0) { max($0, min(1, canvas.fit.minimumSize / $1)) }
        let lowest = Int((least * size * 4).rounded(.up))
        let most = canvas.fit.mode == .fill ? Self.maximumSize : size
        self.size = size
        quarters = lowest...max(lowest, Int((most * 4).rounded(.down)))
    }

    private func factor(_ quarters: Int) -> Double { Double(quarters) / 4 / size }

    // MARK: Search

    /// Returns the layout in the largest size that fits, or in the least one, cut.
    private func largest() throws(TypesettingError) -> Layout {
        if let found = try largest(trial) { return try whole(found.layout) }
        // A word that is too long at any size is broken; without lines nothing is, and without a height
        // every size would have room.
        var loose = trial
        loose.endsAtBrokenWord = false
        if canvas.fit.wrap != .none, canvas.textHeight != nil, let found = try largest(loose) {
            var layout = try whole(found.layout)
            layout.warnings += found.brokenBlocks.map { block in
                Warning(
                    code: .brokenWord, message: "a word is too long for a line, and is broken",
                    block: block)
            }
            return layout
        }
        return try cut(at: factor(quarters.lowerBound))
    }

    /// Returns the attempt in the largest size that fits, unless a trial ends it; nil if none does.
    private func largest(_ trial: LayoutTrial) throws(TypesettingError) -> FitAttempt? {
        var (low, high) = (quarters.lowerBound - 1, quarters.upperBound + 1)
        while high - low > 1 {
            let middle = (low + high) / 2
            if try fitsScaled(middle, trial) { low = middle } else { high = middle }
        }
        // The units of lengths are rounded: the found size is set, and the next larger one as well.
        var found: FitAttempt?
        var next = max(low, quarters.lowerBound)
        for _ in 0..<Self.checkedSizes {
            let attempt = try attempt(texts, at: factor(next), trial)
            if fits(attempt, on: canvas) {
                found = attempt
                guard next < quarters.upperBound else { break }
                next += 1
            } else {
                guard found == nil, next > quarters.lowerBound else { break }
                next -= 1
            }
        }
        return found
    }

    /// Returns true if the texts fit at a size: if they fit, as they are, a canvas that is larger
    /// by as much as the text would be smaller.
    private func fitsScaled(
        _ quarters: Int, _ trial: LayoutTrial
    ) throws(TypesettingError) -> Bool {
        let growth = 1 / factor(quarters)
        let scaled = canvas.withPlainLines.scaled(by: growth)
        let texts = texts.map { $0.onPath(scaledBy: growth).withoutCharacters }
        return fits(try set(texts, scaled, trial), on: scaled)
    }

    private func attempt(
        _ texts: [BlockText], at factor: Double, _ trial: LayoutTrial?
    ) throws(TypesettingError) -> FitAttempt {
        var canvas = canvas
        canvas.spacing *= factor
        var attempt = try set(texts.map { $0.scaled(by: factor) }, canvas, trial)
        attempt.layout.factor = factor
        return attempt
    }

    /// Returns a layout that fits, set once more if axes change glyphs, which a trial leaves out.
    private func whole(_ layout: Layout) throws(TypesettingError) -> Layout {
        guard texts.contains(where: { !$0.axes.isEmpty }) else { return layout }
        return try attempt(texts, at: layout.factor, nil).layout
    }

    private func fits(_ attempt: FitAttempt, on canvas: CanvasRequest) -> Bool {
        attempt.isWhole && !attempt.layout.warnings.contains { $0.code == .clipped }
            && hasRoom(attempt.layout, canvas)
    }

    /// The rounding of lengths that is no fault, in CSS pixels.
    private static let tolerance = 0.01

    /// Returns true if the boxes of all lines lie within the padding.
    private func hasRoom(_ layout: Layout, _ canvas: CanvasRequest) -> Bool {
        let first = layout.box(ofBlock: 0)
        let lines = layout.blocks.indices.dropFirst().reduce(first) {
            $0.union(layout.box(ofBlock: $1))
        }
        let all = layout.blocks.flatMap(\.numbers).reduce(lines) { $0.union($1.rect) }
        return all.width <= (canvas.textWidth ?? .infinity) + Self.tolerance
            && all.height <= (canvas.textHeight ?? .infinity) + Self.tolerance
    }

    // MARK: Cutting

    /// Returns the layout at a factor of texts that end with an ellipsis where they have more lines
    /// than there is room for.
    private func cut(at factor: Double) throws(TypesettingError) -> Layout {
        let (lines, widths) = try linesWithRoom(at: factor)
        var (texts, warnings) = (texts, [Warning]())
        for block in texts.indices {
            guard let most = lines[block] else { continue }
            let count = texts[block].text.text.count
            let shown = try graphemes(
                of: block, inLines: most, width: widths[block], at: factor)
            texts[block].text = texts[block].text.cut(behind: shown)
            warnings.append(
                Warning(
                    code: .cut, message: "the text is cut: \(shown) of \(count) graphemes fit",
                    block: block))
        }
        var layout = try attempt(texts, at: factor, nil).layout
        layout.warnings += warnings
        return layout
    }

    /// Returns how many lines each block may have, nil for a block that keeps its lines, and how wide
    /// these are: the blocks with the most lines lose one at a time, until all have room.
    private func linesWithRoom(
        at factor: Double
    ) throws(TypesettingError) -> (counts: [Int?], widths: [Double?]) {
        let room = canvas.fit.mode == .none ? nil : canvas.textHeight
        // The lines of the lowest text that the room could have.
        let lowest = texts.flatMap(\.text.spans).map {
            $0.style.type.size * ($0.style.type.lineHeight ?? TypeStyle.usualLineHeight)
        }
        let high = room.map { Int(($0 / ((lowest.min() ?? 1) * factor)).rounded(.up)) }
        let most = min(canvas.fit.maximumLines ?? .max, max(high ?? .max, 1))
        var own = canvas.withPlainLines
        own.spacing *= factor
        let attempt = try set(
            texts.map { $0.scaled(by: factor).withoutCharacters }, own,
            LayoutTrial(maximumLines: most, endsAtBrokenWord: false))
        let layout = attempt.layout
        var counts = layout.blocks.map { min($0.lines.count, most) }
        let spacing = own.spacing
        func height(_ block: Int) -> Double {
            layout.blocks[block].lines[..<counts[block]].reduce(0) { $0 + $1.rect.height }
        }
        func isTooHigh() -> Bool {
            guard let room else { return false }
            let heights = canvas.places(of: counts.count).map { place in
                place.reduce(0) { max($0, height($1)) }
            }
            let needed =
                canvas.flow == .row
                ? heights.max() ?? 0
                : heights.reduce(spacing * Double(heights.count - 1), +)
            return needed > room + Self.tolerance
        }
        while isTooHigh(), let most = counts.max(), most > 1 {
            // The last of several blocks with as many lines goes first.
            if let block = counts.lastIndex(of: most) { counts[block] -= 1 }
        }
        let cut = zip(counts, layout.blocks).map { $0 < $1.lines.count ? $0 : nil }
        return (cut, attempt.lineWidths)
    }

    /// Returns how many graphemes of a block have room in so many lines of a width, with an ellipsis.
    private func graphemes(
        of block: Int, inLines lines: Int, width: Double?, at factor: Double
    ) throws(TypesettingError) -> Int {
        var own = canvas.withPlainLines
        own.height = nil
        if canvas.flow == .row, let width {
            own.safeArea = .zero
            own.width = width + own.margins.across
        }
        let whole = texts[block].scaled(by: factor).withoutCharacters
        let trial = LayoutTrial(maximumLines: lines, endsAtBrokenWord: false)
        var (low, high) = (0, whole.text.text.count)
        while high - low > 1 {
            let middle = (low + high) / 2
            var text = whole
            text.text = whole.text.cut(behind: middle)
            if try set([text], own, trial).isWhole { low = middle } else { high = middle }
        }
        return low
    }
}

extension CanvasRequest {
    /// True if lines that are longer than their width go on in the next one.
    var wrapsLines: Bool { baselines == nil && fit.wrap != .none }

    /// The width that lines may have; nil for any.
    var textWidth: Double? {
        let safe = width.map { $0 - clearMargins.across }
        let most = card == .fit ? min(safe ?? .infinity, maximumWidth ?? .infinity) : nil
        guard let width = most ?? safe ?? maximumWidth, width < .infinity else { return nil }
        return max(width - cardMargins.across, 0)
    }

    /// The height that lines may have together; nil for any.
    var textHeight: Double? {
        height.map { max($0 - margins.down, 0) }
    }

    /// The canvas with lines that are not made even; their number stays the same.
    fileprivate var withPlainLines: CanvasRequest {
        var canvas = self
        if fit.wrap != .none { canvas.fit.wrap = .normal }
        return canvas
    }

    /// Returns the canvas with all lengths multiplied, except for the space between blocks.
    fileprivate func scaled(by factor: Double) -> CanvasRequest {
        var canvas = self
        canvas.width = width.map { $0 * factor }
        canvas.height = height.map { $0 * factor }
        canvas.maximumWidth = maximumWidth.map { $0 * factor }
        canvas.padding *= factor
        canvas.titleBar?.height *= factor
        canvas.sideBar?.width *= factor
        canvas.sideBar?.gap *= factor
        canvas.maximumSide = .infinity
        return canvas
    }
}

extension BlockText {
    /// The text without the characters that effects show besides it, which take no room.
    fileprivate var withoutCharacters: BlockText {
        var block = self
        block.characters = []
        block.exitCharacters = []
        return block
    }

    /// Returns the text on a path whose lengths are multiplied.
    fileprivate func onPath(scaledBy factor: Double) -> BlockText {
        guard let path else { return self }
        var block = self
        block.path = path.scaled(by: factor)
        return block
    }

    /// Returns the text with all lengths multiplied, except for its path, which keeps the canvas's
    /// scale.
    fileprivate func scaled(by factor: Double) -> BlockText {
        var block = self
        block.text = text.scaled(by: factor)
        block.margins = margins.scaled(by: factor)
        return block
    }
}
