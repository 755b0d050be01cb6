import CProcess
import Glibc

/// A worker's connection to its supervisor.
package final class WorkerLink: Sendable {
    /// The variable by which a worker learns of its supervisor: the supervisor's process, and the
    /// descriptor of the connection.
    package static let variable = "TITLECARD_SUPERVISOR"

    package let role: WorkerRole
    /// The renderings that must not begin.
    package let table: RefusalTable
    /// The open sockets, if it replaces another worker; a list for each address.
    package let sockets: [ListeningSockets]
    /// The packets of the operator's files that the service is made of; none for the first worker, which
    /// reads them.
    package let files: [Packet]
    package let socket: PacketSocket

    /// Connects to the supervisor that started this process; nil if none did.
    ///
    /// From now on this process ends with its supervisor. Child processes do not inherit the variable.
    package static func inherited() -> WorkerLink? {
        guard let value = getenv(variable).map({ String(cString: $0) }) else { return nil }
        let numbers = value.split(separator: ":").compactMap { Int32($0) }
        guard numbers.count == 2, numbers[0] == getppid() else { return nil }
        unsetenv(variable)
        titlecard_end_with_parent(SIGKILL)
        // The supervisor may have ended before.
        guard getppid() == numbers[0] else { _exit(1) }
        _ = fcntl(numbers[1], F_SETFD, FD_CLOEXEC)
        return WorkerLink(PacketSocket(numbers[1]))
    }

    private init?(_ socket: PacketSocket) {
        guard case .packet(let first) = socket.receive(waits: true), first.kind == .role,
            let role = WorkerRole(first.bytes), let memory = first.descriptors.first,
            let table = RefusalTable(memory)
        else { return nil }
        self.socket = socket
        self.role = role
        self.table = table
        var files: [Packet] = []
        while role.hasFiles, files.last?.isLast != true {
            guard case .packet(let packet) = socket.receive(waits: true), packet.kind == .files
            else { return nil }
            files.append(packet)
        }
        self.files = files
        var sockets: [ListeningSockets] = []
        for _ in 0..<role.socketPackets {
            guard case .packet(let packet) = socket.receive(waits: true), packet.kind == .sockets
            else { return nil }
            sockets.append(ListeningSockets(packet))
        }
        self.sockets = sockets
    }
}
