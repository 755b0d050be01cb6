import Dispatch
import Synchronization
import Testing

@testable import Rendering

@Suite struct SharedThreadsTests {
    /// Jobs of clients that last until they are let go, in the order in which they began.
    private final class Work: Sendable {
        private let gate = DispatchSemaphore(value: 0)
        private let begun = DispatchSemaphore(value: 0)
        private let names = Mutex<[String]>([])
        private let refused = Mutex<[String]>([])

        func job(
            _ name: String, of client: ClientID,
            isNeeded: @escaping @Sendable () -> Bool = { true }
        ) -> SharedThreads.Job {
            SharedThreads.Job(
                for: client, isNeeded: isNeeded,
                refuse: { [self] in refused.withLock { $0.append(name) } },
                run: { [self] in
                    names.withLock { $0.append(name) }
                    begun.signal()
                    gate.wait()
                })
        }

        /// Waits until a number of further jobs have begun.
        func waitForBegin(of count: Int) -> Bool {
            (0..<count).allSatisfy { _ in begun.wait(timeout: .now() + 20) == .success }
        }

        func letGo(_ count: Int) { for _ in 0..<count { gate.signal() } }

        var begunNames: [String] { names.withLock { $0 } }
        var refusedNames: [String] { refused.withLock { $0 } }
    }

    private func client(_ number: UInt64) -> ClientID { ClientID(high: 0, low: number) }

    private func shared(threads: Int, capacity: Int = 256) -> SharedThreads {
        SharedThreads("test", threads: threads, capacity: capacity)
    }

    @Test("a client never has all threads, so that another one's work begins at once")
    func threads() {
        let (threads, work) = (shared(threads: 3), Work())
        for index in 0..<50 { threads.submit(work.job("many \(index)", of: client(1))) }
        #expect(work.waitForBegin(of: 2))
        threads.submit(work.job("one", of: client(2)))
        #expect(work.waitForBegin(of: 1))
        #expect(Set(work.begunNames) == ["many 0", "many 1", "one"])
        work.letGo(51)
        #expect(work.waitForBegin(of: 48))
    }

    @Test("a client has a quarter of the places while others wait, and its newest work makes room")
    func places() {
        let (threads, work) = (shared(threads: 2, capacity: 8), Work())
        // One has begun, and eight wait.
        threads.submit(work.job("many 0", of: client(1)))
        #expect(work.waitForBegin(of: 1))
        for index in 1..<9 { threads.submit(work.job("many \(index)", of: client(1))) }
        threads.submit(work.job("too many", of: client(1)))
        #expect(work.refusedNames == ["too many"])
        threads.submit(work.job("other 0", of: client(2)))
        #expect(work.waitForBegin(of: 1))
        for index in 1..<4 { threads.submit(work.job("other \(index)", of: client(2))) }
        #expect(work.refusedNames == ["too many", "many 8", "many 7", "other 3"])
        threads.submit(work.job("more", of: client(1)))
        #expect(work.refusedNames.last == "more")
        work.letGo(20)
        #expect(work.waitForBegin(of: 8))
    }

    @Test("what nobody waits for any more is not begun")
    func abandoned() {
        let (threads, work) = (shared(threads: 2), Work())
        threads.submit(work.job("first", of: client(1)))
        #expect(work.waitForBegin(of: 1))
        threads.submit(work.job("gone", of: client(1), isNeeded: { false }))
        threads.submit(work.job("last", of: client(1)))
        work.letGo(2)
        #expect(work.waitForBegin(of: 1))
        #expect(work.begunNames == ["first", "last"])
    }

    @Test("a visit comes before all that waits, and never while all threads are held")
    func visits() {
        let (threads, work) = (shared(threads: 2), Work())
        let visits = DispatchSemaphore(value: 0)
        threads.visit { visits.signal() }
        #expect(visits.wait(timeout: .now() + 20) == .success)
        for index in 0..<3 { threads.submit(work.job("many \(index)", of: client(1))) }
        threads.submit(work.job("one", of: client(2)))
        #expect(work.waitForBegin(of: 2))
        let begunBefore = Mutex<Set<String>>([])
        threads.visit {
            begunBefore.withLock { $0 = Set(work.begunNames) }
            visits.signal()
        }
        // Nothing can begin while both are held.
        #expect(visits.wait(timeout: .now()) == .timedOut)
        work.letGo(1)
        #expect(visits.wait(timeout: .now() + 20) == .success)
        #expect(begunBefore.withLock { $0 } == ["many 0", "one"])
        work.letGo(3)
        #expect(work.waitForBegin(of: 2))
        #expect(work.refusedNames == [])
    }
}
