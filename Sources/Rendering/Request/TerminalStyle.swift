/// The style of a character on a terminal, as far as a text keeps it: without backgrounds.
struct TerminalStyle: Equatable {
    struct Attributes: OptionSet {
        let rawValue: UInt8

        static let bold = Attributes(rawValue: 1)
        static let dim = Attributes(rawValue: 2)
        static let italic = Attributes(rawValue: 4)
        static let underline = Attributes(rawValue: 8)
        static let strike = Attributes(rawValue: 16)
        /// The attributes that blanks show too.
        static let lines: Attributes = [.underline, .strike]

        /// The attributes with the parameters that set them.
        static let codes: [(attribute: Attributes, code: Int)] = [
            (.bold, 1), (.dim, 2), (.italic, 3), (.underline, 4), (.strike, 9),
        ]
    }

    enum Color: Equatable {
        /// The colour of text that has none of its own.
        case usual
        /// A colour of the palette of 256.
        case indexed(UInt8)
        case rgb(UInt8, UInt8, UInt8)

        /// The parameters of SGR that set the colour.
        fileprivate var codes: String {
            switch self {
            case .usual: "39"
            case .indexed(let number) where number < 8: "\(30 + Int(number))"
            case .indexed(let number) where number < 16: "\(82 + Int(number))"
            case .indexed(let number): "38;5;\(number)"
            case .rgb(let red, let green, let blue): "38;2;\(red);\(green);\(blue)"
            }
        }
    }

    /// The style of text without any sequence.
    static let plain = TerminalStyle()

    private(set) var attributes: Attributes = []
    private(set) var color = Color.usual

    /// True if a blank of this style is seen.
    var showsBlanks: Bool { !attributes.isDisjoint(with: .lines) }

    // MARK: Reading

    /// Follows the sequence SGR (ECMA-48, 8.3.117); parameters that a text does not keep change nothing.
    ///
    /// - Parameter parameters: The numbers, each with its own after colons (ISO 8613-6).
    mutating func follow(_ parameters: [[Int]]) {
        var rest = parameters[...]
        while let parameter = rest.popFirst(), let code = parameter.first {
            switch code {
            case 0: self = .plain
            case 4 where parameter.count > 1 && parameter[1] == 0: attributes.remove(.underline)
            case 22: attributes.subtract([.bold, .dim])
            case 23: attributes.remove(.italic)
            case 24: attributes.remove(.underline)
            case 29: attributes.remove(.strike)
            case 30...37: color = .indexed(UInt8(code - 30))
            case 39: color = .usual
            case 90...97: color = .indexed(UInt8(code - 82))
            // The colours of text, of the background, and of the underline have numbers after them.
            case 38, 48, 58:
                let read =
                    parameter.count > 1
                    ? Self.color(afterColons: parameter) : Self.color(takenFrom: &rest)
                if code == 38, let read { color = read }
            default:
                for known in Attributes.codes where known.code == code {
                    attributes.insert(known.attribute)
                }
            }
        }
    }

    /// Returns the colour in a parameter such as `38:5:n`, `38:2::r:g:b`, or `38:2:r:g:b`.
    private static func color(afterColons parameter: [Int]) -> Color? {
        var numbers = parameter.dropFirst()
        // The number of a colour space, which is mostly left out.
        if numbers.first == 2, numbers.count > 4 { numbers.remove(at: numbers.startIndex + 1) }
        return color(Array(numbers))
    }

    /// Consumes the parameters `5;n` or `2;r;g;b`, and returns their colour.
    private static func color(takenFrom rest: inout ArraySlice<[Int]>) -> Color? {
        let count =
            switch rest.first?.first {
            case 5: 2
            case 2: 4
            default: 1
            }
        let numbers = rest.prefix(count).compactMap(\.first)
        rest = rest.dropFirst(count)
        return color(numbers)
    }

    /// Returns the colour of the numbers `5, n` or `2, r, g, b`; nil if there is none.
    private static func color(_ numbers: [Int]) -> Color? {
        let bytes = numbers.dropFirst().compactMap { UInt8(exactly: $0) }
        switch numbers.first {
        case 5 where bytes.count >= 1: return .indexed(bytes[0])
        case 2 where bytes.count >= 3: return .rgb(bytes[0], bytes[1], bytes[2])
        default: return nil
        }
    }

    // MARK: Writing

    /// Returns the sequence that changes this style into another one.
    func change(to other: TerminalStyle) -> String {
        let isAddition =
            attributes.isSubset(of: other.attributes) && (color == .usual || other.color != .usual)
        let start = isAddition ? self : .plain
        var codes = isAddition ? [] : ["0"]
        for known in Attributes.codes
        where other.attributes.subtracting(start.attributes).contains(known.attribute) {
            codes.append("\(known.code)")
        }
        if other.color != start.color { codes.append(other.color.codes) }
        return "\u{1B}[" + codes.joined(separator: ";") + "m"
    }
}
