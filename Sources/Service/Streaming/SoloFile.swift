import HTTP
import Rendering
import Synchronization

/// A long file for one client, made while it is sent, whenever the client has room for more.
///
/// No render thread waits for a client: between two pieces the file rests.
final class SoloFile: BodySource {
    private enum State: Equatable {
        case resting, busy, finished
    }

    private let state = Mutex(State.resting)
    private let maker: FileMaker
    private let pool: RenderPool

    init(_ maker: FileMaker, _ pool: RenderPool) {
        self.maker = maker
        self.pool = pool
    }

    func nextPiece(_ deliver: @escaping @Sendable (BodyPiece) -> Void) {
        guard move(from: .resting, to: .busy) else { return deliver(.end) }
        let isQueued = pool.resume { [self] worker in
            guard let piece = try? maker.makePiece(on: worker) else {
                move(from: .busy, to: .finished)
                return deliver(.failed)
            }
            move(from: .busy, to: piece.isLast ? .finished : .resting)
            deliver(.bytes(piece.bytes))
        }
        if !isQueued { deliver(.failed) }
    }

    func cancel() {
        state.withLock { $0 = .finished }
    }

    /// Goes on, unless it was cancelled meanwhile.
    ///
    /// - Returns: Whether the state was the old one.
    @discardableResult
    private func move(from old: State, to new: State) -> Bool {
        state.withLock { state in
            guard state == old else { return false }
            state = new
            return true
        }
    }
}
