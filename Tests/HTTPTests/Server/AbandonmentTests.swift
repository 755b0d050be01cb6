import Testing

@testable import HTTP

@Suite struct AbandonmentTests {
    private let server: TestServer
    private let source: ManualSource

    init() throws {
        server = try TestServer()
        source = server.handler.source
    }

    @Test("a handler learns that its client has gone, and only then")
    func handling() throws {
        let patient = try server.connect()
        let impatient = try server.connect()
        for client in [patient, impatient] { client.send(get("/held")) }
        #expect(eventually { server.handler.heldCount == 2 })
        #expect(server.handler.abandonedCount == 0)
        impatient.reset()
        #expect(eventually { server.handler.abandonedCount == 1 })
        server.handler.release()
        #expect(patient.answer()?.text == "held")
        #expect(eventually { server.server.connectionCount == 1 })
    }

    @Test("a client that has shut its sending side still waits")
    func halfClosed() throws {
        let client = try server.connect()
        client.send(get("/held"))
        client.finishWriting()
        #expect(eventually { server.handler.heldCount == 1 })
        #expect(try server.connect().get("/1")?.text == "/1")
        #expect(server.handler.abandonedCount == 0)
        server.handler.release()
        #expect(client.answer()?.text == "held")
    }

    @Test("a client that goes while a piece is made cancels it, and the piece is dropped")
    func streaming() throws {
        let client = try server.connect()
        client.send(get("/stream"))
        source.deliver("one")
        #expect(client.head() != nil)
        #expect(eventually { source.isRequested })
        client.reset()
        #expect(eventually { server.server.connectionCount == 0 })
        #expect(source.cancelCount == 1)
        source.deliver("two")
        #expect(try server.connect().get("/1")?.text == "/1")
        #expect(source.requestCount == 2)
    }

    @Test("a client that goes quietly while a piece is made cancels it")
    func quietWait() throws {
        let client = try server.connect()
        client.send(get("/stream"))
        source.deliver("one")
        #expect(client.head() != nil)
        #expect(client.chunk() != nil)
        #expect(eventually { source.isRequested })
        client.disconnect()
        #expect(eventually { source.cancelCount == 1 })
        #expect(eventually { server.server.connectionCount == 0 })
    }

    @Test("a client that has shut its sending side gets the rest of a stream")
    func halfClosedStream() throws {
        let client = try server.connect()
        client.send(get("/stream"))
        source.deliver("one")
        #expect(client.head() != nil)
        #expect(client.chunk() == Array("one".utf8))
        #expect(eventually { source.isRequested })
        client.finishWriting()
        #expect(try server.connect().get("/1")?.text == "/1")
        #expect(source.cancelCount == 0)
        source.deliver("two")
        source.deliver(.end)
        #expect(client.chunk() == Array("two".utf8))
        #expect(client.chunk() == [])
    }

    @Test("a client that goes quietly is found out by the pieces that it does not take")
    func quiet() throws {
        let client = try server.connect()
        client.send(get("/stream"))
        source.deliver("one")
        #expect(client.head() != nil)
        #expect(client.chunk() != nil)
        client.disconnect()
        #expect(
            eventually {
                if source.isRequested, source.cancelCount == 0 { source.deliver("more") }
                return source.cancelCount == 1
            })
        #expect(eventually { server.server.connectionCount == 0 })
    }

    @Test("a stream that comes too late for its client is cancelled")
    func lateStream() throws {
        let client = try server.connect()
        client.send(get("/held"))
        #expect(eventually { server.handler.heldCount == 1 })
        client.reset()
        #expect(eventually { server.server.connectionCount == 0 })
        server.handler.release(with: Response(body: .stream(source)))
        #expect(eventually { source.cancelCount == 1 })
        #expect(source.requestCount == 0)
    }

    @Test("a stream that comes when the server has stopped is cancelled")
    func stopped() throws {
        let server = try TestServer { $0.drainTimeout = .milliseconds(50) }
        let client = try server.connect()
        client.send(get("/held"))
        #expect(eventually { server.handler.heldCount == 1 })
        server.server.shutdown()
        server.server.wait()
        #expect(server.handler.abandonedCount == 1)
        let source = server.handler.source
        server.handler.release(with: Response(body: .stream(source)))
        #expect(source.cancelCount == 1)
    }
}
