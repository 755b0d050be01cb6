import EffectInvariants
import Testing

@testable import Motion

@Suite struct TextPaintTests {
    private static let red = Color(red: 255, green: 0, blue: 0)
    private static let black = Color(red: 0, green: 0, blue: 0)
    private static let gradient = Gradient(
        .linear(.angle(90)), stops: [(color: red, percent: nil), (color: black, percent: nil)])

    private func shadow(
        _ x: Double = 0, _ y: Double = 0, _ color: Color = black, blur: Double = 0
    ) -> Shadow {
        Shadow(offsetX: x, offsetY: y, blurRadius: blur, color: color)
    }

    // MARK: Margins

    @Test("outline and shadows reach beyond the ink by half the line, the blur and the offset")
    func margins() {
        var paint = TextPaint(fill: .color(Self.red))
        #expect(paint.margins == .zero && !paint.hasUnderlay)
        paint.outline = LineStyle(width: 5, color: Self.black)
        #expect(paint.margins == Margins(left: 2.5, top: 2.5, right: 2.5, bottom: 2.5))
        paint.shadows = [shadow(10, -20, blur: 4)]
        #expect(paint.margins == Margins(left: 2.5, top: 26.5, right: 16.5, bottom: 2.5))
        paint.shadows.append(shadow(-1, 0, blur: 8))
        #expect(paint.margins == Margins(left: 11.5, top: 26.5, right: 16.5, bottom: 10.5))
        paint.outline = nil
        paint.shadows = []
        paint.darkShadows = [shadow(0, 30)]
        #expect(paint.margins == Margins(left: 0, top: 0, right: 0, bottom: 30))
        #expect(paint.hasUnderlay)
        paint.darkShadows = []
        #expect(!paint.hasUnderlay)
    }

    @Test("shadows are spelt with all lengths, a list of none as none")
    func spelling() {
        let shadows = [shadow(1, -2.5, blur: 3), shadow(0, 0, Self.red)]
        #expect(shadows.text == "1px -2.5px 3px #000000, 0px 0px 0px #ff0000")
        #expect([Shadow]().text == "none")
        #expect(shadows[0].standardDeviation == 1.5)
    }

    // MARK: Cards

    @Test(
        "a card is one flat colour unless it has a gradient, a border, or round corners of a colour"
    )
    func flat() {
        #expect(Card(background: .transparent).flatColor == .transparent)
        #expect(Card(background: .transparent, cornerRadius: 9).flatColor == .transparent)
        #expect(Card(background: .color(Self.red)).flatColor == Self.red)
        #expect(Card(background: .color(Self.red), cornerRadius: 9).flatColor == nil)
        #expect(Card(background: .gradient(Self.gradient)).flatColor == nil)
        let border = LineStyle(width: 1, color: Self.red)
        #expect(Card(background: .transparent, border: border).flatColor == nil)
    }

    @Test(
        "corners take no more than half of the shorter side",
        arguments: [(10, 100, 80, 10), (60, 100, 80, 40), (512, 30, 80, 15), (0, 30, 80, 0)]
            as [(Double, Double, Double, Double)])
    func radius(wanted: Double, width: Double, height: Double, radius: Double) {
        let card = Card(background: .transparent, cornerRadius: wanted)
        #expect(card.cornerRadius(width: width, height: height) == radius)
    }

    // MARK: Layers

    private func scene(
        _ texts: [String], _ paints: [TextPaint], effect: (any Effect)? = nil,
        cursor: CursorShape = .none
    ) throws -> Scene {
        let blocks = try paints.map { paint in
            var block = TestGlyphs.block(try effect ?? NoEffect(), cursor: cursor)
            block.paint = paint
            return block
        }
        return try Choreography(blocks: blocks).scene(
            of: TestGlyphs.layout(texts), appearance: TestGlyphs.appearance, limits: SceneLimits())
    }

    @Test("without outline and shadow there is one layer of all glyphs")
    func plain() throws {
        let paint = TextPaint(fill: .gradient(Self.gradient), darkFill: .color(Self.red))
        let scene = try scene(["ab", "c"], [paint, paint], cursor: .bar)
        let layers = scene.layers
        #expect(layers.count == 1)
        #expect(layers[0].part == .fill && layers[0].scheme == .any)
        #expect(layers[0].nodes == Array(scene.nodes.indices))
    }

