import Motion
import Raster

/// Breaks a paragraph into lines no wider than a width, between words, or between graphemes where a
/// word is wider.
///
/// Lines end where Pango 1.50 ends them with `PANGO_WRAP_WORD_CHAR` (`process_line`, `process_item`
/// of `pango-layout.c`), down to the widths in its units that it compares, so that a text keeps its
/// lines. It differs in two ways. It always comes to an end: where a line must end inside an item, and
/// none of the places between graphemes will do, it ends at one between words. And white space at the
/// end of an item that fits without it takes room where the line goes on behind it, so that no line is
/// too wide by a no-break space.
struct LineBreaker {
    typealias Piece = ShapedParagraph.Piece

    private let paragraph: ShapedParagraph
    private let text: LogicalText
    private let deadline: WorkDeadline
    /// In Pango's units.
    private let width: Int
    /// The pieces that are not on a line yet; the next piece is the last.
    private var pending: [Piece]
    /// The glyphs of the next piece.
    private var measured: MeasuredItem?
    /// The width of a hyphen, in the font of the first item that needed one.
    private var hyphenWidth: Int?
    private var line = ParagraphLine()
    /// The width that is left on the line that is being filled.
    private var remaining = 0
    /// The pieces that other widths have shaped already; nil if there is only one width.
    private let measurements: Measurements?

    /// The pieces shaped and measured while the lines of a paragraph are tried in several widths.
    final class Measurements {
        fileprivate var glyphs: [Piece: GlyphString] = [:]
        fileprivate var items: [Piece: MeasuredItem] = [:]
    }

    /// A piece that was shaped at once; initial parts of it may be on lines already.
    fileprivate struct MeasuredItem {
        let piece: Piece
        let glyphs: GlyphString
        /// The widths of all characters before each, and of all.
        let offsets: [Int]

        init(_ piece: Piece, _ glyphs: GlyphString, of paragraph: ShapedParagraph) {
            self.piece = piece
            self.glyphs = glyphs
            var offsets = [0]
            offsets.reserveCapacity(piece.characters.count + 1)
            var width = 0
            for character in paragraph.characterWidths(of: piece, glyphs) {
                width += Int(character)
                offsets.append(width)
            }
            self.offsets = offsets
        }

        /// Returns the sum of the widths of characters, which is an approximation: a cluster's
        /// characters have equal shares, and clusters change where an item is cut.
        func width(of characters: Range<Int>) -> Int {
            let first = piece.characters.lowerBound
            return offsets[characters.upperBound - first] - offsets[characters.lowerBound - first]
        }
    }

    /// The outcome for the next piece.
    private enum Outcome {
        case allOnLine
        /// Its beginning is on the line, the rest is the next piece.
        case partOnLine
        /// The line ends before it.
        case endsBefore
        /// It does not fit, and the line can end earlier.
        case noneFits
    }

    /// How far from the line's end widths are measured by shaping: three times the width of a
    /// character by the metrics of no font, which Pango gets.
    private static let safeDistance = 3 * 10 * 1024

    private init(
        _ paragraph: ShapedParagraph, width: Int, _ measurements: Measurements?,
        _ deadline: WorkDeadline
    ) {
        self.paragraph = paragraph
        self.measurements = measurements
        self.width = width
        self.deadline = deadline
        text = paragraph.text
        pending = paragraph.pieces.reversed()
    }

    /// Returns the lines of a paragraph, at least one, up to where a trial ends; `count` lines of
    /// its block come before it. `width` is in Pango's units, and nil for one line; `measurements`
    /// come from other widths.
    static func lines(
        of paragraph: ShapedParagraph, width: Int?, _ trial: LayoutTrial?, behind count: Int,
        with measurements: Measurements? = nil, _ deadline: WorkDeadline
    ) throws(TypesettingError) -> [ParagraphLine] {
        guard let width else { return [try line(of: paragraph)] }
        var breaker = LineBreaker(paragraph, width: width, measurements, deadline)
        var lines: [ParagraphLine] = []
        repeat {
            let line = try breaker.nextLine()
            lines.append(line)
            if trial?.ends(breaksWord: line.breaksWord, number: count + lines.count) == true {
                break
            }
        } while !breaker.pending.isEmpty
        return lines
    }

