import Bytes
import Motion
import Testing
import Typesetting

/// Pictures that stand in texts of markup.
@Suite struct PictureTests {
    /// A red picture of two pixels beside each other.
    private static let wide = TextPicture(
        name: "wide", width: 2, height: 1,
        file: Base64.standard.decoded(
            "iVBORw0KGgoAAAANSUhEUgAAAAIAAAABCAIAAAB7QOjdAAAADUlEQVR42mP4z8AARAAI/gH/GcBr5wAA"
                + "AABJRU5ErkJggg") ?? [])
    /// A black picture of 512 pixels a side.
    private static let large = TextPicture(
        name: "large", width: 512, height: 512,
        file: Base64.standard.decoded(
            "iVBORw0KGgoAAAANSUhEUgAAAgAAAAIAAQAAAADcA+lXAAAANklEQVR42u3BAQEAAACCIP+vbkhA"
                + "AQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAB8G4IAAAFjdVCkAAAAAElFTkSuQmCC") ?? [])
    private static let damaged = TextPicture(
        name: "damaged", width: 1, height: 1, file: Array(wide.file.prefix(40)))

    private func read(_ markup: String) throws -> StyledText {
        try MarkupReader.read(
            markup, style: TestTypesetter.style(),
            pictures: ["wide": Self.wide, "large": Self.large, "damaged": Self.damaged])
    }

    private func layout(
        _ markup: String, canvas: CanvasRequest = TestTypesetter.canvas()
    ) throws -> Layout {
        try TestTypesetter().typesetter.layout([BlockText(try read(markup))], on: canvas)
    }

    private func message(_ markup: String) -> String {
        do {
            _ = try read(markup)
            return ""
        } catch TypesettingError.markup(let message) {
            return message
        } catch {
            return "\(error)"
        }
    }

    @Test("a picture is one character, with words that stand for it")
    func reading() throws {
        let text = try read(
            #"é<b><picture name="wide" alt="a &amp; b"/></b><picture name='wide'/>"#)
        #expect(text.text == "é\u{FFFC}\u{FFFC}")
        #expect(text.pictures.map(\.offset) == [2, 5])
        #expect(text.pictures.map(\.alternative) == ["a & b", "wide"])
        #expect(text.spelled == "éa & bwide")
        #expect(text.spans.map(\.style.type.weight) == [400, 700, 400])
        #expect(try read(#"<picture name="wide" alt=""/>"#).spelled.isEmpty)
    }

    @Test(
        "a wrong picture is an error that says what would be right",
        arguments: [
            ("<picture/>", "<picture> needs a name (at character 1)"),
            (
                "x<picture name='logo'/>",
                "there is no picture \"logo\"; one of damaged, large, wide (at character 2)"
            ),
            (
                "<picture name='wide' href='x'/>",
                "attribute href is not supported by <picture>; one of name, alt (at character 1)"
            ),
            ("<picture name='wide'>x</picture>", "text must not be within <picture>"),
            (
                "<picture name='wide'><b/></picture>",
                "<b> must not be within <picture> (at character 22)"
            ),
        ])
    func faults(markup: String, message: String) {
        #expect(self.message(markup) == message)
    }

    @Test("the work to scale pictures is that of each size once, and is refused before it is done")
    func work() throws {
        func work(_ markup: String, limit: Double = .infinity) throws -> Double {
            try TestTypesetter().typesetter.layout(
                [BlockText(try read(markup))], on: TestTypesetter.canvas(), workLimit: limit
            ).work
        }
        let sizes = (4..<40).map { "<span size='\($0)px'><picture name='large'/></span>" }
        let one = try work("<picture name='large'/>")
        #expect(try work("A") == 0)
        #expect(one > 0)
        #expect(try work("<picture name='large'/><picture name='large'/>") == one)
        let whole = try work(sizes.joined())
        #expect(whole > 10 * one)
        // Pictures in the cache cost as much.
        let typesetter = try TestTypesetter().typesetter
        for _ in 0..<2 {
            let text = BlockText(try read(sizes.joined()))
            #expect(try typesetter.layout([text], on: TestTypesetter.canvas()).work == whole)
        }
        #expect(throws: TypesettingError.self) { try work(sizes.joined(), limit: whole / 2) }
        #expect(throws: TypesettingError.tooMuchWork(megapixels: one, limit: one / 2)) {
            try work("<picture name='large'/>" + sizes.joined(), limit: one / 2)
        }
    }

