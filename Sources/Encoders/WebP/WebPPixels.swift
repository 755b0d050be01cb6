import Motion
import Raster

/// The colours of a palette, for all pixels or for those that are opaque.
struct WebPPalette<Indexer: PixelIndexer>: PixelForm where Indexer.Pixel == ColorPixel {
    private var indexer: Indexer
    private let colors: [UInt32]
    /// The form of ink through which the backdrop is seen; nil where the palette has the colours of
    /// such ink too.
    private let translucent: StraightColors?
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
        let translucent =
            background.isOpaque ? nil : StraightColors(over: background, levels: levels)
        self.init(indexer, else: translucent, size: size)
    }

    fileprivate init(_ indexer: Indexer, else translucent: StraightColors?, size: PixelSize) {
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
