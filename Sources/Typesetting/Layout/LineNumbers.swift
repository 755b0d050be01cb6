import Bytes
package import Motion

/// How the lines of a text are numbered.
package struct LineNumbering: Sendable {
    /// The colour of the numbers.
    package let color: Color
    /// The number of the first line; nil for one more than the last number above it, or 1.
    package let first: Int?

    package init(color: Color, first: Int?) {
        self.color = color
        self.first = first
    }

    /// Returns the numbers of the lines of each text; nil where it has none.
    ///
    /// - Parameters:
    ///   - texts: The texts, from top to bottom.
    ///   - places: The texts of each place; the numbers of its texts go on from the place before.
    /// - Returns: As many ranges as there are texts.
    static func numbers(of texts: [BlockText], in places: [Range<Int>]) -> [ClosedRange<Int>?] {
        var numbers: [ClosedRange<Int>?] = []
        var last = 0
        for place in places {
            let above = last
            for text in texts[place] {
                guard let numbering = text.numbering else {
                    numbers.append(nil)
                    continue
                }
                let first = numbering.first ?? above + 1
                last = first + text.text.text.utf8.count { $0 == UInt8(ascii: "\n") }
                numbers.append(first...last)
            }
        }
        return numbers
    }
}

/// The numbers beside the lines of a block, in a column at its left.
struct LineNumbers {
    /// The glyphs of 0 to 9, each at the origin of its pen on a baseline at 0.
    private let digits: [Glyph]
    /// The width of the widest digit in CSS pixels.
    private let cell: Double
    /// The digits of the largest number of all texts, so that their lines begin in one place.
    private let places: Int
    /// The number of the first line.
    let first: Int

    /// The width between numbers and lines, in digits.
    private static let gap = 2.0

    /// - Parameters:
    ///   - digits: The glyphs of 0 to 9; for another number of glyphs there is no column.
    ///   - first: The number of the first line.
    ///   - last: The largest number of all texts.
    init?(digits: [Glyph], first: Int, last: Int) {
        guard digits.count == 10 else { return nil }
        self.digits = digits
        cell = digits.reduce(0) { max($0, $1.rect.width) }
        places = "\(last)".utf8.count
        self.first = first
    }

    /// The width of the column with the gap behind it, in CSS pixels.
    var width: Double { cell * (Double(places) + Self.gap) }

    /// Returns the glyphs of a line's number.
    ///
    /// - Parameters:
    ///   - number: The number.
    ///   - block: The index of the block.
    ///   - line: The index of the line in the block.
    ///   - baseline: The baseline of the line in CSS pixels.
    /// - Returns: The digits, from left to right.
    func glyphs(of number: Int, block: Int, line: Int, baseline: Double) -> [Glyph] {
        let text = "\(number)".utf8
        return text.enumerated().map { index, digit in
            var glyph = digits[Int(digit - UInt8(ascii: "0"))]
            (glyph.block, glyph.line) = (block, line)
            glyph.move(byX: cell * Double(places - text.count + index), y: baseline)
            return glyph
        }
    }
}
