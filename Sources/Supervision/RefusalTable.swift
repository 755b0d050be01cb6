/// The renderings that workers must not begin, in memory that the supervisor writes and workers read.
///
/// It holds hashes under a key that is the supervisor's own.
package final class RefusalTable: Sendable {
    package enum Verdict: Equatable, Sendable {
        case free
        /// It was in flight when a worker died, and is being tried.
        case onTrial
        /// It has ended a process, and is refused until an instant, in nanoseconds.
        case refused(until: UInt64)
    }

    /// The most renderings that are refused at a time; beyond it the oldest are dropped.
    package static let maximumRefused = 1000
    /// Renderings that are on trial at once.
    package static let maximumOnTrial = 256

    private static let capacity = maximumRefused + maximumOnTrial
    private static let size = 64 + 16 * capacity
    /// The end of an entry on trial; the end of a free entry is 0.
    private static let trialEnd = UInt64.max

    package let memory: SharedMemory
    private let hash: KeyedHash

    /// Makes an empty table, the supervisor's.
    package init?() {
        guard let memory = SharedMemory.make(named: "titlecard-refusals", size: Self.size) else {
            return nil
        }
        self.memory = memory
        let key = (UInt64.random(in: 0...UInt64.max), UInt64.random(in: 0...UInt64.max))
        memory.number(at: 8).set(key.0)
        memory.number(at: 16).set(key.1)
        hash = KeyedHash(key: key)
    }

    /// Maps a table, as workers do.
    package init?(_ descriptor: Int32) {
        guard let memory = SharedMemory(descriptor, isWritable: false), memory.count == Self.size
        else { return nil }
        self.memory = memory
        hash = KeyedHash(key: (memory.number(at: 8).value, memory.number(at: 16).value))
    }

    /// True if no rendering is refused or on trial.
    package var isEmpty: Bool { used.value == 0 }

    /// Returns the hash of a rendering.
    package func hash(of rendering: UnsafeRawBufferPointer) -> UInt64 { hash(rendering) }

    package func verdict(on digest: UInt64, now: UInt64) -> Verdict {
        for index in 0..<Self.capacity where self.digest(index).value == digest {
            let end = self.end(index).value
            guard end != 0, end > now, self.digest(index).value == digest else { continue }
            return end == Self.trialEnd ? .onTrial : .refused(until: end)
        }
        return .free
    }

    // MARK: The supervisor's

    /// The renderings that are refused.
    package func refusedCount(now: UInt64) -> Int {
        (0..<Self.capacity).count { index in
            let end = end(index).value
            return end > now && end != Self.trialEnd
        }
    }

    /// Notes that a rendering is on trial; a refused rendering stays refused.
    ///
    /// - Returns: False if it is in the table already, or too many are on trial.
    package func beginTrial(of digest: UInt64, now: UInt64) -> Bool {
        let contents = contents(now: now)
        guard verdict(on: digest, now: now) == .free, let index = contents.free,
            contents.onTrial < Self.maximumOnTrial
        else { return false }
        fill(index, digest, until: Self.trialEnd)
        return true
    }

    /// Ends a trial, with which a rendering is free again.
    package func release(_ digest: UInt64) {
        if let index = index(of: digest) { free(index) }
    }

    /// Frees all renderings that are refused.
    ///
    /// - Returns: Their number.
    package func releaseRefused(now: UInt64) -> Int {
        let refused = contents(now: now).refused
        for index in 0..<Self.capacity where ![0, Self.trialEnd].contains(end(index).value) {
            free(index)
        }
        return refused
    }

    /// Refuses a rendering until an instant.
    ///
    /// An entry on trial is free at no time in between: a thread that waits for the outcome would
    /// begin it.
    package func refuse(_ digest: UInt64, until instant: UInt64, now: UInt64) {
        let contents = contents(now: now)
        if contents.refused >= Self.maximumRefused, let oldest = contents.oldest { free(oldest) }
        if let index = index(of: digest) {
            end(index).set(instant)
        } else if let index = contents.free ?? contents.oldest {
            fill(index, digest, until: instant)
        }
    }

    private func index(of digest: UInt64) -> Int? {
        (0..<Self.capacity).first { self.digest($0).value == digest && end($0).value != 0 }
    }

    private struct Contents {
        var refused = 0
        var onTrial = 0
        /// A free entry.
        var free: Int?
        /// The refused entry that ends first.
        var oldest: Int?
    }

    /// Removes outdated entries, and counts the rest.
    private func contents(now: UInt64) -> Contents {
        var contents = Contents()
        var first = Self.trialEnd
        for index in 0..<Self.capacity {
            let end = end(index).value
            if end == Self.trialEnd {
                contents.onTrial += 1
            } else if end > now {
                contents.refused += 1
                guard end < first else { continue }
                first = end
                contents.oldest = index
            } else {
                if end != 0 { free(index) }
                contents.free = contents.free ?? index
            }
        }
        return contents
    }

    private func fill(_ index: Int, _ digest: UInt64, until instant: UInt64) {
        self.digest(index).set(digest)
        end(index).set(instant)
        used.set(used.value + 1)
    }

    private func free(_ index: Int) {
        end(index).set(0)
        used.set(used.value - 1)
    }

    /// The number of entries that are not free.
    private var used: SharedNumber { memory.number(at: 0) }

    private func digest(_ index: Int) -> SharedNumber { memory.number(at: 64 + 16 * index) }

    private func end(_ index: Int) -> SharedNumber { memory.number(at: 72 + 16 * index) }
}
