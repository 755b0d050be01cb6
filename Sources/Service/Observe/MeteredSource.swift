import HTTP
import Synchronization

/// A streamed answer of which it is told once, in the end, how much was sent.
///
/// The end may come twice, as when the client goes while another thread delivers the last piece:
/// the first one counts. An answer that is let go of without an end was not complete.
final class MeteredSource: BodySource {
    private let source: any BodySource
    private let bytes = Atomic(0)
    private let isOver = Atomic(false)
    private let onEnd: @Sendable (_ bytes: Int, _ isComplete: Bool) -> Void

    init(
        _ source: any BodySource,
        onEnd: @escaping @Sendable (_ bytes: Int, _ isComplete: Bool) -> Void
    ) {
        self.source = source
        self.onEnd = onEnd
    }

    deinit {
        end(isComplete: false)
    }

    func nextPiece(_ deliver: @escaping @Sendable (BodyPiece) -> Void) {
        source.nextPiece { [self] piece in
            switch piece {
            case .bytes(let content): bytes.wrappingAdd(content.count, ordering: .relaxed)
            case .end: end(isComplete: true)
            case .failed: end(isComplete: false)
            }
            deliver(piece)
        }
    }

    func cancel() {
        source.cancel()
        end(isComplete: false)
    }

    private func end(isComplete: Bool) {
        guard !isOver.exchange(true, ordering: .acquiringAndReleasing) else { return }
        onEnd(bytes.load(ordering: .relaxed), isComplete)
    }
}
