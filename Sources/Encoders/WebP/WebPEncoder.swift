import CWebP
import Motion
import Raster

/// libwebp's encoder of one picture.
enum WebPEncoder {
    /// `RIFF`, the length, `WEBP`.
    private static let riffHeaderLength = 12
    /// A chunk `VP8X` with its header.
    private static let extendedHeaderLength = 18

    /// Encodes pixels.
    ///
    /// - Parameters:
    ///   - block: Straight alpha, red, green, and blue of each pixel, 8 bits each, from the
    ///     highest.
    ///   - coding: The coding.
    ///   - deadline: The end of the work; libwebp asks for it whenever it reports progress.
    /// - Returns: The chunks of the picture with their headers and padding: `VP8L` (RFC 9649,
    ///   2.6), or `VP8 ` (2.5) after `ALPH` where some pixel is not opaque.
    /// - Throws: `LibraryFault.memory` when there is not enough of it; `drawing` for any other
    ///   failure of libwebp; `EncodingError.deadline`.
    static func chunks(
        of block: PixelBlock<UInt32>, _ coding: WebPCoding, _ deadline: WorkDeadline
    ) throws(EncodingError) -> [UInt8] {
        var config = WebPConfig()
        var picture = WebPPicture()
        guard WebPConfigInit(&config) != 0, WebPPictureInit(&picture) != 0 else {
            throw .library(.drawing("libwebp and its header have different versions"))
        }
        coding.set(&config)
        picture.use_argb = 1
        picture.width = Int32(block.rect.width)
        picture.height = Int32(block.rect.height)
        picture.argb_stride = picture.width
        picture.user_data = Unmanaged.passUnretained(deadline).toOpaque()
        picture.progress_hook = { _, picture in
            guard let data = picture?.pointee.user_data else { return 1 }
            return Unmanaged<WorkDeadline>.fromOpaque(data).takeUnretainedValue().hasPassed ? 0 : 1
        }
        var target = WebPMemoryWriter()
        WebPMemoryWriterInit(&target)
        defer {
            WebPMemoryWriterClear(&target)
            WebPPictureFree(&picture)
        }
        // A copy, because libwebp changes the colours of transparent pixels.
        var values = block.values
        let isEncoded = values.withUnsafeMutableBufferPointer { values in
            withUnsafeMutablePointer(to: &target) { target in
                picture.argb = values.baseAddress
                picture.writer = WebPMemoryWrite
                picture.custom_ptr = UnsafeMutableRawPointer(target)
                return WebPEncode(&config, &picture) != 0
            }
        }
        guard isEncoded, target.size > riffHeaderLength else { throw fault(picture.error_code) }
        let chunks = UnsafeBufferPointer(start: target.mem, count: target.size)
            .dropFirst(riffHeaderLength)
        return Array(
            chunks.starts(with: "VP8X".utf8) ? chunks.dropFirst(extendedHeaderLength) : chunks)
    }

    /// Returns true if the chunks of a picture say that some pixel is not opaque.
    static func hasAlpha(_ chunks: [UInt8]) -> Bool {
        if chunks.starts(with: "VP8L".utf8) {
            // RFC 9649, 3.4: the chunk's header, the signature, 28 bits of the size.
            return chunks.count > 12 && chunks[12] & 0x10 != 0
        }
        return chunks.starts(with: "ALPH".utf8)
    }

    private static func fault(_ code: WebPEncodingError) -> EncodingError {
        switch code {
        case VP8_ENC_ERROR_USER_ABORT: .deadline
        case VP8_ENC_ERROR_OUT_OF_MEMORY, VP8_ENC_ERROR_BITSTREAM_OUT_OF_MEMORY: .library(.memory)
        default: .library(.drawing("libwebp: error \(code.rawValue)"))
        }
    }
}
