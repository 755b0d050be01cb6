import CPango
import Glibc
import Motion

@testable import Typesetting

/// A scene painted with cairo, glyph by glyph from their poses, in one picture: what the raster
/// formats are held against.
enum PlainPainting {
    /// Premultiplied pixels (blue, green, red, alpha), row by row without gaps.
    static func pixels(
        of scene: Scene, at moment: Moment, scale: Double, _ painter: TilePainter
    ) throws(LibraryFault) -> [UInt8] {
        let surface = try ImageSurface(
            width: Int((scene.layout.width * scale).rounded(.up)),
            height: Int((scene.layout.height * scale).rounded(.up)))
        let context = try CairoContext(surface)
        cairo_scale(context.pointer, scale, scale)
        context.setSource(scene.appearance.card.background.firstColor)
        cairo_paint(context.pointer)
        for (index, glyph) in scene.layout.glyphs.enumerated() {
            guard let ink = glyph.ink else { continue }
            let pose = scene.pose(ofGlyph: index, at: moment)
            guard pose.opacity > 0, pose.scaleX != 0, pose.scaleY != 0 else { continue }
            cairo_save(context.pointer)
            context.move(glyph.rect.center, to: pose)
            // Opacity is the glyph's as a whole: what overlaps within it must not show.
            cairo_push_group(context.pointer)
            try context.draw(
                ink, pose.fill.color(own: glyph.color), pose, scene.layout,
                longest: longestContour(of: ink, scene.layout), pixels: painter.pixels)
            cairo_pop_group_to_source(context.pointer)
            if let clip = pose.clip {
                cairo_identity_matrix(context.pointer)
                cairo_scale(context.pointer, scale, scale)
                cairo_rectangle(context.pointer, clip.x, clip.y, clip.width, clip.height)
                cairo_clip(context.pointer)
            }
            cairo_paint_with_alpha(context.pointer, pose.opacity)
            cairo_restore(context.pointer)
        }
        try context.check()
        return surface.pixels()
    }

    /// Returns the length of the longest contour of a shape, as cairo measures it.
    private static func longestContour(
        of ink: Ink, _ layout: Layout
    ) throws(LibraryFault) -> Double {
        let context = try CairoContext(ImageSurface(width: 1, height: 1))
        // cairo counts in 256ths of a pixel, and leaves out what is smaller than the tolerance.
        let detail = 256.0
        cairo_scale(context.pointer, detail, detail)
        if let shape = ink.shape {
            cairo_save(context.pointer)
            cairo_scale(context.pointer, shape.scale, shape.scale)
            context.add(layout.outlines[shape.outline])
            cairo_restore(context.pointer)
        }
        guard let path = cairo_copy_path_flat(context.pointer) else { throw .memory }
        defer { cairo_path_destroy(path) }
        var (longest, length) = (0.0, 0.0)
        var (start, current) = (Point.zero, Point.zero)
        var index = 0
        while index < Int(path.pointee.num_data) {
            let header = path.pointee.data[index].header
            if header.type == CAIRO_PATH_CLOSE_PATH {
                length += hypot(start.x - current.x, start.y - current.y)
                longest = max(longest, length)
            } else {
                let end = path.pointee.data[index + 1].point
                let point = Point(x: end.x, y: end.y)
                if header.type == CAIRO_PATH_MOVE_TO {
                    (start, length) = (point, 0)
                } else {
                    length += hypot(point.x - current.x, point.y - current.y)
                }
                current = point
            }
            index += Int(header.length)
        }
        return longest
    }
}
