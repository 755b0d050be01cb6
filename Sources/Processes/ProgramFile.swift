import CProcess
import Glibc

/// A file in which a child process can write and seek.
package final class ProgramFile: Sendable {
    let descriptor: Int32

    /// Makes an empty file in memory; nil where the system has none.
    init?() {
        descriptor = memfd_create("titlecard-video", 1 /* MFD_CLOEXEC */)
        guard descriptor >= 0 else { return nil }
    }

    /// Takes a file that this process has open; nil where the system does not let it.
    package init?(copying own: Int32) {
        descriptor = fcntl(own, F_DUPFD_CLOEXEC, 0)
        guard descriptor >= 0 else { return nil }
    }

    deinit { close(descriptor) }

    /// The number of bytes; nil where the system does not say.
    package var byteCount: Int? {
        var status = stat()
        return fstat(descriptor, &status) == 0 ? Int(status.st_size) : nil
    }

    /// Bytes that are in memory twice while they are moved.
    private static let pieceBytes = 1 << 20

    /// Moves all bytes out of a file in memory, which shrinks meanwhile: a long video is in memory only
    /// once.
    ///
    /// - Returns: Nil where they cannot be read.
    package func takeBytes() -> [UInt8]? {
        guard let size = byteCount else { return nil }
        var rest = size
        let bytes = [UInt8](unsafeUninitializedCapacity: size) { target, count in
            while rest > 0 {
                let start = max(rest - Self.pieceBytes, 0)
                let read = pread(
                    descriptor, target.baseAddress.map { $0 + start }, rest - start, start)
                guard read == rest - start, ftruncate(descriptor, start) == 0 else { return }
                rest = start
            }
            count = size
        }
        return rest == 0 ? bytes : nil
    }
}
