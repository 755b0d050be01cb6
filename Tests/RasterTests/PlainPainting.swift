import CPango
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
        context.setSource(scene.appearance.background)
        cairo_paint(context.pointer)
        for (index, glyph) in scene.layout.glyphs.enumerated() {
            guard let ink = glyph.ink else { continue }
            let pose = scene.pose(ofGlyph: index, at: moment)
            guard pose.opacity > 0, pose.scaleX != 0, pose.scaleY != 0 else { continue }
            cairo_save(context.pointer)
            context.move(glyph.rect.center, to: pose)
            // Opacity is the glyph's as a whole: what overlaps within it must not show.
            cairo_push_group(context.pointer)
            context.setSource(glyph.color)
            try context.fill(ink, scene.layout, pixels: painter.pixels)
            cairo_pop_group_to_source(context.pointer)
            cairo_paint_with_alpha(context.pointer, pose.opacity)
            cairo_restore(context.pointer)
        }
        try context.check()
        return surface.pixels()
    }
}
