import Motion
import Raster

// Straight alpha, red, green and blue of each pixel, 8 bits each, from the highest: as libwebp takes
// them.

/// The colours of ink of one colour, by its alpha.
struct WebPRamp: PixelForm {
    private let values: [UInt32]

    /// - Parameters:
    ///   - ink: The colour of all ink.
    ///   - background: The colour behind it.
    ///   - levels: The levels of its alpha; nil for all.
    init(_ ink: Color, over background: Color, levels: AlphaLevels?) {
        values = (0...255).map { alpha in
            let alpha = UInt16(alpha) * 257
            return ColorPixel(ink, alpha: levels?.nearest(to: alpha) ?? alpha)
                .straight(over: background).argb
        }
    }

    func write(
        _ pixels: UnsafeBufferPointer<CoveragePixel>, at start: Int,
        to target: UnsafeMutablePointer<UInt32>
    ) {
        values.withUnsafeBufferPointer { values in
            for x in 0..<pixels.count { target[x] = values[Int(pixels[x].byte)] }
        }
    }
}

/// The colours of any other ink.
struct WebPColors: PixelForm {
    private let background: Color
    private let levels: AlphaLevels?

    /// - Parameters:
    ///   - background: The colour behind the ink.
    ///   - levels: The levels of its alpha; nil for all.
    init(over background: Color, levels: AlphaLevels?) {
        self.background = background
        self.levels = levels
    }

    func write(
        _ pixels: UnsafeBufferPointer<ColorPixel>, at start: Int,
        to target: UnsafeMutablePointer<UInt32>
    ) {
        guard let levels else {
            for x in 0..<pixels.count { target[x] = pixels[x].straight(over: background).argb }
            return
        }
        for x in 0..<pixels.count {
            let pixel = pixels[x].withAlpha(levels.nearest(to: pixels[x].alpha))
            target[x] = pixel.straight(over: background).argb
        }
    }
}

/// The colours of a palette, on an opaque ground.
struct WebPPalette<Indexer: PixelIndexer>: PixelForm {
    private var indexer: Indexer
    private let colors: [UInt32]
    /// The indices of the pixels that were written last.
    private var shown: [UInt8]

    init(_ indexer: Indexer, size: PixelSize) {
        self.indexer = indexer
        shown = [UInt8](repeating: 0, count: size.count)
        colors = indexer.palette.colors.map(\.argb)
    }

    mutating func write(
        _ pixels: UnsafeBufferPointer<Indexer.Pixel>, at start: Int,
        to target: UnsafeMutablePointer<UInt32>
    ) {
        for x in 0..<pixels.count {
            let index = indexer.index(
                of: pixels[x], shown: shown[start + x], isSmallChange: false)
            shown[start + x] = index
            target[x] = colors[Int(index)]
        }
    }
}

/// Steps of equal size from no ink to full ink.
struct AlphaLevels {
    /// 2…255.
    let count: Int

    /// Returns the nearest level of an alpha, 0…65,535 both.
    func nearest(to alpha: UInt16) -> UInt16 {
        let steps = UInt32(count - 1)
        let step = (UInt32(alpha) * steps + 32_767) / 65_535
        return UInt16((step * 65_535 + steps / 2) / steps)
    }
}

extension Color {
    fileprivate var argb: UInt32 {
        UInt32(alpha) << 24 | UInt32(red) << 16 | UInt32(green) << 8 | UInt32(blue)
    }
}
