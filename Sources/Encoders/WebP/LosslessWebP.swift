import CWebP
import Motion
import Raster

/// libwebp's lossless encoder.
enum LosslessWebP {
    /// How hard libwebp tries, by its method.
    enum Effort: Int32 {
        /// No search for repetitions further away.
        case least = 0
        case little = 1
    }

    /// Encodes pixels as a `VP8L` chunk (RFC 9649, 2.6) with its header and padding.
    ///
    /// - Parameters:
    ///   - block: Straight alpha, red, green and blue of each pixel, 8 bits each, from the highest.
    ///   - effort: How hard libwebp tries.
    /// - Throws: `LibraryFault.memory` when there is not enough of it; `drawing` for any other failure.
    static func chunk(
        of block: PixelBlock<UInt32>, _ effort: Effort
    ) throws(LibraryFault) -> [UInt8] {
        var config = WebPConfig()
        var picture = WebPPicture()
        guard WebPConfigInit(&config) != 0, WebPPictureInit(&picture) != 0 else {
            throw .drawing("libwebp has another version than its header")
        }
        config.lossless = 1
        config.quality = 0
        config.method = effort.rawValue
        // Pixels are as they are wanted, so libwebp need not look for transparent ones.
        config.exact = 1
        picture.use_argb = 1
        picture.width = Int32(block.rect.width)
        picture.height = Int32(block.rect.height)
        picture.argb_stride = picture.width
        var target = WebPMemoryWriter()
        WebPMemoryWriterInit(&target)
        defer { WebPMemoryWriterClear(&target) }
        let isEncoded = block.values.withUnsafeBufferPointer { values in
            withUnsafeMutablePointer(to: &target) { target in
                // libwebp reads the pixels only.
                picture.argb = UnsafeMutablePointer(mutating: values.baseAddress)
                picture.writer = WebPMemoryWrite
                picture.custom_ptr = UnsafeMutableRawPointer(target)
                return WebPEncode(&config, &picture) != 0
            }
        }
        guard isEncoded, target.size > riffHeaderLength else { throw fault(picture.error_code) }
        return Array(
            UnsafeBufferPointer(start: target.mem, count: target.size).dropFirst(riffHeaderLength))
    }

    /// `RIFF`, the length, `WEBP`.
    private static let riffHeaderLength = 12

    private static func fault(_ code: WebPEncodingError) -> LibraryFault {
        switch code {
        case VP8_ENC_ERROR_OUT_OF_MEMORY, VP8_ENC_ERROR_BITSTREAM_OUT_OF_MEMORY: .memory
        default: .drawing("libwebp: error \(code.rawValue)")
        }
    }
}
