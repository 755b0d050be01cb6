import Glibc

/// A non-blocking stream socket, closed with its owner.
struct Socket: ~Copyable {
    let descriptor: Int32

    deinit { close(descriptor) }

    /// What one read brought.
    enum Received: Equatable {
        case bytes(Int)
        /// Nothing at the moment.
        case nothing
        /// The peer sends no more.
        case finished
        case failed
    }

    /// What one write took.
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

    /// Writes once, both parts in one call; a vanished reader raises no signal.
    borrowing func send(_ head: UnsafeRawBufferPointer, _ tail: UnsafeRawBufferPointer) -> Sent {
        while true {
            let count =
                if tail.isEmpty {
                    Glibc.send(descriptor, head.baseAddress, head.count, Self.noSignal)
                } else {
                    sendParts(head, tail)
                }
            if count >= 0 { return .bytes(count) }
            if errno == EINTR { continue }
            return errno == EAGAIN ? .nothing : .failed
        }
    }

    private borrowing func sendParts(
        _ head: UnsafeRawBufferPointer, _ tail: UnsafeRawBufferPointer
    ) -> Int {
        let parts = [head, tail].map {
            iovec(iov_base: UnsafeMutableRawPointer(mutating: $0.baseAddress), iov_len: $0.count)
        }
        return parts.withUnsafeBufferPointer { parts in
            var message = msghdr()
            message.msg_iov = UnsafeMutablePointer(mutating: parts.baseAddress)
            message.msg_iovlen = parts.count
            return sendmsg(descriptor, &message, Self.noSignal)
        }
    }

    /// Tells the peer that nothing more will be sent.
    borrowing func finishWriting() {
        _ = shutdown(descriptor, Int32(SHUT_WR))
    }

    /// Makes closing cut the connection at once, dropping what is unsent.
    borrowing func resetWhenClosed() {
        var cut = linger(l_onoff: 1, l_linger: 0)
        _ = setsockopt(
            descriptor, SOL_SOCKET, SO_LINGER, &cut, socklen_t(MemoryLayout<linger>.size))
    }

    private static let noSignal = Int32(MSG_NOSIGNAL)
}
