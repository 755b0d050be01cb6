import CProcess
import Glibc
import Raster

/// A file in memory, in which other processes can write and seek.
final class MemoryFile {
    let descriptor: Int32

    /// - Throws: `EncodingError.library` where the system has none.
    init() throws(EncodingError) {
        descriptor = memfd_create("titlecard-video", 1 /* MFD_CLOEXEC */)
        guard descriptor >= 0 else { throw .library(.memory) }
    }

    deinit { close(descriptor) }

    /// Returns the number of bytes.
    ///
    /// - Throws: `EncodingError.library` where the system does not say.
    func byteCount() throws(EncodingError) -> Int {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .library(.memory) }
        return Int(status.st_size)
    }

    /// Returns all bytes.
    ///
    /// - Throws: `EncodingError.library` where the file cannot be read.
    func bytes() throws(EncodingError) -> [UInt8] {
        let size = try byteCount()
        let bytes = [UInt8](unsafeUninitializedCapacity: size) { target, count in
            while count < size {
                let read = pread(
                    descriptor, target.baseAddress.map { $0 + count }, size - count, count)
                guard read > 0 else { break }
                count += read
            }
        }
        guard bytes.count == size else { throw .library(.memory) }
        return bytes
    }
}
