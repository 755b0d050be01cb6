/// A cache of glyphs' shapes and pictures, shared by all render threads.
///
/// A conforming type may evict any value: it can be made again, and is then the same.
package protocol GlyphCache: AnyObject, Sendable {
    /// Returns the value of a key; nil if it was not kept or was evicted.
    func value(for key: GlyphKey) -> GlyphValue?

    func keep(_ value: GlyphValue, for key: GlyphKey)

    /// Returns the number of a font in keys; `identity` determines the shapes that the font draws.
    func number(ofFont identity: String) -> Int
}

/// The identity of a value that is made of glyphs.
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
