import Dispatch
import Raster
import Synchronization
import Testing
import Typesetting

@testable import Rendering

@Suite struct JobQueueTests {
    private final class Tally: Sendable {
        let rests = Atomic(0)
        let jobs = Atomic(0)
    }

    @Test("who waits long for a job rests once, and then gets the next one")
    func rest() throws {
        let queue = JobQueue(capacity: 1)
        let tally = Tally()
        let job = RenderJob(for: .anonymous) { _ in tally.jobs.wrappingAdd(1, ordering: .relaxed) }
        let worker = try RenderWorker(catalog: FontCatalog())
        func runsNext() -> Bool {
            let next = queue.pop(after: nil, patience: 0) {
                tally.rests.wrappingAdd(1, ordering: .relaxed)
                // Nobody holds the queue meanwhile, and a spare thread is asked for.
                #expect(queue.push(job) == .takenWithoutThread)
            }
            next?.run(worker)
            return next != nil
        }
        #expect(runsNext())
        #expect(tally.rests.load(ordering: .relaxed) == 1)
        #expect(queue.push(job) == .taken)
        #expect(runsNext())
        #expect(tally.rests.load(ordering: .relaxed) == 1)
        #expect(tally.jobs.load(ordering: .relaxed) == 2)
        queue.close()
        #expect(!runsNext())
        #expect(queue.push(job) == .closed)
    }

    private func client(_ number: UInt64) -> ClientID { ClientID(high: 0, low: number) }

    private func job(_ number: UInt64) -> RenderJob {
        RenderJob(for: client(number)) { _ in }
    }

    /// The clients of the next jobs; each job ends before the next one is taken.
    private func order(_ queue: JobQueue, _ count: Int) -> [ClientID] {
        var order: [ClientID] = []
        for _ in 0..<count {
            let finished = order.last.map { FinishedJob(client: $0, nanoseconds: 0) }
            guard let job = queue.pop(after: finished, patience: 60, rest: {}) else { break }
            order.append(job.client)
        }
        return order
    }

    @Test("clients have turns, however many jobs one has queued")
    func turns() {
        let queue = JobQueue(capacity: 100)
        for number: UInt64 in [1, 1, 1, 1, 2, 2, 3] { _ = queue.push(job(number)) }
        #expect(order(queue, 7) == [1, 2, 3, 1, 2, 1, 1].map(client))
    }

    @Test("a client without a running job goes before one that has")
    func running() {
        let queue = JobQueue(capacity: 100)
        for number: UInt64 in [1, 1, 1, 2] { _ = queue.push(job(number)) }
        let first = queue.pop(after: nil, patience: 60, rest: {})
        let second = queue.pop(after: nil, patience: 60, rest: {})
        let third = queue.pop(after: nil, patience: 60, rest: {})
        #expect([first, second, third].map { $0?.client } == [1, 2, 1].map(client))
    }

    @Test("of several the client goes first that took the least of the processors of late")
    func usage() {
        let queue = JobQueue(capacity: 100)
        for number: UInt64 in [1, 2, 1, 2, 1, 2] { _ = queue.push(job(number)) }
        let first = queue.pop(after: nil, patience: 60, rest: {})
        #expect(first?.client == client(1))
        let long = FinishedJob(client: client(1), nanoseconds: 5_000_000_000)
        #expect(queue.pop(after: long, patience: 60, rest: {})?.client == client(2))
        let short = FinishedJob(client: client(2), nanoseconds: 1_000_000)
        #expect(queue.pop(after: short, patience: 60, rest: {})?.client == client(2))
        #expect(queue.pop(after: short, patience: 60, rest: {})?.client == client(2))
        #expect(queue.pop(after: short, patience: 60, rest: {})?.client == client(1))
    }

    @Test("what a client took is halved each second, and forgotten in the end")
    func halving() {
        var usage = ClientUsage()
        let second: Int64 = 1_000_000_000
        func take(_ number: UInt64, _ nanoseconds: Int64, now: Int64) {
            usage.halve(now: now)
            usage.charge(nanoseconds, to: client(number))
        }
        take(1, 800_000_000, now: 100 * second)
        take(2, 1, now: 101 * second)
        #expect(usage[client(1)] == 400_000_000)
        take(2, 1, now: 103 * second + 1)
        #expect(usage[client(1)] == 100_000_000)
        #expect(usage[client(2)] == 1)
        take(3, 5, now: .max / 2)
        #expect(usage[client(1)] == 0)
        #expect(usage[client(3)] == 5)
    }

