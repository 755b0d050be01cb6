/// The picture of a glyph that has colours of its own, such as an emoji.
///
/// A class, because many scenes share it; it never changes.
package final class Bitmap: Sendable {
    /// Pixels a row.
    package let width: Int
    /// Rows.
    package let height: Int
    /// Premultiplied pixels, row by row without gaps: blue, green, red, alpha.
    package let pixels: [UInt8]
    /// The same picture as a PNG file.
    package let png: [UInt8]

    package init(width: Int, height: Int, pixels: [UInt8], png: [UInt8]) {
        self.width = width
        self.height = height
        self.pixels = pixels
        self.png = png
    }
}
