import CMalloc
import Dispatch
import Glibc
import Motion
import Synchronization

/// Long-lived threads that render, and the bounded queue before them.
///
/// They are not of the global dispatch queue, which replaces blocked workers at about one a second.
final class RenderPool: Sendable {
    private struct State: Sendable {
        var spareThreads = 0
        var isStopped = false
    }

    private let queue: JobQueue
    private let start: ThreadStart
    private let state = Mutex(State())
    private let maximumSpareThreads: Int

    /// Starts the threads and waits until all of them can render.
    ///
    /// - Parameters:
    ///   - workers: Threads, at least one. Up to a quarter as many, or two, are started besides
    ///     when a client finds all threads busy for others.
    ///   - queueLength: Jobs that may wait.
    ///   - makeWorker: Called once on each thread.
    ///   - rest: Called on a thread that has had no work for five seconds.
    /// - Throws: The reason why a thread cannot be started, or its worker cannot render.
    init(
        workers: Int, queueLength: Int,
        makeWorker: @escaping @Sendable () throws(LibraryFault) -> RenderWorker,
        rest: @escaping @Sendable () -> Void
    ) throws(LibraryFault) {
        queue = JobQueue(capacity: queueLength)
        start = ThreadStart(queue: queue, makeWorker: makeWorker, rest: rest)
        maximumSpareThreads = Self.maximumSpareThreads(workers: workers)
        var started = 0
        while started < max(workers, 1), startThread(isSpare: false) { started += 1 }
        for _ in 0..<started { start.ready.wait() }
        guard let fault = start.fault else { return }
        _ = stop(within: .seconds(60))
        throw fault
    }

    /// The most threads beside a number of workers.
    static func maximumSpareThreads(workers: Int) -> Int { max(workers / 4, 2) }

    /// Queues a job for the next free worker.
    func submit(_ job: RenderJob) -> JobQueue.Outcome { noting(queue.push(job)) }

    /// The number of jobs that wait.
    var waiting: Int { queue.count }

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
        if isWanted { _ = startThread(isSpare: true) }
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
        return start.running.wait(timeout: .now() + .nanoseconds(nanoseconds)) == .success
    }

    /// - Returns: True if the thread was started; otherwise `start` has the fault.
    private func startThread(isSpare: Bool) -> Bool {
        let context = Unmanaged.passRetained(ThreadArgument(start: start, isSpare: isSpare))
        let attributes = UnsafeMutablePointer<pthread_attr_t>.allocate(capacity: 1)
        pthread_attr_init(attributes)
        defer {
            pthread_attr_destroy(attributes)
            attributes.deallocate()
        }
        // Pango and fontconfig are written for the stack of a main thread.
        pthread_attr_setstacksize(attributes, 8 << 20)
        pthread_attr_setdetachstate(attributes, Int32(PTHREAD_CREATE_DETACHED))
        var thread = pthread_t()
        start.running.enter()
        let status = pthread_create(
            &thread, attributes,
            { pointer in
                guard let pointer else { return nil }
                let argument = Unmanaged<ThreadArgument>.fromOpaque(pointer).takeRetainedValue()
                argument.start.run(isSpare: argument.isSpare)
                return nil
            }, context.toOpaque())
        guard status == 0 else {
            start.running.leave()
            context.release()
            if !isSpare { start.note(.thread(String(cString: strerror(status)))) }
            return false
        }
        return true
    }
}

/// The argument of one thread.
private final class ThreadArgument: Sendable {
    let start: ThreadStart
    let isSpare: Bool

    init(start: ThreadStart, isSpare: Bool) {
        (self.start, self.isSpare) = (start, isSpare)
    }
}

/// What all render threads share, and the reason why one could not start.
private final class ThreadStart: Sendable {
    /// Signalled by each thread but spare ones once it has its worker, or has failed.
    let ready = DispatchSemaphore(value: 0)
    /// The threads that run.
    let running = DispatchGroup()
    private let queue: JobQueue
    private let makeWorker: @Sendable () throws(LibraryFault) -> RenderWorker
    private let rest: @Sendable () -> Void
    private let firstFault = Mutex<LibraryFault?>(nil)

    init(
        queue: JobQueue,
        makeWorker: @escaping @Sendable () throws(LibraryFault) -> RenderWorker,
        rest: @escaping @Sendable () -> Void
    ) {
        self.queue = queue
        self.makeWorker = makeWorker
        self.rest = rest
    }

    var fault: LibraryFault? { firstFault.withLock { $0 } }

    func note(_ fault: LibraryFault) {
        firstFault.withLock { $0 = $0 ?? fault }
    }

    /// The seconds without work after which unused memory is returned to the system.
    private static let patience = 5

    func run(isSpare: Bool) {
        if isSpare { runSpare() } else { runRegular() }
        running.leave()
    }

    private func runRegular() {
        let worker: RenderWorker
        do {
            worker = try makeWorker()
        } catch {
            note(error)
            ready.signal()
            return
        }
        ready.signal()
        var client: ClientID?
        while let job = queue.pop(
            after: client, patience: Self.patience,
            rest: {
                worker.rest()
                rest()
                malloc_trim(0)
            })
        {
            job.run(worker)
            client = job.client
        }
    }

    /// Runs a spare thread, which has a worker once there is something to do.
    private func runSpare() {
        var worker: RenderWorker?
        var client: ClientID?
        while let job = queue.popSpare(
            after: client, patience: Self.patience,
            rest: {
                worker?.release()
                malloc_trim(0)
            })
        {
            client = job.client
            if worker == nil { worker = try? makeWorker() }
            if let worker { job.run(worker) } else { job.refuse() }
        }
    }
}
