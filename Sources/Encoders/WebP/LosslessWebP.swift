import CWebP
import Motion
import Raster

/// libwebp's lossless encoder.
enum LosslessWebP {
    /// The effort of libwebp.
    enum Effort {
        /// An effort that suits the number of colours.
        case usual
        /// More effort, for a large picture that is the only one of its kind.
        case more
    }

    /// The most colours of pictures that are searched for repetitions: with more colours the search
    /// takes two to five times as long and saves a fifth of the bytes.
    private static let mostColors = 512
    /// `RIFF`, the length, `WEBP`.
    private static let riffHeaderLength = 12

    /// Encodes pixels without loss.
    ///
    /// - Parameters:
    ///   - block: Straight alpha, red, green, and blue of each pixel, 8 bits each, from the
    ///     highest.
    ///   - effort: The effort of libwebp.
    ///   - deadline: The end of the work; libwebp asks for it whenever it reports progress.
    /// - Returns: A `VP8L` chunk (RFC 9649, 2.6) with its header and padding.
    /// - Throws: `LibraryFault.memory` when there is not enough of it; `drawing` for any other
    ///   failure of libwebp; `EncodingError.deadline`.
    static func chunk(
        of block: PixelBlock<UInt32>, _ effort: Effort, _ deadline: WorkDeadline
    ) throws(EncodingError) -> [UInt8] {
        var config = WebPConfig()
        var picture = WebPPicture()
        guard WebPConfigInit(&config) != 0, WebPPictureInit(&picture) != 0 else {
            throw .library(.drawing("libwebp and its header have different versions"))
        }
        config.lossless = 1
        config.quality = 0
        config.method = effort == .more || !block.hasMoreColors(than: mostColors) ? 1 : 0
        // Pixels are final, so libwebp need not look for transparent ones.
        config.exact = 1
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

    /// Returns true if an image's own header says that some pixel is not opaque (RFC 9649, 3.4).
    static func hasAlpha(_ chunk: [UInt8]) -> Bool {
        // The chunk's header, the signature, 28 bits of the size.
        chunk.count > 12 && chunk[12] & 0x10 != 0
    }

    private static func fault(_ code: WebPEncodingError) -> EncodingError {
        switch code {
        case VP8_ENC_ERROR_USER_ABORT: .deadline
        case VP8_ENC_ERROR_OUT_OF_MEMORY, VP8_ENC_ERROR_BITSTREAM_OUT_OF_MEMORY: .library(.memory)
        default: .library(.drawing("libwebp: error \(code.rawValue)"))
        }
    }
}

extension PixelBlock<UInt32> {
    /// Returns true if it has more than `most` values; `most` is 1,000 at most. O(number of
    /// pixels).
    fileprivate func hasMoreColors(than most: Int) -> Bool {
        // A table of 2,048 slots; a slot of 0 is free.
        withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 2048) { slots in
            slots.initialize(repeating: 0)
            var count = 0
            var last: UInt32 = 0
            for value in values where value != last && value != 0 {
                last = value
                var slot = Int((value &* 0x9E37_79B1) >> 21)
                while slots[slot] != 0, slots[slot] != value { slot = (slot &+ 1) & 2047 }
                guard slots[slot] == 0 else { continue }
                slots[slot] = value
                count += 1
                if count > most { return true }
            }
            return false
        }
    }
}
