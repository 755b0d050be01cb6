import Dispatch
import HTTP
import Synchronization

/// Threads that read and check large requests, so that event loops only move bytes.
///
/// What a loop reads itself takes well under two milliseconds. The threads are others than those that
/// render, which may be busy for seconds while somebody waits for a 400. The queue before them is
/// bounded.
final class RequestReaders: Sendable {
    /// The bytes of a request, or of what a permalink inflates to, that a loop still reads itself.
    static let smallBytes = 2048
    /// Each is a thread: serial queues do not share those of the global queue.
    private let queues: [DispatchQueue]
    private let capacity: Int
    /// The requests that wait or are being read, by queue.
    private let counts: Mutex<[Int]>

    /// - Parameters:
    ///   - threads: Threads, at least one.
    ///   - capacity: Requests that may wait for each.
    init(threads: Int = 2, capacity: Int = 128) {
        queues = (0..<max(threads, 1)).map { DispatchQueue(label: "request-reader-\($0)") }
        counts = Mutex([Int](repeating: 0, count: queues.count))
        self.capacity = capacity
    }

    /// Returns true for a request that takes longer to read than a loop may.
    static func isLarge(_ request: HTTP.Request) -> Bool {
        request.target.utf8.count + request.fields.byteCount + request.body.count > smallBytes
    }

    /// Does the work of a request on another thread, unless its client has gone by then; refuses the
    /// request when too much waits.
    func submit(for context: RequestContext, _ work: @escaping @Sendable () -> Void) {
        let isTaken = submit {
            if !context.isAbandoned { work() }
        }
        if !isTaken { context.fail(.busyReading) }
    }

    /// Runs work on the thread that has the least to do.
    ///
    /// - Returns: False when too much waits; the work is dropped then.
    func submit(_ work: @escaping @Sendable () -> Void) -> Bool {
        let chosen: Int? = counts.withLock { counts in
            guard let least = counts.min(), least < capacity,
                let index = counts.firstIndex(of: least)
            else { return nil }
            counts[index] += 1
            return index
        }
        guard let chosen else { return false }
        queues[chosen].async { [self] in
            work()
            counts.withLock { $0[chosen] -= 1 }
        }
        return true
    }
}
