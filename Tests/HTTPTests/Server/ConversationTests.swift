import Testing

@testable import HTTP

@Suite struct ConversationTests {
    private let server: TestServer

    init() throws {
        server = try TestServer()
    }

    @Test("a connection takes one request after another")
    func keepAlive() throws {
        let client = try server.connect()
        for number in 0..<20 {
            let answer = try #require(client.get("/\(number)"))
            #expect(answer.status == 200)
            #expect(answer.text == "/\(number)")
            #expect(answer.fields["date"] != nil)
            #expect(answer.fields["connection"] == nil)
        }
    }

    @Test("pipelined requests are answered in order, whichever thread answers")
    func pipelining() throws {
        let client = try server.connect()
        let targets = (0..<300).map { $0 % 3 == 0 ? "/thread?\($0)" : "/\($0)" }
        client.send(targets.map { get($0) }.joined())
        #expect(targets.map { _ in client.answer()?.text } == targets)
    }

    @Test("large answers are sent whole, pipelined too")
    func large() throws {
        let client = try server.connect()
        client.send(get("/large") + get("/1") + get("/large"))
        #expect(client.answer()?.body == TestHandler.largeBody)
        #expect(client.answer()?.text == "/1")
        #expect(client.answer()?.body == TestHandler.largeBody)
    }

    @Test("a large answer from another thread is sent whole, and requests behind it are served")
    func largeFromThread() throws {
        let client = try server.connect(receiveBuffer: 4096)
        client.send(get("/held") + get("/1") + get("/held"))
        for isLast in [false, true] {
            #expect(eventually { server.handler.heldCount == 1 })
            server.handler.release(with: Response(body: .bytes(TestHandler.largeBody)))
            #expect(client.answer()?.body == TestHandler.largeBody)
            if !isLast { #expect(client.answer()?.text == "/1") }
        }
    }

    @Test("HEAD gets the length without content")
    func head() throws {
        let client = try server.connect()
        client.send("HEAD /large HTTP/1.1\r\nHost: a\r\n\r\n")
        let answer = try #require(client.answer(isHead: true))
        #expect(answer.fields["content-length"] == "8000000")
        #expect(client.get("/1")?.text == "/1")
    }

    @Test("content comes by length and chunked, in pieces")
    func content() throws {
        let client = try server.connect()
        for piece in [post("Content-Length: 6"), "abc", "def"] { client.send(piece) }
        #expect(client.answer()?.text == "abcdef")
        for piece in [post("Transfer-Encoding: chunked"), "3\r", "\nabc\r\n", "0\r\n\r\n"] {
            client.send(piece)
        }
        #expect(client.answer()?.text == "abc")
    }

    @Test("a client that waits is told to continue")
    func expectation() throws {
        let client = try server.connect()
        client.send(post("Content-Length: 1", "Expect: 100-continue"))
        #expect(client.answer()?.status == 100)
        client.send("x")
        #expect(client.answer()?.text == "x")
    }

    @Test("HTTP/1.0 is closed after an answer unless it asks to be kept")
    func http10() throws {
        let client = try server.connect()
        client.send("GET /1 HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
        #expect(client.answer()?.fields["connection"] == "keep-alive")
        client.send("GET /2 HTTP/1.0\r\n\r\n")
        #expect(client.answer()?.fields["connection"] == "close")
        #expect(client.isEnded())
    }

    @Test("the connection ends when the client, the handler or the limit says so")
    func closing() throws {
        let first = try server.connect()
        first.send(get("/", "Connection: close"))
        #expect(first.answer()?.fields["connection"] == "close")
        #expect(first.isEnded())

        let second = try server.connect()
        #expect(second.get("/close")?.fields["connection"] == "close")
        #expect(second.isEnded())

        let limited = try TestServer { $0.requestsPerConnection = 2 }
        let third = try limited.connect()
        #expect(third.get("/")?.fields["connection"] == nil)
        #expect(third.get("/")?.fields["connection"] == "close")
        #expect(third.isEnded())
    }

    @Test("a client that has shut its sending side still gets its answers")
    func halfClosed() throws {
        let client = try server.connect()
        client.send(get("/thread?1") + get("/2"))
        client.finishWriting()
        #expect(client.answer()?.text == "/thread?1")
        #expect(client.answer()?.text == "/2")
        #expect(client.isEnded())
    }

    @Test("a request that is left unanswered gets a 500")
    func dropped() throws {
        let client = try server.connect()
        #expect(client.get("/dropped")?.status == 500)
        #expect(client.get("/1")?.text == "/1")
    }

    @Test("200 connections are served at once")
    func parallel() throws {
        let clients = try (0..<200).map { _ in try server.connect() }
        for (number, client) in clients.enumerated() { client.send(get("/thread?\(number)")) }
        for (number, client) in clients.enumerated() {
            #expect(client.answer()?.text == "/thread?\(number)")
        }
        #expect(server.server.connectionCount == 200)
    }

    @Test("every raw request has its statuses and its fate on a live connection")
    func table() throws {
        for raw in RawRequest.all {
            let client = try server.connect()
            client.send(raw.bytes)
            expect(raw, of: client)
        }
    }

    @Test("a raw request that comes byte by byte has the same statuses and the same fate")
    func dripping() throws {
        for raw in RawRequest.all where raw.bytes.count < 500 {
            let client = try server.connect()
            for byte in raw.bytes { client.send([byte]) }
            expect(raw, of: client)
        }
    }

    private func expect(_ raw: RawRequest, of client: TestClient) {
        let statuses = raw.statuses.map { _ in finalStatus(client) }
        #expect(statuses == raw.statuses, "\(raw.testDescription)")
        switch raw.fate {
        case .open:
            #expect(client.get("/x")?.status == 200, "\(raw.testDescription)")
        case .closed:
            #expect(client.isEnded(), "\(raw.testDescription)")
        case .waiting:
            client.finishWriting()
            #expect(client.isEnded(), "\(raw.testDescription)")
        }
    }

    /// Returns the next status but 100, which is sent only if the content is late.
    private func finalStatus(_ client: TestClient) -> Int? {
        let status = client.answer()?.status
        return status == 100 ? finalStatus(client) : status
    }
}
