import Motion

/// What a viewer has on its canvas, and what it shall show next, as places in the palette.
struct GIFPlanes {
    let size: PixelSize
    /// What the viewer has before the pending frame is drawn.
    private var below: [UInt8]
    /// What the pending frame shows.
    private var shown: [UInt8]
    /// What the frame after it will show.
    private var coming: [UInt8]
    /// The smallest rectangle around all in which `shown` differs from `below`.
    private var pending = PixelRect.empty
    private var isFirst = true

    /// The share of the picture that may be painted again for a frame to be a calm one.
    private static let calmShare = 16

    init(size: PixelSize) {
        self.size = size
        below = [UInt8](repeating: 0, count: size.count)
        shown = below
        coming = below
    }

    /// Gives pixels that may have changed their places in the palette.
    ///
    /// - Returns: The smallest rectangle around those that differ from what is shown.
    mutating func index<Indexer: PixelIndexer>(
        _ rects: [PixelRect], of canvas: Canvas<Indexer.Pixel>, with indexer: inout Indexer,
        isFirst: Bool
    ) -> PixelRect {
        let area = rects.reduce(0) { $0 + $1.width * $1.height }
        let isCalm = !isFirst && area <= size.count / Self.calmShare
        var changed = PixelRect.empty
        let width = size.width
        shown.withUnsafeBufferPointer { shown in
            coming.withUnsafeMutableBufferPointer { coming in
                canvas.pixels.withUnsafeBufferPointer { pixels in
                    for rect in rects {
                        for y in rect.minY..<rect.maxY {
                            var (first, last) = (Int.max, -1)
                            for x in rect.minX..<rect.maxX {
                                let place = y * width + x
                                let index = indexer.index(
                                    of: pixels[place], shown: shown[place], isCalm: isCalm)
                                coming[place] = index
                                if index != shown[place] {
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

    /// Makes the coming frame the pending one; nil for all of it.
    mutating func show(_ rect: PixelRect?) {
        let rect = rect ?? PixelRect(size)
        Self.copy(rect, from: coming, to: &shown, width: size.width)
        pending = pending.isEmpty ? rect : difference(in: pending.union(rect))
    }

    /// The smallest rectangle around the pixels that the coming frame makes transparent.
    func erased(in rect: PixelRect) -> PixelRect {
        var erased = PixelRect.empty
        for y in rect.minY..<rect.maxY {
            let row = y * size.width
            for x in rect.minX..<rect.maxX where coming[row + x] == 0 && shown[row + x] != 0 {
                erased = erased.union(PixelRect(minX: x, minY: y, maxX: x + 1, maxY: y + 1))
            }
        }
        return erased
    }

    /// The pending frame's image, after which the viewer has what is shown, but for a rectangle
    /// to be erased.
    mutating func takeImage(erasing erased: PixelRect) -> GIFImage {
        var rect = pending.union(erased)
        // An image has at least one pixel.
        if rect.isEmpty { rect = PixelRect(minX: 0, minY: 0, maxX: 1, maxY: 1) }
        let image = cut(rect, isErased: !erased.isEmpty)
        isFirst = false
        Self.copy(rect, from: shown, to: &below, width: size.width)
        pending = .empty
        if !erased.isEmpty {
            clearBelow(rect)
            pending = difference(in: rect)
        }
        return image
    }

    private mutating func clearBelow(_ rect: PixelRect) {
        below.withUnsafeMutableBufferPointer { below in
            for y in rect.minY..<rect.maxY {
                let row = y * size.width
                below[row + rect.minX..<row + rect.maxX].update(repeating: 0)
            }
        }
    }

    private func difference(in rect: PixelRect) -> PixelRect {
        var difference = PixelRect.empty
        for y in rect.minY..<rect.maxY {
            let row = y * size.width
            var (first, last) = (Int.max, -1)
            for x in rect.minX..<rect.maxX where below[row + x] != shown[row + x] {
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
        // Of the first image nothing is there yet, but most is background.
        let background = isFirst ? shown[0] : 0
        let known = isFirst ? [UInt8](repeating: background, count: size.count) : below
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
        image.forgetUnused()
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
