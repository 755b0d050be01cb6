import Motion
import Raster

/// The form of pixels in the files of a format: indices of a palette, or colours.
protocol PixelForm<Value>: Sendable {
    associatedtype Pixel: RasterPixel
    associatedtype Value: FixedWidthInteger & Sendable

    /// Writes a part of a row.
    ///
    /// - Parameters:
    ///   - pixels: The pixels.
    ///   - start: The position of the first pixel on the whole canvas, counted row by row.
    ///   - isSmallChange: True if few pixels of the frame change, so that small errors cannot be
    ///     seen.
    ///   - target: The present values of these pixels, which are replaced.
    mutating func write(
        _ pixels: UnsafeBufferPointer<Pixel>, at start: Int, isSmallChange: Bool,
        to target: UnsafeMutableBufferPointer<Value>)
}

/// The indices of a palette.
struct PaletteIndices<Indexer: PixelIndexer>: PixelForm {
    var indexer: Indexer

    mutating func write(
        _ pixels: UnsafeBufferPointer<Indexer.Pixel>, at start: Int, isSmallChange: Bool,
        to target: UnsafeMutableBufferPointer<UInt8>
    ) {
        for x in 0..<pixels.count {
            target[x] = indexer.index(
                of: pixels[x], shown: target[x], isSmallChange: isSmallChange)
        }
    }
}

extension Canvas {
    /// Replaces the values of a rectangle by the form of its pixels.
    ///
    /// - Throws: `EncodingError.deadline`.
    func write<Form: PixelForm>(
        _ rect: PixelRect, as form: inout Form, isSmallChange: Bool,
        to block: inout PixelBlock<Form.Value>, _ context: EncodingContext
    ) throws(EncodingError) where Form.Pixel == Pixel {
        for band in rect.bands {
            try context.checkDeadline()
            pixels.withUnsafeBufferPointer { source in
                block.withRows(of: band) { row, y in
                    let start = y * size.width + band.minX
                    form.write(
                        UnsafeBufferPointer(rebasing: source[start..<start + band.width]),
                        at: start, isSmallChange: isSmallChange, to: row)
                }
            }
        }
    }

    /// Returns all pixels in the form of a file.
    ///
    /// - Throws: `EncodingError.deadline`.
    func block<Form: PixelForm>(
        as form: inout Form, _ context: EncodingContext
    ) throws(EncodingError) -> PixelBlock<Form.Value> where Form.Pixel == Pixel {
        var block = PixelBlock<Form.Value>(PixelRect(size))
        try write(block.rect, as: &form, isSmallChange: false, to: &block, context)
        return block
    }
}
