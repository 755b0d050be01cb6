import EffectInvariants
import Motion
import Testing

@Suite struct MarkTests {
    private static let red = Color(red: 255, green: 0, blue: 0)

    /// Returns the scene of texts without an effect, marked as a function says.
    private static func scene(
        _ texts: [String], seed: UInt64 = 3, isRightToLeft: Bool = false, paint: TextPaint? = nil,
        isAnimated: Bool = true, marks: (_ block: Int, _ glyphs: Range<Int>) -> [Mark]
    ) throws -> Scene {
        var layout = TestGlyphs.layout(texts)
        for block in layout.blocks.indices {
            if isRightToLeft { layout.blocks[block].lines[0].direction = .rightToLeft }
            layout.blocks[block].marks = marks(block, layout.blocks[block].glyphs)
        }
        var block = TestGlyphs.block(try NoEffect())
        if let paint { block.paint = paint }
        var appearance = TestGlyphs.appearance
        appearance.seed = seed
        return try Choreography(
            blocks: texts.map { _ in block }, isAnimated: isAnimated
        ).scene(of: layout, appearance: appearance, limits: SceneLimits())
    }

    /// Returns the points of a stroke's curves, their control points too.
    private static func points(of node: SceneNode, in scene: Scene) throws -> [Point] {
        let shape = try #require(node.glyph.ink?.shape)
        let outline = scene.definitions.outlines[shape.outline]
        #expect(outline.isOpen)
        let numbers = outline.coordinates.map(Double.init)
        return stride(from: 0, to: numbers.count, by: 2).map {
            Point(x: shape.origin.x + numbers[$0], y: shape.origin.y + numbers[$0 + 1])
        }
    }

    @Test("a mark stays within its bounds, whatever its seed", arguments: MarkStyle.Kind.allCases)
    func bounds(kind: MarkStyle.Kind) throws {
        for seed in 0..<200 as Range<UInt64> {
            let text = ["i", "word", "a long line of many words"][Int(seed % 3)]
            let style = MarkStyle(
                kind, width: [0.05, 0.5, 2][Int(seed / 3 % 3)], strokes: 2,
                padding: [0, 0.1, 2][Int(seed / 9 % 3)])
            var layout = TestGlyphs.layout([text])
            layout.blocks[0].marks = [Mark(style, glyphs: layout.blocks[0].glyphs)]
            let isRightToLeft = seed % 2 == 1
            if isRightToLeft { layout.blocks[0].lines[0].direction = .rightToLeft }
            let bounds = try #require(layout.blocks[0].markBounds(in: layout.glyphs))
            let scene = try Self.scene([text], seed: seed, isRightToLeft: isRightToLeft) {
                [Mark(style, glyphs: $1)]
            }
            for node in scene.nodes where node.role.mark != nil {
                guard let number = node.role.mark else { continue }
                let line = scene.marks[number].line
                let ink = try #require(node.glyph.ink?.bounds)
                let half = line.width / 2
                let drawn = ink.grown(
                    by: Margins(
                        left: line.cap == .round ? half : 0, top: half,
                        right: line.cap == .round ? half : 0, bottom: half))
                let isWithin =
                    drawn.x >= bounds.x && drawn.y >= bounds.y && drawn.maxX <= bounds.maxX
                    && drawn.maxY <= bounds.maxY
                #expect(isWithin, "\(kind), seed \(seed)")
            }
        }
    }

    @Test("the same seed draws the same lines, and another one others")
    func determinism() throws {
        func drawn(_ seed: UInt64) throws -> [[Point]] {
            let scene = try Self.scene(["hand", "drawn"], seed: seed) {
                [Mark(MarkStyle(.circle), glyphs: $1)]
            }
            return try scene.nodes.filter { $0.role.mark != nil }.map {
                try Self.points(of: $0, in: scene)
            }
        }
        let first = try drawn(1)
        #expect(try drawn(1) == first)
        #expect(try drawn(2) != first)
        // No two strokes are alike.
        #expect(Set(first).count == first.count)
    }

    @Test(
        "lines begin where reading begins", arguments: MarkStyle.Kind.allCases, [false, true])
    func direction(kind: MarkStyle.Kind, isRightToLeft: Bool) throws {
        for seed in 0..<50 as Range<UInt64> {
            let scene = try Self.scene(["marked"], seed: seed, isRightToLeft: isRightToLeft) {
                [Mark(MarkStyle(kind), glyphs: $1)]
            }
            let first = scene.nodes.first { $0.role.mark != nil }
            let node = try #require(first)
            let points = try Self.points(of: node, in: scene)
            let start = try #require(points.first)
            #expect((start.x > node.glyph.rect.center.x) == isRightToLeft, "seed \(seed)")
        }
    }

