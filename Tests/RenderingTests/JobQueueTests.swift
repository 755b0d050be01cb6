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
        let job: RenderPool.Job = { _ in tally.jobs.wrappingAdd(1, ordering: .relaxed) }
        let worker = try RenderWorker(catalog: FontCatalog())
        func runsNext() -> Bool {
            let next = queue.pop(patience: 0) {
                tally.rests.wrappingAdd(1, ordering: .relaxed)
                // Nobody holds the queue meanwhile.
                #expect(queue.push(job))
            }
            next?(worker)
            return next != nil
        }
        #expect(runsNext())
        #expect(tally.rests.load(ordering: .relaxed) == 1)
        #expect(queue.push(job))
        #expect(runsNext())
        #expect(tally.rests.load(ordering: .relaxed) == 1)
        #expect(tally.jobs.load(ordering: .relaxed) == 2)
        queue.close()
        #expect(!runsNext())
        #expect(!queue.push(job))
    }
}
