import CZlib
import Motion
import Testing

@testable import Encoders

@Suite struct CompressionTests {
    /// Texts on both sides of the length at which another compressor is used.
    private static let texts = [0, 1, 300, 8192, 8193, 200_000].map { length in
        (0..<length).map { UInt8(truncatingIfNeeded: ($0 * $0 / 7) % 61) }
    }

    @Test("a gzip file holds what was compressed, and neither time nor name", arguments: texts)
    func gzip(text: [UInt8]) throws {
        let file = try Deflater(.gzip).deflated(text)
        #expect(file.prefix(3) == [0x1F, 0x8B, 8])
        #expect(Array(file[3..<8]) == [0, 0, 0, 0, 0])
        var stream = z_stream()
        let size = Int32(MemoryLayout<z_stream>.size)
        #expect(inflateInit2_(&stream, 15 + 16, ZLIB_VERSION, size) == Z_OK)
        defer { inflateEnd(&stream) }
        var content = [UInt8](repeating: 0, count: text.count + 1)
        let status = file.withUnsafeBufferPointer { source in
            content.withUnsafeMutableBufferPointer { target in
                stream.next_in = UnsafeMutablePointer(mutating: source.baseAddress)
                stream.avail_in = uInt(source.count)
                stream.next_out = target.baseAddress
                stream.avail_out = uInt(target.count)
                return inflate(&stream, Z_FINISH)
            }
        }
        #expect(status == Z_STREAM_END && stream.avail_in == 0)
        #expect(Array(content.prefix(Int(stream.total_out))) == text)
    }

    @Test(
        "a zlib stream holds what was compressed, also by a compressor that was used before",
        arguments: [.permalink, .picture, .frame] as [Deflater.Purpose])
    func zlib(purpose: Deflater.Purpose) throws {
        let deflater = try Deflater(purpose)
        for text in Self.texts {
            let stream = deflater.deflated(text)
            #expect(try Inflater.inflated(stream, limit: text.count).get() == text)
            #expect(try Deflater(purpose).deflated(text) == stream)
        }
    }

    @Test("very many bytes are compressed in pieces, with looks at the clock")
    func pieces() throws {
        let text = [UInt8](repeating: 7, count: 18 << 20)
        let context = EncodingContext.sample
        var looks = 0
        context.deadline.isPassed = {
            looks += 1
            return false
        }
        let stream = try Deflater(.picture).deflated(text, until: context)
        #expect(looks >= 18)
        #expect(try Inflater.inflated(stream, limit: text.count).get() == text)
        context.deadline.isPassed = { true }
        #expect(throws: EncodingError.deadline) {
            try Deflater(.picture).deflated(text, until: context)
        }
    }

    @Test("what is too long, cut short or followed by more is not inflated")
    func limits() throws {
        let stream = try Deflater(.permalink).deflated([UInt8](repeating: 7, count: 1000))
        func fault(_ bytes: [UInt8], limit: Int) -> Inflater.Fault? {
            guard case .failure(let fault) = Inflater.inflated(bytes, limit: limit) else {
                return nil
            }
            return fault
        }
        #expect(fault(stream, limit: 1000) == nil)
        #expect(fault(stream, limit: 999) == .tooLarge)
        #expect(fault(Array(stream.dropLast()), limit: 1000) == .malformed)
        #expect(fault(stream + [0], limit: 1000) == .malformed)
        #expect(fault([], limit: 1000) == .malformed)
    }

    @Test("checksums are those of ISO 3309")
    func checksum() {
        #expect(CRC32.of("1234", Array("56789".utf8)) == 0xCBF4_3926)
        #expect(CRC32.of("IEND", []) == 0xAE42_6082)
    }
}
