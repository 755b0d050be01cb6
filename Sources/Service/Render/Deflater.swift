import CZlib

/// A zlib stream that is kept, because to make one costs more than to compress a permalink.
///
/// Belongs to one worker.
final class Deflater {
    private let stream: UnsafeMutablePointer<z_stream>

    enum Wrapper {
        /// RFC 1950 with the smallest window: for permalinks.
        case zlib
        /// RFC 1952: for answers.
        case gzip
    }

    init(_ wrapper: Wrapper) {
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        let (level, window, memory): (Int32, Int32, Int32) =
            switch wrapper {
            case .zlib: (9, 9, 1)
            case .gzip: (6, 15 + 16, 8)
            }
        let status = deflateInit2_(
            stream, level, Z_DEFLATED, window, memory, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
            Int32(MemoryLayout<z_stream>.size))
        precondition(status == Z_OK, "zlib is out of memory")
    }

    deinit {
        deflateEnd(stream)
        stream.deallocate()
    }

    /// The bytes as one stream of their own.
    func deflated(_ bytes: [UInt8]) -> [UInt8] {
        deflateReset(stream)
        let bound = Int(deflateBound(stream, uLong(bytes.count)))
        return [UInt8](unsafeUninitializedCapacity: bound) { target, count in
            bytes.withUnsafeBufferPointer { source in
                stream.pointee.next_in = UnsafeMutablePointer(mutating: source.baseAddress)
                stream.pointee.avail_in = uInt(source.count)
                stream.pointee.next_out = target.baseAddress
                stream.pointee.avail_out = uInt(bound)
                // With a target of deflateBound's size one call is enough.
                let status = deflate(stream, Z_FINISH)
                precondition(status == Z_STREAM_END, "zlib left its bound")
                count = bound - Int(stream.pointee.avail_out)
            }
        }
    }
}

/// Inflates what clients send, in bounded memory.
enum Inflater {
    enum Fault: Error {
        case malformed
        case tooLarge
    }

    /// A whole zlib stream with nothing behind it.
    static func inflated(_ bytes: [UInt8], limit: Int) -> Result<[UInt8], Fault> {
        var stream = z_stream()
        guard
            inflateInit_(&stream, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK
        else { return .failure(.malformed) }
        defer { inflateEnd(&stream) }
        var status = Z_OK
        // One byte more than allowed tells too much from just enough.
        let result = [UInt8](unsafeUninitializedCapacity: limit + 1) { target, count in
            bytes.withUnsafeBufferPointer { source in
                stream.next_in = UnsafeMutablePointer(mutating: source.baseAddress)
                stream.avail_in = uInt(source.count)
                stream.next_out = target.baseAddress
                stream.avail_out = uInt(limit + 1)
                status = inflate(&stream, Z_FINISH)
                count = limit + 1 - Int(stream.avail_out)
            }
        }
        if result.count > limit { return .failure(.tooLarge) }
        guard status == Z_STREAM_END, stream.avail_in == 0 else { return .failure(.malformed) }
        return .success(result)
    }
}
