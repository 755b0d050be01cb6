import CPango
package import Motion

/// Paints scenes with cairo, glyph by glyph from their poses: the picture that every other format
/// is held against.
package final class CairoPainter: ScenePainter {
    package init() {}

    package func paint(
        _ scene: Scene, at moment: Moment, scale: Double
    ) throws(PaintingError) -> Pixmap {
        let surface = try ImageSurface(
            width: Int((scene.layout.width * scale).rounded(.up)),
            height: Int((scene.layout.height * scale).rounded(.up)))
        let context = try CairoContext(surface)
        cairo_scale(context.pointer, scale, scale)
        context.setSource(scene.appearance.background)
        cairo_paint(context.pointer)
        for (index, glyph) in scene.layout.glyphs.enumerated() {
            guard let ink = glyph.ink else { continue }
            let pose = scene.pose(ofGlyph: index, at: moment)
            guard pose.opacity > 0 else { continue }
            try draw(ink, of: glyph, in: pose, scene.layout, context)
        }
        try context.check()
        return surface.straightPixmap()
    }

    private func draw(
        _ ink: Ink, of glyph: Glyph, in pose: Pose, _ layout: Layout,
        _ context: borrowing CairoContext
    ) throws(PaintingError) {
        cairo_save(context.pointer)
        defer { cairo_restore(context.pointer) }
        place(glyph.rect.center, pose, context)
        guard !ink.isOnePart, pose.opacity < 1 else {
            return try fill(ink, glyph.color, pose.opacity, layout, context)
        }
        // Opacity is the glyph's as a whole: what overlaps within it must not show.
        cairo_push_group(context.pointer)
        try fill(ink, glyph.color, 1, layout, context)
        cairo_pop_group_to_source(context.pointer)
        cairo_paint_with_alpha(context.pointer, pose.opacity)
    }

    /// Turns and scales about the centre, then moves.
    private func place(_ center: Point, _ pose: Pose, _ context: borrowing CairoContext) {
        guard pose != Pose.rest else { return }
        cairo_translate(context.pointer, center.x + pose.offsetX, center.y + pose.offsetY)
        cairo_rotate(context.pointer, pose.rotation * .pi / 180)
        cairo_scale(context.pointer, pose.scale, pose.scale)
        cairo_translate(context.pointer, -center.x, -center.y)
    }

    private func fill(
        _ ink: Ink, _ color: Color, _ opacity: Double, _ layout: Layout,
        _ context: borrowing CairoContext
    ) throws(PaintingError) {
        context.setSource(color, opacity: opacity)
        if let shape = ink.shape {
            cairo_save(context.pointer)
            cairo_translate(context.pointer, shape.origin.x, shape.origin.y)
            cairo_scale(context.pointer, shape.scale, shape.scale)
            context.add(layout.outlines[shape.outline])
            cairo_restore(context.pointer)
            cairo_fill(context.pointer)
        }
        for detail in ink.details {
            switch detail {
            case .line(let rect):
                cairo_rectangle(context.pointer, rect.x, rect.y, rect.width, rect.height)
                cairo_fill(context.pointer)
            case .picture(let picture):
                try paint(layout.bitmaps[picture.bitmap], over: picture.rect, opacity, context)
            }
        }
    }

    private func paint(
        _ bitmap: Bitmap, over rect: Rect, _ opacity: Double, _ context: borrowing CairoContext
    ) throws(PaintingError) {
        let surface = try ImageSurface(bitmap)
        cairo_save(context.pointer)
        cairo_translate(context.pointer, rect.x, rect.y)
        cairo_scale(
            context.pointer, rect.width / Double(bitmap.width),
            rect.height / Double(bitmap.height))
        cairo_set_source_surface(context.pointer, surface.pointer, 0, 0)
        cairo_pattern_set_filter(cairo_get_source(context.pointer), CAIRO_FILTER_GOOD)
        cairo_paint_with_alpha(context.pointer, opacity)
        cairo_restore(context.pointer)
    }
}

extension ImageSurface {
    /// The picture with straight alpha.
    fileprivate func straightPixmap() -> Pixmap {
        var pixels = pixels()
        for start in stride(from: 0, to: pixels.count, by: 4) {
            let alpha = Int(pixels[start + 3])
            let (blue, green, red) = (pixels[start], pixels[start + 1], pixels[start + 2])
            func straight(_ value: UInt8) -> UInt8 {
                alpha == 0 ? 0 : UInt8(min((Int(value) * 255 + alpha / 2) / alpha, 255))
            }
            pixels[start] = alpha == 255 ? red : straight(red)
            pixels[start + 1] = alpha == 255 ? green : straight(green)
            pixels[start + 2] = alpha == 255 ? blue : straight(blue)
        }
        return Pixmap(width: width, height: height, pixels: pixels)
    }
}