    /// Returns the lines of a paragraph that end at positions, in characters, and the last one.
    static func lines(
        of paragraph: ShapedParagraph, endingAt positions: [Int], _ deadline: WorkDeadline
    ) throws(TypesettingError) -> [ParagraphLine] {
        var breaker = LineBreaker(paragraph, width: 0, nil, deadline)
        var lines: [ParagraphLine] = []
        for position in positions + [paragraph.characters.upperBound] {
            try deadline.look(every: 4)
            lines.append(try breaker.nextLine(endingAt: position))
        }
        return lines
    }

    /// Returns a paragraph as one line.
    private static func line(of paragraph: ShapedParagraph) throws(TypesettingError)
        -> ParagraphLine
    {
        var line = ParagraphLine()
        try TypesettingError.catching { () throws(LibraryFault) in
            for piece in paragraph.pieces {
                line.runs.append(
                    ParagraphLine.Run(piece: piece, glyphs: try paragraph.glyphs(of: piece)))
            }
            try addHyphen(to: &line, of: paragraph)
        }
        return line
    }

    private mutating func nextLine() throws(TypesettingError) -> ParagraphLine {
        line = ParagraphLine()
        remaining = width
        // The last run in which the line could end, and the width that was left before it.
        var lastBreak: (run: Int, remaining: Int)?
        while let piece = pending.last {
            let (run, before) = (line.runs.count, remaining)
            switch try place(piece, mayOverflow: lastBreak == nil, endsInside: false) {
            case .allOnLine:
                pending.removeLast()
                if canBreak(inside: piece, orBefore: run > 0) { lastBreak = (run, before) }
                continue
            case .partOnLine, .endsBefore:
                break
            case .noneFits:
                guard let lastBreak else { break }
                while line.runs.count > lastBreak.run {
                    pending.append(line.runs.removeLast().piece)
                }
                remaining = lastBreak.remaining
                guard let piece = pending.last else { break }
                let outcome = try place(piece, mayOverflow: true, endsInside: true)
                if case .allOnLine = outcome { pending.removeLast() }
            }
            break
        }
        line.isWrapped = !pending.isEmpty
        if line.isWrapped, let last = line.runs.last {
            line.breaksWord = !text.canBreak(at: last.piece.characters.upperBound, .betweenWords)
        }
        try TypesettingError.catching { () throws(LibraryFault) in
            try Self.addHyphen(to: &line, of: paragraph)
        }
        return line
    }

    private mutating func nextLine(endingAt position: Int) throws(TypesettingError) -> ParagraphLine
    {
        line = ParagraphLine()
        while let piece = pending.last, piece.characters.lowerBound < position {
            var first = piece
            if position < piece.characters.upperBound {
                let parts = split(piece, behind: position - piece.characters.lowerBound)
                first = parts.first
                pending[pending.count - 1] = parts.rest
            } else {
                pending.removeLast()
            }
            line.runs.append(ParagraphLine.Run(piece: first, glyphs: try shape(first)))
        }
        line.isWrapped = !pending.isEmpty
        try TypesettingError.catching { () throws(LibraryFault) in
            try Self.addHyphen(to: &line, of: paragraph)
        }
        return line
    }

    /// Returns true if a line can end between words of a piece, or before it.
    private func canBreak(inside piece: Piece, orBefore: Bool) -> Bool {
        piece.characters.dropFirst(orBefore ? 0 : 1).contains {
            text.canBreak(at: $0, .betweenWords)
        }
    }

    /// A place at which a piece may be cut, by the number of characters before it.
    private struct Candidate {
        var count: Int
        var width: Int
        /// The width that a hyphen adds, or that white space at the line's end takes away.
        var extra: Int
        /// Nil where no more than the widths of the characters were examined.
        var glyphs: GlyphString?

        var total: Int { width + extra }
    }

