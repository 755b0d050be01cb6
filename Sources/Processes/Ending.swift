import Glibc

/// The end of a process.
package enum Ending: Equatable, Sendable {
    case exit(Int32)
    case signal(Int32)

    /// Reads the status of waitpid(2).
    package init(_ status: Int32) {
        let number = status & 0x7F
        self = number == 0 ? .exit(status >> 8 & 0xFF) : .signal(number)
    }

    package var description: String {
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
    package func end() -> Never {
        switch self {
        case .exit(let status): Glibc.exit(status)
        case .signal(let number):
            // The process that ended first has left the core dump, if any.
            ResourceLimit.coreDump.set(0)
            Glibc.signal(number, SIG_DFL)
            SignalSet([number]).unblock()
            kill(getpid(), number)
            _exit(128 + number)
        }
    }
}
