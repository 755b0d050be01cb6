import CProcess
import Glibc
import Synchronization

/// Memory that several processes have mapped, unmapped with its owner.
///
/// `@unchecked Sendable`: the processes and threads that share it agree on which of them writes
/// which bytes.
package final class SharedMemory: @unchecked Sendable {
    package let descriptor: Int32
    /// The first byte.
    package let start: UnsafeMutableRawPointer
    /// The number of bytes.
    package let count: Int

    /// Makes zeroed memory; a page takes memory only once it is written.
    ///
    /// - Returns: Nil where the system has none.
    package static func make(named name: String, size: Int) -> SharedMemory? {
        let descriptor = memfd_create(name, 1 /* MFD_CLOEXEC */)
        guard descriptor >= 0 else { return nil }
        guard ftruncate(descriptor, size) == 0 else {
            close(descriptor)
            return nil
        }
        return SharedMemory(descriptor, isWritable: true)
    }

    /// Maps memory that another process has made, and owns its descriptor.
    package init?(_ descriptor: Int32, isWritable: Bool) {
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_size > 0 else {
            close(descriptor)
            return nil
        }
        let size = Int(status.st_size)
        let protection = isWritable ? PROT_READ | PROT_WRITE : PROT_READ
        guard let start = mmap(nil, size, protection, MAP_SHARED, descriptor, 0),
            start != MAP_FAILED
        else {
            close(descriptor)
            return nil
        }
        self.descriptor = descriptor
        self.start = start
        count = size
    }

    deinit {
        munmap(start, count)
        close(descriptor)
    }

    /// An atomic number at a multiple of eight.
    package func number(at offset: Int) -> SharedNumber {
        precondition(offset >= 0 && offset % 8 == 0 && offset <= count - 8)
        return SharedNumber(
            pointer: (start + offset).assumingMemoryBound(to: Atomic<UInt64>.self))
    }
}

/// An atomic number in shared memory.
///
/// `@unchecked Sendable`: all of its uses are atomic.
package struct SharedNumber: @unchecked Sendable {
    fileprivate let pointer: UnsafeMutablePointer<Atomic<UInt64>>

    package var value: UInt64 { pointer.pointee.load(ordering: .acquiring) }

    package func set(_ value: UInt64) {
        pointer.pointee.store(value, ordering: .releasing)
    }
}
