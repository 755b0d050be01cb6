import CProcess
import Glibc
import Processes
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
        var start = ProgramStart()
        // Onto itself: it then survives the start of the program.
        start.descriptors = [(its.descriptor, its.descriptor)]
        start.blocked = signals
        let variable = "\(WorkerLink.variable)=\(getpid()):\(its.descriptor)"
        let id = variable.withCString { variable in
            var variables: [UnsafeMutablePointer<CChar>?] = []
            var next = environ
            while let entry = next.pointee {
                variables.append(entry)
                next += 1
            }
            variables += [UnsafeMutablePointer(mutating: variable), nil]
            return start.start(program, CommandLine.unsafeArgv, variables)
        }
        return id.map { ChildProcess(id: $0, socket: own) }
    }
}
