/// Shapes and pictures of glyphs, kept from one rendering to the next for all render threads.
///
/// To conform, keep as much as there is room for: every value can be made again, and is the same
/// whenever it is made.
package protocol GlyphCache: AnyObject, Sendable {
    /// The value that was kept for a key, unless it has made room for others.
    func value(for key: GlyphKey) -> GlyphValue?

    func keep(_ value: GlyphValue, for key: GlyphKey)

    /// A number that stands for a font in keys; `identity` is all that decides which shapes the font
    /// draws.
    func number(ofFont identity: String) -> Int
}

/// Something that is made of glyphs; never the same key for two different values.
package enum GlyphKey: Hashable, Sendable {
    /// A font's glyph in font units; the font by its number in the cache.
    case outline(font: Int, glyph: UInt32)
    /// Several outlines that are drawn as one.
    case compound([Outline.Part])
    /// The box in place of a character that no font has; sizes in font units.
    case missing(width: Double, unitsPerEm: Double)
    /// SVG path data of an outline, by its `id`, moved by whole font units.
    case path(outline: UInt64, decimals: Int, slack: Int, shiftX: Double, shiftY: Double)
    /// Lottie's contours of an outline, by its `id`.
    case contours(outline: UInt64, unitsPerStep: Double)
    /// The PNG file of a colour glyph, so many pixels wide.
    case png(font: Int, glyph: UInt32, width: Int)
    /// The premultiplied pixels of a colour glyph, so many a row.
    case pixels(font: Int, glyph: UInt32, width: Int)
}

package enum GlyphValue: Sendable {
    case outline(Outline)
    case bytes([UInt8])
}

extension GlyphCache {
    /// An outline that is kept, or made and kept.
    package func outline<Fault: Error>(
        for key: GlyphKey, _ make: () throws(Fault) -> Outline
    ) throws(Fault) -> Outline {
        if case .outline(let known) = value(for: key) { return known }
        let outline = try make()
        keep(.outline(outline), for: key)
        return outline
    }

    /// Bytes that are kept, or made and kept.
    package func bytes<Fault: Error>(
        for key: GlyphKey, _ make: () throws(Fault) -> [UInt8]
    ) throws(Fault) -> [UInt8] {
        if case .bytes(let known) = value(for: key) { return known }
        let bytes = try make()
        keep(.bytes(bytes), for: key)
        return bytes
    }
}
