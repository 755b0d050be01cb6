/// A job for a render thread, and the client for whom it is done.
struct RenderJob: ClientJob {
    let client: ClientID
    /// True if it takes long, so that no spare thread takes it.
    var isLong: Bool
    /// True if it may be left unfinished, and another job begins it again.
    let canBeLeft: Bool
    /// The instant at which it was appended as a new job, in nanoseconds; nil of others.
    var arrival: Int64?
    /// True while somebody waits for it; called under the queue's lock.
    let isNeeded: @Sendable () -> Bool
    /// Called on a render thread.
    let run: @Sendable (RenderWorker) -> Void
    /// Called in place of `run` if the job has to leave the queue.
    let refuse: @Sendable () -> Void

    init(
        for client: ClientID, isLong: Bool = false, canBeLeft: Bool = false,
        isNeeded: @escaping @Sendable () -> Bool = { true },
        refuse: @escaping @Sendable () -> Void = {}, run: @escaping @Sendable (RenderWorker) -> Void
    ) {
        (self.client, self.isLong, self.canBeLeft) = (client, isLong, canBeLeft)
        (self.isNeeded, self.refuse, self.run) = (isNeeded, refuse, run)
    }
}

/// A job that has ended, and the time that it took of a processor.
struct FinishedJob: Sendable {
    let client: ClientID
    let nanoseconds: Int64
    /// True if a spare thread ran it.
    var isSpare = false
}

/// The recent processor time of clients: it counts half after each second.
struct ClientUsage: Sendable {
    private static let second: Int64 = 1_000_000_000
    /// Less than this is forgotten.
    private static let negligible: Int64 = 100_000
    private var nanoseconds: [ClientID: Int64] = [:]
    /// The instant at which all times were last halved.
    private var lastHalving: Int64 = 0

    init() {}

    /// Returns the nanoseconds that a client took.
    subscript(client: ClientID) -> Int64 { nanoseconds[client] ?? 0 }

    /// Halves all times for each second since it was last done; O(n) in the number of clients, once a
    /// second.
    mutating func halve(now: Int64) {
        let seconds = (now - lastHalving) / Self.second
        guard seconds > 0 else { return }
        lastHalving += seconds * Self.second
        nanoseconds = nanoseconds.compactMapValues { value in
            let rest = value >> min(seconds, 62)
            return rest < Self.negligible ? nil : rest
        }
    }

    /// Adds the nanoseconds of a job.
    mutating func charge(_ nanoseconds: Int64, to client: ClientID) {
        self.nanoseconds[client, default: 0] += nanoseconds
    }
}

/// A piece of work that waits for its turn, and the client for whom it is done.
protocol ClientJob: Sendable {
    var client: ClientID { get }
    /// True while somebody waits for it.
    var isNeeded: @Sendable () -> Bool { get }
}

/// The outcome of an attempt to append a job to a bounded queue.
enum Admission: Equatable, Sendable {
    case taken
    /// There is no place; the job is dropped.
    case full
    /// The client has its share of the places, and others wait; the job is dropped.
    case overShare
}

/// Jobs of several clients, which take turns; the jobs of one client keep their order.
///
/// Every operation is O(1) unless it says otherwise.
struct FairQueue<Job: ClientJob>: Sendable {
    private var lines: [ClientID: FirstInFirstOut<Job>] = [:]
    /// The clients with jobs, each once, in the order of their turns.
    private var turns = FirstInFirstOut<ClientID>()
    private(set) var count = 0

    init() {}

    var isEmpty: Bool { count == 0 }

    /// The number of clients with jobs.
    var clientCount: Int { lines.count }

    /// True if a client's next job fits; O(n) in the number of clients whose next job does not.
    func contains(where fits: (Job) -> Bool) -> Bool {
        turns.contains { client in lines[client]?.first.map(fits) == true }
    }

    func count(of client: ClientID) -> Int { lines[client]?.count ?? 0 }

    mutating func append(_ job: Job) {
        count += 1
        if lines[job.client]?.append(job) == nil {
            var line = FirstInFirstOut<Job>()
            line.append(job)
            lines[job.client] = line
            turns.append(job.client)
        }
    }

