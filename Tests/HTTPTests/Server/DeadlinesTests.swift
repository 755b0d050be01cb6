import Testing

@testable import HTTP

@Suite struct DeadlinesTests {
    @Test("slots come up in the order of their deadlines")
    func order() {
        var deadlines = Deadlines()
        for (slot, time) in [(0, 30), (1, 10), (2, 20)] as [(Int, Int64)] {
            deadlines.set(slot, to: time)
        }
        #expect(deadlines.next == 10)
        #expect(expired(&deadlines, at: 9) == [])
        #expect(expired(&deadlines, at: 25) == [1, 2])
        #expect(expired(&deadlines, at: 30) == [0])
        #expect(deadlines.next == Deadlines.never)
    }

    @Test("a deadline can move both ways and go away")
    func moves() {
        var deadlines = Deadlines()
        deadlines.set(0, to: 10)
        deadlines.set(0, to: 50)
        deadlines.set(1, to: 50)
        deadlines.set(1, to: 20)
        deadlines.set(2, to: 20)
        deadlines.set(2, to: Deadlines.never)
        #expect(expired(&deadlines, at: 40) == [1])
        #expect(expired(&deadlines, at: 50) == [0])
        #expect(expired(&deadlines, at: 1000) == [])
    }

    @Test("moving one deadline on 100,000 times keeps the heap small")
    func lazy() {
        var deadlines = Deadlines()
        for time in 0..<100_000 as Range<Int64> {
            deadlines.set(0, to: time + 100)
            if time % 1000 == 0 { #expect(deadlines.popExpired(now: time) == nil) }
        }
        #expect(expired(&deadlines, at: 200_000) == [0])
        #expect(deadlines.next == Deadlines.never)
    }

    @Test("it agrees with a plain list over random moves")
    func model() {
        var generator = SystemRandomNumberGenerator()
        var deadlines = Deadlines()
        var model: [Int: Int64] = [:]
        for now in 0..<20_000 as Range<Int64> {
            let slot = Int.random(in: 0..<50, using: &generator)
            let time = now + Int64.random(in: 1...400, using: &generator)
            deadlines.set(slot, to: time)
            model[slot] = time
            let due = Set(model.filter { $0.value <= now }.keys)
            guard Set(expired(&deadlines, at: now)) == due else {
                Issue.record("differs at \(now)")
                return
            }
            for slot in due { model[slot] = nil }
        }
    }

    private func expired(_ deadlines: inout Deadlines, at now: Int64) -> [Int] {
        var slots: [Int] = []
        while let slot = deadlines.popExpired(now: now) { slots.append(slot) }
        return slots
    }
}
