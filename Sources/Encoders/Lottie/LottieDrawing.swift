import Motion

/// Everything that one glyph draws, as a composition that glyphs share which draw the same.
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
}

/// An upright rectangle in steps.
struct LottieBox: Hashable {
    var left: Int
    var top: Int
    var right: Int
    var bottom: Int

    /// The box of a rectangle about an origin, its edges on the nearest steps.
    init(_ rect: Rect, about origin: Point, step: Double) {
        left = Int(((rect.x - origin.x) / step).rounded())
        top = Int(((rect.y - origin.y) / step).rounded())
        // No line may vanish between two steps.
        right = max(Int(((rect.maxX - origin.x) / step).rounded()), left + 1)
        bottom = max(Int(((rect.maxY - origin.y) / step).rounded()), top + 1)
    }

    /// The box of a canvas about its top left corner.
    init(width: Int, height: Int) {
        left = 0
        top = 0
        right = width
        bottom = height
    }

    /// The box that holds a rectangle in ems.
    init(around ems: Rect, stepsPerEm: Double) {
        left = Int((ems.x * stepsPerEm).rounded(.down))
        top = Int((ems.y * stepsPerEm).rounded(.down))
        right = Int((ems.maxX * stepsPerEm).rounded(.up))
        bottom = Int((ems.maxY * stepsPerEm).rounded(.up))
    }

    var width: Int { right - left }
    var height: Int { bottom - top }

    /// The same about another origin.
    func rect(from origin: Point) -> Rect {
        Rect(
            x: origin.x + Double(left), y: origin.y + Double(top), width: Double(width),
            height: Double(height))
    }

    func union(_ other: LottieBox) -> LottieBox {
        var box = self
        box.left = min(left, other.left)
        box.top = min(top, other.top)
        box.right = max(right, other.right)
        box.bottom = max(bottom, other.bottom)
        return box
    }

    func grown(by steps: Int) -> LottieBox {
        var box = self
        box.left -= steps
        box.top -= steps
        box.right += steps
        box.bottom += steps
        return box
    }
}

/// How a glyph's layer shows what it draws.
struct LottieUse {
    enum Asset: Equatable {
        /// Index into `LottieAssets.drawings`.
        case drawing(Int)
        /// Index into `Layout.bitmaps`.
        case picture(Int)
    }

    let asset: Asset
    /// The place in the asset that lies on `place`.
    let anchor: Point
    /// A place on the canvas in CSS pixels.
    let place: Point
    /// CSS pixels in one of the asset's units.
    let scale: Double
}
