import Glibc
import Highlighting
import Motion
import Testing

@testable import Rendering

@Suite struct CodeThemeTests {
    /// The relative luminance of a colour (WCAG 2.2).
    private func luminance(_ color: Color) -> Double {
        func linear(_ part: UInt8) -> Double {
            let share = Double(part) / 255
            guard share > 0.04045 else { return share / 12.92 }
            return pow((share + 0.055) / 1.055, 2.4)
        }
        return 0.2126 * linear(color.red) + 0.7152 * linear(color.green)
            + 0.0722 * linear(color.blue)
    }

    private func contrast(_ one: Color, _ other: Color) -> Double {
        let lights = [luminance(one), luminance(other)].sorted()
        return (lights[1] + 0.05) / (lights[0] + 0.05)
    }

    @Test(arguments: CodeTheme.allCases)
    func `Every colour has a contrast of 4.5 with its background`(theme: CodeTheme) throws {
        let background =
            theme == .light
            ? Color(red: 255, green: 255, blue: 255) : Color(red: 0x0D, green: 0x11, blue: 0x17)
        for kind in TokenKind.allCases {
            guard let color = theme.color(of: kind) else { continue }
            #expect(contrast(color, background) >= 4.5, "\(kind)")
        }
        for index in CodeTheme.names {
            let color = try #require(theme.color(of: .indexed(index)))
            #expect(contrast(color, background) >= 4.5, "\(index)")
        }
    }

    @Test(arguments: [CodeLanguage.swift, .console])
    func `Each colour for light has one for dark`(language: CodeLanguage) throws {
        let style = CodeStyle(
            language: language, hasLineNumbers: false, firstLine: nil, theme: .light,
            darkTheme: .dark)
        var light = Set(TokenKind.allCases.compactMap { CodeTheme.light.color(of: $0) })
        if language == .console {
            for index in CodeTheme.names {
                light.insert(try #require(CodeTheme.light.color(of: .indexed(index))))
            }
        }
        #expect(Set(style.darkColors.map(\.light)) == light)
        #expect(style.darkColors.count == light.count)
        #expect(style.darkColors.count <= TextPaint.mostDarkColors)
    }
}
