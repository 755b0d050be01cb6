import CZlib
package import Motion

/// A zlib stream that is kept, because to make one costs more than to compress a small frame.
///
/// Belongs to one worker.
package final class Deflater {
    private let stream: UnsafeMutablePointer<z_stream>

    package enum Purpose {
        /// RFC 1950 with the smallest window.
        case permalink
        /// RFC 1952.
        case gzip
        /// RFC 1950, quickly: a whole picture in a PNG.
        case picture
        /// RFC 1950, as small as may be: the small pictures of an APNG.
        case frame
    }

    /// - Throws: `LibraryFault.memory` when zlib gets none.
    package init(_ purpose: Purpose) throws(LibraryFault) {
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        let (level, window, memory): (Int32, Int32, Int32) =
            switch purpose {
            case .permalink: (9, 9, 1)
            case .gzip: (6, 15 + 16, 8)
            case .picture: (6, 15, 9)
            case .frame: (8, 15, 9)
            }
        let status = deflateInit2_(
            stream, level, Z_DEFLATED, window, memory, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
            Int32(MemoryLayout<z_stream>.size))
        guard status == Z_OK else { throw .memory }
    }

    deinit {
        deflateEnd(stream)
        stream.deallocate()
    }

    /// The bytes as one stream of their own.
    package func deflated(_ bytes: [UInt8]) -> [UInt8] {
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