    @Test("spare threads serve clients that took little of late")
    func lightClients() {
        let queue = JobQueue(capacity: 100)
        _ = queue.push(job(1))
        _ = queue.pop(after: nil, patience: 60, rest: {})
        let long = FinishedJob(client: client(1), nanoseconds: 5_000_000_000)
        _ = queue.push(job(1))
        _ = queue.pop(after: long, patience: 60, rest: {})
        // The thread that would have to take these is busy.
        #expect(queue.push(job(1)) == .taken)
        #expect(queue.push(job(2)) == .takenWithoutThread)
        let taken = queue.popSpare(after: nil, patience: 60, rest: {}, prepare: {})
        #expect(taken?.client == client(2))
        // One job of a client at a time, and none that takes long.
        #expect(queue.push(job(2)) == .taken)
        let left = RenderJob(for: client(3), isLong: true) { _ in }
        #expect(queue.pushBegun(left) == .taken)
        queue.close()
        #expect(queue.popSpare(after: nil, patience: 60, rest: {}, prepare: {}) == nil)
        #expect(queue.count == 2)
    }

    @Test("all spare threads but two are for clients that took the least")
    func leastClients() {
        let queue = JobQueue(capacity: 100)
        func popSpare() -> ClientID? {
            queue.popSpare(after: nil, patience: 60, rest: {}, prepare: {})?.client
        }
        for number: UInt64 in 1...3 {
            _ = queue.push(job(number))
            _ = queue.pop(after: nil, patience: 60, rest: {})
            queue.finish(FinishedJob(client: client(number), nanoseconds: 90_000_000))
        }
        for number: UInt64 in 1...3 { _ = queue.push(job(number)) }
        #expect(popSpare() == client(1))
        #expect(popSpare() == client(2))
        #expect(queue.push(job(4)) == .takenWithoutThread)
        #expect(popSpare() == client(4))
        queue.finish(FinishedJob(client: client(4), nanoseconds: 0, isSpare: true))
        queue.finish(FinishedJob(client: client(1), nanoseconds: 0, isSpare: true))
        #expect(popSpare() == client(3))
    }

    @Test("clients that took about as much have turns")
    func aboutAsMuch() {
        let queue = JobQueue(capacity: 100)
        for number: UInt64 in 1...2 { _ = queue.push(job(number)) }
        _ = queue.pop(after: nil, patience: 60, rest: {})
        _ = queue.push(job(1))
        let small = FinishedJob(client: client(1), nanoseconds: 20_000_000)
        #expect(queue.pop(after: small, patience: 60, rest: {})?.client == client(2))
        _ = queue.push(job(3))
        let none = FinishedJob(client: client(2), nanoseconds: 0)
        #expect(queue.pop(after: none, patience: 60, rest: {})?.client == client(1))
    }

    @Test("another thread takes a job while a spare one prepares")
    func preparation() {
        let queue = JobQueue(capacity: 100)
        for number: UInt64 in 1...2 { _ = queue.push(job(number)) }
        var taken: [ClientID?] = []
        let job = queue.popSpare(after: nil, patience: 60, rest: {}) {
            guard taken.isEmpty else { return }
            taken.append(queue.pop(after: nil, patience: 60, rest: {})?.client)
        }
        #expect(taken + [job?.client] == [client(1), client(2)])
    }

    @Test("no job waits while a spare thread sleeps, however close upon each other jobs come")
    func wakeUps() {
        for _ in 0..<500 {
            let queue = JobQueue(capacity: 100)
            let taken = DispatchSemaphore(value: 0)
            let isEnd = DispatchSemaphore(value: 0)
            for isSpare in [false, true] {
                DispatchQueue.global().async {
                    let job =
                        isSpare
                        ? queue.popSpare(after: nil, patience: 60, rest: {}, prepare: {})
                        : queue.pop(after: nil, patience: 60, rest: {})
                    if job != nil { taken.signal() }
                    // The regular thread is busy from here on.
                    isEnd.wait()
                }
            }
            _ = queue.push(job(1))
            _ = queue.push(job(2))
            taken.wait()
            taken.wait()
            for _ in 0..<2 { isEnd.signal() }
            queue.close()
        }
    }

