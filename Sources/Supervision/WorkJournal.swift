import Glibc
import Synchronization

/// The renderings under way on the render threads of a worker, in memory that outlives the process.
package final class WorkJournal: Sendable {
    /// Bytes of one rendering that can be noted. The canonical form of the largest body that is taken
    /// by default has fewer.
    package static let maximumBytes = slotSize - 8

    private static let slotSize = 131_072

    package let memory: SharedMemory
    private let table: RefusalTable?
    private let taken = Mutex(0)

    /// Makes the journal of a process.
    ///
    /// - Parameters:
    ///   - threads: The number of render threads.
    ///   - table: The renderings that the threads must not begin.
    package init?(threads: Int, table: RefusalTable) {
        guard
            let memory = SharedMemory.make(
                named: "titlecard-journal", size: max(threads, 1) * Self.slotSize)
        else { return nil }
        self.memory = memory
        self.table = table
    }

    /// Maps the journal of another process.
    package init?(reading descriptor: Int32) {
        guard let memory = SharedMemory(descriptor, isWritable: true),
            memory.count % Self.slotSize == 0
        else { return nil }
        self.memory = memory
        table = nil
    }

    /// The renderings that were noted and not ended, each once.
    package var entries: [[UInt8]] {
        var entries: [[UInt8]] = []
        for index in 0..<(memory.count / Self.slotSize) {
            let start = index * Self.slotSize
            // The process may have written anything before it died.
            let count = Int(min(memory.number(at: start).value, UInt64(Self.maximumBytes)))
            guard count > 0 else { continue }
            let entry = Array(
                UnsafeRawBufferPointer(start: memory.start + start + 8, count: count))
            if !entries.contains(entry) { entries.append(entry) }
        }
        return entries
    }

    /// Returns the place of one more thread; nil if there is none for it.
    package func takeSlot() -> JournalSlot? {
        let index = taken.withLock { taken in
            defer { taken += 1 }
            return taken
        }
        guard let table, (index + 1) * Self.slotSize <= memory.count else { return nil }
        return JournalSlot(self, at: index * Self.slotSize, table)
    }
}

/// The place in the journal of one render thread.
package final class JournalSlot {
    package enum Outcome: Equatable, Sendable {
        case begun
        /// The rendering has ended a process, or may have; the client may try again after seconds.
        case refused(retryAfter: Int)
    }

    private let journal: WorkJournal
    private let offset: Int
    private let table: RefusalTable

    /// The timeout for the outcome of a trial, in milliseconds.
    private static let timeout = 3000
    /// Milliseconds between two checks.
    private static let interval = 5

    fileprivate init(_ journal: WorkJournal, at offset: Int, _ table: RefusalTable) {
        self.journal = journal
        self.offset = offset
        self.table = table
    }

    /// Notes a rendering before any library sees it, unless it is refused.
    ///
    /// A rendering on trial waits for the outcome. A rendering that is too long is not noted.
    ///
    /// - Parameters:
    ///   - format: The format's name.
    ///   - request: The canonical request, after which there may be more lines.
    /// - Returns: Whether it may begin.
    package func begin(format: String, request: UnsafeRawBufferPointer) -> Outcome {
        let format = format.utf8
        guard format.count + 1 + request.count <= WorkJournal.maximumBytes else { return .begun }
        let text = UnsafeMutableRawBufferPointer(
            start: journal.memory.start + offset + 8, count: format.count + 1 + request.count)
        text.copyBytes(from: format)
        text[format.count] = UInt8(ascii: "\n")
        UnsafeMutableRawBufferPointer(rebasing: text[(format.count + 1)...])
            .copyBytes(from: request)
        if !table.isEmpty, let seconds = refusal(of: UnsafeRawBufferPointer(text)) {
            return .refused(retryAfter: seconds)
        }
        journal.memory.number(at: offset).set(UInt64(text.count))
        return .begun
    }

    /// Notes that the rendering, or a part of it, is over.
    package func end() {
        journal.memory.number(at: offset).set(0)
    }

    /// Returns the seconds for which a rendering is refused; nil if it may begin.
    private func refusal(of rendering: UnsafeRawBufferPointer) -> Int? {
        let digest = table.hash(of: rendering)
        for _ in 0..<(Self.timeout / Self.interval) {
            let now = Clock.nanoseconds
            switch table.verdict(on: digest, now: now) {
            case .free: return nil
            case .refused(let end): return Int((end - now) / 1_000_000_000) + 1
            case .onTrial: usleep(UInt32(Self.interval) * 1000)
            }
        }
        return 1
    }
}

/// The system's monotonic clock, which all processes share.
package enum Clock {
    package static var nanoseconds: UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }
}
