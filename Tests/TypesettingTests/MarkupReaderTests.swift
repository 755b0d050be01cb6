import Motion
import Testing
import Typesetting

@Suite struct MarkupReaderTests {
    private func spans(_ markup: String) throws -> [(String, SpanStyle)] {
        let text = try MarkupReader.read(markup, style: TestTypesetter.style())
        var start = 0
        return text.spans.map { span in
            let utf8 = text.text.utf8
            let range =
                utf8.index(
                    utf8.startIndex, offsetBy: start)..<utf8.index(
                    utf8.startIndex, offsetBy: span.end)
            start = span.end
            return (String(text.text[range]), span.style)
        }
    }

    @Test("elements and attributes change the style of what they hold")
    func styles() throws {
        let spans = try spans(
            "a<b>b</b><i>c</i><span size=\"24pt\" foreground=\"#f00\">d</span><u>e</u><s>f</s>"
                + "<tt>g</tt><sup>h</sup><sub>i</sub>")
        #expect(spans.map(\.0) == ["a", "b", "c", "d", "e", "f", "g", "h", "i"])
        #expect(spans[1].1.type.weight == 700)
        #expect(spans[2].1.type.isItalic)
        #expect(spans[3].1.type.size == 32)
        #expect(spans[3].1.type.paint == .color(Color(red: 255, green: 0, blue: 0)))
        #expect(!spans[3].1.hasBlockPaint)
        #expect(spans[4].1.underline == .single)
        #expect(spans[5].1.isStruckThrough)
        #expect(spans[6].1.type.families == "Monospace")
        #expect(spans[7].1.rise > 0)
        #expect(spans[8].1.rise < 0)
    }

    @Test("marks have a range of the text, and the style of the block but for what they say")
    func marks() throws {
        let base = MarkStyle(
            .highlight, darkColor: Color(red: 1, green: 2, blue: 3), delay: 2)
        let text = try MarkupReader.read(
            "é <mark>b<b>c</b></mark> d<mark></mark>"
                + "<mark kind=\"circle\" color=\"#f00\" width=\"0.2\">e</mark>",
            style: TestTypesetter.style(), mark: base)
        #expect(text.text == "é bc de")
        #expect(text.marks.map(\.range) == [3..<5, 7..<8])
        var circle = base
        (circle.kind, circle.width) = (.circle, 0.2)
        (circle.color, circle.darkColor) = (Color(red: 255, green: 0, blue: 0), nil)
        #expect(text.marks.map(\.style) == [base, circle])
        let whole = text.marked(MarkStyle(.box))
        #expect(whole.marks.map(\.range) == [0..<8, 3..<5, 7..<8])
    }

    @Test("nested sizes multiply, and references become characters")
    func nesting() throws {
        let spans = try spans("<big><big>&lt;&amp;&#x1F47B;</big></big>")
        #expect(spans[0].0 == "<&👻")
        #expect(abs(spans[0].1.type.size - 46.08) < 1e-9)
    }

    @Test(
        "what is not honoured is an error that names it",
        arguments: [
            ("<blink>x</blink>", "<blink>"), ("<span lang=\"de\">x</span>", "lang"),
            ("<b foo=\"1\">x</b>", "foo"), ("a\n<b>x", "<b> at line 2, character 1"),
            ("x</b>", "</b> at character 2"), ("a & b", "& at character 3"),
            ("ab<i><tt>x</i></tt>", "</i> at character 11 does not close <tt> at character 6"),
            ("a\t<wave>x</wave>", "<wave>"), ("a\t<wave>x</wave>", "at character 6"),
            ("x</markup><markup>y", "</markup> at character 2 closes nothing"),
            ("<span size=\"3px\">x</span>", "from 4 to 400"),
            ("<span size=\"huge\">x</span>", "size=\"huge\""),
            ("<span weight=\"50\">x</span>", "weight"),
            ("<span foreground=\"blurple\">x</span>", "foreground"),
            ("<span rise=\"9000px\">x</span>", "rise"),
            ("<span letter_spacing=\"200px\">x</span>", "letter_spacing"),
            ("<span underline=\"wavy\">x</span>", "underline"),
            ("<mark kind=\"blob\">x</mark>", "kind=\"blob\" must be one of underline, strike"),
            ("<mark color=\"blurple\">x</mark>", "color"),
            ("<mark width=\"3\">x</mark>", "0.01 to 2"), ("<mark width=\"1e\">x</mark>", "width"),
            ("<mark size=\"3\">x</mark>", "by <mark>; one of"),
            ("<mark kind=\"box\" kind=\"box\">x</mark>", "kind is given twice"),
            (
                "ab<mark>x<b><mark>y</mark></b></mark>",
                "must not be within another (at character 13)"
            ),
            ("<!-- no -->x", "comments"), ("<markup>x</markup>", "<markup>"),
        ])
    func faults(markup: String, named: String) throws {
        do {
            _ = try MarkupReader.read(markup, style: TestTypesetter.style())
            Issue.record("accepted: \(markup)")
        } catch {
            guard case .markup(let message) = error else {
                Issue.record("\(error)")
                return
            }
            #expect(message.contains(named), "\(message)")
        }
    }

    @Test("control characters are refused, written plainly or as references")
    func controls() {
        #expect(throws: TypesettingError.controlCharacter("\u{1}")) {
            try StyledText(plain: "a\u{1}", style: TestTypesetter.style())
        }
        #expect(throws: TypesettingError.self) {
            try MarkupReader.read("a&#x9B;", style: TestTypesetter.style())
        }
    }

    @Test(
        "a sign is no digit of a reference or a weight",
        arguments: [
            "a&#+65;", "a&#x+41;", "a&#x-1;", "<span weight=\"+700\">a</span>",
        ])
    func signs(markup: String) {
        #expect(throws: TypesettingError.self) {
            try MarkupReader.read(markup, style: TestTypesetter.style())
        }
    }

    @Test("line breaks and tabs of all kinds become one")
    func normalisation() throws {
        #expect(
            try TextNormalizer.normalized("a\r\nb\rc\u{2028}d\u{2029}e\tf") == "a\nb\nc\nd\ne    f")
        #expect(throws: TypesettingError.blank) {
            try StyledText(plain: " \n\u{3000}", style: TestTypesetter.style())
        }
    }

    @Test("underlines belong to their glyphs and meet at whole pixels")
    func lines() throws {
        let glyphs = try TestTypesetter().layout(["<u>ab c</u>"], markup: true).glyphs
        let lines = glyphs.compactMap { glyph -> Rect? in
            guard case .line(let rect) = glyph.ink?.details.first else { return nil }
            return rect
        }
        #expect(lines.count == 4)
        for (one, next) in zip(lines, lines.dropFirst()) { #expect(one.maxX == next.x) }
    }
}
