/// Draws a scene's glyphs as pixels.
///
/// Whoever can fill outlines may stand in: conform, and hand it to the encoder of a raster format.
package protocol ScenePainter: AnyObject {
    /// The scene at a moment, ceil(width·scale) by ceil(height·scale) pixels large: `scale` is the
    /// number of pixels in one CSS pixel.
    func paint(_ scene: Scene, at moment: Moment, scale: Double) throws(PaintingError) -> Pixmap
}

package enum PaintingError: Error, Equatable, Sendable {
    /// The graphics library refused, in its words.
    case failed(String)
}

/// A picture in memory.
package struct Pixmap: Equatable, Sendable {
    /// Pixels a row.
    package let width: Int
    /// Rows.
    package let height: Int
    /// Straight (not premultiplied) pixels, row by row without gaps: red, green, blue, alpha.
    package var pixels: [UInt8]

    package init(width: Int, height: Int, pixels: [UInt8]) {
        self.width = width
        self.height = height
        self.pixels = pixels
    }
}
