import Testing

@testable import HTTP

@Suite struct BackPressureTests {
    private let source = CountingSource(count: 512, from: nil)

    @Test("a client that does not read is not given more than the kernel takes")
    func bounded() throws {
        let server = try TestServer(loops: 1)
        let client = try held(server)
        // One loop: after an answer to another client, this one's turn is over.
        let other = try server.connect()
        var left = source.leftCount + 1
        while source.leftCount < left {
            left = source.leftCount
            for _ in 0..<50 { #expect(other.get("/1")?.text == "/1") }
        }
        // Of 32 MiB the kernel holds a few.
        #expect(source.leftCount > 256)
        let answer = try #require(client.answer())
        #expect(answer.body.count == 512 * CountingSource.piece.count)
        #expect(source.cancelCount == 0)
    }

    @Test("a client that does not read in time is cut off, and its source told")
    func writeTimeout() throws {
        let server = try TestServer { $0.writeTimeout = .milliseconds(100) }
        let client = try held(server)
        #expect(eventually { server.server.connectionCount == 0 })
        #expect(source.cancelCount == 1)
        #expect(source.leftCount > 0)
        client.disconnect()
    }

    @Test("a source that gives without end at once leaves other connections their turn")
    func fairness() throws {
        let server = try TestServer(loops: 1)
        let endless = CountingSource(count: .max, from: nil)
        let greedy = try held(server, endless)
        let other = try server.connect()
        for _ in 0..<20 {
            _ = greedy.chunk()
            #expect(other.get("/1")?.text == "/1")
        }
        greedy.reset()
        #expect(eventually { endless.cancelCount == 1 })
    }

    @Test("while a piece is made, no deadline runs")
    func patience() throws {
        let clock = ManualClock()
        let server = try TestServer(loops: 1, time: clock.source)
        let client = try server.connect()
        client.send(get("/stream"))
        #expect(client.head() != nil)
        clock.advance(seconds: 3600)
        // Wakes the loop, which then reads the clock.
        #expect(try server.connect().get("/1")?.text == "/1")
        server.handler.source.deliver("one")
        server.handler.source.deliver(.end)
        #expect(client.chunk() == Array("one".utf8))
        #expect(client.chunk() == [])
        #expect(client.get("/1")?.text == "/1")
    }

    /// A client that reads a stream.
    private func held(
        _ server: TestServer, _ source: CountingSource? = nil
    ) throws -> TestClient {
        let client = try server.connect(receiveBuffer: 4096)
        client.send(get("/held"))
        #expect(eventually { server.handler.heldCount == 1 })
        server.handler.release(with: Response(body: .stream(source ?? self.source)))
        return client
    }
}
