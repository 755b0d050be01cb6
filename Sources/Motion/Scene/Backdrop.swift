/// A picture behind everything, which covers the canvas or stands in the middle of it.
package struct Backdrop: Sendable {
    package enum Fit: String, CaseIterable, Sendable {
        /// As small as covers the canvas, which cuts it.
        case cover
        /// As large as the canvas holds.
        case contain
    }

    /// Index into `Definitions.bitmaps`.
    package var bitmap: Int
    /// True if no pixel of the picture is transparent.
    package var isOpaque: Bool
    package var fit: Fit
    /// The opacity of the black over the picture, 0…1.
    package var dim: Double

    package init(bitmap: Int, isOpaque: Bool, fit: Fit, dim: Double) {
        self.bitmap = bitmap
        self.isOpaque = isOpaque
        self.fit = fit
        self.dim = dim
    }

    /// Returns the box of a picture of a size on a canvas; the canvas cuts a larger one.
    func box(ofWidth width: Double, height: Double, on canvas: Rect) -> Rect {
        let factors = (canvas.width / width, canvas.height / height)
        let factor =
            switch fit {
            case .cover: max(factors.0, factors.1)
            case .contain: min(factors.0, factors.1)
            }
        let size = (width * factor, height * factor)
        return Rect(
            x: canvas.center.x - size.0 / 2, y: canvas.center.y - size.1 / 2, width: size.0,
            height: size.1)
    }
}

extension Scene {
    /// Adds the picture behind everything and the black over it, the first of the nodes behind the
    /// text, with a track.
    ///
    /// Needs a canvas without its card. A picture that hides the canvas gets a black card under it,
    /// so that formats without alpha, or with less effort for opaque pixels, know that it does.
    mutating func addBackdrop(_ backdrop: Backdrop, track: Int) {
        // The pixels at the right and at the bottom are whole ones.
        let ground = Rect(x: 0, y: 0, width: width.rounded(.up), height: height.rounded(.up))
        let bitmap = definitions.bitmaps[backdrop.bitmap]
        let box = backdrop.box(
            ofWidth: Double(bitmap.width), height: Double(bitmap.height), on: ground)
        let picture = Ink.Picture(bitmap: backdrop.bitmap, rect: box, isFramed: true)
        addBackdropNode(.picture(picture), in: box, track: track)
        let black = Color(red: 0, green: 0, blue: 0)
        if backdrop.isOpaque, backdrop.fit == .cover {
            appearance.card = Card(background: .color(black))
        }
        guard backdrop.dim > 0 else { return }
        var shade = black
        shade.alpha = UInt8((255 * min(backdrop.dim, 1)).rounded())
        let shaded = backdrop.fit == .cover ? ground : box
        addBackdropNode(.line(shaded), in: shaded, color: shade, track: track)
    }

    private mutating func addBackdropNode(
        _ detail: Ink.Detail, in box: Rect, color: Color = .transparent, track: Int
    ) {
        let glyph = Glyph(
            block: 0, line: 0, word: 0, text: "", start: 0, length: 0, isWhitespace: false,
            paint: .color(color), hasBlockPaint: false, rect: box, baseline: box.maxY,
            size: box.height, ink: Ink(shape: nil, details: [detail], bounds: box))
        nodes.append(SceneNode(glyph, as: .backdrop, track: track, isFinished: true))
        cardNodeCount += 1
    }

    /// The picture behind everything, in its place; nil for none.
    package var backdropPicture: Ink.Picture? {
        let first = nodes.count - cardNodeCount
        guard cardNodeCount > 0, nodes[first].role == .backdrop,
            case .picture(let picture)? = nodes[first].glyph.ink?.details.first
        else { return nil }
        return picture
    }
}
