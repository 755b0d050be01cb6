import CZlib

/// What the formats need of zlib.
enum Zlib {
    /// The bytes as one zlib stream (RFC 1950).
    static func deflated(_ bytes: [UInt8], level: Int32 = 6) -> [UInt8] {
        let bound = compressBound(uLong(bytes.count))
        return [UInt8](unsafeUninitializedCapacity: Int(bound)) { target, count in
            var length = bound
            let status = compress2(target.baseAddress, &length, bytes, uLong(bytes.count), level)
            // With a target of compressBound's size only lack of memory is left to fail.
            precondition(status == Z_OK, "zlib is out of memory")
            count = Int(length)
        }
    }

    static func crc32(of bytes: [UInt8]) -> UInt32 {
        UInt32(truncatingIfNeeded: CZlib.crc32(0, bytes, uInt(bytes.count)))
    }
}
