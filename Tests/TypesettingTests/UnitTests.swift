import Motion
import Testing
import Typesetting

/// The units that move alone: the smallest unions of Pango's clusters and graphemes.
@Suite struct UnitTests {
    @Test(
        "text is cut into the least that can move alone",
        arguments: [
            ("Hi", ["H", "i"]),
            ("office", ["o", "ffi", "c", "e"]),
            ("e\u{301}t", ["e\u{301}", "t"]),
            ("👩‍👩‍👧‍👦👍🏽", ["👩‍👩‍👧‍👦", "👍🏽"]),
            ("🇩🇪🇫🇷", ["🇩🇪", "🇫🇷"]),
            ("नमस्ते", ["न", "म", "स्ते"]),
            ("น้ำ", ["น้ำ"]),
            ("日本", ["日", "本"]),
            ("שלום", ["ש", "ל", "ו", "ם"]),
        ] as [(String, [String])])
    func units(text: String, expected: [String]) throws {
        #expect(try TestTypesetter().units(text) == expected)
    }

    @Test("letter spacing takes ligatures apart")
    func letterSpacing() throws {
        let typesetter = try TestTypesetter()
        #expect(
            try typesetter.units("office", style: TestTypesetter.style(letterSpacing: 4))
                == ["o", "f", "f", "i", "c", "e"])
        let plain = try typesetter.layout(["abc"]).glyphs[1].rect
        let spaced = try typesetter.layout(["abc"], style: TestTypesetter.style(letterSpacing: 4))
            .glyphs[1]
        #expect(abs(spaced.rect.width - plain.width - 4) < 0.01)
    }

    @Test("right-to-left glyphs stand in reading order with positions from the right")
    func rightToLeft() throws {
        let glyphs = try TestTypesetter().layout(["שלום"]).glyphs
        #expect(zip(glyphs, glyphs.dropFirst()).allSatisfy { $0.rect.x > $1.rect.x })
    }

    @Test("ranges count UTF-16 code units, words and lines count from 0")
    func numbering() throws {
        let glyphs = try TestTypesetter().layout([" 👻 a\nb  c"]).glyphs
        #expect(glyphs.map(\.start) == [0, 1, 3, 4, 6, 7, 8, 9])
        #expect(glyphs.map(\.length) == [1, 2, 1, 1, 1, 1, 1, 1])
        #expect(glyphs.map(\.word) == [0, 0, 0, 1, 2, 2, 2, 3])
        #expect(glyphs.map(\.line) == [0, 0, 0, 0, 1, 1, 1, 1])
    }

    @Test("spaces at which a line was wrapped take no room on the line that they end")
    func wrappedSpaces() throws {
        let layout = try TestTypesetter().layout(
            ["aaaa   bbbb"], canvas: TestTypesetter.canvas(width: 120, padding: 0))
        #expect(layout.blocks[0].lines.count == 2)
        let spaces = layout.glyphs.filter(\.isWhitespace)
        #expect(spaces.count == 3)
        #expect(spaces.allSatisfy { $0.line == 0 && $0.rect.width == 0 })
    }

    @Test("an empty line has its font's box, without width")
    func emptyLine() throws {
        let lines = try TestTypesetter().layout(["a\n\nb"]).blocks[0].lines
        #expect(lines.count == 3)
        #expect(lines[1].rect.width == 0)
        #expect(abs(lines[1].rect.height - 38.4) < 0.01)
    }

    @Test(
        "characters that draw nothing are no glyphs, and ranges count them",
        arguments: [0x200B, 0xAD, 0x200E, 0x200F, 0x2060, 0x2064, 0x2066, 0x2069, 0xFEFF, 0x61C])
    func invisible(code: UInt32) throws {
        let character = try #require(Unicode.Scalar(code)).description
        let glyphs = try TestTypesetter().layout(["\(character)a\(character)b\(character)"]).glyphs
        let plain = try TestTypesetter().layout(["ab"]).glyphs
        #expect(glyphs.map(\.text) == ["a", "b"])
        #expect(glyphs.map(\.start) == [1, 3])
        #expect(glyphs.map(\.rect.width) == plain.map(\.rect.width))
    }

    @Test("a soft hyphen at which a line ends is a glyph")
    func softHyphen() throws {
        let glyphs = try TestTypesetter().layout(
            ["extra\u{AD}ordinary"], canvas: TestTypesetter.canvas(width: 130, padding: 0)
        ).glyphs
        let hyphen = glyphs.first { $0.text.unicodeScalars.first == "\u{AD}" }
        #expect(hyphen?.ink != nil && hyphen?.line == 0)
    }
}