    @Test("the picture behind everything is decoded, and keeps its file and its size")
    func backdrop() throws {
        func layoutOf(_ picture: TextPicture, _ limit: Double = .infinity) throws -> Layout {
            var canvas = TestTypesetter.canvas()
            canvas.backdrop = CanvasRequest.Backdrop(picture, fit: .contain, dim: 0.25)
            return try TestTypesetter().typesetter.layout(
                [BlockText(try read("A"))], on: canvas, workLimit: limit)
        }
        let layout = try layoutOf(Self.large)
        let backdrop = try #require(layout.backdrop)
        let bitmap = layout.definitions.bitmaps[backdrop.bitmap]
        #expect(bitmap.source == Self.large.file && bitmap.width == 512 && bitmap.height == 512)
        #expect(backdrop.fit == .contain && backdrop.dim == 0.25)
        #expect(layout.work > 0)
        #expect(throws: TypesettingError.self) {
            try layoutOf(Self.large, layout.work / 2)
        }
        #expect(throws: TypesettingError.damagedPicture(name: "damaged")) {
            try layoutOf(Self.damaged)
        }
    }

    @Test("it is an em high, as wide as its ratio says, and in the middle of capitals")
    func position() throws {
        let glyphs = try layout("A<picture name='wide'/>B").glyphs
        #expect(glyphs.map(\.text) == ["A", "\u{FFFC}", "B"])
        #expect(abs(glyphs[1].rect.width - 64) < 0.01)
        #expect(abs(glyphs[2].rect.x - glyphs[1].rect.maxX) < 0.01)
        let ink = try #require(glyphs[1].ink)
        #expect(ink.hasPicture && ink.shape == nil)
        #expect(abs(ink.bounds.width - 64) < 0.01 && ink.bounds.height == 32)
        let capital = try #require(glyphs[0].ink).bounds
        let middle = capital.y + capital.height / 2
        #expect(abs(ink.bounds.y + 16 - middle) < 0.5)
        // Beside letters alone the line is as high.
        #expect(glyphs[1].rect.height == glyphs[0].rect.height)
    }

    @Test("its size is that of the text around it, and each size has a bitmap")
    func sizes() throws {
        let layout = try layout(
            "<picture name='wide'/><big><picture name='wide'/></big><picture name='wide'/>")
        let widths = layout.glyphs.map { ($0.rect.width * 100).rounded() / 100 }
        #expect(widths == [64, 76.8, 64])
        #expect(layout.definitions.bitmaps.count == 2)
        // Never larger than its file.
        #expect(layout.definitions.bitmaps.allSatisfy { $0.width == 2 && $0.height == 1 })
    }

    @Test("letter spacing lies on both of its sides")
    func letterSpacing() throws {
        let style = TestTypesetter.style(letterSpacing: 8)
        let text = try MarkupReader.read(
            "a<picture name='wide'/>b", style: style, pictures: ["wide": Self.wide])
        let layout = try TestTypesetter().typesetter.layout(
            [BlockText(text)], on: TestTypesetter.canvas())
        #expect(abs(layout.glyphs[1].rect.width - 72) < 0.01)
        let ink = try #require(layout.glyphs[1].ink)
        #expect(abs(ink.bounds.x - layout.glyphs[1].rect.x - 4) < 0.01)
    }

    @Test("lines break beside it, and it has no direction of its own")
    func lines() throws {
        let canvas = TestTypesetter.canvas(width: 200)
        let wrapped = try layout(
            "<picture name='wide'/><picture name='wide'/><picture name='wide'/>", canvas: canvas)
        #expect(wrapped.glyphs.map(\.line) == [0, 0, 1])
        let glyphs = try layout("של<picture name='wide'/>ום").glyphs
        #expect(zip(glyphs, glyphs.dropFirst()).allSatisfy { $0.rect.x > $1.rect.x })
    }

    @Test("the character itself is drawn by a font")
    func character() throws {
        let layout = try layout("a\u{FFFC}<picture name='wide'/>")
        #expect(layout.glyphs[1].ink?.hasPicture != true)
        #expect(layout.blocks[0].alternatives == [2: "wide"])
    }

    @Test("text that is cut keeps the pictures before its end")
    func cutting() throws {
        var canvas = TestTypesetter.canvas(width: 200)
        canvas.fit.maximumLines = 1
        let layout = try layout(
            "<picture name='wide'/> word <picture name='wide'/> <picture name='wide'/>",
            canvas: canvas)
        #expect(layout.blocks[0].text.hasSuffix("…"))
        #expect(layout.blocks[0].alternatives[0] == "wide")
        #expect(layout.blocks[0].alternatives.count < 3)
    }

    @Test("a damaged file is an error that names it")
    func damage() throws {
        #expect(throws: TypesettingError.damagedPicture(name: "damaged")) {
            try layout("<picture name='damaged'/>")
        }
    }

    @Test("words take the place of pictures in a scene, and ranges count them")
    func scene() throws {
        let layout = try layout("é<picture name='wide' alt='two words'/> x<picture name='wide'/>.")
        let choreography = Choreography(
            blocks: [
                Choreography.Block(
                    effect: try NoEffect(), named: ("none", "None"), cursor: .none, cursorBlink: 0,
                    paint: TextPaint(fill: .transparent))
            ])
        let appearance = Appearance(
            card: Card(background: .transparent), title: "", seed: 0, digest: 0)
        let scene = try choreography.scene(
            of: layout, appearance: appearance, limits: SceneLimits())
        #expect(scene.blocks[0].layout.text == "étwo words xwide.")
        let glyphs = scene.nodes.prefix(6).map(\.glyph)
        #expect(glyphs.map(\.text) == ["é", "two words", " ", "x", "wide", "."])
        #expect(glyphs.map(\.start) == [0, 1, 10, 11, 12, 16])
        #expect(glyphs.map(\.length) == [1, 9, 1, 1, 4, 1])
    }
}
