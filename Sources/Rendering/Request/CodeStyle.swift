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

    /// Returns the parts of a source text, each with its end in UTF-8 and its colour.
    func colors(of source: String, in language: CodeLanguage) -> [(end: Int, color: Color?)] {
        language.tokens(of: Array(source.utf8)).map { ($0.end, theme.color(of: $0.kind)) }
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
        for kind in TokenKind.allCases {
            guard let light = theme.color(of: kind), let dark = darkTheme.color(of: kind) else {
                continue
            }
            let color = SchemeColor(light: light, dark: dark)
            if !colors.contains(color) { colors.append(color) }
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
        }
    }

    private func color(light: UInt32, dark: UInt32) -> Color {
        Color(rgb: self == .light ? light : dark)
    }
}
