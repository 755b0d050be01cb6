/// Values by a font's glyph numbers, in pages that come as they are needed: faster than a
/// dictionary, smaller than an array for fonts of tens of thousands of glyphs.
struct GlyphPages<Value> {
    private static var pageSize: Int { 256 }

    private var pages: [[Value?]] = []
    /// Pages that hold values.
    private(set) var pageCount = 0

    subscript(glyph: UInt32) -> Value? {
        get {
            let (page, place) = Int(glyph).quotientAndRemainder(dividingBy: Self.pageSize)
            return page < pages.count && !pages[page].isEmpty ? pages[page][place] : nil
        }
        set {
            let (page, place) = Int(glyph).quotientAndRemainder(dividingBy: Self.pageSize)
            while pages.count <= page { pages.append([]) }
            if pages[page].isEmpty {
                pages[page] = [Value?](repeating: nil, count: Self.pageSize)
                pageCount += 1
            }
            pages[page][place] = newValue
        }
    }
}
