import Bytes
import Motion

/// Names that do not clash when several renderings are inlined in one page.
struct SVGNames {
    /// The class of the root element.
    let root: [UInt8]
    /// The first bytes of all other names.
    let prefix: [UInt8]

    /// Makes the names of a request that gives none: a letter and five base-36 digits of its
    /// digest.
    init(digest: UInt64) {
        let digits: StaticString = "0123456789abcdefghijklmnopqrstuvwxyz"
        var prefix = [UInt8(ascii: "t")]
        var rest = digest
        for _ in 0..<5 {
            prefix.append(digits.utf8Start[Int(rest % 36)])
            rest /= 36
        }
        (root, self.prefix) = (prefix, prefix)
    }

    /// Makes names that begin with one that the request gives.
    ///
    /// One such prefix may begin with another, so an underscore ends each.
    init(root: String) {
        self.root = Array(root.utf8)
        prefix = self.root + [UInt8(ascii: "_")]
    }

    /// Writes the rule that gives the fill or the stroke of a class another colour under a dark
    /// scheme. The pen takes the colour too if `colorsPen`; the alpha applies to the whole element
    /// if `isWhole`.
    func writeDarkRule(
        _ name: SVGClass, _ property: StaticString, _ color: Color, isWhole: Bool = false,
        colorsPen: Bool = false, to sink: inout ByteSink
    ) {
        sink.append(selector: name, self)
        sink.append("{")
        sink.append(property)
        sink.append(":")
        sink.append(text: color.opaqueText)
        sink.append(";")
        if !isWhole {
            sink.append(property)
            sink.append("-")
        }
        sink.append("opacity:")
        sink.append(Double(color.alpha) / 255, decimals: 4, leadingZero: false)
        if colorsPen {
            sink.append(";color:")
            sink.append(text: color.opaqueText)
        }
        sink.append("}")
    }

    /// Writes the rules that hide elements of the light colour scheme, and show elements of the
    /// dark one, which are hidden otherwise.
    func writeSchemes(hasLight: Bool, hasDark: Bool, to sink: inout ByteSink) {
        if hasLight {
            sink.append(selector: .light, self)
            sink.append("{display:none}")
        }
        if hasDark {
            sink.append(selector: .dark, self)
            sink.append("{display:inline}")
        }
    }
}

/// A class of elements to which a rule applies.
enum SVGClass: Equatable {
    /// The animations of a rule, by its number.
    case animations(Int)
    /// The filter of a rule, by its number.
    case filter(Int)
    /// Elements with the fill, or the outline, of a block.
    case fill(block: Int)
    case outline(block: Int)
    /// Elements with one of a block's `darkColors`.
    case color(Int, block: Int)
    /// The parts of the card.
    case background, border
    /// Elements that are shown under one colour scheme only.
    case light, dark
    /// Elements of a gradient that moves, by the number of its motion.
    case paint(Int)
    /// Glyphs that light falls on, by the number of the first of their groups.
    case lit(Int)

    /// Its name without the document's prefix.
    fileprivate var name: (letter: Unicode.Scalar, number: Int?) {
        switch self {
        case .animations(let number): ("m", number)
        case .filter(let number): ("s", number)
        case .fill(let block): ("c", block)
        case .outline(let block): ("o", block)
        case .color(let color, let block): ("k", block * TextPaint.mostDarkColors + color)
        case .background: ("b", nil)
        case .border: ("e", nil)
        case .light: ("l", nil)
        case .dark: ("n", nil)
        case .paint(let number): ("w", number)
        case .lit(let group): ("t", group)
        }
    }
}

/// An attribute with a list of values, which is left out where there are none.
struct SVGListAttribute {
    private let name: StaticString
    private let separator: StaticString
    private var isEmpty = true

    init(_ name: StaticString, separator: StaticString) {
        self.name = name
        self.separator = separator
    }

    /// Writes the beginning of the attribute, or the separator before the next value.
    @inline(__always)
    mutating func next(_ sink: inout ByteSink) {
        if isEmpty {
            sink.append(" ")
            sink.append(name)
        }
        sink.append(isEmpty ? "=\"" : separator)
        isEmpty = false
    }

    /// Writes the end of the attribute.
    @inline(__always)
    func end(_ sink: inout ByteSink) {
        if !isEmpty { sink.append("\"") }
    }
}

extension ByteSink {
    mutating func append(_ name: SVGClass, _ names: SVGNames) {
        append(names.prefix)
        let (letter, number) = name.name
        append(UInt8(ascii: letter))
        if let number { append(number) }
    }

    mutating func append(selector name: SVGClass, _ names: SVGNames) {
        append(".")
        append(name, names)
    }

    /// Appends the attribute of an element of one class.
    mutating func append(class name: SVGClass, _ names: SVGNames) {
        append(" class=\"")
        append(name, names)
        append("\"")
    }

    /// Appends a number as letters: a…z, aa, ab, …; or as capitals, from `A` on.
    mutating func append(lettersOf number: Int, from first: UInt8 = UInt8(ascii: "a")) {
        if number >= 26 { append(lettersOf: number / 26 - 1, from: first) }
        append(first + UInt8(number % 26))
    }
}
