import CMalloc
import Dispatch
import Glibc
import Motion
import Synchronization

/// Long-lived threads that render, and the bounded queue before them.
///
/// Never the global queue: blocked workers there are replaced at about one a second.
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
        let start = ThreadStart(queue, makeWorker, rest)
        var started = 0
        while started < max(workers, 1), startThread(start) { started += 1 }
        for _ in 0..<started { start.ready.wait() }
        guard let fault = start.fault else { return }
        stop()
        throw fault
    }

    /// Hands a job to the next free worker.
    ///
    /// - Returns: False when the queue is full or the pool has stopped; the job is dropped then.
    func submit(_ job: @escaping Job) -> Bool {
        queue.push(job)
    }

    /// The number of jobs that wait.
    var waiting: Int { queue.count }

    /// Hands over the next part of work that has begun, which the queue always has room for.
    ///
    /// - Returns: False when the pool has stopped; the job is dropped then.
    func resume(_ job: @escaping Job) -> Bool {
        queue.pushBegun(job)
    }

    /// Lets the jobs that wait finish, then ends the threads and waits for them.
    func stop() {
        queue.close()
        let threads = threads.withLock { threads in
            defer { threads = [] }
            return threads
        }
        for thread in threads { pthread_join(thread, nil) }
    }

    /// - Returns: True if the thread was started; if not, `start` knows why.
    private func startThread(_ start: ThreadStart) -> Bool {
        let context = Unmanaged.passRetained(start)
        let attributes = UnsafeMutablePointer<pthread_attr_t>.allocate(capacity: 1)
        pthread_attr_init(attributes)
        defer {
            pthread_attr_destroy(attributes)
            attributes.deallocate()
        }
        // Pango and fontconfig are at home in a main thread's stack.
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

/// The means that render threads are given, and the reason why they could not begin.
private final class ThreadStart: Sendable {
    /// Signalled by each thread when it can render, or cannot.
    let ready = DispatchSemaphore(value: 0)
    private let queue: JobQueue
    private let makeWorker: @Sendable () throws(LibraryFault) -> RenderWorker
    private let rest: @Sendable () -> Void
    private let firstFault = Mutex<LibraryFault?>(nil)

    init(
        _ queue: JobQueue,
        _ makeWorker: @escaping @Sendable () throws(LibraryFault) -> RenderWorker,
        _ rest: @escaping @Sendable () -> Void
    ) {
        self.queue = queue
        self.makeWorker = makeWorker
        self.rest = rest
    }

    var fault: LibraryFault? { firstFault.withLock { $0 } }

    func note(_ fault: LibraryFault) {
        firstFault.withLock { $0 = $0 ?? fault }
    }

    /// Seconds without work after which memory that is not in use goes back to the system.
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
