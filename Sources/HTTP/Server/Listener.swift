import Bytes
import CEpoll
import Glibc

/// The address that a server listens on.
package enum BindAddress: Equatable, Sendable {
    /// Every address of a host; `localhost` is both loopback addresses, `::` every address of
    /// both families. Port 0 is one that the kernel chooses.
    case host(String, port: UInt16)
    /// Inherited sockets that listen already, such as systemd's. The server owns them and closes
    /// them in the end.
    case sockets([Int32])
    /// Sockets that listen already: for each address one for each loop. The server owns them.
    case opened([[Int32]])
}

/// A socket that takes connections; several may share one address, and the kernel spreads the
/// connections over them.
final class Listener: Sendable {
    private let socket: Socket
    /// True if all loops watch this one, because it is inherited and there is no other like it.
    let isShared: Bool

    /// The outcome of one attempt to take a connection.
    enum Accepted: ~Copyable {
        case connection(Socket, from: SocketAddress)
        /// None waits.
        case nothing
        /// One was there and is gone; there may be more.
        case vanished
        /// Descriptors or memory have run out, or the network is down: later may be better.
        case exhausted
    }

    /// Takes a bound socket and begins to listen.
    private init(_ socket: consuming Socket, backlog: Int32) throws(ServerError) {
        guard listen(socket.descriptor, backlog) == 0 else {
            let code = errno
            let address = SocketAddress(ofSocket: socket.descriptor)?.description ?? ""
            throw .system(call: "listen", address: address, code: code)
        }
        self.socket = socket
        isShared = false
    }

    /// Takes over an inherited socket, which must listen already.
    init(inherited descriptor: Int32) throws(ServerError) {
        let address = try Self.address(ofInherited: descriptor)
        let socket = Socket(descriptor: descriptor)
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
        if !address.isUnix { Self.setConnectionOptions(socket) }
        self.socket = socket
        isShared = true
    }

    /// Takes over a socket that this program has opened before.
    fileprivate init(opened descriptor: Int32) throws(ServerError) {
        _ = try Self.address(ofInherited: descriptor)
        socket = Socket(descriptor: descriptor)
        isShared = false
    }

    /// Returns the address of an inherited socket.
    ///
    /// - Throws: `ServerError.notAListener`; the descriptor stays open, for it may belong to
    ///   somebody else.
    fileprivate static func address(
        ofInherited descriptor: Int32
    ) throws(ServerError) -> SocketAddress {
        guard option(descriptor, SOL_SOCKET, SO_ACCEPTCONN) == 1,
            option(descriptor, SOL_SOCKET, SO_TYPE) == Int32(SOCK_STREAM.rawValue),
            let address = SocketAddress(ofSocket: descriptor),
            [AF_INET, AF_INET6, AF_UNIX].contains(address.family)
        else { throw .notAListener(descriptor: descriptor) }
        return address
    }

    /// Listens on an address with a number of sockets.
    ///
    /// The first socket is bound without sharing, and shares the address only afterwards, so that a
    /// second server of the same user fails to start instead of taking half of the connections.
    static func group(
        on address: SocketAddress, count: Int, backlog: Int32
    ) throws(ServerError) -> [Listener] {
        let first = try boundSocket(address, isShared: false)
        setOption(first, SOL_SOCKET, SO_REUSEPORT, 1)
        var shared = address
        shared.port = SocketAddress(ofSocket: first.descriptor)?.port ?? address.port
        var listeners = [try Listener(first, backlog: backlog)]
        while listeners.count < count {
            let socket = try boundSocket(shared, isShared: true)
            listeners.append(try Listener(socket, backlog: backlog))
        }
        return listeners
    }

    var descriptor: Int32 { socket.descriptor }

    /// The address that it is bound to, with the port that the kernel chose for 0.
    var address: SocketAddress? { SocketAddress(ofSocket: socket.descriptor) }

    /// Takes one connection that waits.
    func accept() -> Accepted {
        var descriptor: Int32 = -1
        let address = SocketAddress { address, length in
            descriptor = accept4(
                socket.descriptor, address, length,
                Int32(SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue))
            return descriptor
        }
        guard let address else {
            return switch errno {
            case EAGAIN: .nothing
            case ECONNABORTED, EINTR, EPROTO: .vanished
            default: .exhausted
            }
        }
        return .connection(Socket(descriptor: descriptor), from: address)
    }

    /// Binds an address, and gives it back at once.
    fileprivate static func check(_ address: SocketAddress) throws(ServerError) {
        _ = try boundSocket(address, isShared: false)
    }

