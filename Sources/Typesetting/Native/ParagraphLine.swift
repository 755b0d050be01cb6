import CPango
import Raster

/// A line of a paragraph: the pieces of items on it, shaped, in the order of the text.
struct ParagraphLine {
    struct Run {
        var piece: ShapedParagraph.Piece
        var glyphs: GlyphString
    }

    var runs: [Run] = []
    /// False for the last line of the paragraph.
    var isWrapped = false
    /// True if it ends within a word.
    var breaksWord = false
}

extension ParagraphLine {
    /// Takes the room from the white space at which the line is wrapped (`zero_line_final_space`).
    mutating func removeFinalSpace(of paragraph: ShapedParagraph) throws(LibraryFault) {
        guard let run = runs.last,
            paragraph.text.isWhite(at: run.piece.characters.upperBound - 1)
        else { return }
        let count = run.glyphs.count
        let isRightToLeft = paragraph.level(of: run.piece) & 1 == 1
        let final = isRightToLeft ? 0 : count - 1
        // Part of a cluster keeps its room.
        if count > 1 {
            let neighbour = isRightToLeft ? 1 : count - 2
            guard run.glyphs.cluster(of: final) != run.glyphs.cluster(of: neighbour) else { return }
        }
        let glyphs = try GlyphString(copying: run.glyphs)
        glyphs[final].geometry.width = 0
        glyphs[final].glyph = ShapedLine.Glyph.emptySymbol
        // The letter beside it loses its letter spacing.
        if isRightToLeft { glyphs.trimLeft() } else { glyphs.trimRight() }
        runs[runs.count - 1].glyphs = glyphs
    }

    /// Puts the runs in the order from left to right (UAX 9, L2).
    mutating func reorder(in paragraph: ShapedParagraph) {
        let levels = runs.map { paragraph.level(of: $0.piece) }
        guard let highest = levels.max(), highest > 0 else { return }
        var order = Array(runs.indices)
        for level in stride(from: highest, to: 0, by: -1) {
            var first = 0
            while first < order.count {
                var end = first
                while end < order.count, levels[order[end]] >= level { end += 1 }
                order[first..<end].reverse()
                first = max(end, first + 1)
            }
        }
        runs = order.map { runs[$0] }
    }

    /// Takes away the letter spacing at both ends of the line.
    mutating func trimLetterSpacing() throws(LibraryFault) {
        guard let first = runs.first, let last = runs.last else { return }
        if first.glyphs.spacing.left != 0 {
            runs[0].glyphs = try GlyphString(copying: first.glyphs)
            runs[0].glyphs.trimLeft()
        }
        if last.glyphs.spacing.right != 0 {
            // A copy of the run as it is now: a line's only run has lost the spacing at its left
            // end.
            runs[runs.count - 1].glyphs = try GlyphString(copying: runs[runs.count - 1].glyphs)
            runs[runs.count - 1].glyphs.trimRight()
        }
    }
}

extension GlyphString {
    /// Takes the letter spacing from the left of the first glyph that has room.
    fileprivate func trimLeft() {
        let room = Int32(spacing.left)
        spacing.left = 0
        guard let first = (0..<count).first(where: { self[$0].geometry.width != 0 }) else { return }
        for index in 0...first { self[index].geometry.x_offset -= room }
        self[first].geometry.width -= room
    }

    /// Takes the letter spacing from the right of the last glyph that has room.
    fileprivate func trimRight() {
        let room = Int32(spacing.right)
        spacing.right = 0
        guard let last = (0..<count).last(where: { self[$0].geometry.width != 0 }) else { return }
        let width = max(self[last].geometry.width - room, 0)
        // Marks stay where they are beside it.
        for index in last + 1..<count {
            self[index].geometry.x_offset += self[last].geometry.width - width
        }
        self[last].geometry.width = width
    }
}
