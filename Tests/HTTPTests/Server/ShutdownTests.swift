import Testing

@testable import HTTP

@Suite struct ShutdownTests {
    @Test("a request in flight is answered, then connections are refused and the server stops")
    func graceful() throws {
        // One loop: with two, the first refuses connections while the second still serves.
        let server = try TestServer(loops: 1)
        let idle = try server.connect()
        #expect(idle.get("/1")?.text == "/1")
        let busy = try server.connect()
        busy.send(get("/held"))
        #expect(eventually { server.handler.heldCount == 1 })
        #expect(!server.server.isDraining)
        server.server.shutdown()
        #expect(server.server.isDraining)
        #expect(idle.isEnded())
        #expect(eventually { TestClient(port: server.port) == nil })
        server.handler.release()
        let answer = try #require(busy.answer())
        #expect(answer.text == "held")
        #expect(answer.fields["connection"] == "close")
        #expect(busy.isEnded())
        busy.disconnect()
        server.server.wait()
        #expect(server.server.connectionCount == 0)
    }

    @Test("a connection for which there is no room gets an error that no cache keeps")
    func refused() throws {
        let server = try TestServer(loops: 1) { $0.maximumConnections = 1 }
        let busy = try server.connect()
        busy.send(get("/held"))
        #expect(eventually { server.handler.heldCount == 1 })
        let refused = try server.connect()
        server.server.shutdown()
        let answer = try #require(refused.answer())
        #expect(answer.status == 503)
        #expect(answer.fields["cache-control"] == "no-store")
        #expect(answer.text.contains("\"status\":503"))
        server.handler.release()
        #expect(busy.answer()?.text == "held")
    }

    @Test("a request that has begun to arrive is served")
    func arriving() throws {
        let server = try TestServer()
        let client = try server.connect()
        #expect(client.get("/1")?.text == "/1")
        client.send("GET /2 HTTP/1.1\r\n")
        server.server.shutdown()
        #expect(eventually { TestClient(port: server.port) == nil })
        client.send("Host: a\r\n\r\n")
        #expect(client.answer()?.text == "/2")
        #expect(client.isEnded())
    }

    @Test("a connection that has not brought a request may still bring one")
    func fresh() throws {
        let server = try TestServer(loops: 1) { $0.drainGrace = .seconds(20) }
        let client = try server.connect()
        #expect(eventually { server.server.connectionCount == 1 })
        server.server.shutdown()
        #expect(eventually { TestClient(port: server.port) == nil })
        #expect(client.get("/1")?.fields["connection"] == "close")
        client.disconnect()
        server.server.wait()
    }

    @Test("an idle connection may still bring a request, which is the last")
    func idle() throws {
        let server = try TestServer(loops: 1) { $0.drainGrace = .seconds(20) }
        let client = try server.connect()
        #expect(client.get("/1")?.fields["connection"] == nil)
        server.server.shutdown()
        #expect(eventually { TestClient(port: server.port) == nil })
        #expect(client.get("/2")?.fields["connection"] == "close")
        #expect(client.isEnded())
        client.disconnect()
        server.server.wait()
    }

    @Test("what does not end in time is cut")
    func bounded() throws {
        let server = try TestServer { $0.drainTimeout = .milliseconds(50) }
        let client = try server.connect()
        client.send(get("/held"))
        #expect(eventually { server.handler.heldCount == 1 })
        server.server.shutdown()
        server.server.wait()
        #expect(client.isEnded())
    }

    @Test("during the delay connections are still taken, by the given clock")
    func delay() throws {
        let clock = ManualClock()
        let server = try TestServer(loops: 1, time: clock.source) {
            $0.drainDelay = .seconds(60)
        }
        server.server.shutdown()
        // The answer shows that the loop has heard of the shutdown.
        #expect(try server.connect().get("/1")?.status == 200)
        clock.advance(seconds: 59)
        #expect(try server.connect().get("/2")?.status == 200)
        clock.advance(seconds: 2)
        // Each attempt wakes the loop, which then reads the clock.
        try #require(eventually { TestClient(port: server.port) == nil })
        server.server.wait()
    }

    @Test("a server that never started can be shut down and waited for")
    func unstarted() {
        let server = Server(on: .host("127.0.0.1", port: 0), loops: 1, handler: TestHandler())
        server.shutdown()
        server.wait()
        #expect(server.boundPort == nil)
    }
}
