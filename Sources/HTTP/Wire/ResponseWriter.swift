/// How one response is sent, as far as the request and the connection decide it.
struct ResponseFraming: Equatable, Sendable {
    /// Whether the request was HEAD: the length is told, the content left out.
    var isHead = false
    var version = Version.http11
    var keepsAlive = true
}

/// Writer of responses with a known length (RFC 9112, 4 and 6).
enum ResponseWriter {
    /// Fields that the server alone sets.
    private static let reserved = [
        "Connection", "Content-Length", "Date", "Keep-Alive", "Transfer-Encoding",
    ]

    /// Appends a response, head and content.
    ///
    /// - Parameters:
    ///   - response: what the handler answered.
    ///   - framing: how to send it.
    ///   - date: the `Date` line.
    ///   - output: where to; must not be full.
    static func write(
        _ response: Response, _ framing: ResponseFraming, date: [UInt8],
        to output: inout OutputBuffer
    ) {
        writeStatusLine(response.status, to: &output)
        output.append(date)
        writeFields(response.fields, to: &output)
        if !framing.keepsAlive {
            output.append("Connection: close\r\n")
        } else if framing.version == .http10 {
            output.append("Connection: keep-alive\r\n")
        }
        if response.status.forbidsBody {
            output.append("\r\n")
            return
        }
        let content =
            switch response.body {
            case .empty: [UInt8]()
            case .bytes(let bytes): bytes
            }
        output.append("Content-Length: ")
        writeDecimal(content.count, to: &output)
        output.append("\r\n\r\n")
        if !framing.isHead { output.append(body: content) }
    }

    private static func writeStatusLine(_ status: Status, to output: inout OutputBuffer) {
        guard status != .ok else {
            output.append("HTTP/1.1 200 OK\r\n")
            return
        }
        output.append("HTTP/1.1 ")
        writeDecimal(status.code, to: &output)
        output.append(" ")
        output.append(status.reason.utf8)
        output.append("\r\n")
    }

    private static func writeFields(_ fields: Fields, to output: inout OutputBuffer) {
        guard reserved.contains(where: { fields.contains($0) }) else {
            output.append(fields.wire)
            return
        }
        var sendable = fields
        for name in reserved { sendable.removeAll(name) }
        output.append(sendable.wire)
    }

    /// Writes digits without making a string.
    private static func writeDecimal(_ number: Int, to output: inout OutputBuffer) {
        var divisor = 1
        while number / divisor >= 10 { divisor *= 10 }
        while divisor > 0 {
            output.append(CollectionOfOne(ASCII.zero + UInt8(number / divisor % 10)))
            divisor /= 10
        }
    }
}
