import Glibc
import Testing

@testable import HTTP

/// A listening socket as systemd would open it: blocking, and kept open.
final class ListeningSocket {
    let descriptor: Int32
    let address: SocketAddress

    /// Listens on a free port of the loopback address.
    init() throws {
        let free = try #require(try SocketAddress.resolve("127.0.0.1", port: 0).first)
        let descriptor = try Self.listening(on: free)
        self.descriptor = descriptor
        address = try #require(SocketAddress { getsockname(descriptor, $0, $1) })
    }

    /// Listens on an abstract Unix socket, which has no file.
    init(name: String) throws {
        address = try #require(SocketAddress(name: name))
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
    func inherited() -> Int32 { dup(descriptor) }

    func connect() throws -> TestClient { try #require(TestClient(address)) }
}

extension SocketAddress {
    /// The address of an abstract Unix socket: its name behind a NUL (unix(7)).
    fileprivate init?(name: String) {
        self.init { address, length in
            guard name.utf8.count < 108 else { return -1 }
            address.pointee.sa_family = sa_family_t(AF_UNIX)
            let start = MemoryLayout<sa_family_t>.size + 1
            UnsafeMutableRawPointer(address).advanced(by: start)
                .copyMemory(from: name, byteCount: name.utf8.count)
            length.pointee = socklen_t(start + name.utf8.count)
            return 0
        }
    }
}
