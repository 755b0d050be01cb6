import Dispatch
import Glibc
import HTTP
import Rendering
import Synchronization

/// Threads that read and check requests, so that event loops only move bytes.
///
/// The threads are others than those that render, which may be busy for seconds while somebody waits
/// for a 400. The queue before them is bounded and shared: while others wait, a client has at most a
/// quarter of the places, and it never has all threads. Clients that recently used less processor time
/// go first; among equals they take turns.
final class RequestReaders: Sendable {
    /// A piece of work, and the client for whom it is done.
    struct Job: ClientJob {
        let client: ClientID
        var isNeeded: @Sendable () -> Bool = { true }
        /// Called in place of `run` if the queue has no place for it.
        let refuse: @Sendable () -> Void
        /// Called on a reader's thread.
        let run: @Sendable () -> Void
    }

    /// What clients have of the threads.
    private struct Shares {
        /// The threads that one client may have.
        let most: Int
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
        var shares: Shares
        /// The threads without work.
        var idle: [Int]
    }

    /// Each is a thread: serial queues do not share those of the global queue.
    private let threads: [DispatchQueue]
    private let capacity: Int
    private let trustedProxies: AddressRanges
    private let state: Mutex<State>

    /// - Parameters:
    ///   - threads: Threads, at least two; a client has at most all but one.
    ///   - capacity: Requests that may wait.
    ///   - trustedProxies: The proxies that say who the client is.
    init(threads: Int = 3, capacity: Int = 256, trusting trustedProxies: AddressRanges) {
        self.threads = (0..<max(threads, 2)).map {
            DispatchQueue(label: "titlecard.reader-\($0)")
        }
        self.capacity = capacity
        self.trustedProxies = trustedProxies
        state = Mutex(
            State(
                shares: Shares(most: self.threads.count - 1), idle: Array(self.threads.indices)))
    }

    /// Returns the client that sent a request.
    func client(of request: HTTP.Request) -> ClientID {
        ClientAddress.of(request, trusting: trustedProxies)?.clientID ?? .anonymous
    }

    /// Does the work of a request on another thread, unless its client has gone by then; refuses the
    /// request when too much waits.
    func submit(for context: RequestContext, _ work: @escaping @Sendable () -> Void) {
        submit(
            Job(
                client: client(of: context.request), isNeeded: { !context.isAbandoned },
                refuse: { context.fail(.busyReading) }, run: work))
    }

    /// Runs a job on another thread, or refuses it, or one that it takes the place of.
    func submit(_ job: Job) {
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
            let shares = state.shares
            let job = state.queue.popFirst(by: shares.cost)
            if let job { state.shares.begin(job) } else { state.idle.append(thread) }
            return job
        }
    }
}