    @Test(
        "shadows, the last first, then the outline, then the fills, block by block, cursors on top")
    func order() throws {
        let outline = LineStyle(width: 2, color: Self.red)
        let (first, second) = (shadow(1), shadow(2))
        let under = TextPaint(
            fill: .color(Self.red), outline: outline,
            shadows: [first, shadow(3, 0, .transparent), second])
        let plain = TextPaint(fill: .color(Self.red))
        let scene = try scene(["ab", "cd"], [plain, under], cursor: .bar)
        let roles = scene.nodes.indices.filter { scene.nodes[$0].role == .cursor }
        #expect(roles == [4, 5])
        let layers = scene.layers
        #expect(
            layers.map(\.part) == [
                .fill, .shadow(second), .shadow(first), .outline(outline), .fill, .fill,
            ])
        #expect(
            layers.map(\.nodes) == [[0, 1], [2, 3, 5], [2, 3, 5], [2, 3, 5], [2, 3], [4, 5]])
        #expect(layers.allSatisfy { $0.scheme == .any })
    }

    @Test("shadows of a dark scheme are layers of their own")
    func schemes() throws {
        let (light, dark) = (shadow(1), shadow(2))
        let both = TextPaint(fill: .color(Self.red), shadows: [light], darkShadows: [dark])
        let layers = try scene(["a"], [both]).layers
        #expect(layers.map(\.part) == [.shadow(light), .shadow(dark), .fill])
        #expect(layers.map(\.scheme) == [.light, .dark, .any])
        let none = TextPaint(fill: .color(Self.red), shadows: [light], darkShadows: [])
        #expect(try scene(["a"], [none]).layers.map(\.scheme) == [.light, .any])
    }

    @Test("decoys lie beneath the fills with their block's outline")
    func decoys() throws {
        let outline = LineStyle(width: 2, color: Self.red)
        let effect = try Scramble()
        var layout = TestGlyphs.layout(["ab"])
        layout.blocks[0].characters = effect.characters(for: "").flatMap { TestGlyphs.glyphs($0) }
        var block = TestGlyphs.block(effect)
        block.paint = TextPaint(fill: .gradient(Self.gradient), outline: outline)
        let scene = try Choreography(blocks: [block]).scene(
            of: layout, appearance: TestGlyphs.appearance, limits: SceneLimits())
        let decoys = scene.nodes.indices.filter { scene.nodes[$0].role.name == .decoy }
        #expect(!decoys.isEmpty)
        #expect(scene.layers.map(\.part) == [.outline(outline), .fill, .fill])
        #expect(scene.layers[0].nodes == [0, 1] + decoys)
        let stoodFor = scene.layers[2].nodes.compactMap { index -> Int? in
            scene.nodes[index].role.name == .decoy ? scene.nodes[index].role.source : nil
        }
        #expect(stoodFor.count == decoys.count)
        #expect(scene.layers[2].nodes.sorted() == decoys)
        #expect(stoodFor == stoodFor.sorted() && Set(stoodFor) == [0, 1])
        // Each takes its part of the gradient where the glyph stands that it replaces.
        #expect(
            decoys.allSatisfy { scene.gradientRect(ofNode: $0) == scene.blocks[0].layout.rect })
    }

    @Test(
        "the box of a gradient is the block's, the line's, or the glyph's",
        arguments: GradientBox.allCases)
    func boxes(box: GradientBox) throws {
        let paint = TextPaint(fill: .gradient(Self.gradient), gradientBox: box)
        let scene = try scene(["abc"], [paint])
        let wanted = Rect(
            x: box == .glyph ? 10 : 0, y: 0, width: box == .glyph ? 10 : 30, height: 20)
        #expect(scene.gradientRect(ofNode: 1) == wanted)
    }

    // MARK: The motion of what lies beneath

    @Test("outline and shadow move with their glyph unless a pen draws it")
    func sameTracks() throws {
        let paint = TextPaint(fill: .color(Self.red), shadows: [shadow(1)])
        let scene = try scene(["abc"], [paint], effect: try Fade())
        #expect(
            scene.nodes.allSatisfy { $0.outlineTrack == $0.track && $0.shadowTrack == $0.track })
        #expect(scene.track(ofNode: 1, in: .shadow(shadow(1))) == scene.nodes[1].track)
    }

    @Test("they are as opaque as the ink that a pen leaves, and have no line along contours")
    func pen() throws {
        let outline = LineStyle(width: 2, color: Self.red)
        let paint = TextPaint(fill: .color(Self.red), outline: outline)
        let scene = try scene(["ab"], [paint], effect: try Draw())
        #expect(scene.nodes.allSatisfy { $0.outlineTrack == $0.shadowTrack })
        for glyph in [0, 1] {
            #expect(scene.track(ofNode: glyph, in: .fill) == scene.nodes[glyph].track)
            for ticks in stride(from: 0, through: 20_000, by: 250) {
                let moment = Moment.instant(Instant(ticks: ticks))
                let fill = scene.pose(ofNode: glyph, at: moment)
                let under = scene.pose(ofNode: glyph, in: .outline(outline), at: moment)
                #expect(abs(under.opacity - fill.opacity * fill.fillOpacity) < 0.003, "\(ticks)")
                #expect(under.fillOpacity == 1 && under.draw == 1)
                #expect(under.strokeWidth == Pose.rest.strokeWidth)
            }
        }
    }

    @Test("a mask cuts the outline where the glyph comes from, and lets the shadow appear")
    func mask() throws {
        let outline = LineStyle(width: 4, color: Self.red)
        let paint = TextPaint(fill: .color(Self.red), outline: outline, shadows: [shadow(1)])
        let rise = try EffectCatalog.Entry(KeyframeEffect.Definition.rise).effect()
        let scene = try scene(["ab"], [paint], effect: rise)
        func pose(_ part: SceneLayer.Part, _ seconds: Double) -> Pose {
            scene.pose(ofNode: 0, in: part, at: .instant(Instant(seconds: seconds)))
        }
        let mask = scene.masks[try #require(scene.nodes[0].mask)][0]
        #expect(mask.edges == .bottom && mask.rect.x == 0 && mask.rect.maxX == scene.width)
        #expect(mask.rect.y == 0 && mask.rect.maxY == scene.nodes[0].glyph.rect.maxY + 2)
        for time in [0.1, 0.4, 0.6, 0.79] {
            let (fill, line, below) = (
                pose(.fill, time), pose(.outline(outline), time), pose(.shadow(shadow(1)), time)
            )
            #expect(fill.clip == mask.rect && line.clip == mask.rect && below.clip == nil)
            #expect(fill.opacity == 1 && line.opacity == 1)
            #expect(abs(below.opacity - max(time - 0.4, 0) / 0.4) < 0.003, "\(time)")
            #expect(below.offsetY == fill.offsetY)
        }
        #expect(pose(.fill, 0.8).clip == nil && pose(.shadow(shadow(1)), 0.8).opacity == 1)
        let plain = try self.scene(
            ["ab"], [TextPaint(fill: .color(Self.red))], effect: rise)
        #expect(plain.tracks.allSatisfy { $0[.shadowOpacity] == nil })
    }

    @Test("they keep their colours while that of the fill changes")
    func fill() throws {
        let keyframes = Track(keyframes: [
            Keyframe(.zero, value: ColorMix(Self.red), easing: .linear),
            Keyframe(Instant(ticks: 100), value: .own, easing: .linear),
        ])
        var tracks = GlyphTracks.shown
        #expect(tracks.outline == tracks)
        tracks.fill = keyframes
        #expect(tracks.outline == .shown)
        tracks[.offsetX] = Track(keyframes: [
            Keyframe(.zero, value: 5, easing: .linear),
            Keyframe(Instant(ticks: 100), value: 0, easing: .linear),
        ])
        #expect(tracks.outline[.offsetX] == tracks[.offsetX] && tracks.outline.fill == nil)
    }
}