    /// Appends a job if its client has a place among a number of places.
    ///
    /// While others wait, a client has its share of the places. If it took more while no other
    /// client waited, its newest jobs leave when their places are needed. O(1), and O(n) where all
    /// places are taken.
    ///
    /// - Parameters:
    ///   - job: The job.
    ///   - capacity: The number of places.
    ///   - displaced: Gets the jobs that have to leave.
    /// - Returns: Whether the job has a place.
    mutating func admit(
        _ job: Job, capacity: Int, displaced: inout [Job]
    ) -> Admission {
        if count >= capacity { displaced = removeUnneeded() }
        let share = ClientID.share(of: capacity)
        let isOverShare = count(of: job.client) >= share
        let isAlone = clientCount == (isOverShare ? 1 : 0)
        guard isAlone || !isOverShare else { return .overShare }
        if count >= capacity {
            guard !isOverShare, let newest = popNewest(ofClientWithMoreThan: share) else {
                return .full
            }
            displaced.append(newest)
        }
        append(job)
        return .taken
    }

    /// Removes the job with the least cost among the next jobs of all clients, or the first in turn
    /// of several.
    ///
    /// O(n) in the number of clients.
    ///
    /// - Parameter cost: Returns nil for a job that has to stay.
    /// - Returns: The job, or nil if all have to stay.
    mutating func popFirst(by cost: (Job) -> Int64? = { _ in 0 }) -> Job? {
        guard let client = turns.removeLeast(by: { lines[$0]?.first.flatMap(cost) }),
            let job = lines[client]?.popFirst()
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
    mutating func popNewest(ofClientWithMoreThan share: Int) -> Job? {
        guard let (client, line) = lines.max(by: { $0.value.count < $1.value.count }),
            line.count > share, line.count > 1
        else { return nil }
        count -= 1
        return lines[client]?.popLast()
    }

    /// Removes the jobs that nobody waits for, and returns them; O(n).
    mutating func removeUnneeded() -> [Job] {
        var removed: [Job] = []
        for (client, line) in lines {
            var rest = FirstInFirstOut<Job>()
            for job in line.elements {
                if job.isNeeded() { rest.append(job) } else { removed.append(job) }
            }
            guard rest.count < line.count else { continue }
            count -= line.count - rest.count
            lines[client] = rest.isEmpty ? nil : rest
            if rest.isEmpty { _ = turns.removeLeast { $0 == client ? 0 : nil } }
        }
        return removed
    }
}

/// Values in the order in which they came; every operation is amortised O(1) unless it says
/// otherwise.
///
/// Written by hand: `Deque` of swift-collections is as fast, and makes the program 300 KB larger, of
/// which every process has a part in memory.
struct FirstInFirstOut<Element: Sendable>: Sendable {
    private var slots: [Element?] = []
    private var firstIndex = 0

    var count: Int { slots.count - firstIndex }
    var isEmpty: Bool { firstIndex == slots.count }
    var first: Element? { isEmpty ? nil : slots[firstIndex] }
    var elements: [Element] { slots[firstIndex...].compactMap { $0 } }

    /// Returns true if one of the values matches; O(n).
    func contains(where matches: (Element) -> Bool) -> Bool {
        slots[firstIndex...].contains { $0.map(matches) == true }
    }

    mutating func append(_ element: Element) {
        if firstIndex > 64, 2 * firstIndex > slots.count {
            slots.removeFirst(firstIndex)
            firstIndex = 0
        }
        slots.append(element)
    }

    mutating func popFirst() -> Element? {
        guard !isEmpty else { return nil }
        defer { dropFirst() }
        return slots[firstIndex]
    }

    mutating func popLast() -> Element? { isEmpty ? nil : slots.removeLast() }

    /// Removes the first of the values with the least cost; values without a cost are skipped;
    /// O(n).
    mutating func removeLeast(by cost: (Element) -> Int64?) -> Element? {
        var least: (index: Int, cost: Int64)?
        for index in firstIndex..<slots.count {
            guard let cost = slots[index].flatMap(cost), cost < least?.cost ?? .max else {
                continue
            }
            least = (index, cost)
            if cost == 0 { break }
        }
        guard let index = least?.index else { return nil }
        let found = slots[index]
        for place in stride(from: index, to: firstIndex, by: -1) { slots[place] = slots[place - 1] }
        dropFirst()
        return found
    }

    private mutating func dropFirst() {
        slots[firstIndex] = nil
        firstIndex += 1
    }
}
