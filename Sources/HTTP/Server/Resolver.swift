import Glibc

/// Finding the addresses that a server listens on.
enum Resolver {
    /// The addresses of a host name or numeric address, without repetitions.
    ///
    /// `localhost` is both loopback addresses, whatever the machine's files say.
    static func addresses(
        of host: String, port: UInt16
    ) throws(ServerError) -> [SocketAddress] {
        guard host != "localhost" else {
            return try lookUp("127.0.0.1", port: port) + lookUp("::1", port: port)
        }
        return try lookUp(host, port: port)
    }

    private static func lookUp(
        _ host: String, port: UInt16
    ) throws(ServerError) -> [SocketAddress] {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        hints.ai_flags = AI_PASSIVE
        var list: UnsafeMutablePointer<addrinfo>?
        let code = getaddrinfo(host, nil, &hints, &list)
        guard code == 0 else {
            let reason = String(cString: gai_strerror(code))
            throw .cannotResolve(host: host, reason: reason)
        }
        defer { freeaddrinfo(list) }
        var addresses: [SocketAddress] = []
        var next = list
        while let entry = next?.pointee {
            next = entry.ai_next
            guard let pointer = entry.ai_addr else { continue }
            var address = SocketAddress(copying: pointer, length: Int(entry.ai_addrlen))
            address.port = port
            guard !addresses.contains(where: { $0.host == address.host }) else { continue }
            addresses.append(address)
        }
        return addresses
    }
}
