import Dispatch
import Raster
import Synchronization

/// Threads that render, and the bounded queue before them.
///
/// They are not threads of the global dispatch queue, which replaces blocked workers at about one a
/// second.
final class RenderPool: Sendable {
    private struct State: Sendable {
        var spareThreads = 0
        var isStopped = false
    }

    private let queue: JobQueue
    private let threads: RenderThreads
    private let state = Mutex(State())
    private let maximumSpareThreads: Int

    /// Starts the threads and waits until all of them can render.
    ///
    /// - Parameters:
    ///   - workers: Threads, at least one.
    ///   - maximumSpareThreads: The threads that are started besides when a client finds all busy for
    ///     others; nil for a quarter as many, or four.
    ///   - queueLength: Jobs that may wait.
    ///   - makeWorker: Called once on each thread.
    ///   - rest: Called on a thread that has had no work for five seconds.
    /// - Throws: The reason why a thread cannot be started, or its worker cannot render.
    init(
        workers: Int, maximumSpareThreads: Int? = nil, queueLength: Int,
        makeWorker: @escaping @Sendable () throws(LibraryFault) -> RenderWorker,
        rest: @escaping @Sendable () -> Void
    ) throws(LibraryFault) {
        queue = JobQueue(capacity: queueLength)
        threads = try RenderThreads(queue: queue, makeWorker: makeWorker, rest: rest)
        self.maximumSpareThreads =
            maximumSpareThreads ?? Self.maximumSpareThreads(workers: workers)
        do {
            try threads.start(max(workers, 1))
        } catch {
            _ = stop(within: .seconds(60))
            throw error
        }
    }

    /// The most threads beside a number of workers.
    static func maximumSpareThreads(workers: Int) -> Int { max(workers / 4, 4) }

    /// Queues a job for the next free worker.
    func submit(_ job: RenderJob) -> JobQueue.Outcome { noting(queue.push(job)) }

    /// The number of jobs that wait.
    var waiting: Int { queue.count }

    /// The times for which new jobs have waited that a thread took.
    var waits: Histogram { queue.waits }

    /// Queues the next part of work that has begun, which the limit of the queue does not concern.
    ///
    /// - Returns: False when the pool has stopped; the job is dropped then.
    func resume(_ job: RenderJob) -> Bool { noting(queue.pushBegun(job)) == .taken }

    /// Starts a spare thread if the outcome asks for one.
    private func noting(_ outcome: JobQueue.Outcome) -> JobQueue.Outcome {
        guard outcome == .takenWithoutThread else { return outcome }
        let isWanted = state.withLock { state in
            guard state.spareThreads < maximumSpareThreads, !state.isStopped else { return false }
            state.spareThreads += 1
            return true
        }
        // Without it the job waits for another thread.
        if isWanted { threads.startSpare() }
        return .taken
    }

    /// Finishes the queued jobs, then ends the threads.
    ///
    /// - Returns: False if some have not ended in time.
    func stop(within duration: Duration) -> Bool {
        state.withLock { $0.isStopped = true }
        queue.close()
        let (seconds, attoseconds) = duration.components
        let nanoseconds = Int(seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000)
        return threads.wait(until: .now() + .nanoseconds(nanoseconds))
    }
}
