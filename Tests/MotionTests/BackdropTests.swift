import Testing

@testable import Motion

@Suite struct BackdropTests {
    private func box(
        _ fit: Backdrop.Fit, ofWidth width: Double, height: Double
    ) -> Rect {
        Backdrop(bitmap: 0, isOpaque: true, fit: fit, dim: 0)
            .box(ofWidth: width, height: height, on: Rect(x: 0, y: 0, width: 400, height: 100))
    }

    @Test("a picture that covers the canvas goes beyond two of its sides alike")
    func cover() {
        #expect(
            box(.cover, ofWidth: 200, height: 100) == Rect(x: 0, y: -50, width: 400, height: 200))
        #expect(
            box(.cover, ofWidth: 80, height: 10) == Rect(x: -200, y: 0, width: 800, height: 100))
    }

    @Test("a picture that the canvas contains leaves two of its sides free alike")
    func contain() {
        #expect(
            box(.contain, ofWidth: 200, height: 100)
                == Rect(x: 100, y: 0, width: 200, height: 100))
        #expect(
            box(.contain, ofWidth: 80, height: 10) == Rect(x: 0, y: 25, width: 400, height: 50))
    }

    private func scene(_ backdrop: Backdrop) -> Scene {
        let layout = Layout(
            glyphs: [], blocks: [],
            definitions: Definitions(bitmaps: [
                Bitmap(font: 0, glyph: 0, width: 200, height: 100, source: [])
            ]),
            width: 399.5, height: 100, warnings: [])
        var scene = Scene(
            of: layout, duration: .zero, loop: .count(1),
            appearance: Appearance(
                card: Card(background: .transparent), title: "", seed: 0, digest: 0))
        scene.tracks = [.shown]
        scene.addBackdrop(backdrop, track: 0)
        return scene
    }

    @Test("the picture lies beneath its dim, over whole pixels, and says what it hides")
    func nodes() throws {
        let covering = scene(Backdrop(bitmap: 0, isOpaque: true, fit: .cover, dim: 0.4))
        #expect(covering.nodes.map(\.role) == [.backdrop, .backdrop])
        #expect(covering.cardNodeCount == 2 && covering.layers.flatMap(\.nodes) == [0, 1])
        #expect(
            covering.backdropPicture?.rect == Rect(x: 0, y: -50, width: 400, height: 200))
        let shade = try #require(covering.nodes.last).glyph
        #expect(shade.color.alpha == 102)
        #expect(shade.rect == Rect(x: 0, y: 0, width: 400, height: 100))
        #expect(covering.appearance.card.isOpaque)
        for (fit, isOpaque) in [(Backdrop.Fit.contain, true), (.cover, false)] {
            let scene = self.scene(Backdrop(bitmap: 0, isOpaque: isOpaque, fit: fit, dim: 0))
            #expect(scene.nodes.count == 1 && !scene.appearance.card.isOpaque)
        }
    }
}
