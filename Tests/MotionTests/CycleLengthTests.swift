import Testing

@testable import Motion

@Suite("The length of a cycle")
struct CycleLengthTests {
    @Test("nothing decides it, or bounds do")
    func bounds() {
        #expect(CycleLength().seconds(for: 2.5) == 2.5)
        let length = CycleLength(least: 2, most: 3)
        #expect([1, 2.5, 4].map(length.seconds) == [2, 2.5, 3])
    }

    @Test("it is the next multiple of a step, or the last one before the most")
    func steps() {
        let length = CycleLength(least: 1, most: 4.5, step: 1)
        #expect([0, 1, 1.2, 3.999, 4.2, 9].map(length.seconds) == [1, 1, 2, 4, 4, 4])
        // Rounding adds none.
        #expect(length.seconds(for: 2 + 1e-9) == 2)
        #expect(CycleLength(step: 0.1).seconds(for: 0.3) == 0.1 * 3)
    }

    @Test("bounds may leave none")
    func impossible() {
        #expect(CycleLength().isPossible)
        #expect(CycleLength(least: 2, most: 2).isPossible)
        #expect(!CycleLength(least: 3, most: 2).isPossible)
        #expect(!CycleLength(most: 0.5, step: 1).isPossible)
        #expect(!CycleLength(least: 2.2, most: 2.8, step: 1).isPossible)
    }
}
