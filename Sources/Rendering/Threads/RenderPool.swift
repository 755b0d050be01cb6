import CMalloc
import Dispatch
import Glibc
import Motion
import Synchronization

/// Long-lived threads that render, and the bounded queue before them.
///
/// They are not of the global dispatch queue, which replaces blocked workers at about one a second.
final class RenderPool: Sendable {
    typealias Job = @Sendable (RenderWorker) -> Void

    private let queue: JobQueue
    private let threads: Mutex<[pthread_t]>

    /// Starts the threads and waits until all of them can render.
    ///
    /// - Parameters:
    ///   - workers: Threads, at least one.
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
        threads = Mutex([])
        let start = ThreadStart(queue: queue, makeWorker: makeWorker, rest: rest)
        var started = 0
        while started < max(workers, 1), startThread(start) { started += 1 }
        for _ in 0..<started { start.ready.wait() }
        guard let fault = start.fault else { return }
        stop()
        throw fault
    }

    /// Queues a job for the next free worker.
    ///
    /// - Returns: False when the queue is full or the pool has stopped; the job is dropped then.
    func submit(_ job: @escaping Job) -> Bool {
        queue.push(job)
    }

    /// The number of jobs that wait.
    var waiting: Int { queue.count }

    /// Queues the next part of work that has begun, which the limit of the queue does not concern.
    ///
    /// - Returns: False when the pool has stopped; the job is dropped then.
    func resume(_ job: @escaping Job) -> Bool {
        queue.pushBegun(job)
    }

    /// Finishes the queued jobs, then ends the threads and waits for them.
    func stop() {
        queue.close()
        let threads = threads.withLock { threads in
            defer { threads = [] }
            return threads
        }
        for thread in threads { pthread_join(thread, nil) }
    }

    /// - Returns: True if the thread was started; otherwise `start` has the fault.
    private func startThread(_ start: ThreadStart) -> Bool {
        let context = Unmanaged.passRetained(start)
        let attributes = UnsafeMutablePointer<pthread_attr_t>.allocate(capacity: 1)
        pthread_attr_init(attributes)
        defer {
            pthread_attr_destroy(attributes)
            attributes.deallocate()
        }
        // Pango and fontconfig are written for the stack of a main thread.
        pthread_attr_setstacksize(attributes, 8 << 20)
        var thread = pthread_t()
        let status = pthread_create(
            &thread, attributes,
            { pointer in
                guard let pointer else { return nil }
                Unmanaged<ThreadStart>.fromOpaque(pointer).takeRetainedValue().run()
                return nil
            }, context.toOpaque())
        guard status == 0 else {
            context.release()
            start.note(.thread(String(cString: strerror(status))))
            return false
        }
        threads.withLock { $0.append(thread) }
        return true
    }
}

/// The arguments of render threads, and the reason why one could not start.
private final class ThreadStart: Sendable {
    /// Signalled by each thread once it has its worker, or has failed.
    let ready = DispatchSemaphore(value: 0)
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

    func run() {
        let worker: RenderWorker
        do {
            worker = try makeWorker()
        } catch {
            note(error)
            ready.signal()
            return
        }
        ready.signal()
        while let job = queue.pop(
            patience: Self.patience,
            rest: {
                rest()
                malloc_trim(0)
            })
        {
            job(worker)
        }
    }
}
