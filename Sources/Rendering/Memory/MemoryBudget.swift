import Synchronization

/// The memory that the service may take, and the shares that take it.
///
/// Memory for renderings and streams is reserved before the work. Caches take the rest, and shrink
/// when work needs room. A share with a size of its own, such as the program, is set.
package final class MemoryBudget: Sendable {
    /// Something that takes memory.
    package enum Share: Int, CaseIterable, Sendable {
        /// The program, its libraries, and the memory that each render thread keeps; measured.
        case program
        /// Buffers of connections, and answers that clients have not taken; set aside for them.
        case connections
        /// Large renderings and streams.
        case renderings
        /// Finished renderings.
        case cache
        /// Glyphs' shapes and pictures.
        case glyphs
        /// Requests that were read before.
        case requests

        package var name: String { "\(self)" }
    }

    private struct State: Sendable {
        var shares = [Int](repeating: 0, count: Share.allCases.count)
        var total = 0
        /// The bytes in memory at the last measurement.
        var lastResident = 0
        /// The bytes in memory that no share counts, at the last measurements.
        var uncounted = [Int](repeating: 0, count: 4)
    }

    /// Bytes of all shares together.
    package let capacity: Int
    private let state = Mutex(State())

    package init(capacity: Int = .max / 2) {
        self.capacity = capacity
    }

    /// Bytes that a share takes.
    package func bytes(of share: Share) -> Int { state.withLock { $0.shares[share.rawValue] } }

    /// Bytes that are free.
    package var free: Int { state.withLock { max(capacity - $0.total, 0) } }

    /// Bytes that are free for a reservation of a size.
    package func free(for bytes: Int) -> Int {
        state.withLock { max(room(for: bytes, $0), 0) }
    }

    /// True if this many bytes can be reserved.
    package func hasRoom(for bytes: Int) -> Bool { bytes <= free(for: bytes) }

    /// The bytes that are left for a reservation. A request that needs little is not refused
    /// because others need much.
    ///
    /// A large reservation leaves a sixteenth of the budget. A small one may exceed the rest by a
    /// sixteenth as long as a sixteenth is not in use: reserved memory is seldom used all at once.
    private func room(for bytes: Int, _ state: State) -> Int {
        let sixteenth = capacity / 16
        let rest = capacity - state.total
        guard bytes <= RenderingMemory.allowance else { return rest - sixteenth }
        return state.lastResident <= capacity - sixteenth ? rest + sixteenth : rest
    }

    /// Reserves memory; the first reservation always succeeds.
    ///
    /// - Returns: False if too little is left.
    package func reserve(_ bytes: Int, for share: Share, isFirst: Bool = false) -> Bool {
        state.withLock { state in
            guard isFirst || bytes <= room(for: bytes, state) else { return false }
            state.shares[share.rawValue] += bytes
            state.total += bytes
            return true
        }
    }

    /// Counts memory that is taken in any case.
    package func take(_ bytes: Int, for share: Share) {
        _ = reserve(bytes, for: share, isFirst: true)
    }

    package func release(_ bytes: Int, for share: Share) { take(-bytes, for: share) }

    /// Counts all that a share takes.
    package func set(_ share: Share, to bytes: Int) {
        state.withLock { state in
            state.total += bytes - state.shares[share.rawValue]
            state.shares[share.rawValue] = bytes
        }
    }

    /// Bytes of renderings. If they have reserved more, some of it may not be in memory yet.
    private static let notableRenderings = 32 << 20

    /// Counts the memory outside of all other shares as the program's.
    ///
    /// Freed memory stays for a while, longest if its thread has to wait for a processor, and
    /// memory that was just reserved is not there yet. So the least of four measurements counts. A
    /// rise counts at once. A fall counts little by little, and not while renderings have reserved
    /// much.
    ///
    /// - Parameters:
    ///   - resident: The bytes in memory.
    ///   - program: The least bytes that the program takes.
    /// - Returns: The bytes that the program takes.
    func measure(resident: Int, program: Int) -> Int {
        state.withLock { state in
            let before = state.shares[Share.program.rawValue]
            let counted = state.total - before - state.shares[Share.connections.rawValue]
            let found = max(resident - counted, program)
            state.lastResident = resident
            state.uncounted.removeFirst()
            state.uncounted.append(found)
            var bytes = max(state.uncounted.min() ?? found, program)
            if bytes < before {
                let isKnown = state.shares[Share.renderings.rawValue] < Self.notableRenderings
                bytes = isKnown ? before - (before - bytes) / 4 : before
            }
            state.total += bytes - before
            state.shares[Share.program.rawValue] = bytes
            return bytes
        }
    }

    /// Returns the bytes that a share may have, at most as many as it wants.
    package func allowed(for share: Share, wanted: Int) -> Int {
        state.withLock { state in
            min(wanted, max(capacity - state.total + state.shares[share.rawValue], 0))
        }
    }
}
