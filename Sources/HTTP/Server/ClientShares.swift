import Synchronization

/// A client by its address, which connections are shared by.
struct PeerID: Hashable, Sendable {
    let high: UInt64
    let low: UInt64
}

/// The connections, and the bytes in their buffers, that each client holds over all loops.
///
/// Connections without a client, such as a proxy's, are not counted.
final class ClientShares: Sendable {
    private struct Holding {
        var connections = 0
        var bytes = 0
    }

    private struct State {
        var holdings: [PeerID: Holding] = [:]
        var bytes = 0
    }

    private let state = Mutex(State())

    /// Bytes that a connection takes without its buffers.
    private static let connectionBytes = 3072

    init() {}

    /// The part of a resource that one client may hold while others wait for it.
    static func share(of whole: Int) -> Int { max(whole / 4, 1) }

    /// Bytes of all connections.
    var bytes: Int { state.withLock { $0.bytes } }

    func beginConnection(of client: PeerID?) {
        state.withLock { state in
            state.bytes += Self.connectionBytes
            if let client { state.holdings[client, default: Holding()].connections += 1 }
        }
    }

    func endConnection(of client: PeerID?) {
        state.withLock { state in
            state.bytes -= Self.connectionBytes
            guard let client, var holding = state.holdings[client] else { return }
            holding.connections -= 1
            state.holdings[client] = holding.connections > 0 ? holding : nil
        }
    }

    func connections(of client: PeerID) -> Int {
        state.withLock { $0.holdings[client]?.connections ?? 0 }
    }

    func bytes(of client: PeerID) -> Int {
        state.withLock { $0.holdings[client]?.bytes ?? 0 }
    }

    /// Counts a change of the bytes that a connection holds.
    ///
    /// - Returns: The bytes of all connections.
    func change(_ client: PeerID?, by bytes: Int) -> Int {
        state.withLock { state in
            state.bytes += bytes
            if let client { state.holdings[client]?.bytes += bytes }
            return state.bytes
        }
    }
}
