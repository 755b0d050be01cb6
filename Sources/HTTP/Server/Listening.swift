import Glibc

/// Opening of all sockets that a server listens on.
enum Listening {
    /// How often a port that the kernel chose for one address is tried on the others.
    private static let attempts = 8

    /// Opens a number of sockets for each address of a host.
    ///
    /// Of several addresses, those of a family that the machine does not have are passed over.
    ///
    /// - Returns: the sockets of each address.
    static func open(
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
