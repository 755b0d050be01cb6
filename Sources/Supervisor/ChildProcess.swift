import CProcess
import Glibc
import Supervision

/// A process that the supervisor has started, and the connection to it.
struct ChildProcess {
    let id: pid_t
    let socket: PacketSocket

    /// Starts the worker program with the arguments of this process.
    ///
    /// It inherits the standard streams, the descriptors that this process was started with, and one
    /// end of a connection. Signals that end or reload the service stay pending there: it is told over
    /// the connection.
    ///
    /// - Returns: Nil where the system refuses.
    static func start(
        _ program: String, role: WorkerRole, table: RefusalTable, blocking signals: SignalSet
    ) -> ChildProcess? {
        guard let (own, its) = PacketSocket.pair() else { return nil }
        guard
            own.send(
                Packet(.role, role.bytes, descriptors: [table.memory.descriptor]), waits: false)
        else { return nil }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        // Onto itself: it then survives the start of the program.
        posix_spawn_file_actions_adddup2(&actions, its.descriptor, its.descriptor)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        signals.withPointer { _ = posix_spawnattr_setsigmask(&attributes, $0) }
        var id: pid_t = 0
        let variable = "\(WorkerLink.variable)=\(getpid()):\(its.descriptor)"
        let status = variable.withCString { variable in
            var variables: [UnsafeMutablePointer<CChar>?] = []
            var next = environ
            while let entry = next.pointee {
                variables.append(entry)
                next += 1
            }
            variables += [UnsafeMutablePointer(mutating: variable), nil]
            return posix_spawn(
                &id, program, &actions, &attributes, CommandLine.unsafeArgv, variables)
        }
        guard status == 0 else {
            errno = status
            return nil
        }
        return ChildProcess(id: id, socket: own)
    }
}

/// The end of a process.
enum Ending: Equatable {
    case exit(Int32)
    case signal(Int32)

    /// Reads the status of waitpid(2).
    init(_ status: Int32) {
        let number = status & 0x7F
        self = number == 0 ? .exit(status >> 8 & 0xFF) : .signal(number)
    }

    var description: String {
        switch self {
        case .exit(let status): "ended with status \(status)"
        case .signal(let number): "was ended by \(Self.names[number] ?? "signal \(number)")"
        }
    }

    private static let names: [Int32: String] = [
        SIGABRT: "SIGABRT", SIGBUS: "SIGBUS", SIGFPE: "SIGFPE", SIGILL: "SIGILL",
        SIGKILL: "SIGKILL", SIGSEGV: "SIGSEGV", SIGSYS: "SIGSYS", SIGTRAP: "SIGTRAP",
        SIGXCPU: "SIGXCPU",
    ]

    /// Ends this process in the same way.
    func end() -> Never {
        switch self {
        case .exit(let status): Glibc.exit(status)
        case .signal(let number):
            // The process that ended first has left the core dump, if any.
            var none = rlimit()
            setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
            Glibc.signal(number, SIG_DFL)
            SignalSet([number]).unblock()
            kill(getpid(), number)
            _exit(128 + number)
        }
    }
}

/// A set of signals.
struct SignalSet {
    private var set = sigset_t()

    init(_ numbers: [Int32]) {
        sigemptyset(&set)
        for number in numbers { sigaddset(&set, number) }
    }

    func block() { withPointer { _ = sigprocmask(SIG_BLOCK, $0, nil) } }

    func unblock() { withPointer { _ = sigprocmask(SIG_UNBLOCK, $0, nil) } }

    func withPointer<Result>(_ body: (UnsafePointer<sigset_t>) -> Result) -> Result {
        withUnsafePointer(to: set, body)
    }
}
