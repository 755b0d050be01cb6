import Rendering
import Synchronization

/// The long files that are being made, for those who ask for one meanwhile.
final class LiveFiles: Sendable {
    struct Live: Sendable {
        let file: SharedFile
        /// The path of its permalink.
        let location: String
        /// Seconds of one cycle.
        let duration: String
    }

    private let files = Mutex<[RenderKey: Live]>([:])

    func file(for key: RenderKey) -> Live? {
        files.withLock { $0[key] }
    }

    func insert(_ file: Live, for key: RenderKey) {
        files.withLock { $0[key] = file }
    }

    func remove(_ key: RenderKey) {
        files.withLock { $0[key] = nil }
    }
}
