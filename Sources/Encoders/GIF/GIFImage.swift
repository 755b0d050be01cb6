import Raster

/// The pixels of one image of a GIF.
struct GIFImage {
    let rect: PixelRect
    /// True if the rectangle becomes transparent after the frame.
    let isErased: Bool
    /// The symbol that may replace a free pixel's own.
    let alternative: UInt8
    /// Indices into the palette, row by row.
    private(set) var symbols: [UInt8]
    /// 1 for each pixel that is free, because the viewer's canvas has it already; 0 for others.
    private(set) var isFree: [UInt8]
    /// The largest symbol of the alternative and the pixels that are not free.
    private(set) var largest: UInt8

    /// - Parameters:
    ///   - block: Its pixels.
    ///   - behind: The pixels of the viewer's canvas before it; nil for the first image.
    ///   - isErased: True if its rectangle becomes transparent after it.
    init(_ block: PixelBlock<UInt8>, over behind: PixelBlock<UInt8>?, isErased: Bool) {
        // Before the first image the canvas is empty; most of the image is background.
        let background = behind == nil ? block.values.first ?? 0 : 0
        self.init(
            block,
            known: behind?.values ?? [UInt8](repeating: background, count: block.values.count),
            alternative: background, isErased: isErased)
    }

    /// - Parameters:
    ///   - block: Its pixels.
    ///   - known: The indices of the viewer's canvas; pixels with equal ones are free.
    ///   - alternative: The symbol that may replace a free pixel's own.
    ///   - isErased: True if its rectangle becomes transparent after it.
    init(_ block: PixelBlock<UInt8>, known: [UInt8], alternative: UInt8, isErased: Bool = false) {
        rect = block.rect
        self.isErased = isErased
        self.alternative = alternative
        symbols = block.values
        largest = alternative
        isFree = [UInt8](repeating: 0, count: symbols.count)
        find(known: known)
        dropUnneededSymbols()
    }

    /// Marks the pixels that equal known ones as free.
    private mutating func find(known: [UInt8]) {
        var largest = largest
        symbols.withUnsafeBufferPointer { symbols in
            known.withUnsafeBufferPointer { known in
                isFree.withUnsafeMutableBufferPointer { isFree in
                    // Without branches, so that many pixels are compared at once.
                    for index in 0..<symbols.count {
                        let free: UInt8 = symbols[index] == known[index] ? 1 : 0
                        isFree[index] = free
                        largest = max(largest, symbols[index] & (free &- 1))
                    }
                }
            }
        }
        self.largest = largest
    }

    /// Replaces symbols of free pixels above the largest that others need, so that codes are small.
    private mutating func dropUnneededSymbols() {
        let (largest, alternative) = (largest, alternative)
        symbols.withUnsafeMutableBufferPointer { symbols in
            for index in symbols.indices where symbols[index] > largest {
                symbols[index] = alternative
            }
        }
    }
}
