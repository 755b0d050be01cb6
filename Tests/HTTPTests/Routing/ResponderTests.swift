import Synchronization
import Testing

@testable import HTTP

@Suite struct ResponderTests {
    private final class Answers: Sendable {
        private let codes = Mutex<[Int]>([])

        var all: [Int] { codes.withLock { $0 } }

        func take(_ response: Response) {
            codes.withLock { $0.append(response.status.code) }
        }
    }

    @Test("the first answer counts")
    func first() {
        let answers = Answers()
        let responder = Responder { answers.take($0) }
        #expect(responder.send(Response(status: .ok)))
        #expect(!responder.send(Response(status: .notFound)))
        #expect(answers.all == [200])
    }

    @Test("content of an answer that does not count is cancelled")
    func refused() {
        let source = ManualSource()
        let responder = Responder { _ in }
        #expect(responder.send(Response()))
        #expect(!responder.send(Response(body: .stream(source))))
        #expect(source.cancelCount == 1)
    }

    @Test("a responder that is dropped answers 500")
    func dropped() {
        let answers = Answers()
        do { _ = Responder { answers.take($0) } }
        #expect(answers.all == [500])
    }

    @Test("an answer while the handler runs is fetched, a later one delivered")
    func phases() {
        let receiver = CountingReceiver()
        let ticket = Ticket(slot: 0, generation: 1)
        let early = Exchange(receiver: receiver, ticket: ticket)
        #expect(early.answer(Response()))
        #expect(early.finishHandling() != nil)
        #expect(receiver.count == 0)

        let late = Exchange(receiver: receiver, ticket: ticket)
        #expect(late.finishHandling() == nil)
        #expect(late.answer(Response()))
        #expect(receiver.count == 1)
    }

    private final class CountingReceiver: AnswerReceiver {
        private let answers = Mutex(0)

        var count: Int { answers.withLock { $0 } }

        func receive(_ answer: Response?, for ticket: Ticket) {
            answers.withLock { $0 += 1 }
        }
    }
}
