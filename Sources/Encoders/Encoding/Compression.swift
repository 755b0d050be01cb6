import CDeflate
import CWebP
import CZlib
package import Raster

/// The libraries that decide the bytes of files.
package enum EncodingLibraries {
    /// Their versions; libdeflate's is its header's, because no function returns it.
    package static var versions: [String] {
        ["\(WebPGetEncoderVersion())", LIBDEFLATE_VERSION_STRING, String(cString: zlibVersion())]
    }
}

/// A compressor for whole byte arrays (RFC 1951).
///
/// Allocating one costs more than compressing a small file, so it is kept and used again. Belongs
/// to one worker.
package final class Deflater {
    package enum Purpose {
        /// The zlib format (RFC 1950) with the smallest window.
        ///
        /// The bytes are a part of permalinks, so they never change.
        case permalink
        /// The gzip format (RFC 1952).
        case gzip
        /// The zlib format, fast: one picture in a PNG.
        case picture
        /// The zlib format, small: the frames of an APNG.
        case frame
    }

    private enum Engine {
        case stream(UnsafeMutablePointer<z_stream>)
        case gzip(OpaquePointer, forShort: OpaquePointer)
        case zlib(OpaquePointer)
    }

    private let engine: Engine

    /// The most bytes that are compressed to the gzip format at libdeflate's first level.
    ///
    /// For so few bytes the sixth level takes twice the time, most of it to clear its tables, and
    /// saves two or three percent.
    private static let shortLength = 8192

    /// - Throws: `LibraryFault.memory` when there is not enough of it.
    package init(_ purpose: Purpose) throws(LibraryFault) {
        engine =
            switch purpose {
            case .permalink: .stream(try Self.stream(level: 9, windowBits: 9, memoryLevel: 1))
            case .gzip: try Self.gzip()
            case .picture: .zlib(try Self.compressor(level: 6))
            case .frame: .zlib(try Self.compressor(level: 8))
            }
    }

    deinit {
        switch engine {
        case .stream(let stream):
            deflateEnd(stream)
            stream.deallocate()
        case .gzip(let compressor, let short):
            libdeflate_free_compressor(compressor)
            libdeflate_free_compressor(short)
        case .zlib(let compressor):
            libdeflate_free_compressor(compressor)
        }
    }

    private static func gzip() throws(LibraryFault) -> Engine {
        let compressor = try compressor(level: 6)
        guard let short = libdeflate_alloc_compressor(1) else {
            libdeflate_free_compressor(compressor)
            throw .memory
        }
        return .gzip(compressor, forShort: short)
    }

    private static func compressor(level: Int32) throws(LibraryFault) -> OpaquePointer {
        guard let compressor = libdeflate_alloc_compressor(level) else { throw .memory }
        return compressor
    }

    private static func stream(
        level: Int32, windowBits: Int32, memoryLevel: Int32
    ) throws(LibraryFault) -> UnsafeMutablePointer<z_stream> {
        let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
        stream.initialize(to: z_stream())
        let status = deflateInit2_(
            stream, level, Z_DEFLATED, windowBits, memoryLevel, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
            Int32(MemoryLayout<z_stream>.size))
        guard status == Z_OK else {
            stream.deallocate()
            throw .memory
        }
        return stream
    }

    /// Returns the bytes as one compressed stream, the same for the same bytes.
    package func deflated(_ bytes: [UInt8]) -> [UInt8] {
        bytes.withUnsafeBytes { source in
            switch engine {
            case .stream(let stream):
                deflateReset(stream)
                let bound = Int(deflateBound(stream, uLong(source.count)))
                return Self.filled(atMost: bound) { target in
                    stream.pointee.next_in = UnsafeMutablePointer(
                        mutating: source.assumingMemoryBound(to: UInt8.self).baseAddress)
                    stream.pointee.avail_in = uInt(source.count)
                    stream.pointee.next_out = target
                    stream.pointee.avail_out = uInt(bound)
                    // With a target of deflateBound's size one call is enough.
                    let status = deflate(stream, Z_FINISH)
                    precondition(status == Z_STREAM_END, "zlib exceeded its bound")
                    return bound - Int(stream.pointee.avail_out)
                }
            case .gzip(let long, let short):
                let compressor = source.count > Self.shortLength ? long : short
                let bound = libdeflate_gzip_compress_bound(compressor, source.count)
                return Self.filled(atMost: bound) { target in
                    libdeflate_gzip_compress(
                        compressor, source.baseAddress, source.count, target, bound)
                }
            case .zlib(let compressor):
                let bound = libdeflate_zlib_compress_bound(compressor, source.count)
                return Self.filled(atMost: bound) { target in
                    libdeflate_zlib_compress(
                        compressor, source.baseAddress, source.count, target, bound)
                }
            }
        }
    }

    /// The most bytes that libdeflate gets at once. Its call cannot be stopped, and takes some
    /// tenths of a second.
    private static let longestCall = 17 << 20
    /// The bytes between two checks of the clock.
    private static let pieceLength = 1 << 20

    /// Returns the bytes as one stream of the zlib format, the same for the same bytes.
    ///
    /// Very many bytes are compressed by zlib, piece by piece, with the clock checked in between.
    ///
    /// - Throws: `EncodingError.deadline`, or `.library` when memory is short.
    func deflated(
        _ bytes: [UInt8], until context: EncodingContext
    ) throws(EncodingError) -> [UInt8] {
        guard bytes.count > Self.longestCall else { return deflated(bytes) }
        // A level about as fast as libdeflate's sixth.
        let stream = try EncodingError.catching { () throws(LibraryFault) in
            try Self.stream(level: 3, windowBits: 15, memoryLevel: 8)
        }
        defer {
            deflateEnd(stream)
            stream.deallocate()
        }
        var result: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: Self.pieceLength)
        var start = 0
        while start < bytes.count {
            try context.checkDeadline()
            let end = min(start + Self.pieceLength, bytes.count)
            let flush = end == bytes.count ? Z_FINISH : Z_NO_FLUSH
            bytes.withUnsafeBufferPointer { source in
                stream.pointee.next_in = source.baseAddress.map {
                    UnsafeMutablePointer(mutating: $0 + start)
                }
                stream.pointee.avail_in = uInt(end - start)
                repeat {
                    let room = piece.count
                    let count = piece.withUnsafeMutableBufferPointer { target in
                        stream.pointee.next_out = target.baseAddress
                        stream.pointee.avail_out = uInt(room)
                        deflate(stream, flush)
                        return room - Int(stream.pointee.avail_out)
                    }
                    result += piece[..<count]
                } while stream.pointee.avail_out == 0
            }
            start = end
        }
        return result
    }

    /// Returns the bytes that `body` writes, at least one and at most `bound`.
    ///
    /// The array takes no more memory than its bytes, because it may be kept for long.
    private static func filled(
        atMost bound: Int, _ body: (UnsafeMutablePointer<UInt8>) -> Int
    ) -> [UInt8] {
        let target = UnsafeMutablePointer<UInt8>.allocate(capacity: bound)
        defer { target.deallocate() }
        let count = body(target)
        precondition(count > 0 && count <= bound, "a compressor exceeded its bound")
        return Array(UnsafeBufferPointer(start: target, count: count))
    }
}