    @Test("a mark has a part on each line, around what is seen side by side")
    func lines() throws {
        var layout = TestGlyphs.layout(["ab cd ef"])
        let box = Rect(x: 0, y: 20, width: 80, height: 20)
        layout.blocks[0].lines.append(
            Line(rect: box, baseline: 35, direction: .leftToRight, runs: []))
        for index in 3..<8 {
            layout.glyphs[index].line = 1
            layout.glyphs[index].move(byX: 0, y: 20)
        }
        // On the second line the marked word stands on both sides of another.
        layout.glyphs[4].rect.x = 70
        layout.glyphs[7].rect.x = 40
        func marked(by style: MarkStyle) throws -> [Glyph] {
            layout.blocks[0].marks = [Mark(style, glyphs: 1..<5)]
            let scene = try Choreography(blocks: [TestGlyphs.block(try NoEffect())]).scene(
                of: layout, appearance: TestGlyphs.appearance, limits: SceneLimits())
            return scene.nodes.filter { $0.role.mark != nil }.map(\.glyph)
        }
        let struck = try marked(by: MarkStyle(.strike, strokes: 1))
        #expect(struck.map(\.rect.x) == [10, 30, 70])
        #expect(struck.map(\.rect.width) == [10, 10, 10])
        #expect(struck.map(\.line) == [0, 1, 1])
        // One dot on each line, and two strokes of one quotation mark.
        #expect(try marked(by: MarkStyle(.bullet)).map(\.rect.x) == [10, 30])
        #expect(try marked(by: MarkStyle(.quote)).map(\.rect.x) == [10, 10])
    }

    @Test("white space alone is not marked")
    func whitespace() throws {
        let scene = try Self.scene(["a b"]) { _, _ in
            [Mark(MarkStyle(.box), glyphs: 1..<2)]
        }
        #expect(scene.marks.isEmpty)
        #expect(scene.duration == Instant(seconds: 1))
    }

    @Test("highlights lie behind the text and other marks in front, each under its colour scheme")
    func layers() throws {
        let paint = TextPaint(
            fill: .color(Self.red), darkFill: .color(Color(red: 0, green: 0, blue: 255)))
        let scene = try Self.scene(["text"], paint: paint) { _, glyphs in
            [
                Mark(MarkStyle(.underline, strokes: 1), glyphs: glyphs),
                Mark(MarkStyle(.highlight, color: Self.red), glyphs: glyphs),
            ]
        }
        let (underline, highlight) = (4, 5)
        let order = [[highlight], [0, 1, 2, 3], [underline], [underline]]
        #expect(scene.layers.map(\.nodes) == order)
        #expect(scene.layers.map(\.scheme) == [.any, .any, .light, .dark])
        #expect(scene.lightLayers.count == 3)
        let colors = scene.layers.map { layer in
            if case .outline(let line) = layer.part { line.color } else { nil as Color? }
        }
        #expect(colors == [Self.red, nil, Self.red, Color(red: 0, green: 0, blue: 255)])
    }

    @Test("the finished text has its marks, as does a still one")
    func rest() throws {
        for isAnimated in [true, false] {
            let scene = try Self.scene(["text"], isAnimated: isAnimated) {
                [Mark(MarkStyle(.box), glyphs: $1)]
            }
            let strokes = scene.nodes.indices.filter { scene.nodes[$0].role.mark != nil }
            #expect(strokes.count == 8)
            for stroke in strokes {
                #expect(scene.pose(ofNode: stroke, at: .finished) == .rest)
                #expect(scene.pose(ofNode: stroke, at: .instant(scene.duration)) == .rest)
            }
        }
    }

    @Test("the next block waits for the marks of the one before")
    func sequence() throws {
        let scene = try Self.scene(["one", "two"]) { block, glyphs in
            block == 0
                ? [
                    Mark(MarkStyle(.underline, delay: 0.5, duration: 2), glyphs: glyphs),
                    Mark(MarkStyle(.circle, duration: 1), glyphs: glyphs),
                ] : []
        }
        #expect(scene.blocks[0].entrance == Instant.zero...Instant(seconds: 3.5))
        #expect(scene.blocks[1].entrance.lowerBound == Instant(seconds: 3.5))
        #expect(scene.duration == Instant(seconds: 4.5))
    }

    @Test("the strokes of a text count as keyframes")
    func limit() throws {
        var limits = SceneLimits()
        limits.keyframes = 50
        var layout = TestGlyphs.layout(["word"])
        layout.blocks[0].marks = [Mark(MarkStyle(.box), glyphs: layout.blocks[0].glyphs)]
        #expect(throws: SceneError.self) {
            try Choreography(blocks: [TestGlyphs.block(try NoEffect())]).scene(
                of: layout, appearance: TestGlyphs.appearance, limits: limits)
        }
    }
}
