/// The direction in which numbers run to the written value.
enum NumberTrend: String, CaseIterable {
    case up, down
}

/// A number among the glyphs of a block: its digits in their columns, and the marks between them.
struct WrittenNumber {
    /// The glyph of a digit.
    struct Digit {
        /// Its index in the block.
        let glyph: Int
        /// 0…9.
        let value: Int
        /// The zero of its script.
        let zero: Unicode.Scalar
    }

    /// The most significant one first.
    private(set) var digits: [Digit] = []
    /// The marks between digits: the glyph, and the number of digits before it.
    private(set) var marks: [(glyph: Int, place: Int)] = []
    /// The number of digits behind the decimal mark.
    private(set) var decimals = 0
    /// The glyph of the sign.
    private(set) var sign: (glyph: Int, isMinus: Bool)?

    /// The most digits with which every value of a number fits an `Int`.
    static let mostDigits = 18

    /// Its digits, as one whole number.
    var magnitude: Int { digits.reduce(0) { 10 * $0 + $1.value } }

    /// The value of the number in units of its last digit.
    var value: Int { sign?.isMinus == true ? -magnitude : magnitude }

    /// The zeros of the scripts of the digits in a text, in the order of their first digits.
    static func zeros(in text: String) -> [Unicode.Scalar] {
        var zeros: [Unicode.Scalar] = []
        for scalar in text.unicodeScalars {
            if let (_, zero) = digit(scalar), !zeros.contains(zero) { zeros.append(zero) }
        }
        return zeros
    }

    /// Returns the value of a decimal digit (Unicode's category Nd) and the zero of its script.
    private static func digit(_ scalar: Unicode.Scalar) -> (value: Int, zero: Unicode.Scalar)? {
        guard scalar.properties.numericType == .decimal,
            let number = scalar.properties.numericValue, let value = Int(exactly: number),
            let zero = Unicode.Scalar(scalar.value - UInt32(value))
        else { return nil }
        return (value, zero)
    }

    /// Returns the digit of a glyph; nil for a glyph of other or more characters.
    private static func digit(of glyph: Glyph, at index: Int) -> Digit? {
        guard let first = glyph.text.unicodeScalars.first,
            glyph.text.unicodeScalars.count == 1, let (value, zero) = digit(first)
        else { return nil }
        return Digit(glyph: index, value: value, zero: zero)
    }

    /// The characters that may stand between the digits of a number.
    private static let separators: Set<Unicode.Scalar> = [
        ".", ",", "'", "’", "٫", "٬", "\u{A0}", "\u{2009}", "\u{202F}",
    ]
    private static let arabicDecimal: Unicode.Scalar = "٫"

    private static func only(_ glyph: Glyph) -> Unicode.Scalar? {
        glyph.text.unicodeScalars.count == 1 ? glyph.text.unicodeScalars.first : nil
    }

    /// The digits of the scripts of a text, ten each, in the order of `zeros(in:)`.
    static func characters(for text: String) -> [String] {
        zeros(in: text).flatMap { zero in
            (0...9).map { Unicode.Scalar(zero.value + $0).map(String.init) ?? "" }
        }
    }

    /// Finds the numbers of a block, each with the marks and the sign that belong to it.
    static func all(in glyphs: ArraySlice<Glyph>) -> [WrittenNumber] {
        let glyphs = Array(glyphs)
        var numbers: [WrittenNumber] = []
        var index = 0
        while index < glyphs.count {
            guard digit(of: glyphs[index], at: index) != nil else {
                index += 1
                continue
            }
            var number = WrittenNumber()
            let first = index
            var separators: [Unicode.Scalar] = []
            while index < glyphs.count {
                let line = glyphs[first].line
                if let digit = digit(of: glyphs[index], at: index), glyphs[index].line == line,
                    digit.zero == number.digits.last?.zero ?? digit.zero
                {
                    number.digits.append(digit)
                    index += 1
                    continue
                }
                guard let mark = only(glyphs[index]), Self.separators.contains(mark),
                    index + 1 < glyphs.count, glyphs[index + 1].line == line,
                    let next = digit(of: glyphs[index + 1], at: index + 1),
                    next.zero == number.digits.last?.zero
                else { break }
                separators.append(mark)
                number.marks.append((index, number.digits.count))
                index += 1
            }
            number.readDecimals(separators)
            number.readSign(before: first, in: glyphs)
            numbers.append(number)
        }
        return numbers
    }

    /// Returns true if its digits are all that is written.
    func isAlone(in glyphs: ArraySlice<Glyph>) -> Bool {
        glyphs.count { !$0.isWhitespace } == digits.count
    }

    /// Tells the decimal mark from marks that group digits.
    ///
    /// The last mark is decimal, unless the same mark stands before it, or it is the only mark, is
    /// no point, and has three digits behind it: 1,234 is a thousand, and 1.234 is not.
    private mutating func readDecimals(_ separators: [Unicode.Scalar]) {
        guard let last = separators.last, let place = marks.last?.place else { return }
        let others = separators.dropLast()
        let behind = digits.count - place
        let isDecimal =
            switch last {
            case Self.arabicDecimal: true
            case ".", ",": others.isEmpty ? last == "." || behind != 3 : !others.contains(last)
            default: false
            }
        if isDecimal { decimals = behind }
    }

    /// Looks for a sign before the digits, or before a currency symbol that stands before them.
    private mutating func readSign(before first: Int, in glyphs: [Glyph]) {
        /// Returns the glyph at an index of the same line.
        func glyph(_ index: Int) -> Glyph? {
            index >= 0 && glyphs[index].line == glyphs[first].line ? glyphs[index] : nil
        }
        var index = first - 1
        let isCurrency =
            glyph(index).flatMap(Self.only)?.properties.generalCategory == .currencySymbol
        if isCurrency { index -= 1 }
        guard let scalar = glyph(index).flatMap(Self.only), "+-−".unicodeScalars.contains(scalar)
        else { return }
        // A sign behind a number or a word is a dash.
        if let before = glyph(index - 1)?.text.unicodeScalars.first,
            before.properties.isAlphabetic || before.properties.numericType != nil
        {
            return
        }
        sign = (index, scalar != "+")
    }
}
