import CMalloc
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

    /// The number of jobs that wait.
    var waiting: Int { queue.count }

    /// Hands over the next part of work that has begun, which always has a place.
    ///
    /// - Returns: False when the pool has stopped; the job is dropped then.
    func resume(_ job: @escaping Job) -> Bool {
        queue.pushBegun(job)
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

    /// Seconds without work after which memory that is not in use goes back to the system.
    private static let patience = 5

    func run() {
        guard let worker = try? RenderWorker(catalog: catalog) else {
            preconditionFailure("Pango cannot make a font map")
        }
        while let job = queue.pop(patience: Self.patience, rest: { malloc_trim(0) }) {
            job(worker)
        }
    }
}
