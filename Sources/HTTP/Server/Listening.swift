import Glibc

/// Where a server listens.
package enum ListeningPlace: Equatable, Sendable {
    /// On every address of a host; `localhost` is both loopback addresses, `::` every address of
    /// both families. Port 0 is one that the kernel chooses.
    case host(String, port: UInt16)
    /// On sockets that were handed to the process and listen already, such as systemd's. The server
    /// owns them and closes them in the end.
    case sockets([Int32])
}

/// Opening of all sockets that a server listens on.
enum Listening {
    /// How often a port that the kernel chose for one address is tried on the others.
    private static let attempts = 8

    /// Opens a number of sockets for each address, or shares out those that were handed in.
    ///
    /// - Returns: for each address, a socket for each loop.
    static func open(
        _ place: ListeningPlace, loops: Int, backlog: Int32
    ) throws(ServerError) -> [[Listener]] {
        switch place {
        case .host(let host, let port):
            return try open(host: host, port: port, sockets: loops, backlog: backlog)
        case .sockets(let descriptors):
            return try descriptors.map { descriptor throws(ServerError) in
                Array(repeating: try Listener(handedIn: descriptor), count: loops)
            }
        }
    }

    /// Opens a number of sockets for each address of a host.
    ///
    /// Of several addresses, those of a family that the machine does not have are passed over.
    ///
    /// - Returns: the sockets of each address.
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
        for var address in try Resolver.addresses(of: host, port: port) {
            address.port = groups.first?.first?.address?.port ?? port
            do throws(ServerError) {
                groups.append(
                    try Listener.group(on: address, count: sockets, backlog: backlog))
            } catch {
                guard error.meansMissingFamily else { throw error }
                missing = error
            }
        }
        if groups.isEmpty, host == "::" {
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
