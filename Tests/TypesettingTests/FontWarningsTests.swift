import Motion
import Testing
import Typesetting

@Suite("Warnings about fonts")
struct FontWarningsTests {
    private func layout(_ text: String, font: String, markup: Bool = false) throws -> Layout {
        try TestTypesetter().layout(
            [text], style: TestTypesetter.style(font: font), markup: markup)
    }

    private func fallbacks(_ text: String, font: String, markup: Bool = false) throws -> [String] {
        try layout(text, font: font, markup: markup).warnings
            .filter { $0.code == .fallback }.map(\.message)
    }

    // MARK: Families that are not installed

    @Test(
        "a family that is not installed is replaced by one of its kind",
        arguments: ["Pacifico", "pacifico", "Pacifico,cursive", "None,Pacifico,sans-serif"])
    func standIn(list: String) throws {
        let layout = try layout("Hi", font: list)
        let warning = layout.warnings.last
        #expect(warning?.code == .similarFont)
        #expect(warning?.message.hasSuffix("; used Leckerli One, which is similar") == true)
        #expect(layout.blocks[0].lines[0].runs[0].font.text == "Leckerli One 32px")
    }

    @Test("a family that is installed takes precedence over one that is like another")
    func installed() throws {
        let layout = try layout("Hi", font: "Pacifico,Lobster Two")
        #expect(layout.warnings.map(\.code) == [.missingFont])
        #expect(layout.blocks[0].lines[0].runs[0].font.text == "Lobster Two 700 italic 32px")
    }

    @Test("in markup too")
    func markup() throws {
        let layout = try layout(
            #"a<span font="Press Start 2P">b</span>"#, font: "Inter", markup: true)
        #expect(layout.warnings.map(\.code) == [.similarFont])
        #expect(
            layout.blocks[0].lines[0].runs.map(\.font.text) == ["Inter 32px", "Px IBM CGA 32px"])
    }

    // MARK: Letters that a family lacks

    @Test("letters that a family lacks are named with the family that draws them, each once")
    func lacking() throws {
        #expect(
            try fallbacks("phổ phổ ạ", font: "Lobster Two")
                == [#"Lobster Two has no "ổ" (U+1ED5), "ạ" (U+1EA1); used Noto Sans"#])
    }

    @Test("no more than ten are named")
    func many() throws {
        let text = (0..<32).map { String(Character(Unicode.Scalar(0x430 + $0)!)) }.joined()
        let messages = try fallbacks(text, font: "Lobster Two")
        #expect(messages.count == 1)
        #expect(messages.first?.contains(" and 22 more; used Noto Sans") == true)
    }

    @Test("marks that another family draws count, and so do letters of a face's other names")
    func marks() throws {
        #expect(try fallbacks("o\u{302}\u{309}", font: "Lobster Two").count == 1)
        #expect(try fallbacks("Heavy", font: "Lato Black").isEmpty)
    }

    @Test(
        "emoji and other symbols do not count, and neither does what the default lacks",
        arguments: [
            ("a → b ★ 👻 1️⃣ 🇩🇪", "Lobster Two"), ("a 漢字 ა", "DejaVu Sans"),
            ("a 漢字", "sans-serif"), ("a 漢字", "monospace"),
        ])
    func symbols(text: String, font: String) throws {
        #expect(try fallbacks(text, font: font) == [])
    }

    @Test(
        "behind a generic family or the default, scripts that a family has nothing of do not count",
        arguments: ["sans-serif", "DejaVu Sans"])
    func scripts(open: String) throws {
        #expect(try fallbacks("Привет", font: "Lobster Two").count == 1)
        #expect(try fallbacks("Hi, Привет 漢字 24", font: "Lobster Two,\(open)").isEmpty)
        #expect(try fallbacks("phổ Привет", font: "Lobster Two,\(open)").count == 1)
    }

    @Test("each list of families has its own letters")
    func lists() throws {
        let text = #"phổ <span font="Inter,sans-serif">phổ 漢字</span>"#
        #expect(
            try fallbacks(text, font: "Lobster Two", markup: true)
                == [#"Lobster Two has no "ổ" (U+1ED5); used Noto Sans"#])
    }
}
