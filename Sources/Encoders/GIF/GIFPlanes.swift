import Motion
import Raster

/// The canvases around the frame that is to be written, as indices into the palette.
struct GIFPlanes {
    let size: PixelSize
    /// The viewer's canvas before the pending frame.
    private var previous: [UInt8]
    /// The canvas that the pending frame shows.
    private var shown: [UInt8]
    /// The canvas that the frame after it shows.
    private var upcoming: [UInt8]
    /// The smallest rectangle around all pixels in which `shown` differs from `previous`.
    private var pending = PixelRect.empty
    private var isFirst = true

    /// The divisor of the canvas's area that gives the largest area of a small change.
    private static let smallChangeDivisor = 16

    init(size: PixelSize) {
        self.size = size
        previous = [UInt8](repeating: 0, count: size.count)
        shown = previous
        upcoming = previous
    }

    /// Converts the pixels of the frame after the pending one.
    ///
    /// - Parameters:
    ///   - rects: The rectangles outside which nothing has changed.
    ///   - canvas: The pixels.
    ///   - indexer: The palette.
    ///   - isFirst: True for the first frame.
    /// - Returns: The smallest rectangle around the pixels that differ from the pending frame's.
    mutating func index<Indexer: PixelIndexer>(
        _ rects: [PixelRect], of canvas: Canvas<Indexer.Pixel>, with indexer: inout Indexer,
        isFirst: Bool
    ) -> PixelRect {
        let area = rects.reduce(0) { $0 + $1.width * $1.height }
        let isSmallChange = !isFirst && area <= size.count / Self.smallChangeDivisor
        var changed = PixelRect.empty
        let width = size.width
        shown.withUnsafeBufferPointer { shown in
            upcoming.withUnsafeMutableBufferPointer { upcoming in
                canvas.pixels.withUnsafeBufferPointer { pixels in
                    for rect in rects {
                        for y in rect.minY..<rect.maxY {
                            var (first, last) = (Int.max, -1)
                            for x in rect.minX..<rect.maxX {
                                let offset = y * width + x
                                let index = indexer.index(
                                    of: pixels[offset], shown: shown[offset],
                                    isSmallChange: isSmallChange)
                                upcoming[offset] = index
                                if index != shown[offset] {
                                    first = min(first, x)
                                    last = x
                                }
                            }
                            guard last >= 0 else { continue }
                            changed = changed.union(
                                PixelRect(minX: first, minY: y, maxX: last + 1, maxY: y + 1))
                        }
                    }
                }
            }
        }
        return changed
    }

    /// Makes the upcoming frame the pending one.
    ///
    /// - Parameter rect: The rectangle outside which both are equal; nil for the whole canvas.
    mutating func show(_ rect: PixelRect?) {
        let rect = rect ?? PixelRect(size)
        Self.copy(rect, from: upcoming, to: &shown, width: size.width)
        pending = pending.isEmpty ? rect : difference(in: pending.union(rect))
    }

    /// Returns the smallest rectangle around the pixels that the upcoming frame makes transparent.
    func erased(in rect: PixelRect) -> PixelRect {
        var erased = PixelRect.empty
        for y in rect.minY..<rect.maxY {
            let row = y * size.width
            for x in rect.minX..<rect.maxX where upcoming[row + x] == 0 && shown[row + x] != 0 {
                erased = erased.union(PixelRect(minX: x, minY: y, maxX: x + 1, maxY: y + 1))
            }
        }
        return erased
    }

    /// Cuts out the image that draws the pending frame, and counts it as drawn.
    ///
    /// - Parameter erased: A rectangle that the image covers, to be made transparent after it.
    /// - Returns: The image.
    mutating func takeImage(erasing erased: PixelRect) -> GIFImage {
        var rect = pending.union(erased)
        // An image has at least one pixel.
        if rect.isEmpty { rect = PixelRect(minX: 0, minY: 0, maxX: 1, maxY: 1) }
        let image = cut(rect, isErased: !erased.isEmpty)
        isFirst = false
        Self.copy(rect, from: shown, to: &previous, width: size.width)
        pending = .empty
        if !erased.isEmpty {
            clearPrevious(rect)
            pending = difference(in: rect)
        }
        return image
    }

    private mutating func clearPrevious(_ rect: PixelRect) {
        previous.withUnsafeMutableBufferPointer { previous in
            for y in rect.minY..<rect.maxY {
                let row = y * size.width
                previous[row + rect.minX..<row + rect.maxX].update(repeating: 0)
            }
        }
    }

    private func difference(in rect: PixelRect) -> PixelRect {
        var difference = PixelRect.empty
        for y in rect.minY..<rect.maxY {
            let row = y * size.width
            var (first, last) = (Int.max, -1)
            for x in rect.minX..<rect.maxX where previous[row + x] != shown[row + x] {
                first = min(first, x)
                last = x
            }
            guard last >= 0 else { continue }
            difference = difference.union(
                PixelRect(minX: first, minY: y, maxX: last + 1, maxY: y + 1))
        }
        return difference
    }

    private func cut(_ rect: PixelRect, isErased: Bool) -> GIFImage {
        // Before the first image the canvas is empty; most of the image is background.
        let background = isFirst ? shown[0] : 0
        let known = isFirst ? [UInt8](repeating: background, count: size.count) : previous
        var image = GIFImage(rect: rect, isErased: isErased, alternative: background)
        known.withUnsafeBufferPointer { known in
            shown.withUnsafeBufferPointer { shown in
                for y in 0..<rect.height {
                    let start = (rect.minY + y) * size.width + rect.minX
                    let row = start..<start + rect.width
                    image.setRow(
                        y, to: UnsafeBufferPointer(rebasing: shown[row]),
                        known: UnsafeBufferPointer(rebasing: known[row]))
                }
            }
        }
        image.dropUnneededSymbols()
        return image
    }

    private static func copy(
        _ rect: PixelRect, from source: [UInt8], to target: inout [UInt8], width: Int
    ) {
        source.withUnsafeBufferPointer { source in
            target.withUnsafeMutableBufferPointer { target in
                for y in rect.minY..<rect.maxY {
                    let row = y * width + rect.minX..<y * width + rect.maxX
                    _ = target[row].update(fromContentsOf: source[row])
                }
            }
        }
    }
}

/// The pixels of one image of a GIF.
struct GIFImage {
    let rect: PixelRect
    /// True if the rectangle becomes transparent after the frame.
    let isErased: Bool
    /// The symbol that may replace that of a free pixel.
    let alternative: UInt8
    /// Indices into the palette, row by row.
    private(set) var symbols: [UInt8]
    /// For each pixel 1 where it is free, because the viewer's canvas has it already; else 0.
    private(set) var isFree: [UInt8]
    /// The largest symbol of the alternative and the pixels that are not free.
    private(set) var largest: UInt8

    init(rect: PixelRect, isErased: Bool, alternative: UInt8) {
        self.rect = rect
        self.isErased = isErased
        self.alternative = alternative
        symbols = [UInt8](repeating: 0, count: rect.width * rect.height)
        isFree = symbols
        largest = alternative
    }

    /// Sets a row's pixels; those that equal the canvas's known ones are free.
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

    /// Replaces the symbols of free pixels above the largest that is needed, so that codes are small.
    mutating func dropUnneededSymbols() {
        let (largest, alternative) = (largest, alternative)
        symbols.withUnsafeMutableBufferPointer { symbols in
            for index in symbols.indices where symbols[index] > largest {
                symbols[index] = alternative
            }
        }
    }
}
