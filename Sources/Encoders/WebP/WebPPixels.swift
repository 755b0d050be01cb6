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
            return ink.atAlpha(levels?.nearest(to: alpha) ?? alpha, over: background).argb
        }
    }

    func write(
        _ pixels: UnsafeBufferPointer<CoveragePixel>, at start: Int, isSmallChange: Bool,
        to target: UnsafeMutableBufferPointer<UInt32>
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
        _ pixels: UnsafeBufferPointer<ColorPixel>, at start: Int, isSmallChange: Bool,
        to target: UnsafeMutableBufferPointer<UInt32>
    ) {
        for x in 0..<pixels.count { target[x] = value(of: pixels[x]) }
    }

    @inline(__always)
    func value(of pixel: ColorPixel) -> UInt32 {
        guard let levels else { return pixel.straight(over: background).argb }
        return pixel.withAlpha(levels.nearest(to: pixel.alpha)).straight(over: background).argb
    }
}

/// The colours of a palette, for all pixels or for those that are opaque.
struct WebPPalette<Indexer: PixelIndexer>: PixelForm where Indexer.Pixel == ColorPixel {
    private var indexer: Indexer
    private let colors: [UInt32]
    /// The form of ink through which the backdrop is seen; nil where the palette has its colours too.
    private let translucent: WebPColors?
    /// The indices of the pixels that were written last; 0 where they have none.
    private var shown: [UInt8]

    /// Makes the form of opaque pixels.
    ///
    /// - Parameters:
    ///   - indexer: The palette.
    ///   - background: The colour behind the ink.
    ///   - levels: The levels of the ink's alpha where the backdrop is seen through it.
    ///   - size: The canvas.
    init(_ indexer: Indexer, over background: Color, levels: AlphaLevels, size: PixelSize) {
        let translucent = background.isOpaque ? nil : WebPColors(over: background, levels: levels)
        self.init(indexer, else: translucent, size: size)
    }

    fileprivate init(_ indexer: Indexer, else translucent: WebPColors?, size: PixelSize) {
        self.indexer = indexer
        self.translucent = translucent
        colors = indexer.palette.colors.map(\.argb)
        shown = [UInt8](repeating: 0, count: size.count)
    }

    mutating func write(
        _ pixels: UnsafeBufferPointer<ColorPixel>, at start: Int, isSmallChange: Bool,
        to target: UnsafeMutableBufferPointer<UInt32>
    ) {
        for x in 0..<pixels.count {
            if let translucent, pixels[x].alpha < .max {
                shown[start + x] = 0
                target[x] = translucent.value(of: pixels[x])
            } else {
                let index = indexer.index(
                    of: pixels[x], shown: shown[start + x], isSmallChange: false)
                shown[start + x] = index
                target[x] = colors[Int(index)]
            }
        }
    }
}

extension WebPPalette<AlphaIndexer> {
    /// Makes the form of all pixels.
    init(_ indexer: AlphaIndexer, size: PixelSize) {
        self.init(indexer, else: nil, size: size)
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
