/// The look and the times of a mark: a line drawn by hand under, through, or around words, a pill
/// behind them, a quotation mark above them, or a dot before each line.
package struct MarkStyle: Equatable, Sendable {
    package enum Kind: String, CaseIterable, Sendable {
        case underline, strike, box, circle, highlight, bracket, pill, quote, bullet

        /// True if it lies behind the text when no layer is given.
        package var isBehind: Bool { self == .highlight || self == .pill }
        /// True if it is exact rather than drawn by hand, and comes with its words.
        var isExact: Bool {
            switch self {
            case .pill, .quote, .bullet: true
            case .underline, .strike, .box, .circle, .highlight, .bracket: false
            }
        }
    }

    /// The layer of a mark, relative to all text.
    package enum Layer: String, CaseIterable, Sendable {
        case behind, front
    }

    package var kind: Kind
    /// Nil for the layer of its kind.
    package var layer: Layer?
    /// Nil for the text's colour, or for the colour of highlights.
    package var color: Color?
    /// The colour under a dark colour scheme; nil if it does not differ.
    package var darkColor: Color?
    /// The width of the line in ems; nil for the width of its kind.
    package var width: Double?
    /// The number of times that each of its lines is drawn, 1 or 2; nil for the number of its kind.
    package var strokes: Int?
    /// Ems between the words and the line.
    package var padding: Double
    /// Seconds from the arrival of its words to its start; of an exact kind, from the start of its
    /// text.
    package var delay: Double
    /// Seconds in which it is drawn.
    package var duration: Double

    package init(
        _ kind: Kind, layer: Layer? = nil, color: Color? = nil, darkColor: Color? = nil,
        width: Double? = nil, strokes: Int? = nil, padding: Double = 0.1, delay: Double = 0,
        duration: Double = 0.8
    ) {
        self.kind = kind
        self.layer = layer
        self.color = color
        self.darkColor = darkColor
        self.width = width
        self.strokes = strokes
        self.padding = padding
        self.delay = delay
        self.duration = duration
    }
}

extension MarkStyle {
    /// The widths that its line may have, in ems.
    package static let widths = 0.01...2.0

    /// A yellow that both dark and light letters can be read on.
    private static let highlighter = Color(red: 0xFF, green: 0xD6, blue: 0x00, alpha: 0x66)

    /// True if it lies behind all text.
    var isBehind: Bool { layer.map { $0 == .behind } ?? kind.isBehind }

    /// The width of its line in ems.
    var lineWidth: Double {
        if let width { return width }
        return switch kind {
        case .pill: 1.6
        case .quote: 0.15
        case .bullet: 0.28
        case .highlight: 0.8
        default: 0.05
        }
    }

    /// The number of times that each of its lines is drawn.
    var repetitions: Int { strokes ?? (kind.isBehind || kind.isExact ? 1 : 2) }

    /// The ends of its line; a highlighter's are straight, like its tip.
    var cap: LineStyle.Cap { kind == .highlight ? .butt : .round }

    /// Returns its line beside text in a paint; `em` is in CSS pixels.
    func line(beside paint: TextPaint, em: Double) -> LineStyle {
        var line = LineStyle(
            width: lineWidth * em, color: color ?? Self.highlighter, darkColor: darkColor,
            cap: cap)
        guard color == nil, kind != .highlight else { return line }
        line.color = tinted(paint.fill.firstColor)
        line.darkColor = darkColor ?? paint.darkFill.map { tinted($0.firstColor) }
        return line
    }

    /// Returns a mark's colour in text of a colour, which is to be read on a pill.
    private func tinted(_ color: Color) -> Color {
        guard kind == .pill else { return color }
        return Color(
            red: color.red, green: color.green, blue: color.blue, alpha: color.alpha / 6)
    }
}

/// A mark of a block's text.
package struct Mark: Sendable {
    package var style: MarkStyle
    /// The indices in `Layout.glyphs` of the marked glyphs.
    package var glyphs: Range<Int>

    package init(_ style: MarkStyle, glyphs: Range<Int>) {
        self.style = style
        self.glyphs = glyphs
    }
}

