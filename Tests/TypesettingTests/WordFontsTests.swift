import Motion
import Testing
import Typesetting

@Suite("The fonts of words, and of characters of private use")
struct WordFontsTests {
    private func layout(
        _ text: String, font: String = "DejaVu Sans", language: String = "", markup: Bool = false
    ) throws -> Layout {
        var style = TestTypesetter.style(font: font)
        style.language = language
        return try TestTypesetter().layout([text], style: style, markup: markup)
    }

    /// The families that draw letters, each once.
    private func families(of layout: Layout) -> Set<String> {
        let runs = layout.blocks[0].lines.flatMap(\.runs)
        return Set(
            runs.filter { run in run.glyphs.contains { !layout.glyphs[$0].isWhitespace } }
                .map(\.font.family))
    }

    /// DejaVu Sans has all letters of Urdu but two.
    private static let urdu = "یہ پاکستان کے پہاڑ ہے"

    @Test(
        "all words of Arabic are in one family where one would be in two",
        arguments: [
            ("", "Noto Naskh Arabic"), ("ar", "Noto Naskh Arabic"), ("ur", "Noto Nastaliq Urdu"),
            ("ks", "Noto Nastaliq Urdu"), ("ur-PK", "Noto Nastaliq Urdu"),
        ])
    func urdu(language: String, family: String) throws {
        let layout = try layout(Self.urdu, language: language)
        #expect(families(of: layout) == [family])
        #expect(layout.warnings.isEmpty)
    }

    @Test("so are those of other families than the default", arguments: ["Inter", "DejaVu Serif"])
    func otherFamilies(font: String) throws {
        #expect(families(of: try layout(Self.urdu, font: font)) == ["Noto Naskh Arabic"])
    }

    @Test("words that are whole, each in another family, are in one, too")
    func wholeWords() throws {
        #expect(families(of: try layout("پاکستان ہے")) == ["Noto Naskh Arabic"])
    }

    @Test("a word that changes its style is one word")
    func styles() throws {
        let layout = try layout("پ<b>ہل</b>ا", markup: true)
        #expect(families(of: layout) == ["Noto Naskh Arabic"])
    }

    @Test("words that one font has stay in it")
    func whole() throws {
        #expect(families(of: try layout("سلام پاکستان")) == ["DejaVu Sans"])
    }

    @Test("a word stays in a family that is asked for and has some of it")
    func asked() throws {
        let layout = try layout("phổ", font: "Lobster Two")
        #expect(families(of: layout) == ["Lobster Two", "Noto Sans"])
        #expect(layout.warnings.map(\.code) == [.fallback])
    }

    @Test("a word that no font has gets a warning, with the default family too")
    func torn() throws {
        // A letter of dialects, and a wide one, which only fonts of Han have.
        let layout = try layout("\u{AB30}\u{FF21}")
        #expect(layout.warnings.map(\.code) == [.similarFont])
        let message = layout.warnings.first?.message ?? ""
        #expect(message.contains("all letters of \"\u{AB30}\u{FF21}\" (U+AB30 U+FF21)"))
        #expect(message.contains("; used Noto Sans and Noto Sans CJK"))
    }

    // MARK: Private use

    /// Powerline's branch, which Fira Code has, and a character of DejaVu Sans.
    private static let (branch, other) = ("\u{E0A0}", "\u{F000}")

    private func missing(_ text: String, font: String, markup: Bool = false) throws -> [String] {
        try layout(text, font: font, markup: markup).warnings
            .filter { $0.code == .missingGlyph }.map(\.message)
    }

    @Test("a character of private use is drawn by a family that is asked for")
    func own() throws {
        for font in ["Fira Code", "DejaVu Sans,Fira Code", "sans-serif,Fira Code"] {
            #expect(try missing("a\(Self.branch)", font: font).isEmpty)
            let run = try layout("a\(Self.branch)", font: font).blocks[0].lines[0].runs.last
            #expect(run?.font.family == "Fira Code")
        }
    }

    @Test(
        "a box stands for one that no family of the request has",
        arguments: ["DejaVu Sans", "sans-serif", "Lobster Two", "Helvetica", "Pacifico"])
    func strange(font: String) throws {
        for character in [Self.branch, Self.other, "\u{F0001}", "\u{10FFFD}"] {
            let messages = try missing("a\(character)b", font: font)
            #expect(messages.count == 1)
            #expect(messages.first?.hasPrefix("no family of the request has") == true)
            let glyphs = try layout("a\(character)b", font: font).glyphs
            #expect(glyphs.map(\.text) == ["a", character, "b"])
            #expect(glyphs[1].rect.width > 10 && glyphs[1].ink != nil)
        }
    }

    @Test("each part of a text goes by its own families")
    func spans() throws {
        let text = #"<span font="Fira Code">\#(Self.branch)</span>\#(Self.branch)"#
        let layout = try layout(text, markup: true)
        #expect(layout.warnings.map(\.code) == [.missingGlyph])
        #expect(layout.glyphs[0].rect.width != layout.glyphs[1].rect.width)
    }
}
