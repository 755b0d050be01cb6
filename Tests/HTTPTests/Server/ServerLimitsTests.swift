import Glibc
import Testing

@testable import HTTP

@Suite struct ServerLimitsTests {
    @Test("a head that does not arrive in time gets 408", arguments: ["G", "GET / HTTP/1.1\r\nX"])
    func slowHead(start: String) throws {
        let server = try TestServer { $0.headTimeout = .milliseconds(50) }
        let client = try server.connect()
        client.send(start)
        #expect(client.answer()?.status == 408)
        #expect(client.isEnded())
    }

    @Test("dripping does not prolong the time of a head")
    func drip() throws {
        let server = try TestServer {
            $0.headTimeout = .milliseconds(100)
            $0.lingerTimeout = .milliseconds(50)
        }
        let client = try server.connect()
        client.send("X")
        #expect(eventually { server.server.connectionCount == 1 })
        #expect(eventually { !client.send("X") || server.server.connectionCount == 0 })
    }

    @Test("content that does not arrive in time gets 408")
    func slowBody() throws {
        let server = try TestServer { $0.bodyTimeout = .milliseconds(50) }
        let client = try server.connect()
        client.send(post("Content-Length: 10", content: "abc"))
        #expect(client.answer()?.status == 408)
        #expect(client.isEnded())
    }

    @Test("an idle connection ends without a word, a busy one does not")
    func idle() throws {
        let server = try TestServer { $0.idleTimeout = .milliseconds(50) }
        let fresh = try server.connect()
        let used = try server.connect()
        let busy = try server.connect()
        busy.send(get("/held"))
        #expect(used.get("/1")?.text == "/1")
        #expect(fresh.isEnded())
        #expect(used.isEnded())
        #expect(eventually { server.handler.heldCount == 1 })
        server.handler.release()
        #expect(busy.answer()?.text == "held")
    }

    @Test("an idle connection ends after a response that another thread sent to a loop at rest")
    func idleAfterLateResponse() throws {
        let server = try TestServer(loops: 1) { $0.idleTimeout = .milliseconds(50) }
        let client = try server.connect()
        client.send(get("/held"))
        #expect(eventually { server.handler.heldCount == 1 })
        // Afterwards the loop has no deadline to wait for.
        #expect(try server.connect().isEnded())
        server.handler.release()
        #expect(client.answer()?.text == "held")
        #expect(client.isEnded())
    }

    @Test("a reader that does not read is cut off")
    func slowReader() throws {
        let server = try TestServer { $0.writeTimeout = .milliseconds(100) }
        let client = try server.connect(receiveBuffer: 4096)
        client.send(get("/large"))
        #expect(eventually { server.server.connectionCount == 1 })
        #expect(eventually { server.server.connectionCount == 0 })
    }

    @Test("413 arrives although the client is still sending")
    func tooLarge() throws {
        let server = try TestServer { $0.lingerTimeout = .seconds(20) }
        let client = try server.connect()
        client.send(post("Content-Length: 4000000"))
        let piece = [UInt8](repeating: 0x61, count: 100_000)
        for _ in 0..<40 { #expect(client.send(piece)) }
        #expect(client.answer()?.status == 413)
        #expect(client.isEnded())
    }

    @Test("what a client sends after its last answer is read for a bounded time and size only")
    func linger() throws {
        let server = try TestServer { $0.lingerBytes = 100_000 }
        let client = try server.connect()
        client.send("BAD\r\n\r\n")
        #expect(client.answer()?.status == 400)
        #expect(client.isEnded())
        let piece = [UInt8](repeating: 0x61, count: 10_000)
        #expect(eventually { !client.send(piece) })

        let patient = try TestServer { $0.lingerTimeout = .milliseconds(50) }
        let silent = try patient.connect()
        silent.send("BAD\r\n\r\n")
        #expect(silent.answer()?.status == 400)
        #expect(eventually { patient.server.connectionCount == 0 })
    }

    @Test("HEAD gets its errors without content")
    func headError() throws {
        let server = try TestServer()
        let client = try server.connect()
        client.send("HEAD / HTTP/1.1\r\n\r\n")
        #expect(client.answer(isHead: true)?.status == 400)
        #expect(client.isEnded())
    }

    @Test("past the number of connections the next one waits until there is room")
    func connections() throws {
        let server = try TestServer { $0.maximumConnections = 2 }
        let first = try server.connect()
        let second = try server.connect()
        #expect(first.get("/1")?.text == "/1")
        #expect(second.get("/2")?.text == "/2")
        let third = try server.connect()
        third.send(get("/3"))
        #expect(first.get("/4")?.text == "/4")
        #expect(server.server.connectionCount == 2)
        first.disconnect()
        #expect(third.answer()?.text == "/3")
    }

    @Test("a client that vanishes leaves nothing behind")
    func vanishing() throws {
        let server = try TestServer()
        for request in ["GET / HT", post("Content-Length: 10", content: "x"), get("/held")] {
            let client = try server.connect()
            client.send(request)
            #expect(eventually { server.server.connectionCount == 1 })
            if request == get("/held") { #expect(eventually { server.handler.heldCount == 1 }) }
            client.reset()
            #expect(eventually { server.server.connectionCount == 0 })
        }
        server.handler.release()
        let client = try server.connect()
        client.send(get("/large"))
        client.reset()
        #expect(try server.connect().get("/1")?.text == "/1")
        #expect(eventually { server.server.connectionCount <= 1 })
    }
}
