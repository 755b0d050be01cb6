import Motion

/// Everything that one glyph draws; glyphs share it which draw the same.
///
/// Its coordinates are steps about the pen; whole numbers, so that equal drawings are equal.
struct LottieDrawing: Hashable {
    enum Part: Hashable {
        /// Index into `Layout.outlines`.
        case outline(Int)
        case line(LottieBox)
        /// Index into `Layout.bitmaps`.
        case picture(Int, LottieBox)
    }

    let color: Color
    /// In the order in which they are drawn.
    let parts: [Part]

    /// Whether it is made of nothing but shapes of its colour.
    var isShape: Bool {
        !parts.contains { if case .picture = $0 { true } else { false } }
    }
}

/// How a glyph's layer shows what it draws.
struct LottieUse {
    enum Content: Equatable {
        /// The shapes of a drawing, in the layer itself; index into `LottieAssets.drawings`.
        case shapes(Int)
        /// A drawing that is an asset; index into `LottieAssets.drawings`.
        case composition(Int)
        /// A picture alone; index into `Layout.bitmaps`.
        case picture(Int)

        /// The drawing whose shapes are in the layer itself.
        var shapes: Int? {
            if case .shapes(let number) = self { number } else { nil }
        }
    }

    let content: Content
    /// The place in the content that lies on `place`.
    let anchor: Point
    /// A place on the canvas in CSS pixels.
    let place: Point
    /// CSS pixels in one of the content's units.
    let scale: Double
}
