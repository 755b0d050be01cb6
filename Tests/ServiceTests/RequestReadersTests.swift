import Dispatch
import HTTP
import Synchronization
import Testing

@testable import Service

@Suite struct RequestReadersTests {
    /// Work that lasts until it is let go.
    private final class Work: Sendable {
        private let gate = DispatchSemaphore(value: 0)
        private let ended = DispatchSemaphore(value: 0)

        func run() {
            gate.wait()
            ended.signal()
        }

        func finish(_ count: Int) {
            for _ in 0..<count { gate.signal() }
            for _ in 0..<count { ended.wait() }
        }
    }

    @Test("each thread has a bounded number of requests, and what is past it is refused")
    func capacity() {
        let (readers, work) = (RequestReaders(threads: 2, capacity: 3), Work())
        let taken = (0..<8).map { _ in readers.submit { work.run() } }
        #expect(taken == [true, true, true, true, true, true, false, false])
        work.finish(6)
    }

    @Test("work runs beside other work that lasts")
    func parallel() {
        let (readers, work, done) = (
            RequestReaders(threads: 2, capacity: 2), Work(), DispatchSemaphore(value: 0)
        )
        #expect(readers.submit { work.run() })
        #expect(readers.submit { done.signal() })
        #expect(done.wait(timeout: .now() + 20) == .success)
        work.finish(1)
    }

    @Test("requests of more than 2 KiB with their target and fields are large")
    func large() {
        func request(_ target: Int, _ body: Int) -> HTTP.Request {
            var request = HTTP.Request(
                target: "/" + String(repeating: "a", count: target - 1))
            request.body = [UInt8](repeating: 0, count: body)
            return request
        }
        #expect(!RequestReaders.isLarge(request(48, 2000)))
        #expect(RequestReaders.isLarge(request(49, 2000)))
        #expect(RequestReaders.isLarge(request(2049, 0)))
    }
}
