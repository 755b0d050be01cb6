import Motion

/// One image of a GIF: a rectangle, pixels, and which of them the viewer has already.
struct GIFImage {
    let rect: PixelRect
    /// Whether the viewer shall make the rectangle transparent after the frame.
    let isErased: Bool
    /// What may stand for a free pixel.
    let alternative: UInt8
    /// Places in the palette, row by row.
    private(set) var symbols: [UInt8]
    /// 1 for the pixels that the alternative does for.
    private(set) var isFree: [UInt8]
    /// The largest symbol that is needed.
    private(set) var largest: UInt8

    init(rect: PixelRect, isErased: Bool, alternative: UInt8) {
        self.rect = rect
        self.isErased = isErased
        self.alternative = alternative
        symbols = [UInt8](repeating: 0, count: rect.width * rect.height)
        isFree = symbols
        largest = alternative
    }

    /// Sets a row's pixels; those that are as they are known are free.
    mutating func setRow(
        _ y: Int, to shown: UnsafeBufferPointer<UInt8>, known: UnsafeBufferPointer<UInt8>
    ) {
        let start = y * rect.width
        var largest: UInt8 = 0
        symbols.withUnsafeMutableBufferPointer { symbols in
            isFree.withUnsafeMutableBufferPointer { isFree in
                guard let symbols = symbols.baseAddress, let isFree = isFree.baseAddress,
                    let shown = shown.baseAddress, let known = known.baseAddress
                else { return }
                (symbols + start).update(from: shown, count: rect.width)
                // Without branches, so that many pixels are compared at once.
                for x in 0..<rect.width {
                    let free: UInt8 = shown[x] == known[x] ? 1 : 0
                    isFree[start &+ x] = free
                    largest = max(largest, shown[x] & (free &- 1))
                }
            }
        }
        self.largest = max(self.largest, largest)
    }

    /// Replaces free pixels whose symbol no other pixel needs, so that codes may be small.
    mutating func forgetUnused() {
        let (largest, alternative) = (largest, alternative)
        symbols.withUnsafeMutableBufferPointer { symbols in
            for place in symbols.indices where symbols[place] > largest {
                symbols[place] = alternative
            }
        }
    }
}

/// The coder and its tables, shared by all images of a worker.
final class LZWWorkspace {
    private var encoder = LZWEncoder()

    func encode(_ image: GIFImage, into sink: inout ByteSink) {
        encoder.encode(image, into: &sink)
    }
}
