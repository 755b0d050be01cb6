import HTTP
import Rendering
import Synchronization

/// One client's way through a shared file.
final class FileReader: BodySource {
    private enum Mode: Sendable {
        /// Pieces of the shared file, of which so many were delivered.
        case shared(SharedFile, index: Int)
        case alone(SoloFile)
        case done
    }

    private struct State: Sendable {
        var mode: Mode
        /// Whoever asked for the next piece.
        var asker: (@Sendable (BodyPiece) -> Void)?
    }

    private let state: Mutex<State>

    init(_ file: SharedFile) {
        state = Mutex(State(mode: .shared(file, index: 0)))
    }

    func nextPiece(_ deliver: @escaping @Sendable (BodyPiece) -> Void) {
        let mode = state.withLock { state in
            state.asker = deliver
            return state.mode
        }
        switch mode {
        case .shared(let file, let index): file.nextPiece(for: self, at: index)
        case .alone(let file): file.nextPiece { [self] in self.deliver($0) }
        case .done: self.deliver(.end)
        }
    }

    func cancel() {
        let mode = state.withLock { state in
            defer { state.mode = .done }
            return state.mode
        }
        switch mode {
        case .shared(let file, _): file.leave(self)
        case .alone(let file): file.cancel()
        case .done: break
        }
    }

    /// Hands a piece to whoever asked.
    func deliver(_ piece: BodyPiece) {
        let (asker, ended) = state.withLock { state in
            var ended: SharedFile?
            if case .shared(let file, let index) = state.mode {
                state.mode = .shared(file, index: index + 1)
                if case .bytes = piece {
                } else {
                    state.mode = .done
                    ended = file
                }
            }
            defer { state.asker = nil }
            return (state.asker, ended)
        }
        ended?.leave(self)
        asker?(piece)
    }

    /// Makes the rest of the file alone from the next piece on.
    func leave(with maker: FileMaker) {
        state.withLock { state in
            guard case .shared(let file, _) = state.mode else { return }
            state.mode = .alone(SoloFile(maker, file.pool))
        }
    }

    /// Makes the rest of the file alone, beginning with the piece that is asked for.
    func goOn(with maker: FileMaker?) {
        guard let maker else { return deliver(.failed) }
        leave(with: maker)
        let mode = state.withLock { $0.mode }
        guard case .alone(let file) = mode else { return deliver(.end) }
        file.nextPiece { [self] in deliver($0) }
    }
}
