import Glibc

@testable import HTTP

/// A client over a blocking socket whose reads end after 20 s.
final class TestClient {
    struct Answer: Equatable {
        var status: Int
        var fields: [String: String]
        var body: [UInt8]

        var text: String { String(decoding: body, as: UTF8.self) }
    }

    private var descriptor: Int32
    private var received: [UInt8] = []
    /// True if the connection was cut instead of ended.
    private var isReset = false

    /// Connects; nil when that is refused.
    convenience init?(
        host: String = "127.0.0.1", port: UInt16, receiveBuffer: Int32? = nil
    ) {
        guard let address = try? SocketAddress.resolve(host, port: port).first else { return nil }
        self.init(address, receiveBuffer: receiveBuffer)
    }

    /// Connects to an address; nil when that is refused.
    init?(_ address: SocketAddress, receiveBuffer: Int32? = nil) {
        descriptor = socket(address.family, Int32(SOCK_STREAM.rawValue), 0)
        if var receiveBuffer {
            setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &receiveBuffer, 4)
        }
        var limit = timeval(tv_sec: 20, tv_usec: 0)
        setsockopt(
            descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        // A failure here runs `deinit`, which closes; twice would close another test's descriptor.
        guard address.withPointer({ Glibc.connect(descriptor, $0, $1) }) == 0 else { return nil }
    }

    deinit { disconnect() }

    /// Sends all bytes; returns false if the server has disconnected.
    @discardableResult
    func send(_ text: String) -> Bool { send(Array(text.utf8)) }

    @discardableResult
    func send(_ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    func finishWriting() { shutdown(descriptor, Int32(SHUT_WR)) }

    func disconnect() {
        if descriptor >= 0 { close(descriptor) }
        descriptor = -1
    }

    /// Disconnects with a reset instead of a graceful end.
    func reset() {
        var cut = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &cut, socklen_t(MemoryLayout<linger>.size))
        disconnect()
    }

    /// Returns the next response, also an interim one; nil at the connection's end.
    func answer(isHead: Bool = false) -> Answer? {
        guard let head = take(through: "\r\n\r\n") else { return nil }
        let lines = String(decoding: head, as: UTF8.self).split(separator: "\r\n")
        guard let status = lines.first?.split(separator: " ").dropFirst().first.flatMap({ Int($0) })
        else { return nil }
        var fields: [String: String] = [:]
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1)
            fields[parts[0].lowercased()] = String(parts[1].dropFirst())
        }
        if fields["transfer-encoding"] == "chunked" {
            guard let body = chunks() else { return nil }
            return Answer(status: status, fields: fields, body: body)
        }
        let length = isHead ? 0 : fields["content-length"].flatMap { Int($0) } ?? 0
        guard let body = take(count: length) else { return nil }
        return Answer(status: status, fields: fields, body: Array(body))
    }

    /// The content up to the last chunk; nil when that is missing.
    private func chunks() -> [UInt8]? {
        var content: [UInt8] = []
        while let piece = chunk() {
            guard !piece.isEmpty else { return content }
            content += piece
        }
        return nil
    }

    /// The content of the next chunk, empty for the last; nil when it is not there whole.
    func chunk() -> [UInt8]? {
        guard let line = take(through: "\r\n"),
            let size = Int(String(decoding: line, as: UTF8.self), radix: 16),
            let content = take(count: size), take(count: 2).map({ Array($0) }) == [13, 10]
        else { return nil }
        return Array(content)
    }

    /// Returns the head of the next response as it was sent; nil at the connection's end.
    func head() -> String? {
        take(through: "\r\n\r\n").map { String(decoding: $0, as: UTF8.self) }
    }

    /// Returns all bytes up to the connection's end; nil if it was reset.
    func rest() -> [UInt8]? {
        while receive() {}
        return isReset ? nil : received
    }

    /// Sends a request and returns its response.
    func get(_ target: String) -> Answer? {
        send("GET \(target) HTTP/1.1\r\nHost: a\r\n\r\n")
        return answer()
    }

    /// Returns true if the connection ends without another byte.
    func isEnded() -> Bool { !receive() && received.isEmpty }

    private func take(through end: String) -> ArraySlice<UInt8>? {
        var searched = 0
        while true {
            let from = max(0, searched - end.utf8.count)
            let rest = received[from...]
            if let start = rest.indices.first(where: { rest[$0...].starts(with: end.utf8) }) {
                let head = received[..<start]
                received.removeFirst(start + end.utf8.count)
                return head
            }
            searched = received.count
            guard receive() else { return nil }
        }
    }

    private func take(count: Int) -> ArraySlice<UInt8>? {
        while received.count < count { guard receive() else { return nil } }
        defer { received.removeFirst(count) }
        return received[..<count]
    }

    private func receive() -> Bool {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        if count < 0, errno == ECONNRESET { isReset = true }
        guard count > 0 else { return false }
        received += buffer.prefix(count)
        return true
    }
}
