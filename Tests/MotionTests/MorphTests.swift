import EffectInvariants
import Testing

@testable import Motion

@Suite struct MorphTests {
    private func pairs(_ old: String, _ new: String) throws -> [[Int]] {
        let pairs = try LetterMatching.pairs(TestGlyphs.glyphs(old), TestGlyphs.glyphs(new))
        return pairs.map { [$0.0, $0.1] }
    }

    @Test("letters that two texts share are paired in order")
    func matching() throws {
        #expect(try pairs("hello", "help") == [[0, 0], [1, 1], [2, 2]])
        #expect(try pairs("help", "yelp!") == [[1, 1], [2, 2], [3, 3]])
        #expect(try pairs("abc", "xyz") == [])
        #expect(try pairs("a b", "a b") == [[0, 0], [2, 2]], "white space is left out")
        #expect(try pairs("e\u{301}", "\u{E9}") == [[0, 0]], "canonically equivalent")
    }

    @Test("letters of another size are other letters")
    func sizes() throws {
        var large = TestGlyphs.glyphs("a")
        large[0].size = 99
        #expect(try LetterMatching.pairs(TestGlyphs.glyphs("a"), large).isEmpty)
    }

    @Test("shared letters glide from the old position, in the new style from the start")
    func gliding() throws {
        let morph = TestGlyphs.block(try Morph())
        let choreography = Choreography(
            blocks: [morph, morph], sequence: .replace, timing: .init(gap: 5))
        let scene = try choreography.scene(
            of: TestGlyphs.layout(["ab", "ba"]), appearance: TestGlyphs.appearance,
            limits: SceneLimits())
        let change = try #require(scene.blocks[0].exit)
        #expect(change.lowerBound == scene.blocks[1].entrance.lowerBound, "no gap")
        // "ba" keeps the b: from the second position to the first.
        let start = scene.pose(ofNode: 2, at: .instant(change.lowerBound))
        #expect(start == Pose(opacity: 1, offsetX: 10, offsetY: 0))
        #expect(scene.pose(ofNode: 1, at: .instant(change.lowerBound)).opacity == 0)
        #expect(!scene.nodes[0].isFinished && scene.nodes[2].isFinished)
    }
}
