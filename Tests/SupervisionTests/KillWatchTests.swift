import Foundation
import Testing

@testable import Supervisor

struct KillWatchTests {
    private static let second: UInt64 = 1_000_000_000

    @Test("The third kill within a minute is notable, and the next three again")
    func thirds() {
        var watch = KillWatch()
        let notable = (1...6).map { watch.note(now: $0 * 10 * Self.second) }
        #expect(notable == [false, false, true, false, false, true])
    }

    @Test("Kills that are rarer are not")
    func rare() {
        var watch = KillWatch()
        let notable = (1...10).map { watch.note(now: $0 * 31 * Self.second) }
        #expect(notable.allSatisfy { !$0 })
    }
}

struct MemoryEventsTests {
    private let directory = FileManager.default.temporaryDirectory
        .appendingPathComponent("memory-events-\(UUID().uuidString)")

    private func text(membership: String) throws -> String? {
        let cgroup = directory.appendingPathComponent("system.slice/titlecard.service")
        defer { try? FileManager.default.removeItem(at: directory) }
        try FileManager.default.createDirectory(at: cgroup, withIntermediateDirectories: true)
        try Data("low 0\nmax 12\noom_kill 3\n".utf8)
            .write(to: cgroup.appendingPathComponent("memory.events"))
        let file = directory.appendingPathComponent("cgroup")
        try Data(membership.utf8).write(to: file)
        return MemoryEvents.text(membership: file.path, root: directory.path)
    }

    @Test("The counters of the process's own cgroup are told")
    func found() throws {
        let membership = "4:memory:/elsewhere\n0::/system.slice/titlecard.service\n"
        #expect(try text(membership: membership) == "low 0, max 12, oom_kill 3")
    }

    @Test("Where there are none nothing is told", arguments: ["4:memory:/a\n", "0::/other\n", ""])
    func missing(membership: String) throws {
        #expect(try text(membership: membership) == nil)
    }
}
