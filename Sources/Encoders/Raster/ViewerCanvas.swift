import Motion
import Raster

/// The form that pixels have in files of a format: indices of a palette, or colours.
protocol PixelForm: Sendable {
    associatedtype Pixel: RasterPixel
    associatedtype Value: FixedWidthInteger & Sendable

    /// Writes a part of a row.
    ///
    /// - Parameters:
    ///   - pixels: The pixels.
    ///   - start: The position of the first among those of the whole canvas.
    ///   - target: Where as many values are written.
    mutating func write(
        _ pixels: UnsafeBufferPointer<Pixel>, at start: Int,
        to target: UnsafeMutablePointer<Value>)
}

/// A rectangle of a frame in the form of a file, row by row without gaps.
struct PixelBlock<Value: FixedWidthInteger & Sendable>: Sendable {
    let rect: PixelRect
    let values: [Value]

    /// The number of runs of equal values, which says how well they compress.
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
        let values = [Value](unsafeUninitializedCapacity: part.width * part.height) {
            target, count in
            count = part.width * part.height
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
}

extension Canvas {
    /// Returns the pixels of a rectangle in the form of a file.
    ///
    /// - Throws: `EncodingError.deadline`.
    func block<Form: PixelForm>(
        _ rect: PixelRect, as form: inout Form, _ context: EncodingContext
    ) throws(EncodingError) -> PixelBlock<Form.Value> where Form.Pixel == Pixel {
        let count = rect.width * rect.height
        var isInTime = true
        let values = [Form.Value](unsafeUninitializedCapacity: count) { target, written in
            written = count
            guard let start = target.baseAddress else { return }
            pixels.withUnsafeBufferPointer { source in
                for y in 0..<rect.height {
                    guard y % 64 != 63 || !context.deadline.hasPassed else {
                        written = y * rect.width
                        isInTime = false
                        return
                    }
                    let first = (rect.minY + y) * size.width + rect.minX
                    form.write(
                        UnsafeBufferPointer(rebasing: source[first..<first + rect.width]),
                        at: first,
                        to: start + y * rect.width)
                }
            }
        }
        guard isInTime else { throw .deadline }
        return PixelBlock(rect: rect, values: values)
    }
}

/// What a viewer shows of the frames that are written, in the form of the file.
struct ViewerCanvas<Value: FixedWidthInteger & Sendable>: Sendable {
    private let width: Int
    private var values: [Value]

    init(size: PixelSize) {
        width = size.width
        values = [Value](repeating: 0, count: size.count)
    }

    /// Returns the smallest rectangle around all pixels in which a block differs.
    func difference(from block: PixelBlock<Value>) -> PixelRect {
        var difference = PixelRect.empty
        forEachRow(of: block) { y, old, new in
            guard let (first, last) = Self.difference(old, new) else { return }
            let left = block.rect.minX
            difference = difference.union(
                PixelRect(minX: left + first, minY: y, maxX: left + last + 1, maxY: y + 1))
        }
        return difference
    }

    /// Returns the first and the last index at which two rows of equal length differ; nil where they
    /// are equal.
    private static func difference(
        _ old: UnsafeBufferPointer<Value>, _ new: UnsafeBufferPointer<Value>
    ) -> (first: Int, last: Int)? {
        let (olds, news) = (UnsafeRawBufferPointer(old), UnsafeRawBufferPointer(new))
        // Eight bytes at once, for most are equal.
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

    /// Returns a block with another value in place of each pixel that does not differ; nil where all
    /// differ.
    func changes(
        of block: PixelBlock<Value>, else unchanged: Value
    ) -> PixelBlock<Value>? {
        var values = block.values
        var equal = 0
        values.withUnsafeMutableBufferPointer { values in
            guard var row = values.baseAddress else { return }
            forEachRow(of: block) { _, old, new in
                // Without branches, so that many pixels are compared at once.
                var count = 0
                for x in 0..<new.count {
                    let isEqual = old[x] == new[x]
                    row[x] = isEqual ? unchanged : new[x]
                    count &+= isEqual ? 1 : 0
                }
                equal += count
                row += new.count
            }
        }
        return equal > 0 ? PixelBlock(rect: block.rect, values: values) : nil
    }

    /// Makes a rectangle what it was before the first frame.
    mutating func clear(_ rect: PixelRect) {
        values.withUnsafeMutableBufferPointer { values in
            for y in rect.minY..<rect.maxY {
                values[y * width + rect.minX..<y * width + rect.maxX].update(repeating: 0)
            }
        }
    }

    /// Draws a block.
    mutating func show(_ block: PixelBlock<Value>) {
        let rect = block.rect
        values.withUnsafeMutableBufferPointer { values in
            block.values.withUnsafeBufferPointer { source in
                guard let target = values.baseAddress, let source = source.baseAddress else {
                    return
                }
                for y in 0..<rect.height {
                    (target + (rect.minY + y) * width + rect.minX)
                        .update(from: source + y * rect.width, count: rect.width)
                }
            }
        }
    }

    /// Calls `body` with the y of each row of a block and its values here and in the block.
    private func forEachRow(
        of block: PixelBlock<Value>,
        _ body: (Int, UnsafeBufferPointer<Value>, UnsafeBufferPointer<Value>) -> Void
    ) {
        let rect = block.rect
        values.withUnsafeBufferPointer { values in
            block.values.withUnsafeBufferPointer { block in
                for y in 0..<rect.height {
                    let old = (rect.minY + y) * width + rect.minX
                    let new = y * rect.width
                    body(
                        rect.minY + y,
                        UnsafeBufferPointer(rebasing: values[old..<old + rect.width]),
                        UnsafeBufferPointer(rebasing: block[new..<new + rect.width]))
                }
            }
        }
    }
}