extension EncodingContext {
    /// Returns the compressor that a format keeps.
    func deflater<Format: OutputFormat>(
        of format: Format.Type, _ purpose: Deflater.Purpose
    ) throws(EncodingError) -> Deflater {
        try EncodingError.catching { () throws(LibraryFault) in
            try scratch(of: format) { () throws(LibraryFault) in try Deflater(purpose) }.value
        }
    }
}

/// Inflates the bytes that clients send, in bounded memory.
package enum Inflater {
    package enum Fault: Error {
        case malformed
        case tooLarge
        /// Memory is short.
        case memory
    }

    /// Inflates a zlib stream (RFC 1950) with nothing after it.
    ///
    /// zlib does it, because it distinguishes a stream that is too long from one that is cut short:
    /// it returns the bytes before the fault.
    ///
    /// - Parameters:
    ///   - bytes: The stream.
    ///   - limit: The most bytes of content.
    /// - Returns: The content.
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

/// The checksum of PNG, gzip, and ZIP (ISO 3309).
package enum CRC32 {
    /// Returns the checksum of a text followed by bytes.
    package static func of(_ text: StaticString, _ bytes: [UInt8]) -> UInt32 {
        let start = libdeflate_crc32(0, text.utf8Start, text.utf8CodeUnitCount)
        return bytes.isEmpty ? start : libdeflate_crc32(start, bytes, bytes.count)
    }
}
