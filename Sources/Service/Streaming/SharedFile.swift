import HTTP
import Rendering
import Synchronization

/// A long file that is made once for all who ask for it meanwhile, as fast as the fastest of them
/// takes it.
///
/// What is made is kept up to a number of bytes. From there on the file is made further for the
/// fastest reader alone; each of the others makes the rest for itself, which is seldom.
final class SharedFile: Sendable {
    private enum Ending: Sendable {
        case whole, failed
        /// More than is kept was made.
        case overflown
    }

    private struct State: Sendable {
        var pieces: [[UInt8]]
        var ending: Ending?
        /// Who waits for the next piece, in the order in which they came.
        var waiting: [FileReader] = []
        var readers = 0

        mutating func add(_ piece: (bytes: [UInt8], isLast: Bool)?, keptBytes: Int) {
            guard let piece else {
                ending = .failed
                return
            }
            pieces.append(piece.bytes)
            if piece.isLast {
                ending = .whole
            } else if byteCount > keptBytes {
                ending = .overflown
            }
        }

        var byteCount: Int { pieces.reduce(0) { $0 + $1.count } }
    }

    let pool: RenderPool
    private let maker: FileMaker
    private let remake: @Sendable (_ skipping: Int) -> FileMaker?
    private let keptBytes: Int
    private let onEnd: @Sendable ([UInt8]?) -> Void
    private let state: Mutex<State>

    /// The maker goes on behind the first piece; `remake` begins the file again without so many
    /// bytes of its beginning. `onEnd` gets the whole file, or nil where it failed, was too large
    /// to keep or not wanted any more.
    init(
        first: [UInt8], _ maker: FileMaker, _ pool: RenderPool, keptBytes: Int,
        remake: @escaping @Sendable (_ skipping: Int) -> FileMaker?,
        onEnd: @escaping @Sendable ([UInt8]?) -> Void
    ) {
        self.maker = maker
        self.pool = pool
        self.keptBytes = keptBytes
        self.remake = remake
        self.onEnd = onEnd
        state = Mutex(State(pieces: [first]))
    }

    /// One more reader from the file's beginning; nil when the file has ended meanwhile.
    func reader() -> FileReader? {
        state.withLock { state in
            guard state.ending == nil else { return nil }
            state.readers += 1
            return FileReader(self)
        }
    }

    /// Gives a reader its next piece, now or when it is made.
    func nextPiece(for reader: FileReader, at index: Int) {
        enum Step { case take([UInt8]), make, wait, end, fail, leave(Int) }
        let step: Step = state.withLock { state in
            if index < state.pieces.count { return .take(state.pieces[index]) }
            switch state.ending {
            case .whole: return .end
            case .failed: return .fail
            case .overflown: return .leave(state.byteCount)
            case nil:
                state.waiting.append(reader)
                return state.waiting.count == 1 ? .make : .wait
            }
        }
        switch step {
        case .take(let bytes): reader.deliver(.bytes(bytes))
        case .make: make()
        case .wait: break
        case .end: reader.deliver(.end)
        case .fail: reader.deliver(.failed)
        case .leave(let count): reader.goOn(with: remake(count))
        }
    }

    /// A reader wants no more.
    func leave(_ reader: FileReader) {
        let isUnwanted = state.withLock { state in
            state.readers -= 1
            guard state.readers == 0, state.ending == nil else { return false }
            state.ending = .failed
            return true
        }
        if isUnwanted { onEnd(nil) }
    }

    private func make() {
        let isQueued = pool.resume { [self] worker in
            let piece = try? maker.makePiece(on: worker)
            finish(piece)
        }
        if !isQueued { finish(nil) }
    }

    private func finish(_ piece: (bytes: [UInt8], isLast: Bool)?) {
        let (waiting, ending) = state.withLock { state in
            defer { state.waiting = [] }
            // Nobody wants it any more, which was told already.
            guard state.ending == nil else { return (state.waiting, nil as Ending?) }
            state.add(piece, keptBytes: keptBytes)
            return (state.waiting, state.ending)
        }
        switch ending {
        case .whole: onEnd(state.withLock { Array($0.pieces.joined()) })
        case .failed, .overflown: onEnd(nil)
        case nil: break
        }
        // The file goes on for the first who waited.
        if case .overflown = ending { waiting.first?.leave(with: maker) }
        for reader in waiting {
            reader.deliver(piece.map { .bytes($0.bytes) } ?? .failed)
        }
    }
}
