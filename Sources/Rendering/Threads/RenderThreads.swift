import CMalloc
import Dispatch
import Glibc
package import Raster
import Synchronization

/// The threads of a pool, each of which has a worker and takes its jobs from the queue.
///
/// Work that takes long goes on at a lower priority, so that short work beside it finds a processor.
/// A thread may not raise its priority again: after such work another one goes on with its worker.
final class RenderThreads: Sendable {
    /// The seconds without work after which unused memory is returned to the system.
    private static let patience = 5
    /// The nanoseconds of a processor after which a spare thread leaves a rendering to the others.
    private static let spareTime: Int64 = 20_000_000

    private let queue: JobQueue
    private let makeWorker: @Sendable () throws(LibraryFault) -> RenderWorker
    private let rest: @Sendable () -> Void
    private let starter: ThreadStarter
    private let running = DispatchGroup()
    /// Signalled by each regular thread once it has its worker, or has failed.
    private let ready = DispatchSemaphore(value: 0)
    private let firstFault = Mutex<LibraryFault?>(nil)

    init(
        queue: JobQueue,
        makeWorker: @escaping @Sendable () throws(LibraryFault) -> RenderWorker,
        rest: @escaping @Sendable () -> Void
    ) throws(LibraryFault) {
        self.queue = queue
        self.makeWorker = makeWorker
        self.rest = rest
        starter = try ThreadStarter()
    }

    deinit { starter.close() }

    /// Starts threads and waits until all of them can render.
    ///
    /// - Throws: The reason why one cannot.
    func start(_ count: Int) throws(LibraryFault) {
        var started = 0
        defer { for _ in 0..<started { ready.wait() } }
        while started < count {
            running.enter()
            do {
                try ThreadStarter.startThread { [self] in
                    defer { running.leave() }
                    begin()
                }
            } catch {
                running.leave()
                throw error
            }
            started += 1
        }
        while started > 0 {
            ready.wait()
            started -= 1
        }
        if let fault = firstFault.withLock({ $0 }) { throw fault }
    }

    private func begin() {
        let worker: RenderWorker
        do {
            worker = try makeWorker()
        } catch {
            firstFault.withLock { $0 = $0 ?? error }
            ready.signal()
            return
        }
        ready.signal()
        run(worker)
    }

    /// Starts a thread for clients that find the others busy; it has a worker once there is a job.
    func startSpare() {
        running.enter()
        starter.start { [self] in
            defer { running.leave() }
            runSpare()
        }
    }

    /// Waits until all threads have ended, which they do when the queue is closed.
    ///
    /// - Returns: False if some have not ended in time.
    func wait(until end: DispatchTime) -> Bool { running.wait(timeout: end) == .success }

    private func run(_ worker: RenderWorker) {
        var finished: FinishedJob?
        while let job = queue.pop(
            after: finished, patience: Self.patience,
            rest: {
                worker.rest()
                rest()
                Allocator.returnFreeMemory()
            })
        {
            finished = run(job, on: worker)
            guard !worker.priority.isLow else {
                return replace(after: finished, worker) { [self] in run($0) }
            }
        }
    }

    private func runSpare(_ given: RenderWorker? = nil) {
        var worker = given
        var finished: FinishedJob?
        while let job = queue.popSpare(
            after: finished, patience: Self.patience,
            rest: {
                worker?.release()
                Allocator.returnFreeMemory()
            },
            prepare: {
                // Where its fonts cannot be opened, the job meets the same fault, and reports it.
                if let worker { try? worker.prepare() } else { worker = try? makeWorker() }
            })
        {
            guard let worker else {
                finished = FinishedJob(client: job.client, nanoseconds: 0, isSpare: true)
                leave(job)
                continue
            }
            worker.yieldTime = nanoseconds(of: CLOCK_THREAD_CPUTIME_ID) + Self.spareTime
            finished = run(job, on: worker)
            guard !worker.priority.isLow else {
                return replace(after: finished, worker) { [self] in runSpare($0) }
            }
        }
    }

    /// Leaves a job to the regular threads.
    private func leave(_ job: RenderJob) {
        var job = job
        job.isLong = true
        if queue.pushBegun(job) != .taken { job.refuse() }
    }

    /// Runs a job and the work that follows it.
    ///
    /// - Returns: The job unless the queue knows of its end.
    private func run(_ job: RenderJob, on worker: RenderWorker) -> FinishedJob? {
        let start = nanoseconds(of: CLOCK_THREAD_CPUTIME_ID)
        job.run(worker)
        let duration = nanoseconds(of: CLOCK_THREAD_CPUTIME_ID) - start
        let finished = FinishedJob(
            client: job.client, nanoseconds: duration, isSpare: worker.yieldTime != nil)
        guard worker.isToRenew else { return finished }
        // To renew takes long. Meanwhile other threads may do the client's next job.
        queue.finish(finished)
        worker.renew()
        return nil
    }

    /// Starts another thread with the worker of this thread, which ends.
    private func replace(
        after job: FinishedJob?, _ worker: RenderWorker,
        _ body: @escaping @Sendable (RenderWorker) -> Void
    ) {
        queue.finish(job)
        worker.priority.reset()
        nonisolated(unsafe) let worker = worker
        running.enter()
        starter.start { [self] in
            defer { running.leave() }
            body(worker)
        }
    }
}

/// Starts threads of the usual priority.
///
/// A thread inherits the priority of the thread that starts it. So a thread of low priority asks a
/// thread that does nothing else.
package final class ThreadStarter: Sendable {
    private struct State: Sendable {
        var bodies: [@Sendable () -> Void] = []
        var isClosed = false
    }

    private let state = Mutex(State())
    private let arrival = DispatchSemaphore(value: 0)

    /// - Throws: The reason why no thread can be started.
    init() throws(LibraryFault) {
        try Self.startThread { [self] in serve() }
    }

    /// Runs a body on a new thread; where the system has no thread for it, a little later.
    func start(_ body: @escaping @Sendable () -> Void) {
        state.withLock { $0.bodies.append(body) }
        arrival.signal()
    }

    /// Ends the thread that starts others.
    func close() {
        state.withLock { $0.isClosed = true }
        arrival.signal()
    }

    private func serve() {
        while true {
            arrival.wait()
            let (body, isClosed) = state.withLock { state in
                (state.bodies.isEmpty ? nil : state.bodies.removeFirst(), state.isClosed)
            }
            guard let body else {
                if isClosed { return }
                continue
            }
            while (try? Self.startThread(body)) == nil { usleep(100_000) }
        }
    }

    /// Starts a thread of the priority of this one.
    ///
    /// - Throws: The reason why it cannot be started.
    package static func startThread(
        _ body: @escaping @Sendable () -> Void
    ) throws(LibraryFault) {
        let context = Unmanaged.passRetained(ThreadBody(body))
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
        let status = pthread_create(
            &thread, attributes,
            { pointer in
                guard let pointer else { return nil }
                Unmanaged<ThreadBody>.fromOpaque(pointer).takeRetainedValue().run()
                return nil
            }, context.toOpaque())
        guard status != 0 else { return }
        context.release()
        throw .thread(String(cString: strerror(status)))
    }
}

/// The work of a thread.
private final class ThreadBody: Sendable {
    let run: @Sendable () -> Void

    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
}
