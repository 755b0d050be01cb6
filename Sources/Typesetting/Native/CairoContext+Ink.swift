import CPango
import Motion

extension CairoContext {
    /// Turns and scales what follows about a centre, then moves it.
    func place(_ center: Point, _ pose: Pose) {
        let isMoved =
            pose.offsetX != 0 || pose.offsetY != 0 || pose.scale != 1 || pose.rotation != 0
        guard isMoved else { return }
        cairo_translate(pointer, center.x + pose.offsetX, center.y + pose.offsetY)
        cairo_rotate(pointer, pose.rotation * .pi / 180)
        cairo_scale(pointer, pose.scale, pose.scale)
        cairo_translate(pointer, -center.x, -center.y)
    }

    /// Draws a glyph's shape and lines with the source that is set, and its pictures.
    ///
    /// `pixels` are those of a picture, premultiplied.
    func fill(
        _ ink: Ink, _ layout: Layout, pixels: (Bitmap) throws(LibraryFault) -> [UInt8]
    ) throws(LibraryFault) {
        if let shape = ink.shape {
            cairo_save(pointer)
            cairo_translate(pointer, shape.origin.x, shape.origin.y)
            cairo_scale(pointer, shape.scale, shape.scale)
            add(layout.outlines[shape.outline])
            cairo_restore(pointer)
            cairo_fill(pointer)
        }
        for detail in ink.details {
            switch detail {
            case .line(let rect):
                cairo_rectangle(pointer, rect.x, rect.y, rect.width, rect.height)
                cairo_fill(pointer)
            case .picture(let picture):
                let bitmap = layout.bitmaps[picture.bitmap]
                let surface = try ImageSurface(
                    width: bitmap.width, height: bitmap.height, premultiplied: pixels(bitmap))
                paint(surface, over: picture.rect)
            }
        }
    }

    private func paint(_ surface: borrowing ImageSurface, over rect: Rect) {
        cairo_save(pointer)
        cairo_translate(pointer, rect.x, rect.y)
        cairo_scale(
            pointer, rect.width / Double(surface.width), rect.height / Double(surface.height))
        cairo_set_source_surface(pointer, surface.pointer, 0, 0)
        cairo_pattern_set_filter(cairo_get_source(pointer), CAIRO_FILTER_GOOD)
        cairo_paint(pointer)
        cairo_restore(pointer)
    }
}
