import Synchronization
import Testing

@testable import HTTP

@Suite struct ResponderTests {
    private final class Responses: Sendable {
        private let codes = Mutex<[Int]>([])

        var all: [Int] { codes.withLock { $0 } }

        func take(_ response: Response) {
            codes.withLock { $0.append(response.status.code) }
        }
    }

    @Test("the first response counts")
    func first() {
        let responses = Responses()
        let responder = Responder { responses.take($0) }
        #expect(responder.send(Response(status: .ok)))
        #expect(!responder.send(Response(status: .notFound)))
        #expect(responses.all == [200])
    }

    @Test("content of a response that does not count is cancelled")
    func refused() {
        let source = ManualSource()
        let responder = Responder { _ in }
        #expect(responder.send(Response()))
        #expect(!responder.send(Response(body: .stream(source))))
        #expect(source.cancelCount == 1)
    }

    @Test("a responder that is dropped responds with 500")
    func dropped() {
        let responses = Responses()
        do { _ = Responder { responses.take($0) } }
        #expect(responses.all == [500])
    }
}
