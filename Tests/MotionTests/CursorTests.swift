import EffectInvariants
import Testing

@testable import Motion

@Suite struct CursorTests {
    private func scene(_ text: String, _ loop: Loop = .count(1)) throws -> Scene {
        let block = TestGlyphs.block(try Typewriter(), cursor: .bar)
        return try Choreography(blocks: [block], timing: .init(hold: 2), loop: loop).scene(
            of: TestGlyphs.layout([text]), appearance: TestGlyphs.appearance, limits: SceneLimits())
    }

    @Test("the cursor stands behind what was typed last, and jumps")
    func following() throws {
        let scene = try scene("ab c")
        let cursor = try #require(scene.nodes.indices.last)
        #expect(scene.nodes[cursor].role == .cursor)
        #expect(scene.nodes[cursor].glyph.rect.x == 0)
        let offsets = [0, 999, 1000, 2000, 3000, 4000].map {
            scene.pose(ofNode: cursor, at: .instant(Instant(ticks: $0))).offsetX
        }
        #expect(offsets == [0, 0, 10, 20, 30, 40])
    }

    @Test("it blinks after the entrance and is off at the cycle's end")
    func blinking() throws {
        let scene = try scene("a")
        let cursor = try #require(scene.nodes.indices.last)
        let shown = [0, 1999, 2000, 6999, 7000, 11_999, 12_000, 17_000, 22_000].map {
            scene.pose(ofNode: cursor, at: .instant(Instant(ticks: $0))).opacity
        }
        #expect(shown == [1, 1, 1, 1, 0, 0, 1, 0, 0])
        #expect(scene.pose(ofNode: cursor, at: .finished).opacity == 0)
    }

    @Test("under a dark colour scheme, too, it has the first colour of a gradient")
    func darkPaint() throws {
        var scene = try scene("a")
        let (red, blue) = (Color(red: 255, green: 0, blue: 0), Color(red: 0, green: 0, blue: 255))
        let gradient = Gradient(
            .linear(.angle(90)), stops: [(color: red, percent: nil), (color: blue, percent: nil)])
        scene.blocks[0].paint.darkFill = .gradient(gradient)
        let cursor = try #require(scene.nodes.indices.last)
        #expect(scene.darkPaint(ofNode: 0) == .gradient(gradient))
        #expect(scene.darkPaint(ofNode: cursor) == .color(red))
    }

    @Test("what shows is what an opacity says, ramps throughout")
    func spans() {
        let track = Track(keyframes: [
            Keyframe(Instant(ticks: 10), value: 0, easing: .linear),
            Keyframe(Instant(ticks: 20), value: 1, easing: .hold),
            Keyframe(Instant(ticks: 30), value: 0, easing: .hold),
            Keyframe(Instant(ticks: 40), value: 1, easing: .linear),
        ])
        let spans = track.shownSpans(until: Instant(ticks: 50)).map {
            [$0.lowerBound.ticks, $0.upperBound.ticks]
        }
        #expect(spans == [[10, 30], [40, 50]])
    }
}
