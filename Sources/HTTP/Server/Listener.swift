import CEpoll
import Glibc

/// A socket that takes connections; several may share one address, and the kernel spreads the
/// connections over them.
final class Listener: Sendable {
    private let socket: Socket
    /// Whether all loops watch this one, because it was handed in and there is no other like it.
    let isShared: Bool

    /// What one attempt to take a connection gave.
    enum Accepted: ~Copyable {
        case connection(Socket, remoteAddress: String)
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
            throw .system(
                call: "listen", address: SocketAddress(of: socket)?.description ?? "", code: code)
        }
        self.socket = socket
        isShared = false
    }

    /// Takes over a socket that was handed to the process and listens already.
    init(handedIn descriptor: Int32) throws(ServerError) {
        let socket = Socket(descriptor: descriptor)
        guard Self.option(socket, SOL_SOCKET, SO_ACCEPTCONN) == 1,
            Self.option(socket, SOL_SOCKET, SO_TYPE) == Int32(SOCK_STREAM.rawValue),
            let address = SocketAddress(of: socket),
            [AF_INET, AF_INET6, AF_UNIX].contains(address.family)
        else { throw .notAListener(descriptor: descriptor) }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
        if !address.isUnix { Self.setConnectionOptions(socket) }
        self.socket = socket
        isShared = true
    }

    /// Listens on an address with a number of sockets.
    ///
    /// The first is bound for itself alone and shares the address only afterwards, so that a
    /// second server of the same user fails to start instead of taking half of the connections.
    static func group(
        on address: SocketAddress, count: Int, backlog: Int32
    ) throws(ServerError) -> [Listener] {
        let first = try boundSocket(address, isShared: false)
        setOption(first, SOL_SOCKET, SO_REUSEPORT, 1)
        var shared = address
        shared.port = SocketAddress(of: first)?.port ?? address.port
        var listeners = [try Listener(first, backlog: backlog)]
        while listeners.count < count {
            let socket = try boundSocket(shared, isShared: true)
            listeners.append(try Listener(socket, backlog: backlog))
        }
        return listeners
    }

    var descriptor: Int32 { socket.descriptor }

    /// The address that it is bound to, with the port that the kernel chose for 0.
    var address: SocketAddress? { SocketAddress(of: socket) }

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
        return .connection(Socket(descriptor: descriptor), remoteAddress: address.host)
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

    /// Bytes that the kernel takes for a client beyond those on their way.
    private static let unsentBytes: Int32 = 131_072

    /// Sets what Linux hands down to the connections.
    private static func setConnectionOptions(_ socket: borrowing Socket) {
        setOption(socket, Int32(IPPROTO_TCP), TCP_NODELAY, 1)
        // What a client does not take waits with us, not in megabytes of the kernel's.
        setOption(socket, Int32(IPPROTO_TCP), TCP_NOTSENT_LOWAT, unsentBytes)
        setOption(socket, SOL_SOCKET, SO_KEEPALIVE, 1)
    }

    /// An option of one number; nil where the socket has none such, or is no socket.
    private static func option(
        _ socket: borrowing Socket, _ level: Int32, _ name: Int32
    ) -> Int32? {
        var value: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        guard getsockopt(socket.descriptor, level, name, &value, &length) == 0 else { return nil }
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
