import Glibc
import Synchronization
package import Typesetting

/// Long-lived threads that render, and the bounded queue before them.
///
/// Never the global queue: blocked workers there are replaced at about one a second.
package final class RenderPool: Sendable {
    package typealias Job = @Sendable (RenderWorker) -> Void

    private let queue: JobQueue
    private let threads: Mutex<[pthread_t]>

    /// - Parameters:
    ///   - workers: Threads, at least one.
    ///   - queueLength: Jobs that may wait.
    ///   - catalog: The fonts that are installed.
    package init(workers: Int, queueLength: Int, catalog: FontCatalog) {
        queue = JobQueue(capacity: queueLength)
        threads = Mutex([])
        for _ in 0..<max(workers, 1) { startThread(catalog) }
    }

    /// Hands a job to the next free worker.
    ///
    /// - Returns: False when the queue is full or the pool has stopped; the job is dropped then.
    package func submit(_ job: @escaping Job) -> Bool {
        queue.push(job)
    }

    /// Lets the jobs that wait finish, then ends the threads and waits for them.
    package func stop() {
        queue.close()
        let threads = threads.withLock { threads in
            defer { threads = [] }
            return threads
        }
        for thread in threads { pthread_join(thread, nil) }
    }

    private func startThread(_ catalog: FontCatalog) {
        let start = Unmanaged.passRetained(ThreadStart(queue: queue, catalog: catalog))
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
            }, start.toOpaque())
        guard status == 0 else {
            start.release()
            return
        }
        threads.withLock { $0.append(thread) }
    }
}

/// What a render thread is given.
private final class ThreadStart: Sendable {
    private let queue: JobQueue
    private let catalog: FontCatalog

    init(queue: JobQueue, catalog: FontCatalog) {
        self.queue = queue
        self.catalog = catalog
    }

    func run() {
        guard let worker = try? RenderWorker(catalog: catalog) else {
            preconditionFailure("Pango cannot make a font map")
        }
        while let job = queue.pop() { job(worker) }
    }
}

/// A bounded first-in, first-out queue between event loops and render threads.
///
/// `@unchecked Sendable`: every access to `jobs` and `isClosed` holds `mutex`.
private final class JobQueue: @unchecked Sendable {
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let arrival = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private let capacity: Int
    private var jobs: [RenderPool.Job?]
    private var first = 0
    private var count = 0
    private var isClosed = false

    init(capacity: Int) {
        self.capacity = max(capacity, 1)
        jobs = [RenderPool.Job?](repeating: nil, count: self.capacity)
        pthread_mutex_init(mutex, nil)
        pthread_cond_init(arrival, nil)
    }

    deinit {
        pthread_cond_destroy(arrival)
        pthread_mutex_destroy(mutex)
        arrival.deallocate()
        mutex.deallocate()
    }

    func push(_ job: @escaping RenderPool.Job) -> Bool {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        guard !isClosed, count < capacity else { return false }
        jobs[(first + count) % capacity] = job
        count += 1
        pthread_cond_signal(arrival)
        return true
    }

    /// The next job; nil when the queue is closed and empty.
    func pop() -> RenderPool.Job? {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while count == 0, !isClosed { pthread_cond_wait(arrival, mutex) }
        guard count > 0 else { return nil }
        defer {
            jobs[first] = nil
            first = (first + 1) % capacity
            count -= 1
        }
        return jobs[first]
    }

    func close() {
        pthread_mutex_lock(mutex)
        isClosed = true
        pthread_cond_broadcast(arrival)
        pthread_mutex_unlock(mutex)
    }
}
