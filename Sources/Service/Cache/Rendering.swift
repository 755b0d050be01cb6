import Encoders
import Rendering
import Synchronization

/// A finished rendering, and its gzip variant once somebody has asked for it.
final class Rendering: Sendable {
    let bytes: [UInt8]
    /// Seconds of one cycle, as `Titlecard-Duration` says them.
    let duration: String
    /// The path of its permalink.
    let location: String
    private let compressed = Mutex<[UInt8]?>(nil)

    init(bytes: [UInt8], duration: String, location: String) {
        self.bytes = bytes
        self.duration = duration
        self.location = location
    }

    /// The gzip variant if it is there; never waits for one that is being made.
    var gzip: [UInt8]? { compressed.withLockIfAvailable { $0 } ?? nil }

    /// The gzip variant, made the first time.
    func gzip(_ deflater: Deflater) -> [UInt8] {
        compressed.withLock { compressed in
            let bytes = compressed ?? deflater.deflated(bytes)
            compressed = bytes
            return bytes
        }
    }

    /// Bytes of memory that it takes, about.
    var cost: Int {
        bytes.count + (gzip?.count ?? 0) + location.utf8.count + 256
    }
}
