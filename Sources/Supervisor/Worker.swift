import Glibc
import Supervision

/// The place of a worker, and the process that fills it.
struct Worker {
    /// Nil between two processes.
    var child: ChildProcess?
    /// The instant since which it serves, in nanoseconds; nil while it does not.
    var readiness: UInt64?
    /// The instant of its death, until another process serves in its place.
    var death: UInt64?
    var journal: WorkJournal?
    /// The sockets that it listens on, a list for each address.
    var sockets: [ListeningSockets] = []
    var backoff = Backoff()
    /// The instant at which it is to be started again.
    var start: UInt64?
    /// Its last report.
    var metrics = ""
    /// The packets of the operator's files that it has sent, until all have come.
    var files: [Packet] = []
    /// The time for which it has not answered the supervisor.
    var silence = Silence()
    /// The instant at which it is killed, because it hangs and SIGABRT has not ended it; past all
    /// others once it is killed.
    var killTime: UInt64?

    /// The nanoseconds for which connections wait for another worker after the death of theirs.
    private static let patience: UInt64 = 1_000_000_000
    /// The nanoseconds in which SIGABRT ends a process.
    private static let abortTime: UInt64 = 1_000_000_000

    /// The instant from which its connections are answered without it, in nanoseconds.
    var absence: UInt64? { death.map { $0 + Self.patience } }

    /// True if it did not answer, and is being ended.
    var hangs: Bool { killTime != nil }

    /// Ends a process that hangs, and has it write the stacks of its threads.
    mutating func abort(now: UInt64) {
        killTime = now + Self.abortTime
        if let child { kill(child.id, SIGABRT) }
    }

    /// Kills it where SIGABRT has not ended it in time: it is stopped, or has blocked the signal.
    mutating func killIfAborted(now: UInt64) {
        guard let killTime, killTime <= now, let child else { return }
        self.killTime = .max
        kill(child.id, SIGKILL)
    }

    /// Forgets the process, which has ended.
    mutating func noteDeath(now: UInt64) {
        death = death ?? now
        (child, readiness, journal, killTime) = (nil, nil, nil, nil)
        silence = Silence()
    }
}
