/// A connection's socket and what its event loop watches it for.
struct WatchedSocket: ~Copyable {
    private let socket: Socket
    private let events: any EventLoop
    private let token: UInt64
    private var watched: Readiness = .read

    /// Takes a socket that is watched for reading under a token.
    init(_ socket: consuming Socket, events: any EventLoop, token: UInt64) {
        self.socket = socket
        self.events = events
        self.token = token
    }

    /// Reads once.
    borrowing func receive(into buffer: UnsafeMutableRawBufferPointer) -> Socket.Received {
        socket.receive(into: buffer)
    }

    /// What became of an attempt to send.
    enum Flushed {
        /// Bytes were taken, all or the first of them.
        case some
        /// The client takes none at the moment, or there are none.
        case nothing
        case failed
    }

    /// Sends as much as the client takes.
    borrowing func flush(_ output: inout OutputBuffer) -> Flushed {
        var flushed = Flushed.nothing
        while !output.isEmpty {
            switch output.withUnsentBytes({ socket.send($0) }) {
            case .bytes(let count):
                output.advance(by: count)
                flushed = .some
            case .nothing:
                return flushed
            case .failed:
                return .failed
            }
        }
        return flushed
    }

    /// Begins to watch for something besides.
    mutating func watch(alsoFor readiness: Readiness) {
        watch(for: watched.union(readiness))
    }

    /// Ceases to watch for something.
    mutating func watch(exceptFor readiness: Readiness) {
        watch(for: watched.subtracting(readiness))
    }

    /// Watches for this and nothing else; costs a system call only when that is a change.
    mutating func watch(for readiness: Readiness) {
        guard readiness != watched else { return }
        watched = readiness
        events.change(socket.descriptor, to: readiness, token: token)
    }

    /// Tells the peer that nothing more will be sent.
    borrowing func finishWriting() { socket.finishWriting() }

    /// Makes closing cut the connection at once.
    borrowing func resetWhenClosed() { socket.resetWhenClosed() }
}
