import CZlib

/// Inflates what clients send, in bounded memory.
package enum Inflater {
    package enum Fault: Error {
        case malformed
        case tooLarge
        /// Memory is short.
        case memory
    }

    /// A whole zlib stream with nothing behind it.
    package static func inflated(_ bytes: [UInt8], limit: Int) -> Result<[UInt8], Fault> {
        var stream = z_stream()
        guard
            inflateInit_(&stream, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK
        else { return .failure(.memory) }
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
        if status == Z_MEM_ERROR { return .failure(.memory) }
        if result.count > limit { return .failure(.tooLarge) }
        guard status == Z_STREAM_END, stream.avail_in == 0 else { return .failure(.malformed) }
        return .success(result)
    }
}
