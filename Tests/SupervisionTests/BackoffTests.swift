import Testing

@testable import Supervisor

struct BackoffTests {
    private static let second: UInt64 = 1_000_000_000

    @Test("One death a second is never waited for, even where a start takes half of it")
    func usual() {
        var backoff = Backoff()
        let delays = (0..<100).map { _ in backoff.delay(after: Self.second / 2) }
        #expect(delays.allSatisfy { $0 == 0 })
    }

    @Test("After twelve short lives in a row delays grow to five seconds")
    func storm() {
        var backoff = Backoff()
        let delays = (0..<30).map { _ in backoff.delay(after: 0) }
        #expect(delays[..<12].allSatisfy { $0 == 0 })
        let tenths = delays[12...].map { $0 / (Self.second / 10) }
        #expect(Array(tenths.prefix(7)) == [1, 2, 4, 8, 16, 32, 50])
        #expect(tenths.dropFirst(7).allSatisfy { $0 == 50 })
    }

    @Test("A long life is followed by the next at once, and short ones before it are forgotten")
    func forgets() {
        var backoff = Backoff()
        for _ in 0..<30 { _ = backoff.delay(after: Self.second / 10) }
        let lives = [Self.second] + [UInt64](repeating: 0, count: 13)
        let delays = lives.map { backoff.delay(after: $0) }
        #expect(delays.dropLast().allSatisfy { $0 == 0 })
        #expect(delays.last == Self.second / 10)
    }
}
