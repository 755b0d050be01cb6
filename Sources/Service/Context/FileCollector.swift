import HTTP
import Rendering
import Synchronization

/// Reads a rendering that is made while it is read, as long as it is short.
///
/// Its bytes are taken from the memory of renderings.
final class FileCollector: Sendable {
    enum Outcome {
        case whole([UInt8])
        /// The file is longer than it may be; the rest is not made.
        case tooLong
        /// There is no memory for it now.
        case memoryFull
        case failed(Problem)
    }

    private let stream: RenderedStream
    /// The most bytes that the file may have.
    private let limit: Int
    private let budget: MemoryBudget
    private let isAbandoned: @Sendable () -> Bool
    private let finish: @Sendable (Outcome) -> Void
    private let bytes = Mutex<[UInt8]>([])

    /// - Parameters:
    ///   - stream: The rendering.
    ///   - limit: The most bytes that it may have.
    ///   - budget: The memory that it is taken from until `finish` returns.
    ///   - isAbandoned: Returns true once nobody wants it any more.
    ///   - finish: Called once, on any thread.
    init(
        _ stream: RenderedStream, limit: Int, budget: MemoryBudget,
        isAbandoned: @escaping @Sendable () -> Bool,
        finish: @escaping @Sendable (Outcome) -> Void
    ) {
        (self.stream, self.limit, self.budget) = (stream, limit, budget)
        (self.isAbandoned, self.finish) = (isAbandoned, finish)
    }

    /// Reads pieces until the end, or until one has to be waited for.
    func collect() {
        while let piece = nextPiece() {
            guard take(piece) else { return }
        }
    }

    /// Returns the next piece, or nil if it comes later.
    private func nextPiece() -> RenderedPiece? {
        let promise = Promise<RenderedPiece>()
        stream.nextPiece { _ = promise.fulfill($0) }
        return promise.value { [self] piece in
            if take(piece ?? .failed) { collect() }
        }
    }

    /// - Returns: True if another piece follows.
    private func take(_ piece: RenderedPiece) -> Bool {
        switch piece {
        case .bytes(let more):
            if isAbandoned() { return end(.failed(.unfinished)) }
            guard bytes.withLock({ $0.count }) + more.count <= limit else { return end(.tooLong) }
            guard budget.reserve(more.count, for: .renderings) else {
                return end(.memoryFull)
            }
            bytes.withLock { $0 += more }
            return true
        case .end: return end(.whole(bytes.withLock { $0 }))
        case .failed: return end(.failed(.unfinished))
        }
    }

    private func end(_ outcome: Outcome) -> Bool {
        stream.cancel()
        finish(outcome)
        let held = bytes.withLock { bytes in
            defer { bytes = [] }
            return bytes.count
        }
        budget.release(held, for: .renderings)
        return false
    }
}

extension Problem {
    /// The problem of a file whose rest cannot be made.
    fileprivate static let unfinished = Problem(
        .serviceUnavailable, "The rendering could not be finished", retryAfter: 1)
}
