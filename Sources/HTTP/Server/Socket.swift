import Glibc

/// A non-blocking stream socket, closed with its owner.
struct Socket: ~Copyable {
    let descriptor: Int32

    deinit { close(descriptor) }

    /// The outcome of one read.
    enum Received: Equatable {
        case bytes(Int)
        /// Nothing at the moment.
        case nothing
        /// The peer sends no more.
        case finished
        case failed
    }

    /// The outcome of one write.
    enum Sent: Equatable {
        case bytes(Int)
        /// Nothing at the moment.
        case nothing
        case failed
    }

    /// Reads once into memory that is lent.
    borrowing func receive(into buffer: UnsafeMutableRawBufferPointer) -> Received {
        while true {
            let count = recv(descriptor, buffer.baseAddress, buffer.count, 0)
            if count > 0 { return .bytes(count) }
            if count == 0 { return .finished }
            if errno == EINTR { continue }
            return errno == EAGAIN ? .nothing : .failed
        }
    }

    /// Writes once, all parts in one call; a vanished reader raises no signal.
    borrowing func send(_ bytes: UnsentBytes) -> Sent {
        while true {
            let count =
                if bytes.tail.isEmpty, bytes.foot.isEmpty {
                    Glibc.send(
                        descriptor, bytes.head.baseAddress, bytes.head.count, Self.noSignal)
                } else {
                    sendParts(bytes)
                }
            if count >= 0 { return .bytes(count) }
            if errno == EINTR { continue }
            return errno == EAGAIN ? .nothing : .failed
        }
    }

    /// Writes a few bytes once.
    borrowing func send(_ text: StaticString) -> Sent {
        let bytes = UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
        let none = UnsafeRawBufferPointer(start: nil, count: 0)
        return send(UnsentBytes(head: bytes, tail: none, foot: none))
    }

    private borrowing func sendParts(_ bytes: UnsentBytes) -> Int {
        withUnsafeTemporaryAllocation(of: iovec.self, capacity: 3) { parts in
            parts.initializeElement(at: 0, to: Self.part(bytes.head))
            parts.initializeElement(at: 1, to: Self.part(bytes.tail))
            parts.initializeElement(at: 2, to: Self.part(bytes.foot))
            var message = msghdr()
            message.msg_iov = parts.baseAddress
            message.msg_iovlen = parts.count
            return sendmsg(descriptor, &message, Self.noSignal)
        }
    }

    private static func part(_ bytes: UnsafeRawBufferPointer) -> iovec {
        iovec(iov_base: UnsafeMutableRawPointer(mutating: bytes.baseAddress), iov_len: bytes.count)
    }

    /// Tells the peer that nothing more will be sent.
    borrowing func finishWriting() {
        _ = shutdown(descriptor, Int32(SHUT_WR))
    }

    /// Makes closing cut the connection at once, dropping unsent bytes.
    borrowing func resetWhenClosed() {
        var cut = linger(l_onoff: 1, l_linger: 0)
        _ = setsockopt(
            descriptor, SOL_SOCKET, SO_LINGER, &cut, socklen_t(MemoryLayout<linger>.size))
    }

    private static let noSignal = Int32(MSG_NOSIGNAL)
}
