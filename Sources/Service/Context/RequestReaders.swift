import HTTP
import Rendering

/// Threads that read and check requests, so that event loops only move bytes.
///
/// Render threads do not read requests: they may be busy for seconds while a client waits for a
/// 400.
final class RequestReaders: Sendable {
    private let threads: SharedThreads
    private let trustedProxies: AddressRanges

    /// - Parameters:
    ///   - threads: The number of threads.
    ///   - capacity: Requests that may wait.
    ///   - trustedProxies: The proxies whose `X-Forwarded-For` identifies the client.
    init(threads: Int = 3, capacity: Int = 256, trusting trustedProxies: AddressRanges) {
        self.threads = SharedThreads("titlecard.reader", threads: threads, capacity: capacity)
        self.trustedProxies = trustedProxies
    }

    /// Returns the client that sent a request.
    func client(of request: HTTP.Request) -> ClientID {
        ClientAddress.of(request, trusting: trustedProxies)?.clientID ?? .anonymous
    }

    /// Does the work of a request on another thread, unless its client has gone by then; refuses the
    /// request when too much waits.
    func submit(for context: RequestContext, _ work: @escaping @Sendable () -> Void) {
        submit(
            SharedThreads.Job(
                for: client(of: context.request), isNeeded: { !context.isAbandoned },
                refuse: { context.fail(.busyReading) }, run: work))
    }

    /// Calls a function as soon as a thread is free, before all requests that wait.
    func visit(_ visitor: @escaping @Sendable () -> Void) { threads.visit(visitor) }

    /// Runs a job on another thread, or refuses it.
    func submit(_ job: SharedThreads.Job) {
        threads.submit(job)
    }
}
