import Testing

@testable import Rendering

@Suite struct MemoryBudgetTests {
    private static let mebibyte = 1 << 20

    @Test("what is reserved is within the capacity, but for the first of a share")
    func reserving() {
        let budget = MemoryBudget(capacity: 100)
        #expect(budget.reserve(60, for: .renderings))
        #expect(!budget.reserve(60, for: .cache))
        #expect(budget.allowed(for: .cache, wanted: 60) == 40)
        #expect(budget.reserve(60, for: .cache, isFirst: true))
        #expect(budget.free == 0)
        budget.release(60, for: .cache)
        #expect(budget.free == 40)
        budget.set(.renderings, to: 10)
        #expect(budget.free == 90 && budget.bytes(of: .renderings) == 10)
    }

    @Test("large reservations leave room for small ones")
    func roomForSmall() {
        let budget = MemoryBudget(capacity: 160 * Self.mebibyte)
        #expect(budget.reserve(100 * Self.mebibyte, for: .renderings))
        #expect(budget.free(for: 10 * Self.mebibyte) == 50 * Self.mebibyte)
        #expect(!budget.hasRoom(for: 51 * Self.mebibyte))
        #expect(!budget.reserve(51 * Self.mebibyte, for: .renderings))
        #expect(budget.reserve(50 * Self.mebibyte, for: .renderings))
        for _ in 0..<5 { #expect(budget.reserve(2 * Self.mebibyte, for: .renderings)) }
        #expect(!budget.reserve(5 * Self.mebibyte, for: .renderings))
    }

    @Test("small reservations go beyond the capacity a little, until memory is really short")
    func smallBeyond() {
        let budget = MemoryBudget(capacity: 160 * Self.mebibyte)
        budget.take(160 * Self.mebibyte, for: .renderings)
        #expect(budget.reserve(2 * Self.mebibyte, for: .renderings))
        _ = budget.measure(resident: 151 * Self.mebibyte, program: 0)
        #expect(!budget.reserve(2 * Self.mebibyte, for: .renderings))
        _ = budget.measure(resident: 150 * Self.mebibyte, program: 0)
        for _ in 0..<4 { #expect(budget.reserve(2 * Self.mebibyte, for: .renderings)) }
        #expect(!budget.reserve(1, for: .renderings))
        #expect(!budget.hasRoom(for: 1))
    }

    @Test("what is in memory and in no share is the program's, once it was seen four times")
    func uncounted() {
        let budget = MemoryBudget(capacity: 600 * Self.mebibyte)
        budget.take(100 * Self.mebibyte, for: .cache)
        budget.set(.program, to: 30 * Self.mebibyte)
        let resident = 330 * Self.mebibyte
        let least = 30 * Self.mebibyte
        for _ in 0..<3 { #expect(budget.measure(resident: resident, program: least) == least) }
        #expect(budget.measure(resident: resident, program: least) == 230 * Self.mebibyte)
        #expect(budget.free == 270 * Self.mebibyte)
    }

    @Test("memory that came back is free again little by little, but never less than the least")
    func comingBack() {
        let budget = MemoryBudget(capacity: 600 * Self.mebibyte)
        let least = 30 * Self.mebibyte
        for _ in 0..<4 { _ = budget.measure(resident: 230 * Self.mebibyte, program: least) }
        #expect(budget.measure(resident: 130 * Self.mebibyte, program: least) == 205 << 20)
        for _ in 0..<100 { _ = budget.measure(resident: 0, program: least) }
        #expect(budget.bytes(of: .program) - least < 8)
    }

    @Test("what large renderings have reserved and not yet filled is no memory that came back")
    func reserved() {
        let budget = MemoryBudget(capacity: 600 * Self.mebibyte)
        let least = 30 * Self.mebibyte
        for _ in 0..<4 { _ = budget.measure(resident: 230 * Self.mebibyte, program: least) }
        budget.take(100 * Self.mebibyte, for: .renderings)
        for _ in 0..<9 { _ = budget.measure(resident: 240 * Self.mebibyte, program: least) }
        #expect(budget.bytes(of: .program) == 230 * Self.mebibyte)
    }

    @Test("where little is left, threads are asked to let go of fonts, now and then")
    func relief() {
        let second: Int64 = 1_000_000_000
        // Every process has more than this.
        let budget = MemoryBudget(capacity: 8)
        let watch = MemoryWatch(budget, expectedBytes: -64 << 20)
        for tenth in 1...10 as ClosedRange<Int64> { watch.look(now: tenth * second / 10) }
        #expect(watch.reliefs == 1)
        watch.look(now: 5 * second)
        watch.look(now: 5 * second + 1)
        #expect(watch.reliefs == 2)
        let large = MemoryWatch(MemoryBudget(), expectedBytes: -64 << 20)
        for time in 1...9 as ClosedRange<Int64> { large.look(now: time * second) }
        #expect(large.reliefs == 0)
    }

    @Test("one thread at a time lets go of fonts, so that the others go on with requests")
    func oneAtATime() {
        let watch = MemoryWatch(MemoryBudget(), expectedBytes: 0)
        var isSecondAllowed: Bool?
        let isFirstAllowed = watch.relieve { isSecondAllowed = watch.relieve {} }
        #expect(isFirstAllowed)
        #expect(isSecondAllowed == false)
        let isNextAllowed = watch.relieve {}
        #expect(isNextAllowed)
    }

    @Test("a process knows what it has in memory")
    func resident() {
        let bytes = [UInt8](repeating: 1, count: 64 * Self.mebibyte)
        #expect(ProcessMemory.resident > bytes.count)
        #expect(ProcessMemory.resident < 1 << 40)
        #expect(bytes.last == 1)
    }
}
