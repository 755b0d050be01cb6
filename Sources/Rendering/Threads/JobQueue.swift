import Glibc

/// A queue between event loops and render threads, bounded for new work.
///
/// Clients without a running job go first, then clients that recently used less processor time;
/// among equals they take turns. While others wait, a client has at most a quarter of the places.
/// If it took more while no other client waited, its jobs leave the queue when their places are
/// needed.
///
/// While all other threads are busy, spare threads take jobs of clients that recently used little
/// processor time and have no running job, so that long jobs do not block other clients. All but
/// two of the spare threads are for the clients that used the least. Spare threads leave jobs that
/// turn out to be long to the other threads.
///
/// `@unchecked Sendable`: every access to the variables holds `mutex`.
final class JobQueue: @unchecked Sendable {
    /// The outcome of an attempt to append a job.
    enum Outcome: Equatable {
        case taken
        /// It is taken, and no thread is free for its client: a spare one may be started.
        case takenWithoutThread
        /// There is no place; the job is dropped.
        case full
        /// The client has its share of the places, and others wait; the job is dropped.
        case overShare
        /// The queue is closed; the job is dropped.
        case closed
    }

    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let arrival = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private let spareArrival = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private let capacity: Int
    /// The nanoseconds of recent processor time in one unit of a client's cost.
    private static let costUnit: Int64 = 50_000_000
    /// Spare threads take jobs of a lower cost than the first; while as many as `openSpareThreads`
    /// are busy, of a lower one than the second.
    private static let spareCosts: (usual: Int64, least: Int64) = (2, 1)
    private static let openSpareThreads = 2
    private var new = FairQueue<RenderJob>()
    private var begun = FairQueue<RenderJob>()
    /// The number of threads that work for each client.
    private var running: [ClientID: Int] = [:]
    private var usage = ClientUsage()
    /// Threads that wait for a job, without spare ones.
    private var idleThreads = 0
    private var idleSpareThreads = 0
    private var busySpareThreads = 0
    private var servesBegun = false
    private var waitHistogram = Histogram()
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
        pthread_cond_init(spareArrival, &attributes)
    }

    deinit {
        pthread_cond_destroy(spareArrival)
        pthread_cond_destroy(arrival)
        pthread_mutex_destroy(mutex)
        spareArrival.deallocate()
        arrival.deallocate()
        mutex.deallocate()
    }

    /// The number of new jobs that wait.
    var count: Int { locked { new.count } }

    /// The times for which new jobs have waited that a thread took.
    var waits: Histogram { locked { waitHistogram } }

    /// Appends a job if there is a place for its client.
    func push(_ job: RenderJob) -> Outcome {
        offer(job) { displaced in
            var job = job
            job.arrival = nanoseconds(of: CLOCK_MONOTONIC)
            return switch new.admit(job, capacity: capacity, displaced: &displaced) {
            case .taken: .taken
            case .full: .full
            case .overShare: .overShare
            }
        }
    }

    /// Appends the next part of work that has begun, or a job that was left; each reader, and each
    /// client that waits for a rendering, has at most one.
    func pushBegun(_ job: RenderJob) -> Outcome {
        offer(job) { _ in
            begun.append(job)
            return .taken
        }
    }

    /// Appends a job unless the queue is closed, and then wakes a thread outside of the lock.
    private func offer(
        _ job: RenderJob, _ append: (_ displaced: inout [RenderJob]) -> Outcome
    ) -> Outcome {
        var displaced: [RenderJob] = []
        var waker: UnsafeMutablePointer<pthread_cond_t>?
        let outcome: Outcome = locked {
            guard !isClosed else { return .closed }
            usage.halve(now: nanoseconds(of: CLOCK_MONOTONIC))
            let outcome = append(&displaced)
            guard outcome == .taken else { return outcome }
            waker = arrival
            guard new.count + begun.count > idleThreads, spareCost(of: job) != nil else {
                return .taken
            }
            guard idleSpareThreads > 0 else { return .takenWithoutThread }
            waker = spareArrival
            return .taken
        }
        if let waker { pthread_cond_signal(waker) }
        for job in displaced { job.refuse() }
        return outcome
    }

    /// Waits for the next job, new and begun ones in turn.
    ///
    /// A thread that has just finished sleeps at once: spinning for 20 to 150 µs first costs more CPU
    /// at any number of connections and makes no response faster.
    ///
    /// - Parameters:
    ///   - finished: The thread's last job.
    ///   - patience: The seconds after which a wait counts as long.
    ///   - rest: Called once in a long wait, without the lock.
    /// - Returns: Nil when the queue is closed and empty.
    func pop(after finished: FinishedJob?, patience: Int, rest: () -> Void) -> RenderJob? {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        noteEnd(of: finished)
        idleThreads += 1
        defer {
            idleThreads -= 1
            wakeSpareThread()
        }
        wait(for: arrival, until: { !new.isEmpty || !begun.isEmpty || isClosed }, patience) {
            idleThreads -= 1
            unlocked(rest)
            idleThreads += 1
        }
        return next { job in running[job.client] == nil ? cost(of: job) : nil }
            ?? next(by: cost)
    }

    /// Waits for a job that a spare thread may take.
    ///
    /// - Parameters:
    ///   - finished: The thread's last job.
    ///   - patience: The seconds after which a wait counts as long.
    ///   - rest: Called once in a long wait, without the lock.
    ///   - prepare: Called without the lock once there is a job; other threads may take it meanwhile.
    /// - Returns: Nil when the queue is closed.
    func popSpare(
        after finished: FinishedJob?, patience: Int, rest: () -> Void, prepare: () -> Void
    ) -> RenderJob? {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        noteEnd(of: finished)
        defer { wakeSpareThread() }
        while true {
            idleSpareThreads += 1
            wait(for: spareArrival, until: { hasSpareJob || isClosed }, patience) {
                idleSpareThreads -= 1
                unlocked(rest)
                idleSpareThreads += 1
            }
            idleSpareThreads -= 1
            guard hasSpareJob else { return nil }
            unlocked(prepare)
            if let job = next(by: spareCost) {
                busySpareThreads += 1
                return job
            }
        }
    }

    /// Notes the end of a job whose thread does not come back for another one at once.
    func finish(_ job: FinishedJob?) {
        locked {
            noteEnd(of: job)
            wakeSpareThread()
        }
    }

    /// Wakes a spare thread if there is work for it: a spare thread that looked while another
    /// thread was still on its way to a job has gone to sleep again.
    private func wakeSpareThread() {
        if idleSpareThreads > 0, hasSpareJob { pthread_cond_signal(spareArrival) }
    }

    private var hasSpareJob: Bool {
        guard idleThreads == 0 else { return false }
        let isFree = { job in self.spareCost(of: job) != nil }
        return new.contains(where: isFree) || begun.contains(where: isFree)
    }

    /// Returns the recent processor time of a job's client, in steps: clients that used about as
    /// much are equal, and take turns.
    private func cost(of job: RenderJob) -> Int64 { usage[job.client] / Self.costUnit }

    /// Returns the cost of a job if a further spare thread may take it.
    private func spareCost(of job: RenderJob) -> Int64? {
        guard running[job.client] == nil, !job.isLong else { return nil }
        let cost = cost(of: job)
        let isOpen = busySpareThreads < Self.openSpareThreads
        return cost < (isOpen ? Self.spareCosts.usual : Self.spareCosts.least) ? cost : nil
    }

    private func noteEnd(of job: FinishedJob?) {
        guard let job, let count = running[job.client] else { return }
        if job.isSpare { busySpareThreads -= 1 }
        running[job.client] = count > 1 ? count - 1 : nil
        usage.halve(now: nanoseconds(of: CLOCK_MONOTONIC))
        usage.charge(job.nanoseconds, to: job.client)
    }

    private func next(by cost: (RenderJob) -> Int64?) -> RenderJob? {
        let next =
            servesBegun
            ? new.popFirst(by: cost) ?? begun.popFirst(by: cost)
            : begun.popFirst(by: cost) ?? new.popFirst(by: cost)
        guard let job = next else { return nil }
        // Only by a job: a search that finds none would take the other kind's turn.
        servesBegun.toggle()
        running[job.client, default: 0] += 1
        if let arrival = job.arrival {
            waitHistogram.add(nanoseconds: nanoseconds(of: CLOCK_MONOTONIC) - arrival)
        }
        return job
    }

    /// Waits until a condition holds; calls `rest` once after `patience` seconds.
    private func wait(
        for arrival: UnsafeMutablePointer<pthread_cond_t>, until isReady: () -> Bool,
        _ patience: Int, _ rest: () -> Void
    ) {
        var end = timespec()
        clock_gettime(CLOCK_MONOTONIC, &end)
        end.tv_sec += patience
        var hasRested = false
        while !isReady() {
            if hasRested {
                pthread_cond_wait(arrival, mutex)
            } else if pthread_cond_timedwait(arrival, mutex, &end) != 0 {
                hasRested = true
                guard !isReady() else { return }
                rest()
            }
        }
    }

    func close() {
        locked {
            isClosed = true
            pthread_cond_broadcast(arrival)
            pthread_cond_broadcast(spareArrival)
        }
    }

    private func unlocked(_ body: () -> Void) {
        pthread_mutex_unlock(mutex)
        body()
        pthread_mutex_lock(mutex)
    }

    private func locked<Result>(_ body: () -> Result) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return body()
    }
}
