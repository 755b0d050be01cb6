import Testing

@testable import HTTP

@Suite struct StreamingTests {
    private let server: TestServer
    private let source: ManualSource

    init() throws {
        server = try TestServer()
        source = server.handler.source
    }

    @Test("each piece is a chunk, an empty one is none, and the connection goes on")
    func chunks() throws {
        let client = try server.connect()
        client.send(get("/stream"))
        let head = try #require(client.head())
        #expect(head.contains("\r\nTransfer-Encoding: chunked"))
        #expect(!head.contains("Content-Length"))
        source.deliver("one")
        #expect(client.chunk() == Array("one".utf8))
        source.deliver("")
        source.deliver("three")
        #expect(client.chunk() == Array("three".utf8))
        source.deliver(.end)
        #expect(client.chunk() == [])
        #expect(client.get("/1")?.text == "/1")
        #expect(source.requestCount == 4)
        #expect(source.cancelCount == 0)
    }

    @Test("large pieces arrive whole", arguments: ["/counted", "/counted/thread"])
    func large(target: String) throws {
        let client = try server.connect(receiveBuffer: 4096)
        client.send(get(target) + get("/1"))
        #expect(client.answer()?.body == Self.countedBody)
        #expect(client.answer()?.text == "/1")
    }

    @Test("HTTP/1.0 gets the content bare, up to the connection's end")
    func http10() throws {
        let client = try server.connect()
        client.send("GET /counted/thread HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
        let head = try #require(client.head())
        #expect(head.hasSuffix("\r\nConnection: close"))
        #expect(!head.contains("Transfer-Encoding"))
        #expect(client.rest() == Self.countedBody)
    }

    @Test("content that fails ends without the last chunk")
    func failure() throws {
        let client = try server.connect()
        client.send(get("/stream"))
        source.deliver("one")
        source.deliver(.failed)
        #expect(client.head() != nil)
        #expect(client.rest() == Array("3\r\none\r\n".utf8))
        #expect(source.cancelCount == 0)
    }

    @Test("content that fails is cut off in HTTP/1.0")
    func failureHTTP10() throws {
        let client = try server.connect()
        client.send("GET /stream HTTP/1.0\r\n\r\n")
        source.deliver("one")
        #expect(client.head() != nil)
        source.deliver(.failed)
        #expect(client.rest() == nil)
    }

    @Test("a source that lets go of its delivery has failed")
    func forgotten() throws {
        let client = try server.connect()
        client.send(get("/stream"))
        #expect(eventually { source.isRequested })
        source.forget()
        #expect(client.answer() == nil)
        #expect(eventually { server.server.connectionCount == 0 || client.isEnded() })
        #expect(source.cancelCount == 0)
    }

    @Test(
        "content that is not wanted is not asked for",
        arguments: ["HEAD /stream", "GET /unmodified"])
    func unwanted(request: String) throws {
        let client = try server.connect()
        client.send("\(request) HTTP/1.1\r\nHost: a\r\n\r\n")
        let head = try #require(client.head())
        #expect(!head.contains("Content-Length"))
        #expect(!head.contains("Transfer-Encoding"))
        #expect(client.get("/1")?.text == "/1")
        #expect(source.requestCount == 0)
        #expect(source.cancelCount == 1)
    }

    @Test("requests behind a stream wait for its end")
    func pipelining() throws {
        let client = try server.connect()
        client.send(get("/stream") + get("/1") + get("/counted") + get("/2"))
        source.deliver("one")
        source.deliver(.end)
        #expect(client.answer()?.text == "one")
        #expect(client.answer()?.text == "/1")
        #expect(client.answer()?.body == Self.countedBody)
        #expect(client.answer()?.text == "/2")
    }

    @Test("a stream ends in its own time while the server shuts down, and so do those behind it")
    func draining() throws {
        let client = try server.connect()
        client.send(get("/stream") + get("/1"))
        source.deliver("one")
        server.server.shutdown()
        #expect(eventually { TestClient(port: server.port) == nil })
        source.deliver("two")
        source.deliver(.end)
        #expect(client.answer()?.text == "onetwo")
        #expect(client.answer()?.text == "/1")
        #expect(client.isEnded())
        client.disconnect()
        server.server.wait()
    }

    @Test("a stream that does not end in time is cut when the server shuts down")
    func drainTimeout() throws {
        let server = try TestServer { $0.drainTimeout = .milliseconds(50) }
        let client = try server.connect()
        client.send(get("/stream"))
        #expect(client.head() != nil)
        server.server.shutdown()
        server.server.wait()
        #expect(server.handler.source.cancelCount == 1)
        #expect(client.answer() == nil)
    }

    private static let countedBody = Array(
        repeatElement(CountingSource.piece, count: TestHandler.pieceCount).joined())
}
