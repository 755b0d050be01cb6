import Glibc

/// An IPv4 or IPv6 address with a port.
struct SocketAddress: Sendable {
    private var storage = sockaddr_storage()

    /// Reads an address that a call fills in; nil where the call fails.
    init?(_ fill: (UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Int32) {
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let result = withUnsafeMutablePointer(to: &storage) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { fill($0, &length) }
        }
        guard result >= 0 else { return nil }
    }

    /// The local address of a socket.
    init?(of socket: borrowing Socket) {
        let descriptor = socket.descriptor
        self.init { getsockname(descriptor, $0, $1) }
    }

    /// Copies an address of the resolver.
    init(copying address: UnsafePointer<sockaddr>, length: Int) {
        withUnsafeMutableBytes(of: &storage) {
            $0.copyMemory(
                from: UnsafeRawBufferPointer(start: address, count: min(length, $0.count)))
        }
    }

    var family: Int32 { Int32(storage.ss_family) }

    var length: socklen_t {
        socklen_t(
            family == AF_INET6 ? MemoryLayout<sockaddr_in6>.size : MemoryLayout<sockaddr_in>.size)
    }

    /// Whether this is `::`, every address of the machine.
    var isAnyIPv6: Bool { family == AF_INET6 && host == "::" }

    /// The port; same place in both families' structures.
    var port: UInt16 {
        get {
            withUnsafeBytes(of: storage) {
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
    /// dotted form.
    var host: String {
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
        return host.hasPrefix("::ffff:") && host.contains(".") ? String(host.dropFirst(7)) : host
    }

    /// Address and port as in a URL.
    var description: String {
        family == AF_INET6 ? "[\(host)]:\(port)" : "\(host):\(port)"
    }

    /// Lends the address to a call.
    func withPointer<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
        withUnsafePointer(to: storage) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, length) }
        }
    }
}
