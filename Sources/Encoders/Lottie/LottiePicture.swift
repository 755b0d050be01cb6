import Motion

/// Where a picture's layer stands and how large it is.
struct LottiePicture {
    /// From here up to a half pictures are drawn at a little more than half their size: from a half
    /// down ThorVG takes another filter, which blurs.
    private static let nearlyHalf = 0.48

    /// Its top left corner.
    let place: Point
    /// The same across and down: a bitmap is as wide for its height as the font's own picture.
    let scale: Double

    /// A bitmap over a rectangle, in that rectangle's units, each `unit` CSS pixels long.
    init(_ bitmap: Bitmap, over rect: Rect, unit: Double = 1) {
        var pixels = rect.width / Double(bitmap.width) * unit
        if pixels > Self.nearlyHalf { pixels = max(pixels, 0.5002) }
        scale = pixels / unit
        let center = rect.center
        place = Point(
            x: center.x - scale * Double(bitmap.width) / 2,
            y: center.y - scale * Double(bitmap.height) / 2)
    }
}
