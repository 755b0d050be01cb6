import CProcess
import Glibc

/// A file in memory, in which other processes can write and seek.
package final class MemoryFile: Sendable {
    let descriptor: Int32

    /// Makes an empty file; nil where the system has none.
    init?() {
        descriptor = memfd_create("titlecard-video", 1 /* MFD_CLOEXEC */)
        guard descriptor >= 0 else { return nil }
    }

    deinit { close(descriptor) }

    /// The number of bytes; nil where the system does not say.
    package var byteCount: Int? {
        var status = stat()
        return fstat(descriptor, &status) == 0 ? Int(status.st_size) : nil
    }

    /// Returns all bytes; nil where they cannot be read.
    package func bytes() -> [UInt8]? {
        guard let size = byteCount else { return nil }
        let bytes = [UInt8](unsafeUninitializedCapacity: size) { target, count in
            while count < size {
                let read = pread(
                    descriptor, target.baseAddress.map { $0 + count }, size - count, count)
                guard read > 0 else { break }
                count += read
            }
        }
        return bytes.count == size ? bytes : nil
    }
}
