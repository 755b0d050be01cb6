import Highlighting
import Motion
import Typesetting

/// How a block's text is shown as source code.
struct CodeStyle: Sendable {
    /// Nil where the text has no other colours than its own.
    let language: CodeLanguage?
    /// True if its lines have numbers.
    let hasLineNumbers: Bool
    /// The number of the first line; nil if the numbers go on from the lines above.
    let firstLine: Int?
    let theme: CodeTheme
    /// Nil where it does not differ.
    let darkTheme: CodeTheme?

    /// Returns the parts of a source text.
    ///
    /// - Parameters:
    ///   - source: The text.
    ///   - language: Its language.
    ///   - prompt: The start of the lines of a terminal session that are commands.
    ///   - styles: The end of each part with a style of its own, in UTF-8, and that style.
    /// - Returns: The parts, with the colours of the theme.
    func parts(
        of source: String, in language: CodeLanguage, prompt: String?,
        styles: [(end: Int, style: TerminalStyle)]
    ) -> [TextPart] {
        let tokens = language.tokens(of: Array(source.utf8), prompt: Array((prompt ?? "$").utf8))
        guard !styles.isEmpty else {
            return tokens.map { TextPart(end: $0.end, color: theme.color(of: $0.kind)) }
        }
        var parts: [TextPart] = []
        var (start, token) = (0, 0)
        for (end, style) in styles {
            while start < end, token < tokens.count {
                start = min(tokens[token].end, end)
                parts.append(
                    part(to: start, in: style, else: theme.color(of: tokens[token].kind)))
                if tokens[token].end == start { token += 1 }
            }
        }
        return parts
    }

    private func part(to end: Int, in style: TerminalStyle, else codeColor: Color?) -> TextPart {
        let color = theme.color(of: style.color)
        var part = TextPart(
            end: end,
            color: color ?? (style.attributes.contains(.dim) ? muted : codeColor))
        part.isBold = style.attributes.contains(.bold)
        part.isItalic = style.attributes.contains(.italic)
        part.isUnderlined = style.attributes.contains(.underline)
        part.isStruckThrough = style.attributes.contains(.strike)
        return part
    }

    /// The numbers beside lines; nil where there are none.
    var numbering: LineNumbering? {
        guard hasLineNumbers, let muted else { return nil }
        return LineNumbering(color: muted, first: firstLine)
    }

    /// The colour of line numbers and of the title in the bar.
    var muted: Color? { theme.color(of: .comment) }

    /// The colours of the theme, each with the dark theme's.
    var darkColors: [SchemeColor] {
        guard let darkTheme, darkTheme != theme else { return [] }
        var colors: [SchemeColor] = []
        func add(_ light: Color?, _ dark: Color?) {
            guard let light, let dark else { return }
            let color = SchemeColor(light: light, dark: dark)
            if !colors.contains(color) { colors.append(color) }
        }
        for kind in TokenKind.allCases { add(theme.color(of: kind), darkTheme.color(of: kind)) }
        if language == .console {
            for index in CodeTheme.names {
                add(theme.color(of: .indexed(index)), darkTheme.color(of: .indexed(index)))
            }
        }
        return colors
    }
}

/// The colours of source code: GitHub's (https://primer.style), each with a contrast of 4.5 or more
/// with the background that it is made for (WCAG 2.2, 1.4.3).
enum CodeTheme: String, CaseIterable, Sendable {
    /// For white.
    case light
    /// For `#0d1117`.
    case dark

    /// Returns the colour of tokens of a kind; nil for the text's own.
    func color(of kind: TokenKind) -> Color? {
        switch kind {
        case .plain, .operator, .punctuation: nil
        case .comment: color(light: 0x59636E, dark: 0x9198A1)
        case .keyword, .directive, .interpolation: color(light: 0xCF222E, dark: 0xFF7B72)
        case .string: color(light: 0x0A3069, dark: 0xA5D6FF)
        case .number, .constant, .escape: color(light: 0x0550AE, dark: 0x79C0FF)
        case .function: color(light: 0x6639BA, dark: 0xD2A8FF)
        case .type, .tag: color(light: 0x116329, dark: 0x7EE787)
        case .attribute, .variable: color(light: 0x953800, dark: 0xFFA657)
        case .inserted: color(light: 0x116329, dark: 0x7EE787)
        case .deleted: color(light: 0xCF222E, dark: 0xFF7B72)
        }
    }

    /// The colours of terminals that have names: black, red, green, yellow, blue, magenta, cyan,
    /// white, and the bright ones. One that a kind of tokens has too has the same twin for dark.
    static let names: Range<UInt8> = 0..<16

    /// Returns a colour of terminals, one with a name as the theme has it; nil for the usual one.
    func color(of color: TerminalStyle.Color) -> Color? {
        switch color {
        case .usual: nil
        case .rgb(let red, let green, let blue): Color(red: red, green: green, blue: blue)
        case .indexed(let index) where Self.names.contains(index):
            Color(rgb: (self == .light ? Self.lightNames : Self.darkNames)[Int(index)])
        case .indexed(let index) where index < 232:
            Color(
                red: Self.level(index - 16, unit: 36), green: Self.level(index - 16, unit: 6),
                blue: Self.level(index - 16, unit: 1))
        case .indexed(let index):
            Color(rgb: 0x01_01_01 * (8 + 10 * UInt32(index - 232)))
        }
    }

    private static let lightNames: [UInt32] = [
        0x24292F, 0xCF222E, 0x1A7F37, 0x7D4E00, 0x0969DA, 0x8250DF, 0x1B7C83, 0x656D76,
        0x57606A, 0xA40E26, 0x116329, 0x633C01, 0x0550AE, 0x6639BA, 0x146C73, 0x555F69,
    ]
    private static let darkNames: [UInt32] = [
        0x848D97, 0xFF7B72, 0x3FB950, 0xD29922, 0x58A6FF, 0xBC8CFF, 0x39C5CF, 0xB1BAC4,
        0x9198A1, 0xFFA198, 0x7EE787, 0xE3B341, 0x79C0FF, 0xD2A8FF, 0x56D4DD, 0xF0F6FC,
    ]

    /// Returns a level of a colour of xterm's cube, six to a side.
    private static func level(_ index: UInt8, unit: UInt8) -> UInt8 {
        let step = index / unit % 6
        return step == 0 ? 0 : 55 + 40 * step
    }

    private func color(light: UInt32, dark: UInt32) -> Color {
        Color(rgb: self == .light ? light : dark)
    }
}
