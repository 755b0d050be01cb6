import Testing

@testable import HTTP

@Suite struct ResponseWriterTests {
    private let page = Response(fields: ["Content-Type": "text/plain"], body: .bytes([0x68, 0x69]))

    @Test("a response has a status line, the date, its fields, the length and the content")
    func plain() {
        let text = written(page, ResponseFraming())
        #expect(
            text == """
                HTTP/1.1 200 OK\r\nDate: now\r\nContent-Type: text/plain\r\n\
                Content-Length: 2\r\n\r\nhi
                """)
    }

    @Test("HEAD gets the length without the content")
    func head() {
        let text = written(page, ResponseFraming(isHead: true))
        #expect(text.hasSuffix("Content-Length: 2\r\n\r\n"))
    }

    @Test("a status that forbids content gets no length either", arguments: [204, 304])
    func noContent(code: Int) {
        let response = Response(status: Status(code, ""), body: .bytes([1]))
        let text = written(response, ResponseFraming())
        #expect(!text.contains("Content-Length"))
        #expect(text.hasSuffix("\r\n\r\n"))
    }

    @Test("the end of a connection is told, and to HTTP/1.0 its lasting")
    func persistence() {
        let closing = ResponseFraming(keepsAlive: false)
        let lasting = ResponseFraming(version: .http10)
        #expect(written(page, closing).contains("Connection: close\r\n"))
        #expect(written(page, lasting).contains("Connection: keep-alive\r\n"))
        #expect(!written(page, ResponseFraming()).contains("Connection"))
    }

    @Test("framing fields of a handler are not sent")
    func reserved() {
        var response = page
        response.fields.add("content-length", "9")
        response.fields.add("Transfer-Encoding", "chunked")
        response.fields.add("date", "never")
        response.fields.add("Connection", "upgrade")
        #expect(written(response, ResponseFraming()) == written(page, ResponseFraming()))
    }

    @Test("a status without a phrase keeps its space")
    func unlisted() {
        let text = written(Response(status: Status(599, "")), ResponseFraming())
        #expect(text.hasPrefix("HTTP/1.1 599 \r\n"))
        #expect(text.contains("Content-Length: 0\r\n"))
    }

    @Test("a large content is kept apart, and sending it in parts loses nothing")
    func parts() {
        let content = (0..<10_000).map { UInt8(truncatingIfNeeded: $0) }
        var output = OutputBuffer()
        ResponseWriter.write(
            Response(body: .bytes(content)), ResponseFraming(), date: [], to: &output)
        #expect(output.isFull)
        var sent: [UInt8] = []
        while !output.isEmpty {
            let part = Array(Self.unsent(output).prefix(37))
            sent += part
            output.advance(by: part.count)
        }
        #expect(sent.suffix(content.count) == content[...])
        #expect(
            sent.count == content.count
                + "HTTP/1.1 200 OK\r\nContent-Length: 10000\r\n\r\n".utf8.count)
    }

    @Test("a piece is a chunk, an empty one nothing", arguments: [0, 1, 4096, 4097, 70_000])
    func chunks(count: Int) {
        let piece = [UInt8](repeating: 0x61, count: count)
        var output = OutputBuffer()
        ResponseWriter.write(piece: piece, isChunked: true, to: &output)
        let size = String(count, radix: 16)
        let expected = count == 0 ? [] : Array("\(size)\r\n".utf8) + piece + [13, 10]
        #expect(Self.unsent(output) == expected)
        while !output.isEmpty { output.advance(by: 1) }
        ResponseWriter.write(piece: piece, isChunked: false, to: &output)
        #expect(Self.unsent(output) == piece)
    }

    private func written(_ response: Response, _ framing: ResponseFraming) -> String {
        var output = OutputBuffer()
        ResponseWriter.write(response, framing, date: Array("Date: now\r\n".utf8), to: &output)
        return String(decoding: Self.unsent(output), as: UTF8.self)
    }

    private static func unsent(_ output: OutputBuffer) -> [UInt8] {
        output.withUnsentBytes { Array($0.head) + Array($0.tail) + Array($0.foot) }
    }
}

@Suite struct DateFieldTests {
    @Test(
        "an instant is written as an IMF-fixdate",
        arguments: [
            (0, "Thu, 01 Jan 1970 00:00:00 GMT"), (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"),
            (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"),
            (1_709_251_199, "Thu, 29 Feb 2024 23:59:59 GMT"),
            (4_107_542_400, "Mon, 01 Mar 2100 00:00:00 GMT"),
        ] as [(Int64, String)])
    func dates(seconds: Int64, text: String) {
        #expect(DateField.format(seconds: seconds) == text)
    }

    @Test("the line is renewed with the second")
    func line() {
        var date = DateField()
        date.update(seconds: 0)
        let first = date.line
        date.update(seconds: 1)
        #expect(first.elementsEqual("Date: Thu, 01 Jan 1970 00:00:00 GMT\r\n".utf8))
        #expect(date.line != first)
    }
}
