import Bytes
import Motion

/// The numbers beside the lines of a block, in a column at its left.
struct LineNumbers {
    /// The glyphs of 0 to 9, each at the origin of its pen on a baseline at 0.
    private let digits: [Glyph]
    /// The width of the widest digit in CSS pixels.
    private let cell: Double
    /// The digits of the largest number.
    private let places: Int

    /// The width between numbers and lines, in digits.
    private static let gap = 2.0

    /// - Parameters:
    ///   - digits: The glyphs of 0 to 9; of another number of them there is no column.
    ///   - count: The number of lines, from 1.
    init?(digits: [Glyph], count: Int) {
        guard digits.count == 10 else { return nil }
        self.digits = digits
        cell = digits.reduce(0) { max($0, $1.rect.width) }
        places = "\(count)".utf8.count
    }

    /// The width of the column with the gap behind it, in CSS pixels.
    var width: Double { cell * (Double(places) + Self.gap) }

    /// Returns the glyphs of a line's number.
    ///
    /// - Parameters:
    ///   - number: The number, from 1.
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
