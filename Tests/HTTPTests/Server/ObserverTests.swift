import Testing

@testable import HTTP

@Suite struct ObserverTests {
    private typealias End = TestObserver.End

    private let server: TestServer
    private let source: ManualSource
    private let observer: TestObserver

    init() throws {
        server = try TestServer()
        source = server.handler.source
        observer = server.handler.observer
    }

    @Test("the end of each response is told once, in their order")
    func whole() throws {
        let client = try server.connect()
        client.send(
            get("/observed") + get("/1")
                + "HEAD /observed HTTP/1.1\r\nHost: a\r\n\r\n" + get("/observed"))
        #expect(client.answer()?.text == "text")
        #expect(client.answer()?.text == "/1")
        #expect(client.answer(isHead: true) != nil)
        #expect(client.answer()?.text == "text")
        #expect(eventually { observer.ends.count == 3 })
        client.disconnect()
        #expect(eventually { server.server.connectionCount == 0 })
        #expect(observer.ends.map(\.contentBytes) == [4, 0, 4])
        #expect(observer.ends.allSatisfy { $0.isComplete })
    }

    @Test("a response that is cut is not complete, and has the bytes that were sent")
    func cut() throws {
        let client = try server.connect(receiveBuffer: 4096)
        client.send(get("/observed/large"))
        #expect(client.head() != nil)
        #expect(observer.ends == [])
        client.reset()
        #expect(eventually { observer.ends.count == 1 })
        let end = try #require(observer.ends.first)
        #expect(!end.isComplete)
        #expect(end.contentBytes > 0 && end.contentBytes < TestHandler.largeBody.count)
    }

    @Test("a response that is read slowly to its end is complete")
    func slow() throws {
        let client = try server.connect(receiveBuffer: 4096)
        client.send(get("/observed/large"))
        #expect(client.answer()?.body == TestHandler.largeBody)
        let whole = End(contentBytes: TestHandler.largeBody.count, isComplete: true)
        #expect(eventually { observer.ends == [whole] })
    }

    @Test("a streamed response counts its pieces", arguments: [true, false])
    func stream(isComplete: Bool) throws {
        let client = try server.connect()
        client.send(get("/observed/stream"))
        source.deliver("one")
        source.deliver("three")
        source.deliver(isComplete ? .end : .failed)
        #expect(client.head() != nil)
        #expect(eventually { observer.ends == [End(contentBytes: 8, isComplete: isComplete)] })
    }

    @Test("a response to a client that has gone is told too")
    func gone() throws {
        let client = try server.connect()
        client.send(get("/held"))
        #expect(eventually { server.handler.heldCount == 1 })
        client.reset()
        #expect(eventually { server.server.connectionCount == 0 })
        var response = TestHandler.text("held")
        response.observer = observer
        server.handler.release(with: response)
        #expect(eventually { observer.ends == [End(contentBytes: 0, isComplete: false)] })
    }
}
