import Bytes
import Glibc

/// An IPv4 or IPv6 address with a port, or the path of a Unix socket.
struct SocketAddress: Sendable {
    private var storage = sockaddr_storage()
    /// The number of bytes of the storage that count; decisive only for Unix sockets, whose paths
    /// differ in length.
    private var filledBytes: Int

    /// Reads an address that a call fills in; nil where the call fails.
    init?(_ fill: (UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Int32) {
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let result = withUnsafeMutablePointer(to: &storage) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { fill($0, &length) }
        }
        guard result >= 0 else { return nil }
        filledBytes = min(Int(length), MemoryLayout<sockaddr_storage>.size)
    }

    /// Reads the local address of a socket.
    init?(ofSocket descriptor: Int32) {
        self.init { getsockname(descriptor, $0, $1) }
    }

    /// Copies an address of the resolver.
    init(copying address: UnsafePointer<sockaddr>, length: Int) {
        filledBytes = min(length, MemoryLayout<sockaddr_storage>.size)
        withUnsafeMutableBytes(of: &storage) {
            $0.copyMemory(from: UnsafeRawBufferPointer(start: address, count: filledBytes))
        }
    }

    var family: Int32 { Int32(storage.ss_family) }

    var length: socklen_t { socklen_t(filledBytes) }

    /// True for the address of a Unix socket, which has neither host nor port.
    var isUnix: Bool { family == AF_UNIX }

    /// True for `::`, every address of the machine.
    var isAnyIPv6: Bool { family == AF_INET6 && host.isSame(as: "::") }

    /// The port, at the same offset in both families' structures; 0 for a Unix socket.
    var port: UInt16 {
        get {
            guard !isUnix else { return 0 }
            return withUnsafeBytes(of: storage) {
                UInt16(bigEndian: $0.loadUnaligned(fromByteOffset: 2, as: UInt16.self))
            }
        }
        set {
            withUnsafeMutableBytes(of: &storage) {
                $0.storeBytes(of: newValue.bigEndian, toByteOffset: 2, as: UInt16.self)
            }
        }
    }

    /// The numeric address without its port; an IPv4 address that came through an IPv6 socket in
    /// dotted form. Peers of a Unix socket have none and are all called `unix:`.
    var host: String {
        guard !isUnix else { return "unix:" }
        var text = [UInt8](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        // The address stands at byte 4 in IPv4's structure and at byte 8 in IPv6's.
        let offset = family == AF_INET6 ? 8 : 4
        withUnsafeBytes(of: storage) { storage in
            text.withUnsafeMutableBytes { text in
                _ = inet_ntop(
                    family, storage.baseAddress?.advanced(by: offset),
                    text.assumingMemoryBound(to: CChar.self).baseAddress, socklen_t(text.count))
            }
        }
        let host = String(decoding: text.prefix { $0 != 0 }, as: UTF8.self)
        return host.begins(with: "::ffff:") && host.contains(ascii: ".")
            ? String(host.dropping(first: 7)) : host
    }

    /// The client that it is the address of: an IPv4 address, or a network of 64 bits of IPv6; nil of
    /// a Unix socket.
    var client: PeerID? {
        withUnsafeBytes(of: storage) { bytes in
            func word(at offset: Int) -> UInt64 {
                UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
            }
            switch family {
            case AF_INET: return PeerID(high: 0, low: word(at: 0) & 0xFFFF_FFFF)
            case AF_INET6:
                let (high, low) = (word(at: 8), word(at: 16))
                let isMapped = high == 0 && low >> 32 == 0xFFFF
                return PeerID(high: high, low: isMapped ? low & 0xFFFF_FFFF : 0)
            default: return nil
            }
        }
    }

    /// Address and port as in a URL, or `unix:` and the path.
    var description: String {
        switch family {
        case AF_INET6: "[\(host)]:\(port)"
        case AF_UNIX: "unix:\(path)"
        default: "\(host):\(port)"
        }
    }

    /// The path of a Unix socket; an abstract one begins with `@` by convention.
    private var path: String {
        withUnsafeBytes(of: storage) { storage in
            let path = storage[..<filledBytes].dropFirst(MemoryLayout<sa_family_t>.size)
            guard path.first == 0 else {
                return String(decoding: path.prefix { $0 != 0 }, as: UTF8.self)
            }
            return "@" + String(decoding: path.dropFirst(), as: UTF8.self)
        }
    }

    /// Lends the address to a call.
    func withPointer<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
        withUnsafePointer(to: storage) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, length) }
        }
    }
}

extension SocketAddress {
    /// Resolves a host name or numeric address, without repetitions.
    ///
    /// `localhost` is both loopback addresses, even if the machine's files differ.
    static func resolve(
        _ host: String, port: UInt16
    ) throws(ServerError) -> [SocketAddress] {
        guard !host.isSame(as: "localhost") else {
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
            guard !addresses.contains(where: { $0.host.isSame(as: address.host) }) else { continue }
            addresses.append(address)
        }
        return addresses
    }
}
