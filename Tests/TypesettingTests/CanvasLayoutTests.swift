import Motion
import Testing
import Typesetting

@Suite struct CanvasLayoutTests {
    @Test("the specification's example has its size and positions")
    func example() throws {
        let layout = try TestTypesetter().layout(["Hi 👻"])
        #expect(layout.width == 116)
        #expect(layout.height == 71)
        let block = layout.blocks[0]
        #expect(abs(block.rect.width - 82.9688) < 0.001)
        #expect(abs(block.rect.height - 38.541) < 0.001)
        #expect(abs(block.lines[0].baseline - 46.2773) < 0.002)
        #expect(layout.glyphs[0].rect.y == 16)
        #expect(
            block.lines[0].runs.map(\.font.text) == ["DejaVu Sans 32px", "Noto Color Emoji 32px"])
        #expect(block.lines[0].runs.map(\.glyphs) == [[0, 1, 2], [3]])
    }

    @Test(
        "an automatic canvas holds ink that overhangs its boxes",
        arguments: ["fjƒ", "ÂÅ", "jJ", "g̈"])
    func overhang(text: String) throws {
        let layout = try TestTypesetter().layout(
            [text], style: TestTypesetter.style(font: "DejaVu Serif", size: 60, italic: true),
            canvas: TestTypesetter.canvas(padding: 0))
        for ink in layout.glyphs.compactMap(\.ink) {
            #expect(ink.bounds.x >= -0.001 && ink.bounds.maxX <= layout.width + 0.001)
            #expect(ink.bounds.y >= -0.001 && ink.bounds.maxY <= layout.height + 0.001)
        }
    }

    @Test("lines are aligned within the given width less padding")
    func alignment() throws {
        let typesetter = try TestTypesetter()
        func x(_ text: String, _ alignment: CanvasRequest.Alignment) throws -> Double {
            let canvas = TestTypesetter.canvas(width: 400, padding: 20, alignment: alignment)
            return try typesetter.layout([text], canvas: canvas).blocks[0].lines[0].rect.x
        }
        let width = try typesetter.layout(["Hello"]).blocks[0].rect.width
        #expect(try x("Hello", .left) == 20)
        #expect(abs(try x("Hello", .center) - (400 - width) / 2) < 0.001)
        #expect(abs(try x("Hello", .right) - (380 - width)) < 0.001)
        #expect(try x("Hello", .start) == 20)
        #expect(try x("שלום", .start) > 200)
        #expect(try x("שלום", .end) == 20)
    }

    @Test("stacked blocks are apart by the spacing")
    func stacking() throws {
        let blocks = try TestTypesetter().layout(["one", "two"]).blocks
        #expect(abs(blocks[1].rect.y - blocks[0].rect.maxY - 16) < 0.001)
    }

    @Test("text that is larger than a given size is warned of")
    func clipping() throws {
        let layout = try TestTypesetter().layout(
            ["Wide"], canvas: TestTypesetter.canvas(height: 10, padding: 0))
        #expect(layout.warnings.map(\.code) == [.clipped])
    }

    @Test("a canvas past the limit is refused")
    func tooLarge() throws {
        let text = String(repeating: "wide ", count: 100)
        #expect(throws: TypesettingError.self) { try TestTypesetter().layout([text]) }
    }

    @Test("missing fonts and characters are warned of")
    func warnings() throws {
        let typesetter = try TestTypesetter()
        let font = try typesetter.layout(["x"], style: TestTypesetter.style(font: "Comic Mono"))
            .warnings
        #expect(font.map(\.message) == ["no family \"Comic Mono\"; used DejaVu Sans"])
        let glyph = try typesetter.layout(["a\u{10FFFD}"]).warnings
        #expect(glyph.map(\.code) == [.missingGlyph])
        #expect(glyph.first?.message.contains("U+10FFFD") == true)
        #expect(
            try typesetter.layout(["a"], style: TestTypesetter.style(font: "sans-serif")).warnings
                .isEmpty)
    }
}
