import Motion
import Raster

/// Chooses where the lines of a paragraph end, such that few words of Chinese and Japanese do not stay
/// whole: UAX 14 lets lines end within them.
///
/// The least cost decides among all ways to break the paragraph into as many lines. A line costs
/// the square of the share by which it differs from the width that it should have. A line that ends
/// within a word costs as much as a line that ends a tenth of the width elsewhere.
struct WholeWordLines {
    /// The lines, and their cost.
    private struct Way {
        var cost: Double
        /// The index of the end of the line before.
        var previous: Int
    }

    private let text: LogicalText
    private let wrap: LineWrap
    /// In Pango's units.
    private let width: Int
    /// The places where lines may end, in characters, with the paragraph's start and end.
    private let places: [Int]
    /// The widths of all characters before each place, with and without white space at their end.
    private let starts: [Int]
    private let ends: [Int]
    /// The width that lines should have.
    private let target: Double

    /// The cost of a word that does not stay whole: two lines differ where their common end moves.
    private static let brokenWord = 2 * 0.1 * 0.1
    /// The cost of a last line of one word in `pretty`: more than anything else.
    private static let loneWord = 100.0

    /// Returns the best lines of a number that is the least in the width, in Pango's units; nil if no
    /// way is found, since widths of parts are approximations.
    static func lines(
        of paragraph: ShapedParagraph, count: Int, width: Int, _ wrap: LineWrap,
        _ deadline: WorkDeadline
    ) throws(TypesettingError) -> [ParagraphLine]? {
        let offsets = try TypesettingError.catching { () throws(LibraryFault) in
            try paragraph.offsets()
        }
        let chooser = WholeWordLines(
            paragraph, offsets, count: count, width: width, wrap)
        guard let positions = try chooser.best(count: count, deadline) else { return nil }
        let lines = try LineBreaker.lines(of: paragraph, endingAt: positions, deadline)
        let fits = zip(lines, positions + [paragraph.characters.upperBound]).allSatisfy {
            line, end in
            let isBehindSpace = paragraph.text.isWhite(at: end - 1)
            return isBehindSpace || line.runs.reduce(0) { $0 + $1.glyphs.width } <= width
        }
        return fits ? lines : nil
    }

    private init(
        _ paragraph: ShapedParagraph, _ offsets: [Int], count: Int, width: Int, _ wrap: LineWrap
    ) {
        text = paragraph.text
        self.wrap = wrap
        self.width = width
        let characters = paragraph.characters
        let inner = characters.dropFirst().filter { [text] in
            text.canBreak(at: $0, .betweenWords)
        }
        places = [characters.lowerBound] + inner + [characters.upperBound]
        starts = places.map { offsets[$0 - characters.lowerBound] }
        ends = places.map { [text] place in
            var end = place
            while end > characters.lowerBound, text.isWhite(at: end - 1) { end -= 1 }
            return offsets[end - characters.lowerBound]
        }
        target =
            wrap == .balance ? Double(offsets[offsets.count - 1]) / Double(count) : Double(width)
    }

    /// Returns the inner ends of the best lines, in characters.
    private func best(
        count: Int, _ deadline: WorkDeadline
    ) throws(TypesettingError) -> [Int]? {
        guard let bands = bands(count: count) else { return nil }
        var rows: [[Way?]] = [[Way(cost: 0, previous: 0)]]
        for (line, band) in bands.enumerated().dropFirst() {
            let before = bands[line - 1]
            var row: [Way?] = []
            for end in band {
                try deadline.look(every: 16)
                var best: Way?
                for start in before where start < end && fits(start..<end) {
                    guard let way = rows[line - 1][start - before.lowerBound] else { continue }
                    let cost = way.cost + cost(of: start..<end, isLast: line == count, count)
                    if cost < best?.cost ?? .infinity { best = Way(cost: cost, previous: start) }
                }
                row.append(best)
            }
            rows.append(row)
        }
        var positions: [Int] = []
        var end = places.count - 1
        for line in bands.indices.dropFirst().reversed() {
            guard let way = rows[line][end - bands[line].lowerBound] else { return nil }
            end = way.previous
            positions.append(places[end])
        }
        return positions.dropLast().reversed()
    }

    /// Returns the places where each line may end, the start counting as one, such that all fit; nil if
    /// they do not.
    private func bands(count: Int) -> [ClosedRange<Int>]? {
        let last = places.count - 1
        var latest = [0]
        for _ in 0..<count {
            let start = latest[latest.count - 1]
            var end = start
            while end < last, fits(start..<end + 1) { end += 1 }
            latest.append(end)
        }
        var earliest = [last]
        for _ in 0..<count {
            let end = earliest[earliest.count - 1]
            var start = end
            while start > 0, fits(start - 1..<end) { start -= 1 }
            earliest.append(start)
        }
        earliest.reverse()
        guard latest[count] == last, earliest[0] == 0 else { return nil }
        return zip(earliest, latest).map { min($0, $1)...$1 }
    }

    private func fits(_ line: Range<Int>) -> Bool {
        ends[line.upperBound] - starts[line.lowerBound] <= width
    }

    private func cost(of line: Range<Int>, isLast: Bool, _ count: Int) -> Double {
        let length = Double(ends[line.upperBound] - starts[line.lowerBound])
        let difference = length / target - 1
        guard isLast else {
            let isWithinWord = text.isWithinWord(at: places[line.upperBound])
            return difference * difference + (isWithinWord ? Self.brokenWord : 0)
        }
        guard wrap == .pretty else { return difference * difference }
        let isAlone = !places[line.lowerBound + 1..<line.upperBound].contains {
            !text.isWithinWord(at: $0)
        }
        return count > 2 && isAlone ? Self.loneWord : 0
    }
}
