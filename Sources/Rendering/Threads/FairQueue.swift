/// A job for a render thread, and the client for whom it is done.
struct RenderJob: Sendable {
    let client: ClientID
    /// True while somebody waits for it; called under the queue's lock.
    let isNeeded: @Sendable () -> Bool
    /// Called on a render thread.
    let run: @Sendable (RenderWorker) -> Void
    /// Called in place of `run` if the job has to leave the queue.
    let refuse: @Sendable () -> Void

    init(
        for client: ClientID, isNeeded: @escaping @Sendable () -> Bool = { true },
        refuse: @escaping @Sendable () -> Void = {}, run: @escaping @Sendable (RenderWorker) -> Void
    ) {
        (self.client, self.isNeeded, self.refuse, self.run) = (client, isNeeded, refuse, run)
    }
}

/// Jobs of several clients, who have turns; the jobs of one client keep their order.
///
/// Every operation is O(1) but for those that say otherwise.
struct FairQueue {
    private var lines: [ClientID: FirstInFirstOut<RenderJob>] = [:]
    /// The clients with jobs, each once, in the order of their turns.
    private var turns = FirstInFirstOut<ClientID>()
    private(set) var count = 0

    var isEmpty: Bool { count == 0 }

    /// The number of clients with jobs.
    var clientCount: Int { lines.count }

    /// True if a client with jobs fits; O(n) in the number of those that do not.
    func contains(where fits: (ClientID) -> Bool) -> Bool { turns.elements.contains(where: fits) }

    func count(of client: ClientID) -> Int { lines[client]?.count ?? 0 }

    mutating func append(_ job: RenderJob) {
        count += 1
        if lines[job.client]?.append(job) == nil {
            var line = FirstInFirstOut<RenderJob>()
            line.append(job)
            lines[job.client] = line
            turns.append(job.client)
        }
    }

    /// Removes the next job: that of the first client in turn that fits.
    ///
    /// O(n) in the number of clients that do not fit.
    mutating func popFirst(where fits: (ClientID) -> Bool = { _ in true }) -> RenderJob? {
        guard let client = turns.removeFirst(where: fits), let job = lines[client]?.popFirst()
        else { return nil }
        count -= 1
        if lines[client]?.isEmpty == true {
            lines[client] = nil
        } else {
            turns.append(client)
        }
        return job
    }

    /// Removes the newest job of the client with the most, if these are more than a number.
    ///
    /// O(n) in the number of clients.
    mutating func popNewest(ofClientWithMoreThan share: Int) -> RenderJob? {
        guard let (client, line) = lines.max(by: { $0.value.count < $1.value.count }),
            line.count > share, line.count > 1
        else { return nil }
        count -= 1
        return lines[client]?.popLast()
    }

    /// Removes the jobs that nobody waits for; O(n).
    mutating func removeUnneeded() {
        for (client, line) in lines {
            var rest = FirstInFirstOut<RenderJob>()
            for job in line.elements where job.isNeeded() { rest.append(job) }
            guard rest.count < line.count else { continue }
            count -= line.count - rest.count
            lines[client] = rest.isEmpty ? nil : rest
            if rest.isEmpty { _ = turns.removeFirst { $0 == client } }
        }
    }
}

/// Values in the order in which they came; every operation is O(1), but for a move now and then.
///
/// Written by hand: `Deque` of swift-collections is as fast, and makes the program 300 KB larger, of
/// which every process has a part in memory.
struct FirstInFirstOut<Element: Sendable>: Sendable {
    private var slots: [Element?] = []
    private var first = 0

    var count: Int { slots.count - first }
    var isEmpty: Bool { first == slots.count }
    var elements: some Sequence<Element> { slots[first...].lazy.compactMap { $0 } }

    mutating func append(_ element: Element) {
        if first > 64, 2 * first > slots.count {
            slots.removeFirst(first)
            first = 0
        }
        slots.append(element)
    }

    mutating func popFirst() -> Element? {
        guard !isEmpty else { return nil }
        defer { dropFirst() }
        return slots[first]
    }

    mutating func popLast() -> Element? { isEmpty ? nil : slots.removeLast() }

    /// Removes the first value that fits; O(n) in the number of those before it.
    mutating func removeFirst(where fits: (Element) -> Bool) -> Element? {
        guard let index = slots[first...].firstIndex(where: { $0.map(fits) == true }) else {
            return nil
        }
        let found = slots[index]
        for place in stride(from: index, to: first, by: -1) { slots[place] = slots[place - 1] }
        dropFirst()
        return found
    }

    private mutating func dropFirst() {
        slots[first] = nil
        first += 1
    }
}
