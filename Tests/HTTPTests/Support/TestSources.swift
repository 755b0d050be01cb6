import Dispatch
import Synchronization

@testable import HTTP

/// A source whose pieces a test delivers one by one.
final class ManualSource: BodySource {
    private struct State: Sendable {
        var deliver: (@Sendable (BodyPiece) -> Void)?
        var requestCount = 0
        var cancelCount = 0
    }

    private let state = Mutex(State())

    /// The number of pieces that were requested.
    var requestCount: Int { state.withLock { $0.requestCount } }
    var cancelCount: Int { state.withLock { $0.cancelCount } }
    /// True if a piece is requested and not delivered.
    var isRequested: Bool { state.withLock { $0.deliver != nil } }

    func nextPiece(_ deliver: @escaping @Sendable (BodyPiece) -> Void) {
        state.withLock { state in
            precondition(state.deliver == nil, "a second piece is requested")
            state.deliver = deliver
            state.requestCount += 1
        }
    }

    func cancel() {
        state.withLock { $0.cancelCount += 1 }
    }

    /// Delivers the piece that is requested, or will be; false when none is within 20 s.
    @discardableResult
    func deliver(_ piece: BodyPiece) -> Bool {
        guard eventually({ isRequested }) else { return false }
        takeDeliver()?(piece)
        return true
    }

    @discardableResult
    func deliver(_ text: String) -> Bool { deliver(.bytes(Array(text.utf8))) }

    /// Drops the piece that is requested.
    func forget() { _ = takeDeliver() }

    private func takeDeliver() -> (@Sendable (BodyPiece) -> Void)? {
        state.withLock { state in
            defer { state.deliver = nil }
            return state.deliver
        }
    }
}

/// A source that counts pieces of a size down to the end.
final class CountingSource: BodySource {
    static let piece = (0..<65_536).map { UInt8(truncatingIfNeeded: $0 / 100) }

    private let left: Mutex<Int>
    private let cancels = Atomic(0)
    private let queue: DispatchQueue?

    /// Delivers a number of pieces, from a queue or at once.
    init(count: Int, from queue: DispatchQueue?) {
        left = Mutex(count)
        self.queue = queue
    }

    /// The number of pieces that have not been requested.
    var leftCount: Int { left.withLock { $0 } }
    var cancelCount: Int { cancels.load(ordering: .relaxed) }

    func nextPiece(_ deliver: @escaping @Sendable (BodyPiece) -> Void) {
        let isEnd = left.withLock { left in
            left -= 1
            return left < 0
        }
        let piece: BodyPiece = isEnd ? .end : .bytes(Self.piece)
        guard let queue else {
            deliver(piece)
            return
        }
        queue.async { deliver(piece) }
    }

    func cancel() { cancels.wrappingAdd(1, ordering: .relaxed) }
}
