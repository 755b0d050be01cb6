import Glibc
import Supervision
import Testing

/// A copy of a descriptor, whose owner closes it.
func duplicated(_ descriptor: Int32) -> Int32 { fcntl(descriptor, F_DUPFD_CLOEXEC, 3) }

struct WorkJournalTests {
    private let table: RefusalTable
    private let journal: WorkJournal

    init() throws {
        table = try #require(RefusalTable())
        journal = try #require(WorkJournal(threads: 2, table: table))
    }

    private func begin(_ slot: JournalSlot, _ request: String) -> JournalSlot.Outcome {
        Array(request.utf8).withUnsafeBytes { slot.begin(format: "svg", request: $0) }
    }

    @Test("Another process reads what is in flight, and nothing that has ended")
    func entries() throws {
        let reader = try #require(WorkJournal(reading: duplicated(journal.memory.descriptor)))
        let (one, other) = (
            try #require(journal.takeSlot()), try #require(journal.takeSlot())
        )
        #expect(journal.takeSlot() == nil)
        #expect(begin(one, "first") == .begun)
        #expect(begin(other, "second") == .begun)
        #expect(reader.entries == [Array("svg\nfirst".utf8), Array("svg\nsecond".utf8)])
        one.end()
        #expect(begin(one, "second") == .begun)
        #expect(reader.entries == [Array("svg\nsecond".utf8)])
        one.end()
        other.end()
        #expect(reader.entries.isEmpty)
    }

    @Test("A refused rendering does not begin, and the client learns when to come again")
    func refusal() throws {
        let slot = try #require(journal.takeSlot())
        let digest = Array("svg\nkiller".utf8).withUnsafeBytes { table.hash(of: $0) }
        let now = Clock.nanoseconds
        table.refuse(digest, until: now + 3_600_000_000_000, now: now)
        guard case .refused(let seconds) = begin(slot, "killer") else {
            Issue.record("it begins")
            return
        }
        #expect((3590...3601).contains(seconds))
        #expect(journal.entries.isEmpty)
        #expect(begin(slot, "other") == .begun)
    }

    @Test("A rendering that does not fit is not noted")
    func tooLong() throws {
        let slot = try #require(journal.takeSlot())
        let longest = String(repeating: "x", count: WorkJournal.maximumBytes - 4)
        #expect(begin(slot, longest) == .begun)
        #expect(journal.entries.map { $0.count } == [WorkJournal.maximumBytes])
        slot.end()
        #expect(begin(slot, longest + "x") == .begun)
        #expect(journal.entries.isEmpty)
    }

    @Test("Whatever a process left in the memory can be read")
    func garbage() throws {
        for index in 0..<2 { journal.memory.number(at: index * 131_072).set(UInt64.max) }
        #expect(journal.entries.count == 1)
    }
}
