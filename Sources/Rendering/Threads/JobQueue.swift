import Glibc

/// A first-in, first-out queue between event loops and render threads, bounded for new work.
///
/// `@unchecked Sendable`: every access to the variables holds `mutex`.
final class JobQueue: @unchecked Sendable {
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let arrival = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private let capacity: Int
    private var new = FirstInFirstOut()
    private var begun = FirstInFirstOut()
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

    /// Appends the next part of work that has begun; each client has at most one.
    ///
    /// - Returns: False when the queue is closed; the job is dropped then.
    func pushBegun(_ job: @escaping RenderPool.Job) -> Bool {
        offer {
            begun.append(job)
            return true
        }
    }

    /// Appends a job unless the queue is full or closed, and then wakes a thread outside of the lock.
    private func offer(_ append: () -> Bool) -> Bool {
        let isTaken = locked { !isClosed && append() }
        if isTaken { pthread_cond_signal(arrival) }
        return isTaken
    }

    /// Waits for the next job, new and begun ones in turn.
    ///
    /// A thread that has just finished sleeps at once: spinning for 20 to 150 µs first costs more CPU
    /// at any number of connections and makes no response faster.
    ///
    /// - Parameters:
    ///   - patience: The seconds after which a wait counts as long.
    ///   - rest: Called once in a long wait, without the lock.
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

    /// Waits for a job; returns true if none has come after so many seconds.
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

/// Jobs in the order in which they came; every operation is O(1), but for a move now and then.
///
/// Written by hand: `Deque` of swift-collections is as fast, and makes the program 300 KB larger, of
/// which every process has a part in memory.
private struct FirstInFirstOut {
    private var jobs: [RenderPool.Job?] = []
    private var first = 0

    var count: Int { jobs.count - first }
    var isEmpty: Bool { first == jobs.count }

    mutating func append(_ job: @escaping RenderPool.Job) {
        if first > 64, 2 * first > jobs.count {
            jobs.removeFirst(first)
            first = 0
        }
        jobs.append(job)
    }

    mutating func popFirst() -> RenderPool.Job? {
        guard !isEmpty else { return nil }
        defer {
            jobs[first] = nil
            first += 1
        }
        return jobs[first]
    }
}
