import DequeModule
import Glibc

/// A first-in, first-out queue between event loops and render threads, bounded for new work.
///
/// `@unchecked Sendable`: every access to the variables holds `mutex`.
final class JobQueue: @unchecked Sendable {
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let arrival = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private let capacity: Int
    private var new = Deque<RenderPool.Job>()
    private var begun = Deque<RenderPool.Job>()
    private var servesBegun = false
    private var isClosed = false

    /// - Parameter capacity: New jobs that may wait.
    init(capacity: Int) {
        self.capacity = max(capacity, 1)
        pthread_mutex_init(mutex, nil)
        var attributes = pthread_condattr_t()
        pthread_condattr_init(&attributes)
        defer { pthread_condattr_destroy(&attributes) }
        pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        pthread_cond_init(arrival, &attributes)
    }

    deinit {
        pthread_cond_destroy(arrival)
        pthread_mutex_destroy(mutex)
        arrival.deallocate()
        mutex.deallocate()
    }

    /// The number of new jobs that wait.
    var count: Int { locked { new.count } }

    /// - Returns: False when the queue is full or closed; the job is dropped then.
    func push(_ job: @escaping RenderPool.Job) -> Bool {
        offer {
            guard new.count < capacity else { return false }
            new.append(job)
            return true
        }
    }

    /// Takes the next part of work that has begun, of which every client has one at most.
    ///
    /// - Returns: False when the queue is closed; the job is dropped then.
    func pushBegun(_ job: @escaping RenderPool.Job) -> Bool {
        offer {
            begun.append(job)
            return true
        }
    }

    /// Appends a job if there is room, and wakes a thread for it when the queue is open again.
    private func offer(_ append: () -> Bool) -> Bool {
        let isTaken = locked { !isClosed && append() }
        if isTaken { pthread_cond_signal(arrival) }
        return isTaken
    }

    /// Waits for the next job, new and begun ones in turn.
    ///
    /// - Parameters:
    ///   - patience: Seconds after which a wait is a long one.
    ///   - rest: Done once in a long wait, while others have the queue.
    /// - Returns: Nil when the queue is closed and empty.
    func pop(patience: Int, rest: () -> Void) -> RenderPool.Job? {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        if isIdle, waitsLong(patience) {
            pthread_mutex_unlock(mutex)
            rest()
            pthread_mutex_lock(mutex)
        }
        while isIdle { pthread_cond_wait(arrival, mutex) }
        servesBegun.toggle()
        return servesBegun
            ? begun.popFirst() ?? new.popFirst() : new.popFirst() ?? begun.popFirst()
    }

    private var isIdle: Bool { new.isEmpty && begun.isEmpty && !isClosed }

    /// Waits for something to do; true when nothing has come after so many seconds.
    private func waitsLong(_ seconds: Int) -> Bool {
        var end = timespec()
        clock_gettime(CLOCK_MONOTONIC, &end)
        end.tv_sec += seconds
        while isIdle {
            guard pthread_cond_timedwait(arrival, mutex, &end) == 0 else { return isIdle }
        }
        return false
    }

    func close() {
        locked {
            isClosed = true
            pthread_cond_broadcast(arrival)
        }
    }

    private func locked<Result>(_ body: () -> Result) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return body()
    }
}
