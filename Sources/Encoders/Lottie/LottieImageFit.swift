import Motion

/// The position and the scale of an image over a rectangle.
struct LottieImageFit {
    /// Scales from this one to a half become a little more than a half: at a half and below, ThorVG
    /// takes another filter, which blurs.
    private static let nearlyHalf = 0.48

    let topLeft: Point
    /// The rectangle's units in one pixel of the image, both across and down: bitmaps have the
    /// aspect ratio of the font's own picture.
    let scale: Double

    /// Centres a bitmap over a rectangle.
    ///
    /// - Parameters:
    ///   - bitmap: The image.
    ///   - rect: The rectangle that it covers.
    ///   - unit: CSS pixels in one of the rectangle's units.
    init(_ bitmap: Bitmap, over rect: Rect, unit: Double = 1) {
        var pixels = rect.width / Double(bitmap.width) * unit
        if pixels > Self.nearlyHalf { pixels = max(pixels, 0.5002) }
        scale = pixels / unit
        let center = rect.center
        topLeft = Point(
            x: center.x - scale * Double(bitmap.width) / 2,
            y: center.y - scale * Double(bitmap.height) / 2)
    }
}
