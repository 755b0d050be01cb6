import Processes

/// Notices that processes are ended by SIGKILL again and again, as by the kernel when memory is short.
struct KillWatch {
    /// The kills that are worth a line in the log, and the nanoseconds within which they happen.
    private static let notable = 3
    private static let period: UInt64 = 60_000_000_000

    /// The instants of the last kills, in nanoseconds.
    private var instants: [UInt64] = []

    /// Notes that a process was ended by SIGKILL, and not by the supervisor.
    ///
    /// - Returns: True if it is the third within a minute; others are counted anew after that.
    mutating func note(now: UInt64) -> Bool {
        instants.removeAll { $0 + Self.period < now }
        instants.append(now)
        guard instants.count >= Self.notable else { return false }
        instants = []
        return true
    }
}

/// The kernel's counters of memory events in this process's cgroup.
enum MemoryEvents {
    /// Reads the counters of `memory.events`.
    ///
    /// - Parameters:
    ///   - membership: The file that names the cgroups of this process.
    ///   - root: The directory of all cgroups.
    /// - Returns: Each counter with its name; nil where there is no cgroup of version 2 that has them.
    static func text(
        membership: String = "/proc/self/cgroup", root: String = "/sys/fs/cgroup"
    ) -> String? {
        let mark = "0::"
        guard
            let line = SystemFile.text(at: membership)?.split(separator: "\n")
                .first(where: { $0.hasPrefix(mark) }),
            let events = SystemFile.text(at: "\(root)\(line.dropFirst(mark.count))/memory.events")
        else { return nil }
        return events.split(separator: "\n").joined(separator: ", ")
    }
}
