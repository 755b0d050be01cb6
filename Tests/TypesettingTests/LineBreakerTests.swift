import Motion
import Raster
import Testing

@testable import Typesetting

/// Lines are broken by ourselves; where they end is Pango's (Tests/EndToEnd/text/test_lines.py).
@Suite struct LineBreakerTests {
    private static let text =
        "office fflach Wave, naïve fa\u{AD}çade שלום עולם السلام عليكم ภาษาไทย 日本語の文字 👩‍👩‍👧‍👦👍🏽 a  b"

    /// Returns the UTF-8 offsets at which the lines of each width end.
    private func ends(of text: String, widths: [Int]) throws -> [[Int]] {
        let catalog = try FontCatalog()
        let library = try FontLibrary(catalog, NoGlyphCache())
        let shaper = try TextShaper(library.map)
        let styled = try StyledText(plain: text, style: TestTypesetter.style())
        let deadline = WorkDeadline()
        let paragraphs = try shaper.paragraphs(
            of: styled, SegmentedText(styled.text),
            TextBoundaries(of: styled.text, .spaces, isWrapped: true),
            FamilyChoices(of: styled, library), library, deadline
        ).all
        return try widths.map { width in
            try paragraphs.flatMap { paragraph in
                try LineBreaker.lines(of: paragraph, width: width * 1024, nil, behind: 0, deadline)
                    .map { $0.runs.last?.piece.bytes.upperBound ?? paragraph.bytes.upperBound }
            }
        }
    }

    @Test("one pass of shaping serves any number of widths")
    func widths() throws {
        let widths = [0, 1, 33, 80, 150, 400, 10_000]
        let all = try ends(of: Self.text, widths: widths + widths.reversed())
        for (index, width) in widths.enumerated() {
            #expect(all[index] == all[all.count - 1 - index])
            #expect(try all[index] == ends(of: Self.text, widths: [width])[0])
        }
    }

    @Test("every character is on one line, whatever the width", arguments: [0, 20, 90, 300])
    func characters(width: Int) throws {
        let ends = try ends(of: Self.text, widths: [width])[0]
        #expect(ends == Array(Set(ends)).sorted())
        #expect(ends.last == Self.text.utf8.count)
    }

    @Test("a no-break space at the end of an item takes room where the line goes on behind it")
    func noBreakSpace() throws {
        let letters = try TestTypesetter().layout(["WW"]).blocks[0].lines[0].rect.width
        let width = letters + 0.3 * 32
        let layout = try TestTypesetter().layout(
            ["WW\u{A0}<i>ii</i>"], markup: true,
            canvas: TestTypesetter.canvas(width: width, padding: 0))
        #expect(layout.blocks[0].lines.map(\.rect.width).allSatisfy { $0 <= width })
        #expect(layout.glyphs.map(\.line) == [0, 0, 0, 1, 1])
    }

    @Test(
        "texts on which Pango ends the process have lines",
        arguments: [
            ("\u{368}\u{1F3FB}\u{61C}", 1.0), ("\u{1F3FB}\u{1F3FB}\u{335}\u{1F3FB}", 2.0),
        ])
    func asserted(text: String, width: Double) throws {
        let layout = try TestTypesetter().layout(
            [text], style: TestTypesetter.style(size: 64, letterSpacing: 0.01),
            canvas: TestTypesetter.canvas(width: width, padding: 0))
        // The last character of the first one is no glyph: it draws nothing.
        let drawn = text.unicodeScalars.filter { $0 != "\u{61C}" }.map(String.init).joined()
        #expect(layout.glyphs.map(\.text).joined() == drawn)
    }

    @Test("letter spacing with more features than Pango has room for stays within it")
    func features() throws {
        var style = TestTypesetter.style(letterSpacing: 2)
        style.features = (0..<16).map { "ss\($0 + 10)" }.joined(separator: ",")
        for count in 12...16 {
            let more = (0..<count).map { "cv\($0 + 10)" }.joined(separator: ", ")
            let layout = try TestTypesetter().layout(
                [#"<span font_features="\#(more)">office</span>"#], style: style, markup: true)
            #expect(layout.glyphs.map(\.text).joined() == "office")
        }
    }

    @Test("a layout ends at its deadline")
    func deadline() throws {
        let deadline = WorkDeadline()
        var looks = 0
        deadline.isPassed = {
            looks += 1
            return looks > 3
        }
        let text = try StyledText(plain: Self.text, style: TestTypesetter.style())
        #expect(throws: TypesettingError.deadline) {
            try TestTypesetter().typesetter.layout(
                [BlockText(text)], on: TestTypesetter.canvas(width: 40), until: deadline)
        }
        #expect(looks == 4)
    }

    @Test("a grapheme has at most 64 characters")
    func graphemes() throws {
        func text(_ marks: Int) throws -> StyledText {
            try StyledText(
                plain: "ab" + String(repeating: "\u{301}", count: marks) + "c",
                style: TestTypesetter.style())
        }
        _ = try text(63)
        #expect(throws: TypesettingError.graphemeTooLong(count: 65, limit: 64)) { try text(64) }
    }

    @Test("directions are nested at most 60 deep in a paragraph")
    func directions() throws {
        func text(_ text: String) throws -> StyledText {
            try StyledText(plain: text, style: TestTypesetter.style())
        }
        let (embeddings, isolates) = (
            String(repeating: "\u{202D}", count: 30), String(repeating: "\u{2067}", count: 30)
        )
        _ = try text(embeddings + isolates + "a\n" + isolates + "b")
        // An isolate's end ends the embeddings within it; that of an embedding no isolate.
        _ = try text("\u{2066}" + embeddings + "a\u{2069}" + embeddings + isolates)
        for deep in [
            embeddings + isolates + "\u{2066}a", embeddings + isolates + "\u{202C}\u{2066}a",
        ] {
            #expect(throws: TypesettingError.directionsTooDeep(limit: 60)) { try text(deep) }
        }
    }

    @Test("markup asks for at most 64 fonts")
    func fonts() throws {
        func text(_ fonts: Int) throws -> StyledText {
            let spans = (0..<2 * fonts).map {
                #"<span size="\#(10240 + 64 * ($0 % fonts))">a</span>"#
            }
            return try MarkupReader.read(spans.joined(), style: TestTypesetter.style())
        }
        _ = try text(64)
        #expect(throws: TypesettingError.tooManyFonts(count: 65, limit: 64)) { try text(65) }
    }

    @Test("a typesetter is full after many lists of families, whatever fonts they lead to")
    func families() throws {
        let typesetter = try TestTypesetter()
        var count = 0
        while !typesetter.typesetter.isFull, count < 1000 {
            count += 1
            _ = try typesetter.layout(["a"], style: TestTypesetter.style(font: "none \(count)"))
        }
        #expect(count < 1000)
    }

    @Test("each missing family is warned of once, of however many lists")
    func missingFamilies() throws {
        let lists = (0..<60).map { list in (0..<20).map { "none \(list)-\($0)" } + ["none"] }
        let spans = lists.map { #"<span font="\#($0.joined(separator: ","))">a</span>"# }
        let layout = try TestTypesetter().layout([spans.joined()], markup: true)
        #expect(layout.warnings.count { $0.code == .missingFont } == 60 * 20 + 1)
    }
}
