import CWebP
import Raster

/// The settings of libwebp for a picture.
struct WebPCoding: Equatable {
    let isLossless: Bool
    /// The method, 0…6: the larger, the slower.
    let method: Int32
    /// The fidelity of a lossy picture, or the effort for a lossless one, 0…100.
    let quality: Float

    func set(_ config: inout WebPConfig) {
        config.lossless = isLossless ? 1 : 0
        config.method = method
        config.quality = quality
        // The colours of transparent pixels are those that take the fewest bytes.
        config.exact = 0
        // Alpha is exact in lossy pictures too; four pixels share a chroma, which is computed from
        // light, so that letters on another colour keep their edges.
        config.alpha_quality = 100
        config.use_sharp_yuv = 1
    }
}

/// The effort of libwebp for a file, which falls with the number of pixels.
struct WebPEffort {
    /// The method of lossless pictures.
    private let method: Int32
    /// The passes over a pixel of a changed rectangle beyond those of the least effort: where the
    /// picture has few colours, and where it has many.
    let passes: (few: Double, many: Double)

    /// The efforts above the least, each with the most pixels of all frames: no file takes more
    /// than 640 megapixels of work beyond that of the least effort.
    private static let steps: [(pixels: Int, effort: WebPEffort)] = [
        (8_000_000, WebPEffort(method: 3, passes: (6, 80))),
        (16_000_000, WebPEffort(method: 2, passes: (6, 40))),
        (32_000_000, WebPEffort(method: 1, passes: (6, 20))),
    ]
    private static let least = WebPEffort(method: 0, passes: (0, 0))
    /// The effort for a lossless picture within its method; more saves a hundredth.
    private static let quality: (least: Float, usual: Float) = (0, 50)

    /// The most colours of pictures that are searched for repetitions with the least effort: with
    /// more colours the search takes two to five times as long and saves a fifth of the bytes.
    private static let mostSearchedColors = 512
    /// The methods of lossy pictures.
    private static let lossyMethod: (least: Int32, usual: Int32) = (2, 4)

    /// Chooses the effort for frames on a canvas.
    static func of(_ canvas: PixelSize, frames: Int) -> WebPEffort {
        steps.first { canvas.count * frames <= $0.pixels }?.effort ?? least
    }

    private var isLeast: Bool { method == 0 }

    /// Returns the coding of a picture without loss.
    ///
    /// - Parameters:
    ///   - block: The picture.
    ///   - isOnly: True if it is the only large one of its kind.
    /// - Returns: The coding.
    func lossless(_ block: PixelBlock<UInt32>, isOnly: Bool) -> WebPCoding {
        guard isLeast else {
            return WebPCoding(isLossless: true, method: method, quality: Self.quality.usual)
        }
        let isSearched = isOnly || !block.hasMoreColors(than: Self.mostSearchedColors)
        return WebPCoding(
            isLossless: true, method: isSearched ? 1 : method, quality: Self.quality.least)
    }

    /// Returns the coding of a picture of a fidelity of 1…100.
    func lossy(_ fidelity: Int) -> WebPCoding {
        let method = isLeast ? Self.lossyMethod.least : Self.lossyMethod.usual
        return WebPCoding(isLossless: false, method: method, quality: Float(fidelity))
    }
}

extension PixelBlock<UInt32> {
    /// Returns true if it has more than `most` values; `most` is 1,000 at most. O(number of
    /// pixels).
    func hasMoreColors(than most: Int) -> Bool {
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
