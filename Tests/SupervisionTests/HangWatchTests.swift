import Testing

@testable import Supervisor

struct HangWatchTests {
    private static let second: UInt64 = 1_000_000_000
    private static let interval = HangWatch.interval

    /// Plays rounds at instants; returns the nanoseconds of silence after each.
    private static func silence(
        _ watch: inout HangWatch, _ silence: inout Silence, at instants: [UInt64]
    ) -> [UInt64] {
        instants.map { now in
            guard let nanoseconds = watch.begin(now: now) else { return 0 }
            return silence.extend(by: nanoseconds) { true }
        }
    }

    @Test("Rounds are half a second apart, and nothing is asked where the timeout is 0")
    func rounds() throws {
        #expect(HangWatch(seconds: 0, now: 0) == nil)
        var watch = try #require(HangWatch(seconds: 2, now: 0))
        #expect(watch.begin(now: Self.interval - 1) == nil)
        #expect(watch.begin(now: Self.interval) == Self.interval)
        #expect(watch.begin(now: Self.interval) == nil)
        #expect(watch.next == 2 * Self.interval)
        // A little late: all of it counts.
        #expect(watch.begin(now: 4 * Self.interval) == 3 * Self.interval)
    }

    @Test("A round for which the supervisor itself was late by more than a second does not count")
    func late() throws {
        var watch = try #require(HangWatch(seconds: 2, now: 0))
        #expect(watch.begin(now: Self.interval + Self.second + 1) == 0)
        #expect(watch.next == 2 * Self.interval + Self.second + 1)
        #expect(watch.begin(now: watch.next) == Self.interval)
    }

    @Test("Silence grows from the first question on, and an answer ends it")
    func silence() throws {
        var (watch, silence) = (try #require(HangWatch(seconds: 2, now: 0)), Silence())
        let instants = (1...5).map { UInt64($0) * Self.interval }
        #expect(
            Self.silence(&watch, &silence, at: instants)
                == (0..<5).map { UInt64($0) * Self.interval })
        silence.noteAnswer()
        #expect(Self.silence(&watch, &silence, at: [6 * Self.interval]) == [0])
        // The supervisor was stopped for a minute.
        let end = 60 * Self.second
        #expect(
            Self.silence(&watch, &silence, at: [end, end + Self.interval]) == [0, Self.interval])
    }

    @Test("One question is open at a time; where none can be sent, that is silence too")
    func questions() {
        var (silence, asked) = (Silence(), 0)
        func ask(_ isSent: Bool) -> UInt64 {
            silence.extend(by: 1) {
                asked += 1
                return isSent
            }
        }
        #expect((0..<3).map { _ in ask(false) } == [0, 1, 2])
        #expect((0..<3).map { _ in ask(true) } == [3, 4, 5])
        #expect(asked == 4)
        silence.noteAnswer()
        #expect(ask(true) == 0)
        #expect(asked == 5)
    }
}
