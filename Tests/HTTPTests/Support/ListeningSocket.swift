import Glibc
import Testing

@testable import HTTP

/// A listening socket as systemd would open it: blocking, and kept open.
final class ListeningSocket {
    let descriptor: Int32
    let address: SocketAddress

    /// Listens on a free port of the loopback address.
    init() throws {
        let free = try #require(try Resolver.addresses(of: "127.0.0.1", port: 0).first)
        let descriptor = try Self.listening(on: free)
        self.descriptor = descriptor
        address = try #require(SocketAddress { getsockname(descriptor, $0, $1) })
    }

    /// Listens on a path, which must not be there yet.
    init(path: String) throws {
        address = try #require(SocketAddress(path: path))
        descriptor = try Self.listening(on: address)
    }

    private static func listening(on address: SocketAddress) throws -> Int32 {
        let descriptor = socket(address.family, Int32(SOCK_STREAM.rawValue), 0)
        try #require(address.withPointer { bind(descriptor, $0, $1) } == 0)
        try #require(listen(descriptor, 128) == 0)
        return descriptor
    }

    deinit { close(descriptor) }

    /// Another descriptor of the socket, which a server may own.
    func handedOver() -> Int32 { dup(descriptor) }

    func connect() throws -> TestClient { try #require(TestClient(address)) }
}

extension SocketAddress {
    /// The address of a Unix socket.
    fileprivate init?(path: String) {
        self.init { address, length in
            address.pointee.sa_family = sa_family_t(AF_UNIX)
            let text = UnsafeMutableRawPointer(address).advanced(by: 2)
            guard path.utf8.count < 108 else { return -1 }
            text.copyMemory(from: path, byteCount: path.utf8.count + 1)
            length.pointee = socklen_t(path.utf8.count + 3)
            return 0
        }
    }
}
