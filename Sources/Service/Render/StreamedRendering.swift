import Encoders
import HTTP
import Synchronization

/// A rendering that is sent while it is made, whenever the client has room for more.
///
/// No render thread waits for a client: between two pieces the rendering rests.
///
/// `@unchecked Sendable`: `file` and `made` belong to whoever has brought `state` from resting to
/// busy, until it rests again.
final class StreamedRendering: BodySource, @unchecked Sendable {
    private enum State: Equatable {
        case resting, busy, finished
    }

    private let state = Mutex(State.resting)
    private let pool: RenderPool
    private var file: (any StreamedFile)?
    /// What is made but not yet asked for.
    private var made: [UInt8] = []

    /// Bytes that are gathered before they are sent, so that the first answer need not wait for
    /// the last frame and a file of many small frames has few chunks.
    private static let pieceBytes = 65_536

    init(_ file: consuming any StreamedFile, _ pool: RenderPool) {
        self.file = file
        self.pool = pool
    }

    /// The whole file where it is small, else its beginning and the rest as it is made.
    ///
    /// - Throws: When the beginning cannot be made.
    static func body(
        of file: consuming any StreamedFile, _ pool: RenderPool, _ worker: RenderWorker
    ) throws(Problem) -> Response.Body {
        let rendering = StreamedRendering(file, pool)
        do {
            let (bytes, isWhole) = try rendering.makePiece(on: worker)
            guard !isWhole else { return .bytes(bytes) }
            rendering.made = bytes
            return .stream(rendering)
        } catch {
            throw Problem(error)
        }
    }

    func nextPiece(_ deliver: @escaping @Sendable (BodyPiece) -> Void) {
        guard move(from: .resting, to: .busy) else { return deliver(.end) }
        if !made.isEmpty {
            let bytes = made
            made = []
            move(from: .busy, to: .resting)
            return deliver(.bytes(bytes))
        }
        let isQueued = pool.resume { [self] worker in
            do throws(EncodingError) {
                let (bytes, isWhole) = try makePiece(on: worker)
                move(from: .busy, to: isWhole ? .finished : .resting)
                deliver(.bytes(bytes))
            } catch {
                move(from: .busy, to: .finished)
                deliver(.failed)
            }
        }
        if !isQueued { deliver(.failed) }
    }

    func cancel() {
        state.withLock { $0 = .finished }
    }

    /// - Returns: False when the state was another, as after `cancel()`.
    @discardableResult
    private func move(from old: State, to new: State) -> Bool {
        state.withLock { state in
            guard state == old else { return false }
            state = new
            return true
        }
    }

    private func makePiece(
        on worker: RenderWorker
    ) throws(EncodingError) -> (bytes: [UInt8], isWhole: Bool) {
        var bytes: [UInt8] = []
        while bytes.count < Self.pieceBytes {
            guard let frame = try file?.next(worker.workshop) else { return (bytes, true) }
            bytes += frame
        }
        return (bytes, false)
    }
}