    private static func boundSocket(
        _ address: SocketAddress, isShared: Bool
    ) throws(ServerError) -> Socket {
        let type = SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue
        let descriptor = Glibc.socket(address.family, Int32(type), 0)
        guard descriptor >= 0 else { throw .system(call: "socket", code: errno) }
        let socket = Socket(descriptor: descriptor)
        setOption(socket, SOL_SOCKET, SO_REUSEADDR, 1)
        if isShared { setOption(socket, SOL_SOCKET, SO_REUSEPORT, 1) }
        if address.family == AF_INET6 {
            setOption(socket, Int32(IPPROTO_IPV6), IPV6_V6ONLY, address.isAnyIPv6 ? 0 : 1)
        }
        setConnectionOptions(socket)
        guard address.withPointer({ bind(descriptor, $0, $1) }) == 0 else {
            let code = errno
            throw .system(call: "bind", address: address.description, code: code)
        }
        return socket
    }

    /// Bytes that the kernel takes for a client beyond the bytes on their way.
    private static let unsentBytes: Int32 = 131_072

    /// Sets the options that Linux copies to accepted connections.
    private static func setConnectionOptions(_ socket: borrowing Socket) {
        setOption(socket, Int32(IPPROTO_TCP), TCP_NODELAY, 1)
        // Bytes that a client does not take wait here, not in megabytes of the kernel's memory.
        setOption(socket, Int32(IPPROTO_TCP), TCP_NOTSENT_LOWAT, unsentBytes)
        setOption(socket, SOL_SOCKET, SO_KEEPALIVE, 1)
    }

    /// An option of one number; nil if the descriptor is not a socket, or has no such option.
    private static func option(
        _ descriptor: Int32, _ level: Int32, _ name: Int32
    ) -> Int32? {
        var value: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        guard getsockopt(descriptor, level, name, &value, &length) == 0 else { return nil }
        return value
    }

    private static func setOption(
        _ socket: borrowing Socket, _ level: Int32, _ name: Int32, _ value: Int32
    ) {
        var value = value
        _ = setsockopt(
            socket.descriptor, level, name, &value, socklen_t(MemoryLayout<Int32>.size))
    }
}

// MARK: Opening

extension BindAddress {
    /// The number of times that a port which the kernel chose for one address is tried on the others.
    private static let attempts = 8

    /// Opens a number of sockets for each address, or shares out the inherited ones.
    ///
    /// - Returns: For each address, a socket for each loop.
    /// - Throws: `ServerError` if an address cannot be bound, or a descriptor does not listen.
    func open(loops: Int, backlog: Int32) throws(ServerError) -> [[Listener]] {
        switch self {
        case .host(let host, let port):
            return try Self.open(host: host, port: port, sockets: loops, backlog: backlog)
        case .sockets(let descriptors):
            return try descriptors.map { descriptor throws(ServerError) in
                Array(repeating: try Listener(inherited: descriptor), count: loops)
            }
        case .opened(let groups):
            return try groups.map { group throws(ServerError) in
                try group.map { descriptor throws(ServerError) in
                    try Listener(opened: descriptor)
                }
            }
        }
    }

    /// Checks that the address can be bound; nobody can connect to it meanwhile.
    ///
    /// - Returns: What can be bound, as `host:port`.
    /// - Throws: `ServerError` if an address cannot be bound, or a descriptor does not listen.
    package func check() throws(ServerError) -> [String] {
        guard case .host(let host, let port) = self else {
            return try open(loops: 1, backlog: 1).compactMap { $0.first?.address?.description }
        }
        var (bound, missing): ([String], ServerError?) = ([], nil)
        for var address in try SocketAddress.resolve(host, port: port) {
            address.port = port
            do throws(ServerError) {
                try Listener.check(address)
                bound.append(address.description)
            } catch {
                guard error.meansMissingFamily else { throw error }
                missing = error
            }
        }
        if bound.isEmpty, host.isSame(as: "::") {
            return try BindAddress.host("0.0.0.0", port: port).check()
        }
        if bound.isEmpty, let missing { throw missing }
        return bound
    }

    /// Opens a number of sockets for each address, which stay open until they are closed.
    ///
    /// - Throws: `ServerError` if an address cannot be bound, or a descriptor does not listen.
    package func descriptors(count: Int, backlog: Int32) throws(ServerError) -> [[Int32]] {
        try open(loops: count, backlog: backlog).map { group throws(ServerError) in
            try group.map { listener throws(ServerError) in
                let copy = fcntl(listener.descriptor, F_DUPFD_CLOEXEC, 3)
                guard copy >= 0 else { throw .system(call: "fcntl", code: errno) }
                return copy
            }
        }
    }

