/// The picture of a glyph that has colours of its own, such as an emoji, at the size in which it is
/// wanted.
package struct Bitmap: Sendable {
    /// The font's number in the glyph cache.
    package let font: Int
    package let glyph: UInt32
    /// Pixels a row.
    package let width: Int
    /// Rows.
    package let height: Int
    /// The picture as its font holds it: a PNG file, at least as large.
    package let source: [UInt8]

    package init(font: Int, glyph: UInt32, width: Int, height: Int, source: [UInt8]) {
        self.font = font
        self.glyph = glyph
        self.width = width
        self.height = height
        self.source = source
    }
}
