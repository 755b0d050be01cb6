import CProcess
import Glibc

/// Memory that processes share and none of them can change.
package enum SealedMemory {
    /// `MFD_CLOEXEC` and `MFD_ALLOW_SEALING`.
    private static let flags: UInt32 = 1 | 2
    /// `F_ADD_SEALS`, and the seals against other seals, shrinking, growing, and writing.
    private static let (addSeals, seals): (Int32, Int32) = (1033, 1 | 2 | 4 | 8)

    /// Returns the descriptor of memory with these bytes; nil where the system has none.
    package static func make(of bytes: [UInt8]) -> Int32? {
        let descriptor = memfd_create("titlecard-files", flags)
        guard descriptor >= 0 else { return nil }
        var written = 0
        while written < bytes.count {
            let count = bytes.withUnsafeBytes {
                write(descriptor, $0.baseAddress?.advanced(by: written), bytes.count - written)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            written += count
        }
        guard written == bytes.count, fcntl(descriptor, addSeals, seals) == 0 else {
            close(descriptor)
            return nil
        }
        return descriptor
    }

    /// Returns the bytes of such memory, whose descriptor stays open; nil if they cannot be read.
    package static func bytes(of descriptor: Int32) -> [UInt8]? {
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_size >= 0 else { return nil }
        let size = Int(status.st_size)
        var isWhole = true
        let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, filled in
            while filled < size {
                let count = pread(
                    descriptor, buffer.baseAddress?.advanced(by: filled), size - filled,
                    off_t(filled))
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { break }
                filled += count
            }
            isWhole = filled == size
        }
        return isWhole ? bytes : nil
    }
}