    /// Opens a number of sockets for each address of a host.
    ///
    /// If there are several addresses, addresses of a family that the machine lacks are skipped.
    ///
    /// - Returns: The sockets of each address.
    /// - Throws: `ServerError` if an address cannot be bound.
    private static func open(
        host: String, port: UInt16, sockets: Int, backlog: Int32
    ) throws(ServerError) -> [[Listener]] {
        var attemptsLeft = attempts
        while true {
            do throws(ServerError) {
                return try openOnce(host: host, port: port, sockets: sockets, backlog: backlog)
            } catch {
                attemptsLeft -= 1
                guard case .addressInUse = error, port == 0, attemptsLeft > 0 else { throw error }
            }
        }
    }

    private static func openOnce(
        host: String, port: UInt16, sockets: Int, backlog: Int32
    ) throws(ServerError) -> [[Listener]] {
        var groups: [[Listener]] = []
        var missing: ServerError?
        for var address in try SocketAddress.resolve(host, port: port) {
            address.port = groups.first?.first?.address?.port ?? port
            do throws(ServerError) {
                groups.append(
                    try Listener.group(on: address, count: sockets, backlog: backlog))
            } catch {
                guard error.meansMissingFamily else { throw error }
                missing = error
            }
        }
        if groups.isEmpty, host.isSame(as: "::") {
            return try openOnce(host: "0.0.0.0", port: port, sockets: sockets, backlog: backlog)
        }
        if groups.isEmpty, let missing { throw missing }
        return groups
    }
}

extension ServerError {
    fileprivate var meansMissingFamily: Bool {
        switch self {
        case .addressNotAvailable: true
        case .system(_, let code): code == EAFNOSUPPORT
        default: false
        }
    }
}

/// Listening sockets that a process inherits, by systemd's protocol (sd_listen_fds(3)).
package enum InheritedSockets {
    /// The variables that are only for this process and to be removed from its environment, so that
    /// no child takes the sockets for its own.
    package static let variables = ["LISTEN_FDS", "LISTEN_PID", "LISTEN_FDNAMES", "LISTEN_PIDFDID"]

    /// The first inherited descriptor; the others follow without a gap.
    private static let first: Int32 = 3
    /// The largest number of sockets; a larger one is taken for a mistake.
    private static let maximumCount: Int32 = 1024

    /// Returns the descriptors that a process inherits.
    ///
    /// - Parameters:
    ///   - process: This process' id.
    ///   - value: Returns the value of a variable.
    /// - Returns: None where the variables are missing or meant for another process.
    /// - Throws: `ServerError.badVariable`.
    package static func descriptors(
        of process: Int32, _ value: (_ variable: String) -> String?
    ) throws(ServerError) -> [Int32] {
        guard let owner = value("LISTEN_PID"), let count = value("LISTEN_FDS") else { return [] }
        guard let owner = Int32(decimal: owner) else {
            throw .badVariable("LISTEN_PID", value: owner)
        }
        guard owner == process else { return [] }
        guard let number = Int32(decimal: count), number <= maximumCount else {
            throw .badVariable("LISTEN_FDS", value: count)
        }
        return Array(first..<(first + number))
    }

    /// The name of sockets for metrics, `FileDescriptorName` of their unit.
    private static let metricsName = "metrics"

    /// Tells the sockets for metrics from the others, by `LISTEN_FDNAMES`.
    ///
    /// - Parameters:
    ///   - descriptors: The descriptors that the process inherits.
    ///   - value: Returns the value of a variable.
    /// - Returns: The descriptors of both.
    package static func divided(
        _ descriptors: [Int32], _ value: (_ variable: String) -> String?
    ) -> (service: [Int32], metrics: [Int32]) {
        let names = (value("LISTEN_FDNAMES") ?? "").pieces(separatedBy: ":")
        guard names.count == descriptors.count else { return (descriptors, []) }
        let named = zip(descriptors, names)
        return (
            named.filter { !$1.isSame(as: metricsName) }.map(\.0),
            named.filter { $1.isSame(as: metricsName) }.map(\.0)
        )
    }

    /// Checks that descriptors are listening stream sockets.
    ///
    /// To be called before the process opens anything, which could take the number of a socket
    /// that is missing.
    ///
    /// - Parameter descriptors: The descriptors that the process is said to inherit.
    /// - Throws: `ServerError.notAListener` for the first that is not a listening socket.
    package static func check(_ descriptors: [Int32]) throws(ServerError) {
        for descriptor in descriptors { _ = try Listener.address(ofInherited: descriptor) }
    }
}

extension Int32 {
    /// Reads digits without a sign.
    fileprivate init?(decimal text: String) {
        guard text.utf8.allSatisfy(\.isASCIIDigit) else { return nil }
        self.init(text)
    }
}
