import Dispatch
import Glibc
import Synchronization

/// Threads that several clients share, with a bounded queue before them.
///
/// While others wait, a client has at most a quarter of the places, and it never has all threads. Clients
/// that recently used less processor time go first; among equals they take turns.
package final class SharedThreads: Sendable {
    /// A piece of work, and the client for whom it is done.
    package struct Job: ClientJob {
        let client: ClientID
        let isNeeded: @Sendable () -> Bool
        let refuse: @Sendable () -> Void
        let run: @Sendable () -> Void

        /// - Parameters:
        ///   - client: The client.
        ///   - isNeeded: True while somebody waits for it; called under the queue's lock.
        ///   - refuse: Called in place of `run` if the queue has no place for it.
        ///   - run: Called on one of the threads.
        package init(
            for client: ClientID, isNeeded: @escaping @Sendable () -> Bool = { true },
            refuse: @escaping @Sendable () -> Void, run: @escaping @Sendable () -> Void
        ) {
            (self.client, self.isNeeded, self.refuse, self.run) = (client, isNeeded, refuse, run)
        }
    }

    /// The shares of clients in the threads.
    private struct Shares {
        /// The threads that one client may have.
        var most = 1
        /// The number of threads that work for each client.
        var running: [ClientID: Int] = [:]
        var usage = ClientUsage()

        /// The nanoseconds of recent processor time in one unit of a client's cost.
        private static let costUnit: Int64 = 10_000_000

        /// Returns the recent processor time of a job's client, in steps: clients that used about as
        /// much take turns. Returns nil if the client has its share of the threads.
        func cost(of job: Job) -> Int64? {
            running[job.client, default: 0] < most ? usage[job.client] / Self.costUnit : nil
        }

        mutating func begin(_ job: Job) {
            running[job.client, default: 0] += 1
        }

        mutating func end(_ job: Job, nanoseconds: Int64) {
            let others = running[job.client, default: 1] - 1
            running[job.client] = others > 0 ? others : nil
            usage.charge(nanoseconds, to: job.client)
        }
    }

    private struct State {
        var queue = FairQueue<Job>()
        /// A job that goes before all others, whatever its client's share.
        var visit: Job?
        var shares = Shares()
        /// The threads without work.
        var idle: [Int]

        /// Removes the next job that a thread may take.
        mutating func next() -> Job? {
            // Taken out, because the queue changes while they are read.
            var shares = Shares()
            swap(&shares, &self.shares)
            defer { swap(&shares, &self.shares) }
            guard let job = visit.take() ?? queue.popFirst(by: { shares.cost(of: $0) }) else {
                return nil
            }
            shares.begin(job)
            return job
        }
    }

    /// Each queue is a thread: serial queues do not share the threads of the global queue.
    private let threads: [DispatchQueue]
    private let capacity: Int
    private let state: Mutex<State>

    /// - Parameters:
    ///   - name: The name of the threads.
    ///   - threads: Threads, at least two; a client has at most all but one.
    ///   - capacity: Jobs that may wait.
    package init(_ name: String, threads: Int, capacity: Int) {
        self.threads = (0..<max(threads, 2)).map { DispatchQueue(label: "\(name)-\($0)") }
        self.capacity = capacity
        var state = State(idle: Array(self.threads.indices))
        state.shares.most = self.threads.count - 1
        self.state = Mutex(state)
    }

    /// Runs a job on another thread, or refuses it, or refuses a job whose place it takes.
    package func submit(_ job: Job) {
        var displaced: [Job] = []
        let (admission, thread): (Admission, Int?) = state.withLock { state in
            state.shares.usage.halve(now: nanoseconds(of: CLOCK_MONOTONIC))
            let admission = state.queue.admit(job, capacity: capacity, displaced: &displaced)
            let canBegin = admission == .taken && state.shares.cost(of: job) != nil
            return (admission, canBegin ? state.idle.popLast() : nil)
        }
        if let thread { threads[thread].async { [self] in work(on: thread) } }
        if admission != .taken { displaced.append(job) }
        for job in displaced { job.refuse() }
    }

    /// Calls a function on the first thread that is free, before all jobs that wait; in place of an
    /// earlier one that still waits.
    package func visit(_ visitor: @escaping @Sendable () -> Void) {
        let thread = state.withLock { state in
            state.visit = Job(for: .anonymous, refuse: {}, run: visitor)
            return state.idle.popLast()
        }
        if let thread { threads[thread].async { [self] in work(on: thread) } }
    }

    /// Runs jobs until there is none that this thread may take.
    private func work(on thread: Int) {
        var last: (job: Job, nanoseconds: Int64)?
        while let job = next(on: thread, after: last) {
            let start = nanoseconds(of: CLOCK_THREAD_CPUTIME_ID)
            if job.isNeeded() { job.run() }
            last = (job, nanoseconds(of: CLOCK_THREAD_CPUTIME_ID) - start)
        }
    }

    /// Returns the next job; nil if there is none, and the thread is idle from now on.
    private func next(on thread: Int, after last: (job: Job, nanoseconds: Int64)?) -> Job? {
        state.withLock { state in
            if let last { state.shares.end(last.job, nanoseconds: last.nanoseconds) }
            let job = state.next()
            if job == nil { state.idle.append(thread) }
            return job
        }
    }
}
