import Motion

/// How a paragraph is broken into lines (CSS Text 4, `text-wrap`).
package enum LineWrap: String, CaseIterable, Sendable {
    /// At line breaks only.
    case none
    /// Where a line is full.
    case normal
    /// As `normal`, in the smallest width that gives no more lines.
    case balance
    /// As `normal`, in the largest width that leaves no single word on the last of three or more
    /// lines.
    case pretty
}

/// How the lines of texts are broken.
struct LineSetting {
    /// The width of lines in CSS pixels; nil where they end at line breaks only.
    var width: Double?
    var wrap = LineWrap.normal
    /// The conditions that end the layout early.
    var trial: LayoutTrial?
}

extension LineSetting {
    /// The lines of a paragraph in a width, in Pango's units.
    private struct Wrapping {
        var lines: [ParagraphLine]
        var width: Int

        var breaksWords: Bool { lines.contains(where: \.breaksWord) }
    }

    /// The precision of widths that are looked for, in Pango's units.
    private static let precision = Int(ShapedLine.unitsPerPixel) / 4

    /// Returns the lines of a paragraph, at least one, up to where a trial ends; `count` lines of its
    /// block come before it.
    func lines(
        of paragraph: ShapedParagraph, behind count: Int, _ deadline: WorkDeadline
    ) throws(TypesettingError) -> [ParagraphLine] {
        let width = width.map { Int($0 * ShapedLine.unitsPerPixel) }
        let measurements =
            wrap == .balance || wrap == .pretty ? LineBreaker.Measurements() : nil
        let lines = try LineBreaker.lines(
            of: paragraph, width: width, trial, behind: count, with: measurements, deadline)
        let fewest = wrap == .pretty ? 3 : 2
        guard let width, wrap == .balance || wrap == .pretty, lines.count >= fewest,
            lines.last?.isWrapped == false
        else { return lines }
        let full = Wrapping(lines: lines, width: width)
        // The lines of a word that is too long are full.
        guard !full.breaksWords else { return lines }
        if paragraph.text.canEndWithinWord(in: paragraph.characters),
            let lines = try WholeWordLines.lines(
                of: paragraph, count: lines.count, width: width, wrap, deadline)
        {
            return lines
        }
        func isAsGood(_ other: Wrapping) -> Bool {
            other.lines.count == lines.count && !other.breaksWords
        }
        func search(
            from good: Wrapping, towards bad: Int, _ isGood: (Wrapping) -> Bool
        ) throws(TypesettingError) -> Wrapping {
            var (good, bad) = (good, bad)
            while abs(good.width - bad) > Self.precision {
                let middle = (good.width + bad) / 2
                let next = Wrapping(
                    lines: try LineBreaker.lines(
                        of: paragraph, width: middle, nil, behind: 0, with: measurements,
                        deadline),
                    width: middle)
                if isGood(next) { good = next } else { bad = middle }
            }
            return good
        }
        if wrap == .pretty, !endsAlone(full, paragraph) { return lines }
        // The last line is longest where the others are as short as may be.
        let narrow = try search(from: full, towards: 0, isAsGood)
        guard wrap == .pretty else { return narrow.lines }
        guard !endsAlone(narrow, paragraph) else { return lines }
        return try search(from: narrow, towards: width) {
            isAsGood($0) && !endsAlone($0, paragraph)
        }.lines
    }

    /// Returns true if the last line is one word.
    private func endsAlone(_ wrapping: Wrapping, _ paragraph: ShapedParagraph) -> Bool {
        guard let line = wrapping.lines.last, let first = line.runs.first,
            let last = line.runs.last
        else { return false }
        let (start, end) = (
            first.piece.characters.lowerBound, last.piece.characters.upperBound
        )
        return !(start + 1..<max(start + 1, end)).contains {
            paragraph.text.canBreak(at: $0, .betweenWords)
        }
    }
}
