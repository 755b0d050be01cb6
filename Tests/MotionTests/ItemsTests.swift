import EffectInvariants
import Testing

@testable import Motion

@Suite struct ItemsTests {
    private let randomness = PhaseRandomness(seed: 7, block: 0, phase: .entrance)

    private func ranks(_ count: Int, _ order: ItemOrder) -> [Int] {
        let glyphs = TestGlyphs.glyphs(String(repeating: "x", count: count))
        return Items(glyphs[...], by: .glyph).ranks(order, randomness)
    }

    @Test("items start from the middle or from the ends, two at a time")
    func symmetricOrders() {
        #expect(ranks(5, .center) == [2, 1, 0, 1, 2])
        #expect(ranks(4, .center) == [1, 0, 0, 1])
        #expect(ranks(5, .edges) == [0, 1, 2, 1, 0])
        #expect(ranks(4, .edges) == [0, 1, 1, 0])
        #expect(ranks(1, .center) == [0])
    }

    @Test("a random order is a permutation")
    func randomOrder() {
        #expect(ranks(40, .random).sorted() == Array(0..<40))
        #expect(ranks(40, .random) != Array(0..<40))
    }

    @Test("words and lines are numbered by first appearance")
    func grouping() {
        let glyphs = TestGlyphs.glyphs("ab cd e")
        #expect(Items(glyphs[...], by: .word).itemOfGlyph == [0, 0, 0, 1, 1, 1, 2])
        #expect(Items(glyphs[...], by: .all).count == 1)
        #expect(Items([], by: .all).count == 0)
    }
}
