package import Motion

/// One block of a request.
package struct BlockText: Sendable {
    package var text: StyledText
    /// The boundaries at which words begin.
    package var words = WordBoundaries.auto
    /// The characters that the block's effect shows besides the text.
    package var characters: [String] = []
    /// The characters of the exit, if it is another effect.
    package var exitCharacters: [String] = []
    /// The motions of axes that it goes through.
    package var axes: [AxisMotion] = []
    package var cursor = CursorShape.none
    /// The room that outlines and shadows need around the ink.
    package var margins = Margins.zero
    /// The numbers beside its lines; nil where there are none.
    package var numbering: LineNumbering?
    /// The path that it is set along; nil for straight lines.
    package var path: TextPath?
    /// How its lines are aligned; nil for the canvas's way.
    package var alignment: CanvasRequest.Alignment?
    /// Where it stands in the height of the canvas; nil for the canvas's way.
    package var verticalAlignment: CanvasRequest.VerticalAlignment?
    /// The seconds in which it is seen, where blocks have times of their own.
    package var time: ClosedRange<Double>?
    /// Where it stands, if it is shown without the texts that are seen with it; nil where these decide
    /// that.
    package var stackPlace: StackPlace?
    /// Its words that have times, in their order.
    package var timedWords: [TextWord] = []

    package init(_ text: StyledText) {
        self.text = text
    }
}

extension BlockText {
    /// Returns the words that have times once the text is set as some glyphs of a layout.
    ///
    /// A glyph that draws characters of two words belongs to the first. Words without a glyph, which
    /// are cut off or draw nothing, are left out.
    func timedWords(of range: Range<Int>, in glyphs: [Glyph]) -> [TimedWord] {
        guard !timedWords.isEmpty else { return [] }
        let string = text.text
        var timed: [TimedWord] = []
        var first = range.lowerBound
        var position = string.startIndex
        var units = 0
        for (number, word) in timedWords.enumerated() {
            var end = range.upperBound
            if number + 1 < timedWords.count {
                let next = timedWords[number + 1].offset
                let index =
                    string.utf8.index(
                        string.startIndex, offsetBy: next, limitedBy: string.endIndex)
                    ?? string.endIndex
                units += string.utf16.distance(from: position, to: index)
                position = index
                end = first
                while end < range.upperBound, glyphs[end].start < units { end += 1 }
            }
            if first < end {
                timed.append(TimedWord(glyphs: first..<end, start: word.start, end: word.end))
            }
            first = end
        }
        return timed
    }
}
