import Motion

extension Canvas {
    /// The pixels of a rectangle as a PNG stores them before compression, a filter's number before
    /// each row.
    func rows<Pixels: PNGPixels>(_ rect: PixelRect, as pixels: Pixels) -> [UInt8]
    where Pixels.Pixel == Pixel {
        let rowBytes = 1 + rect.width * pixels.bytesPerPixel
        return [UInt8](unsafeUninitializedCapacity: rowBytes * rect.height) { target, count in
            guard let start = target.baseAddress else { return }
            self.pixels.withUnsafeBufferPointer { source in
                for y in 0..<rect.height {
                    let first = (rect.minY + y) * size.width + rect.minX
                    start[y * rowBytes] = 0
                    pixels.write(
                        UnsafeBufferPointer(rebasing: source[first..<first + rect.width]),
                        to: start + y * rowBytes + 1)
                }
            }
            count = rowBytes * rect.height
        }
    }
}

extension [UInt8] {
    /// Rows with the filter Up (PNG third edition, 9.2): flat areas become zeros.
    func filteredUp(rowBytes: Int) -> [UInt8] {
        var filtered = self
        filtered.withUnsafeMutableBufferPointer { target in
            self.withUnsafeBufferPointer { source in
                for row in stride(from: 0, to: source.count, by: rowBytes) {
                    target[row] = 2
                    guard row > 0 else { continue }
                    for place in row + 1..<row + rowBytes {
                        target[place] = source[place] &- source[place - rowBytes]
                    }
                }
            }
        }
        return filtered
    }
}
