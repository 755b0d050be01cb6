/// How one response is sent, as far as the request and the connection decide it.
struct ResponseFraming: Equatable, Sendable {
    /// Whether the request was HEAD: the length is told, the content left out.
    var isHead = false
    var version = Version.http11
    var keepsAlive = true
}

/// Writer of responses, of which a streamed body comes later (RFC 9112, 4, 6 and 7.1).
enum ResponseWriter {
    /// Fields that the server alone sets.
    private static let reserved: [FieldName] = [
        "Connection", "Content-Length", "Date", "Keep-Alive", "Transfer-Encoding",
    ]

    /// Appends a response, head and content; of a streamed content the head alone.
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
        switch response.body {
        case .empty: writeContent([], framing, to: &output)
        case .bytes(let bytes): writeContent(bytes, framing, to: &output)
        // Not to HEAD: a length would be wrong there, and chunks are a matter of the connection.
        case .stream where framing.isHead: output.append("\r\n")
        case .stream where framing.version == .http10: output.append("\r\n")
        case .stream: output.append("Transfer-Encoding: chunked\r\n\r\n")
        }
    }

    private static func writeContent(
        _ content: [UInt8], _ framing: ResponseFraming, to output: inout OutputBuffer
    ) {
        output.append("Content-Length: ")
        writeDecimal(content.count, to: &output)
        output.append("\r\n\r\n")
        if !framing.isHead { output.append(body: content) }
    }

    /// Appends a piece of a streamed content, which without a chunk's framing ends with the
    /// connection.
    ///
    /// An empty chunk would be the last one, so an empty piece is nothing.
    static func write(piece: [UInt8], isChunked: Bool, to output: inout OutputBuffer) {
        guard !piece.isEmpty else { return }
        guard isChunked else {
            output.append(body: piece)
            return
        }
        output.append(String(piece.count, radix: 16).utf8)
        output.append("\r\n")
        output.append(chunk: piece)
    }

    /// Appends the last chunk.
    static func writeLastChunk(to output: inout OutputBuffer) {
        output.append("0\r\n\r\n")
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
