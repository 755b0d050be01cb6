package import Motion

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

/// The identity of a value that is made of glyphs; only its maker knows the meaning of the numbers.
package struct GlyphKey: Hashable, Sendable {
    private let kind: ObjectIdentifier
    private let first: UInt64
    private let second: UInt64
    private let others: [UInt64]

    /// Makes the key of the value that some numbers tell from all others of a kind; the kind is told
    /// from all others by a type.
    package init(
        _ kind: Any.Type, _ first: UInt64 = 0, _ second: UInt64 = 0, others: [UInt64] = []
    ) {
        self.kind = ObjectIdentifier(kind)
        self.first = first
        self.second = second
        self.others = others
    }

    // Kinds of the same numbers are rare.
    package func hash(into hasher: inout Hasher) {
        hasher.combine(first)
        hasher.combine(second)
        for number in others { hasher.combine(number) }
    }

    /// The number of bytes in memory besides the key itself.
    package var outlyingBytes: Int { 8 * others.count }
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
