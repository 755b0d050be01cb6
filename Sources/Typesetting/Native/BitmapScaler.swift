import CPango
import Motion

/// Makes a colour glyph's picture as large as it is needed.
enum BitmapScaler {
    /// - Parameters:
    ///   - png: The font's own picture.
    ///   - width: The pixels wanted, rounded up; never more than the picture has.
    /// - Returns: Nil when the font's picture cannot be read.
    static func bitmap(png: [UInt8], width: Double) -> Bitmap? {
        try? scaled(png: png, width: width)
    }

    private static func scaled(png: [UInt8], width: Double) throws(PaintingError) -> Bitmap {
        let own = try ImageSurface(png: png)
        let factor = width.rounded(.up) / Double(max(own.width, 1))
        guard factor < 1 else {
            return Bitmap(
                width: own.width, height: own.height, pixels: try rgba(own).pixels(), png: png)
        }
        let target = try ImageSurface(
            width: max(Int((Double(own.width) * factor).rounded()), 1),
            height: max(Int((Double(own.height) * factor).rounded()), 1))
        try draw(own, on: target)
        return Bitmap(
            width: target.width, height: target.height, pixels: target.pixels(),
            png: try target.png())
    }

    /// The picture with alpha, whatever kind of pixels its file holds.
    private static func rgba(_ surface: borrowing ImageSurface) throws(PaintingError)
        -> ImageSurface
    {
        let copy = try ImageSurface(width: surface.width, height: surface.height)
        try draw(surface, on: copy)
        return copy
    }

    private static func draw(
        _ source: borrowing ImageSurface, on target: borrowing ImageSurface
    ) throws(PaintingError) {
        let context = try CairoContext(target)
        cairo_scale(
            context.pointer, Double(target.width) / Double(source.width),
            Double(target.height) / Double(source.height))
        cairo_set_source_surface(context.pointer, source.pointer, 0, 0)
        cairo_pattern_set_filter(cairo_get_source(context.pointer), CAIRO_FILTER_GOOD)
        // The edge is the picture's own, not a fade to nothing.
        cairo_pattern_set_extend(cairo_get_source(context.pointer), CAIRO_EXTEND_PAD)
        cairo_paint(context.pointer)
        try context.check()
    }
}
