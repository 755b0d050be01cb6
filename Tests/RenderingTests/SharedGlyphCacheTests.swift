import Raster
import Testing

@testable import Rendering

@Suite struct SharedGlyphCacheTests {
    private func key(_ glyph: UInt64) -> GlyphKey { GlyphKey(Self.self, 1, glyph) }

    @Test("what is kept is bounded in bytes, and what was used last stays")
    func bound() {
        let cache = SharedGlyphCache(capacity: 20_000)
        for glyph in 0..<100 as Range<UInt64> {
            cache.keep(.bytes([UInt8](repeating: 0, count: 1000)), for: key(glyph))
            #expect(cache.metrics.bytes <= 20_000)
            #expect(cache.value(for: key(0)) != nil, "it is used all the time")
        }
        #expect(cache.value(for: key(1)) == nil)
        #expect(cache.value(for: key(99)) != nil)
        #expect(cache.metrics.evictions == 100 - cache.metrics.entries)
    }

    @Test("one value must not push out all others")
    func large() {
        let cache = SharedGlyphCache(capacity: 10_000)
        cache.keep(.bytes([1]), for: key(1))
        cache.keep(.bytes([UInt8](repeating: 0, count: 9000)), for: key(2))
        #expect(cache.value(for: key(1)) != nil)
        #expect(cache.value(for: key(2)) == nil)
    }

    @Test("at rest a sixteenth of the capacity is in use at most")
    func rest() {
        let cache = SharedGlyphCache(capacity: 40_000)
        for glyph in 0..<20 as Range<UInt64> {
            cache.keep(.bytes([UInt8](repeating: 0, count: 1000)), for: key(glyph))
        }
        cache.rest()
        #expect(cache.metrics.bytes <= 2500)
        #expect(cache.value(for: key(19)) != nil)
    }

    @Test("a font's number is its own for ever, even when thousands were asked for meanwhile")
    func numbers() {
        let cache = SharedGlyphCache(capacity: 0)
        let first = cache.number(ofFont: "first")
        #expect(cache.number(ofFont: "first") == first)
        let numbers = (0..<10_000).map { cache.number(ofFont: "\($0)") }
        #expect(Set(numbers).count == numbers.count)
        #expect(!numbers.contains(first))
    }

    @Test("a value is made once, and again when it was not kept")
    func making() {
        var made = 0
        func bytes(_ cache: SharedGlyphCache) -> [UInt8] {
            cache.bytes(for: key(7)) {
                made += 1
                return [7]
            }
        }
        let cache = SharedGlyphCache(capacity: 10_000)
        #expect(bytes(cache) == [7] && bytes(cache) == [7])
        #expect(made == 1)
        let none = SharedGlyphCache(capacity: 0)
        #expect(bytes(none) == [7] && bytes(none) == [7])
        #expect(made == 3)
    }
}
