/// The picture of a colour glyph, such as an emoji, or of a request or an operator, at one size.
package struct Bitmap: Sendable {
    /// The font's number in the glyph cache.
    package let font: Int
    package let glyph: UInt32
    /// The width in pixels.
    package let width: Int
    /// The height in pixels.
    package let height: Int
    /// The PNG file in the font, or the picture's PNG or WebP file, which has at least this size.
    package let source: [UInt8]

    package init(font: Int, glyph: UInt32, width: Int, height: Int, source: [UInt8]) {
        self.font = font
        self.glyph = glyph
        self.width = width
        self.height = height
        self.source = source
    }
}