    /// Puts as much as possible of the next piece on the line.
    ///
    /// Where `mayOverflow` is true the line cannot end earlier; where `endsInside` is true it must end
    /// in the piece or before it.
    private mutating func place(
        _ piece: Piece, mayOverflow: Bool, endsInside: Bool
    ) throws(TypesettingError) -> Outcome {
        try deadline.look(every: 4)
        let isNew = measured == nil
        let item: MeasuredItem
        if let measured {
            item = measured
        } else {
            item = try measuredItem(piece)
            measured = item
        }
        let count = piece.characters.count
        let isAlone = count == 1 && line.runs.isEmpty
        var width = isNew ? item.glyphs.width : item.width(of: piece.characters)
        var extra = 0
        if !endsInside, text.canBreak(at: piece.characters.upperBound, .betweenWords) {
            extra = extraWidth(behind: count, of: piece, item)
        }
        if !endsInside, width + extra <= remaining || isAlone {
            let glyphs = piece == item.piece ? item.glyphs : try shape(piece)
            width = glyphs.width
            if width + extra <= remaining || isAlone {
                put(piece, glyphs)
                remaining = max(remaining - width, 0)
                return .allOnLine
            }
        }
        let whole = Candidate(count: count, width: width, extra: extra)
        var kind = LogicalText.BreakKind.betweenWords
        var best = try candidate(in: piece, item, whole, kind, endsInside: endsInside)
        if mayOverflow, best.total > remaining {
            kind = .betweenGraphemes
            let loose = try candidate(in: piece, item, whole, kind, endsInside: endsInside)
            // Pango ends the process where it finds nothing here.
            if !endsInside || loose.count < count { best = loose }
        }
        guard mayOverflow || best.total <= remaining else {
            measured = nil
            return .noneFits
        }
        if best.count == count {
            // The line may go on behind its white space, which then takes room.
            remaining = max(remaining - max(best.width, best.total), 0)
            return try putWhole(piece, item, kind)
        }
        if best.count == 0 { return .endsBefore }
        let (first, rest) = split(piece, behind: best.count)
        if let glyphs = best.glyphs { put(first, glyphs) } else { put(first, try shape(first)) }
        pending[pending.count - 1] = rest
        return .partOnLine
    }

    private mutating func putWhole(
        _ piece: Piece, _ item: MeasuredItem, _ kind: LogicalText.BreakKind
    ) throws(TypesettingError) -> Outcome {
        var piece = piece
        let end = piece.characters.upperBound
        if text.canBreak(at: end, kind), needsHyphen(at: end) { piece.endsWithHyphen = true }
        put(piece, piece == item.piece ? item.glyphs : try shape(piece))
        return .allOnLine
    }

    private mutating func put(_ piece: Piece, _ glyphs: GlyphString) {
        line.runs.append(ParagraphLine.Run(piece: piece, glyphs: glyphs))
        if piece.characters.upperBound == pending.last?.characters.upperBound { measured = nil }
    }

    /// Returns the best place to cut a piece; `whole` if there is none.
    private mutating func candidate(
        in piece: Piece, _ item: MeasuredItem, _ whole: Candidate, _ kind: LogicalText.BreakKind,
        endsInside: Bool
    ) throws(TypesettingError) -> Candidate {
        let start = piece.characters.lowerBound
        var best = whole
        var width = 0
        var byte = piece.bytes.lowerBound
        for count in 0...(endsInside ? whole.count - 1 : whole.count) {
            var extra = extraWidth(behind: count, of: piece, item)
            if min(width + extra, width) > remaining + Self.safeDistance,
                best.count < whole.count
            {
                break
            }
            if text.canBreak(at: start + count, kind), count > 0 || !line.runs.isEmpty {
                if count == 0 || width + extra < remaining - Self.safeDistance {
                    best = Candidate(count: count, width: width, extra: extra)
                } else {
                    try deadline.look(every: 4)
                    let glyphs = try shape(part(of: piece, count, endingAt: byte))
                    extra = measuredExtraWidth(behind: count, of: piece, item)
                    let next = Candidate(
                        count: count, width: glyphs.width, extra: extra, glyphs: glyphs)
                    if best.count == whole.count || next.total <= remaining
                        || next.total < best.total
                    {
                        best = next
                    }
                }
            }
            if count < whole.count {
                width += item.width(of: start + count..<start + count + 1)
                byte = text.byte(after: byte)
            }
        }
        return best
    }