/// The marked glyphs of one line that are neighbours as they are seen.
struct MarkedWords: Sendable {
    /// Index of the line within the block.
    let line: Int
    /// Index of the first word within the block.
    let word: Int
    /// As wide as the glyphs' boxes, and as high as their ink, but no lower than capitals with
    /// descenders.
    let rect: Rect
    /// The y of the baseline in CSS pixels.
    let baseline: Double
    /// The largest font size among all glyphs of the mark, in CSS pixels.
    let em: Double
    let direction: Direction
}

extension BlockLayout {
    /// Returns the words of a mark of the block, line by line; none for only white space. A
    /// quotation mark has only the first words, and a bullet the first ones of each line.
    ///
    /// O(*n* log *n*) for each of the mark's lines of *n* glyphs.
    func words(of mark: Mark, in glyphs: [Glyph]) -> [MarkedWords] {
        var em = 0.0
        for index in mark.glyphs where !glyphs[index].isWhitespace {
            em = max(em, glyphs[index].size)
        }
        var words: [MarkedWords] = []
        var rest = mark.glyphs
        while let first = rest.first {
            let line = glyphs[first].line
            let own = rest.prefix { glyphs[$0].line == line }
            rest = own.upperBound..<rest.upperBound
            for run in runs(of: own, on: line, in: glyphs) {
                words.append(marked(run, on: line, em: em, in: glyphs))
                if mark.style.kind == .quote { return words }
                if mark.style.kind == .bullet { break }
            }
        }
        return words
    }

    /// Returns the runs of marked glyphs that are neighbours as they are seen, each from left to
    /// right and without white space around it, in the order of reading.
    private func runs(of marked: Range<Int>, on line: Int, in glyphs: [Glyph]) -> [[Int]] {
        var start = marked.lowerBound
        while start > self.glyphs.lowerBound, glyphs[start - 1].line == line { start -= 1 }
        var end = marked.upperBound
        while end < self.glyphs.upperBound, glyphs[end].line == line { end += 1 }
        let seen = (start..<end).filter { glyphs[$0].rect.width > 0 }.sorted {
            (glyphs[$0].rect.center.x, $0) < (glyphs[$1].rect.center.x, $1)
        }
        return seen.split { !marked.contains($0) }.compactMap { run in
            guard let first = run.firstIndex(where: { !glyphs[$0].isWhitespace }),
                let last = run.lastIndex(where: { !glyphs[$0].isWhitespace })
            else { return nil }
            return Array(run[first...last])
        }.sorted { ($0.min() ?? 0) < ($1.min() ?? 0) }
    }

    private func marked(
        _ run: [Int], on line: Int, em: Double, in glyphs: [Glyph]
    ) -> MarkedWords {
        var largest = run[0]
        for index in run where glyphs[index].size > glyphs[largest].size { largest = index }
        let (baseline, size) = (glyphs[largest].baseline, glyphs[largest].size)
        var (left, right) = (Double.infinity, -Double.infinity)
        var (top, bottom) = (baseline - 0.72 * size, baseline + 0.2 * size)
        for index in run {
            left = min(left, glyphs[index].rect.x)
            right = max(right, glyphs[index].rect.maxX)
            guard let ink = glyphs[index].ink?.bounds else { continue }
            (top, bottom) = (min(top, ink.y), max(bottom, ink.maxY))
        }
        return MarkedWords(
            line: line, word: run.reduce(.max) { min($0, glyphs[$1].word) },
            rect: Rect(x: left, y: top, width: right - left, height: bottom - top),
            baseline: baseline, em: em, direction: lines[line].direction)
    }

    /// Returns the box that all marks of the block stay within, with the width of their lines; nil
    /// without any.
    package func markBounds(in glyphs: [Glyph]) -> Rect? {
        var bounds: Rect?
        for mark in marks {
            for words in words(of: mark, in: glyphs) {
                let own = MarkShape(mark.style, around: words).bounds
                bounds = bounds?.union(own) ?? own
            }
        }
        return bounds
    }
}
