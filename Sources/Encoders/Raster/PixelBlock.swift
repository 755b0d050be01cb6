import Raster

/// A rectangle of pixels in the form of a file, row by row without gaps.
struct PixelBlock<Value: FixedWidthInteger & Sendable>: Sendable {
    let rect: PixelRect
    private(set) var values: [Value]

    init(rect: PixelRect, values: [Value]) {
        self.rect = rect
        self.values = values
    }

    /// Makes a block whose values are all 0.
    init(_ rect: PixelRect) {
        self.init(rect: rect, values: [Value](repeating: 0, count: rect.count))
    }

    /// The number of runs of equal values, a measure of how well they compress.
    var runCount: Int {
        values.withUnsafeBufferPointer { values in
            var count = 1
            for index in values.indices.dropFirst() {
                count &+= values[index] == values[index &- 1] ? 0 : 1
            }
            return count
        }
    }

    /// Returns a part of it.
    func cropped(to part: PixelRect) -> PixelBlock {
        if part == rect { return self }
        let values = [Value](unsafeUninitializedCapacity: part.count) { target, count in
            count = part.count
            self.values.withUnsafeBufferPointer { source in
                guard let source = source.baseAddress, let target = target.baseAddress else {
                    return
                }
                for y in 0..<part.height {
                    let row = (part.minY + y - rect.minY) * rect.width + part.minX - rect.minX
                    (target + y * part.width).update(from: source + row, count: part.width)
                }
            }
        }
        return PixelBlock(rect: part, values: values)
    }

    /// Replaces the part that another block covers.
    mutating func draw(_ block: PixelBlock) {
        withRows(of: block.rect) { row, y in
            block.values.withUnsafeBufferPointer { source in
                let start = (y - block.rect.minY) * block.rect.width
                _ = row.update(fromContentsOf: source[start..<start + block.rect.width])
            }
        }
    }

    /// Sets a part to 0.
    mutating func clear(_ part: PixelRect) {
        withRows(of: part) { row, _ in row.update(repeating: 0) }
    }

    /// Calls `body` with each row of a part and the row's y.
    @inline(__always)
    mutating func withRows(
        of part: PixelRect, _ body: (UnsafeMutableBufferPointer<Value>, Int) -> Void
    ) {
        values.withUnsafeMutableBufferPointer { values in
            for y in part.minY..<part.maxY {
                let start = (y - rect.minY) * rect.width + part.minX - rect.minX
                body(
                    UnsafeMutableBufferPointer(rebasing: values[start..<start + part.width]), y)
            }
        }
    }
}

// The differences between a block and another one within it.
extension PixelBlock {
    /// Returns the smallest rectangle around all pixels in which a block differs.
    func difference(from block: PixelBlock) -> PixelRect {
        bounds(of: block) { old, new in
            let (olds, news) = (UnsafeRawBufferPointer(old), UnsafeRawBufferPointer(new))
            // Eight bytes at once, because most are equal.
            func areEqual(from index: Int) -> Bool {
                olds.loadUnaligned(fromByteOffset: index, as: UInt64.self)
                    == news.loadUnaligned(fromByteOffset: index, as: UInt64.self)
            }
            var first = 0
            while first + 8 <= olds.count, areEqual(from: first) { first += 8 }
            while first < olds.count, olds[first] == news[first] { first += 1 }
            guard first < olds.count else { return nil }
            var last = olds.count - 1
            while last - 7 > first, areEqual(from: last - 7) { last -= 8 }
            while olds[last] == news[last] { last -= 1 }
            let stride = MemoryLayout<Value>.size
            return (first / stride, last / stride)
        }
    }

    /// Returns the smallest rectangle around all pixels that are 0 in a block, but not here.
    func vanishing(in block: PixelBlock) -> PixelRect {
        bounds(of: block) { old, new in
            func vanishes(_ x: Int) -> Bool { new[x] == 0 && old[x] != 0 }
            guard let first = new.indices.first(where: vanishes),
                let last = new.indices.last(where: vanishes)
            else { return nil }
            return (first, last)
        }
    }

    /// Replaces each unchanged pixel.
    ///
    /// - Parameters:
    ///   - behind: The pixels before, in the same rectangle.
    ///   - unchanged: The value in place of those pixels.
    /// - Returns: The block; nil where every pixel differs.
    func changes(since behind: PixelBlock, else unchanged: Value) -> PixelBlock? {
        var equal = 0
        let changes = [Value](unsafeUninitializedCapacity: values.count) { target, count in
            count = values.count
            values.withUnsafeBufferPointer { new in
                behind.values.withUnsafeBufferPointer { old in
                    // Without branches, so that many pixels are compared at once.
                    for index in 0..<new.count {
                        let isEqual = old[index] == new[index]
                        target[index] = isEqual ? unchanged : new[index]
                        equal &+= isEqual ? 1 : 0
                    }
                }
            }
        }
        return equal > 0 ? PixelBlock(rect: rect, values: changes) : nil
    }

    /// Examines each row of a block.
    ///
    /// - Parameters:
    ///   - block: A block within this one.
    ///   - find: Takes a row here and in the block, and returns the first and the last index that
    ///     it finds; nil for none.
    /// - Returns: The smallest rectangle around all pixels that are found.
    @inline(__always)
    private func bounds(
        of block: PixelBlock,
        _ find: (UnsafeBufferPointer<Value>, UnsafeBufferPointer<Value>) -> (Int, Int)?
    ) -> PixelRect {
        var bounds = PixelRect.empty
        let (part, width) = (block.rect, block.rect.width)
        values.withUnsafeBufferPointer { values in
            block.values.withUnsafeBufferPointer { block in
                for y in part.minY..<part.maxY {
                    let old = (y - rect.minY) * rect.width + part.minX - rect.minX
                    let new = (y - part.minY) * width
                    let found = find(
                        UnsafeBufferPointer(rebasing: values[old..<old + width]),
                        UnsafeBufferPointer(rebasing: block[new..<new + width]))
                    guard let (first, last) = found else { continue }
                    bounds = bounds.union(
                        PixelRect(
                            minX: part.minX + first, minY: y, maxX: part.minX + last + 1,
                            maxY: y + 1))
                }
            }
        }
        return bounds
    }
}