    @Test("alone a client may have all places; for others it leaves those past its share")
    func places() {
        let queue = JobQueue(capacity: 8)
        let refused = Tally()
        for _ in 0..<8 {
            let job = RenderJob(
                for: client(1), refuse: { refused.jobs.wrappingAdd(1, ordering: .relaxed) }
            ) { _ in }
            #expect(queue.push(job) != .full)
        }
        #expect(queue.push(job(1)) == .full)
        #expect(queue.push(job(2)) != .full)
        #expect(queue.push(job(2)) != .full)
        #expect(refused.jobs.load(ordering: .relaxed) == 2)
        #expect(queue.push(job(2)) == .overShare)
        #expect(queue.push(job(1)) == .overShare)
        #expect(queue.count == 8)
    }

    @Test("jobs that nobody waits for leave a full queue")
    func gone() {
        let queue = JobQueue(capacity: 4)
        let refused = Tally()
        for isNeeded in [true, false, false, true] {
            let job = RenderJob(
                for: client(1), isNeeded: { isNeeded },
                refuse: { refused.jobs.wrappingAdd(1, ordering: .relaxed) }
            ) { _ in }
            _ = queue.push(job)
        }
        #expect(queue.push(job(1)) != .full)
        #expect(queue.count == 3)
        // So that whoever keeps account of them hears of it.
        #expect(refused.jobs.load(ordering: .relaxed) == 2)
    }

    @Test("new and begun work have turns, whatever else runs for the client")
    func kinds() {
        let queue = JobQueue(capacity: 100)
        _ = queue.push(job(1))
        _ = queue.pop(after: nil, patience: 60, rest: {})
        for _ in 0..<4 {
            _ = queue.push(job(1))
            _ = queue.pushBegun(RenderJob(for: client(1), isLong: true) { _ in })
        }
        // One goes on all the time, so that none finds a client without a running job.
        let finished = FinishedJob(client: client(1), nanoseconds: 0)
        var isLong: [Bool] = []
        for _ in 0..<8 {
            let job = queue.pop(after: isLong.isEmpty ? nil : finished, patience: 60, rest: {})
            isLong.append(job?.isLong == true)
        }
        #expect(zip(isLong, isLong.dropFirst()).allSatisfy { $0 != $1 })
    }

    @Test("a client finds a thread while another's jobs hold all of them")
    func spareThreads() throws {
        let pool = try RenderPool(
            workers: 1, queueLength: 8,
            makeWorker: { () throws(LibraryFault) in
                try RenderWorker(catalog: try FontCatalog())
            }, rest: {})
        let (begun, end) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let held = RenderJob(for: client(1)) { _ in
            begun.signal()
            end.wait()
        }
        #expect(pool.submit(held) == .taken)
        begun.wait()
        let done = [UInt64(1), 2].map { number in
            let done = DispatchSemaphore(value: 0)
            let job = RenderJob(for: client(number)) { _ in done.signal() }
            #expect(pool.submit(job) == .taken)
            return done
        }
        done[1].wait()
        end.signal()
        done[0].wait()
        #expect(pool.stop(within: .seconds(60)))
    }

    @Test("any order of jobs keeps every client's turn within one round", arguments: 0..<20)
    func rounds(seed: UInt64) {
        var random = SystemRandomNumberGenerator()
        var queue = FairQueue<RenderJob>()
        var waits: [ClientID: Int] = [:]
        for _ in 0..<2000 {
            if Int.random(in: 0..<2, using: &random) == 0 {
                let client = client(UInt64.random(in: 0..<(seed + 2), using: &random))
                if queue.count(of: client) == 0 { waits[client] = 0 }
                queue.append(RenderJob(for: client) { _ in })
            } else if let job = queue.popFirst(by: { _ in 0 }) {
                for client in waits.keys where client != job.client { waits[client]? += 1 }
                waits[job.client] = queue.count(of: job.client) > 0 ? 0 : nil
            }
            #expect(waits.values.allSatisfy { $0 <= Int(seed) + 2 })
            #expect(queue.clientCount == waits.count)
        }
        #expect(queue.removeUnneeded().isEmpty)
        while queue.popFirst() != nil {}
        #expect(queue.isEmpty && queue.clientCount == 0)
    }
}