    /// Returns the beginning of a piece as it would be at a line's end.
    private func part(of piece: Piece, _ count: Int, endingAt byte: Int) -> Piece {
        guard count < piece.characters.count else { return piece }
        var part = piece
        part.bytes = piece.bytes.lowerBound..<byte
        part.characters = piece.characters.lowerBound..<piece.characters.lowerBound + count
        part.endsWithHyphen = needsHyphen(at: part.characters.upperBound)
        return part
    }

    private func split(_ piece: Piece, behind count: Int) -> (first: Piece, rest: Piece) {
        var byte = piece.bytes.lowerBound
        for _ in 0..<count { byte = text.byte(after: byte) }
        let character = piece.characters.lowerBound + count
        var (first, rest) = (piece, piece)
        first.bytes = piece.bytes.lowerBound..<byte
        first.characters = piece.characters.lowerBound..<character
        rest.bytes = byte..<piece.bytes.upperBound
        rest.characters = character..<piece.characters.upperBound
        return (first, rest)
    }

    private func needsHyphen(at position: Int) -> Bool {
        text.insertsHyphen(at: position) || text.removesPreceding(at: position)
    }

    /// Returns the width that a hyphen adds to a line that ends after so many characters of a
    /// piece, or that white space at its end takes away.
    private mutating func extraWidth(
        behind count: Int, of piece: Piece, _ item: MeasuredItem
    ) -> Int {
        let position = piece.characters.lowerBound + count
        if text.insertsHyphen(at: position) {
            let hyphen = hyphenWidth ?? paragraph.hyphenWidth(of: piece)
            hyphenWidth = hyphen
            guard text.removesPreceding(at: position), count > 0 else { return hyphen }
            return hyphen - item.width(of: position - 1..<position)
        }
        guard count > 0, text.isWhite(at: position - 1) else { return 0 }
        return 0 - item.width(of: position - 1..<position)
    }

    /// The same for a part that has been shaped, with its hyphen.
    private func measuredExtraWidth(
        behind count: Int, of piece: Piece, _ item: MeasuredItem
    ) -> Int {
        let position = piece.characters.lowerBound + count
        let isWhole = count == piece.characters.count
        // White space at the very end takes room.
        let isLast = pending.count == 1
        if count > 0, !isWhole || !isLast, text.isWhite(at: position - 1) {
            return 0 - item.width(of: position - 1..<position)
        }
        return isWhole && !isLast && needsHyphen(at: position) ? hyphenWidth ?? -1 : 0
    }

    /// Adds the hyphen that a line's last run needs and does not have yet.
    private static func addHyphen(
        to line: inout ParagraphLine, of paragraph: ShapedParagraph
    ) throws(LibraryFault) {
        let last = line.runs.count - 1
        guard last >= 0 else { return }
        var piece = line.runs[last].piece
        guard paragraph.text.insertsHyphen(at: piece.characters.upperBound), !piece.endsWithHyphen
        else { return }
        piece.endsWithHyphen = true
        line.runs[last] = ParagraphLine.Run(piece: piece, glyphs: try paragraph.glyphs(of: piece))
    }

    private func measuredItem(_ piece: Piece) throws(TypesettingError) -> MeasuredItem {
        if let item = measurements?.items[piece] { return item }
        let item = MeasuredItem(piece, try shape(piece), of: paragraph)
        measurements?.items[piece] = item
        return item
    }

    private func shape(_ piece: Piece) throws(TypesettingError) -> GlyphString {
        if let glyphs = measurements?.glyphs[piece] { return glyphs }
        let glyphs = try TypesettingError.catching { () throws(LibraryFault) in
            try paragraph.glyphs(of: piece)
        }
        measurements?.glyphs[piece] = glyphs
        return glyphs
    }
}
