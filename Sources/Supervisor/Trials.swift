import Glibc
import Processes
import Supervision

/// The renderings that were in flight when workers died, each of which is tried by itself.
struct Trials {
    private struct Suspect {
        let digest: UInt64
        let rendering: [UInt8]
    }

    private struct Running {
        let child: ChildProcess
        let suspect: Suspect
        /// The instant at which it is ended, in nanoseconds.
        let deadline: UInt64
        /// The path of its permalink, from when it renders.
        var path: String?
        var isCut = false
    }

    /// The time that a trial may take.
    private static let duration: UInt64 = 10_000_000_000
    /// The time for which a rendering that kills is refused.
    private static let refusal: UInt64 = 3_600_000_000_000

    private let table: RefusalTable
    private var waiting: [Suspect] = []
    private var running: Running?

    init(_ table: RefusalTable) {
        self.table = table
    }

    /// Notes the renderings that were in flight.
    mutating func add(_ renderings: [[UInt8]]) {
        let now = Clock.nanoseconds
        for rendering in renderings {
            let digest = rendering.withUnsafeBytes { table.hash(of: $0) }
            guard table.beginTrial(of: digest, now: now) else { continue }
            waiting.append(Suspect(digest: digest, rendering: rendering))
        }
    }

    /// The connection to the process that tries.
    var socket: PacketSocket? { running?.child.socket }

    /// The instant at which the present trial is ended; nil if there is none.
    var deadline: UInt64? { running.flatMap { $0.isCut ? nil : $0.deadline } }

    /// Begins with the next one, unless one is running.
    mutating func proceed(_ start: (WorkerRole) -> ChildProcess?) {
        if let running, !running.isCut, running.deadline <= Clock.nanoseconds {
            kill(running.child.id, SIGKILL)
            self.running?.isCut = true
        }
        while running == nil, !waiting.isEmpty {
            let suspect = waiting.removeFirst()
            guard let child = start(WorkerRole(.trial)),
                child.socket.send(Packet(.suspect, suspect.rendering), waits: false)
            else {
                // It cannot be told from the others.
                table.release(suspect.digest)
                continue
            }
            running = Running(
                child: child, suspect: suspect, deadline: Clock.nanoseconds + Self.duration)
        }
    }

    /// Notes that the present one begins to render.
    mutating func begin(path: String) {
        running?.path = path
    }

    /// True if a process runs the present trial, and was killed because it took too long.
    func hasCut(_ process: pid_t) -> Bool { running?.child.id == process && running?.isCut == true }

    /// Ends the present trial if a process is its own.
    ///
    /// SIGKILL comes from outside, and is no fault of the rendering: a trial that takes too much
    /// memory ends by a signal of its own. A rendering that goes free is not named in the log,
    /// because its permalink holds a user's text.
    ///
    /// - Returns: True if it is.
    mutating func end(_ process: pid_t, _ ending: Ending, _ log: SupervisorLog) -> Bool {
        guard let running, running.child.id == process else { return false }
        self.running = nil
        // Its last words may still be unread.
        var path = running.path
        if case .packet(let packet) = running.child.socket.receive(waits: false),
            packet.kind == .begun
        {
            path = String(decoding: packet.bytes, as: UTF8.self)
        }
        if case .signal(let number) = ending, number != SIGKILL, let path {
            let now = Clock.nanoseconds
            table.refuse(running.suspect.digest, until: now + Self.refusal, now: now)
            log.write(
                .error, "refused for an hour, because its trial \(ending.description): \(path)")
        } else {
            table.release(running.suspect.digest)
            log.write(
                .info,
                "allowed again, because its trial "
                    + (running.isCut ? "took too long" : ending.description)
                    + (path == nil ? " before it began" : ""))
        }
        return true
    }

    /// Ends the present trial and forgets the others.
    mutating func stop() {
        if let running { kill(running.child.id, SIGKILL) }
        for suspect in waiting { table.release(suspect.digest) }
        waiting = []
    }
}
