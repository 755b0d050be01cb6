import CPango
import Glibc
import Motion
import Raster

@testable import Typesetting

/// A scene painted with cairo, glyph by glyph from their poses, in one picture: what the raster
/// formats are held against.
enum PlainPainting {
    /// Premultiplied pixels (blue, green, red, alpha), row by row without gaps.
    static func pixels(
        of scene: Scene, at moment: Moment, scale: Double, _ painter: TilePainter
    ) throws(LibraryFault) -> [UInt8] {
        let surface = try ImageSurface(
            width: Int((scene.width * scale).rounded(.up)),
            height: Int((scene.height * scale).rounded(.up)))
        let context = try CairoContext(surface)
        cairo_scale(context.pointer, scale, scale)
        try paint(scene.appearance.card, width: scene.width, height: scene.height, on: context)
        for layer in scene.layers where layer.scheme != .dark {
            let poses = layer.nodes.map { scene.pose(ofNode: $0, in: layer.part, at: moment) }
            var start = 0
            while start < poses.count {
                let end = endOfJoined(from: start, poses, layer, of: scene)
                defer { start = end }
                let pose = poses[start]
                guard pose.opacity > 0 else { continue }
                cairo_save(context.pointer)
                // Opacity is the part's as a whole: what overlaps within it must not show.
                cairo_push_group(context.pointer)
                var opacity = 0.0
                for place in start..<end {
                    let drawn = try draw(
                        layer.part, ofNode: layer.nodes[place], of: scene, poses[place],
                        on: context, painter)
                    opacity = max(opacity, drawn)
                }
                cairo_pop_group_to_source(context.pointer)
                if let clip = pose.clip {
                    cairo_identity_matrix(context.pointer)
                    cairo_scale(context.pointer, scale, scale)
                    cairo_rectangle(context.pointer, clip.x, clip.y, clip.width, clip.height)
                    cairo_clip(context.pointer)
                }
                cairo_paint_with_alpha(context.pointer, pose.opacity * opacity)
                cairo_restore(context.pointer)
            }
        }
        try context.check()
        return surface.pixels()
    }

    /// Returns the end of the nodes that are blended once with the node at `start`: the outlines
    /// and shadows of letters that join.
    private static func endOfJoined(
        from start: Int, _ poses: [Pose], _ layer: SceneLayer, of scene: Scene
    ) -> Int {
        guard layer.part != .fill, let join = scene.join(ofNode: layer.nodes[start]) else {
            return start + 1
        }
        return poses.indices[(start + 1)...].first {
            scene.join(ofNode: layer.nodes[$0]) != join || poses[$0].opacity != poses[start].opacity
                || poses[$0].clip != poses[start].clip
        } ?? poses.endIndex
    }

    /// Draws a part of a glyph in its pose, opaque but for the alpha of its fill; shadows without
    /// their blur.
    ///
    /// - Returns: The alpha of the colour of an outline or a shadow; 0 if nothing is drawn.
    private static func draw(
        _ part: SceneLayer.Part, ofNode index: Int, of scene: Scene, _ pose: Pose,
        on context: borrowing CairoContext, _ painter: TilePainter
    ) throws(LibraryFault) -> Double {
        let glyph = scene.nodes[index].glyph
        guard let ink = glyph.ink, pose.scaleX != 0, pose.scaleY != 0 else { return 0 }
        cairo_save(context.pointer)
        defer { cairo_restore(context.pointer) }
        let center = glyph.rect.center.vector
        context.concatenate(pose.linear, taking: center, to: center + pose.offset)
        /// Draws what lies beneath the fill in one colour, and returns its alpha.
        func silhouette(_ color: Color, withFill: Bool) throws(LibraryFault) -> Double {
            var color = color
            let alpha = Double(color.alpha) / 255
            color.alpha = 255
            cairo_push_group_with_content(context.pointer, CAIRO_CONTENT_ALPHA)
            context.setSource(color)
            if withFill {
                try context.draw(
                    ink, .color(color), .rest, scene.definitions, longest: 0,
                    pixels: painter.pixels)
            }
            if let outline = scene.blocks[glyph.block].paint.outline {
                context.setSource(color)
                context.strokeEdges(of: ink, scene.definitions, width: outline.width)
            }
            let shape = cairo_pop_group(context.pointer)
            context.setSource(color)
            cairo_mask(context.pointer, shape)
            cairo_pattern_destroy(shape)
            return alpha
        }
        switch part {
        case .fill:
            let source = source(
                glyph.paint.gradient, in: scene.gradientRect(ofNode: index),
                else: pose.fill.color(own: glyph.color))
            try context.draw(
                ink, source, pose,
                scene.definitions,
                longest: longestContour(of: ink, scene.definitions), pixels: painter.pixels)
            return 1
        case .outline(let outline):
            return try silhouette(outline.color, withFill: false)
        case .shadow(let shadow):
            cairo_translate(context.pointer, shadow.offsetX, shadow.offsetY)
            return try silhouette(shadow.color, withFill: true)
        }
    }

    /// Returns a gradient along a line as cairo has it, or a colour.
    private static func source(
        _ gradient: Gradient?, in box: Rect, else color: Color
    ) -> GlyphSource {
        guard let gradient else { return .color(color) }
        let straight = StraightGradient(gradient, in: box)
        guard case .line(let line)? = straight.geometry else { return .color(gradient.lastColor) }
        return .line(line, straight.stops)
    }

    private static func paint(
        _ card: Card, width: Double, height: Double, on context: borrowing CairoContext
    ) throws(LibraryFault) {
        if let color = card.flatColor {
            context.setSource(color)
            return cairo_paint(context.pointer)
        }
        let canvas = Rect(x: 0, y: 0, width: width, height: height)
        let radius = card.cornerRadius(width: width, height: height)
        func addEdge(inset: Double, radius: Double) {
            let (left, top) = (canvas.x + inset, canvas.y + inset)
            let (right, bottom) = (canvas.maxX - inset, canvas.maxY - inset)
            cairo_new_sub_path(context.pointer)
            for (x, y, turn) in [
                (right - radius, top + radius, -0.5), (right - radius, bottom - radius, 0),
                (left + radius, bottom - radius, 0.5), (left + radius, top + radius, 1),
            ] {
                cairo_arc(
                    context.pointer, x, y, radius, turn * .pi, (turn + 0.5) * .pi)
            }
            cairo_close_path(context.pointer)
        }
        let source = source(
            card.background.gradient, in: canvas, else: card.background.firstColor)
        try context.setSource(source, opacity: 1)
        addEdge(inset: 0, radius: radius)
        cairo_fill(context.pointer)
        guard let border = card.border else { return }
        context.setSource(border.color)
        cairo_set_fill_rule(context.pointer, CAIRO_FILL_RULE_EVEN_ODD)
        addEdge(inset: 0, radius: radius)
        addEdge(inset: border.width, radius: max(radius - border.width, 0))
        cairo_fill(context.pointer)
        cairo_set_fill_rule(context.pointer, CAIRO_FILL_RULE_WINDING)
    }

    /// Returns the length of the longest contour of a shape, as cairo measures it.
    private static func longestContour(
        of ink: Ink, _ definitions: Definitions
    ) throws(LibraryFault) -> Double {
        let context = try CairoContext(ImageSurface(width: 1, height: 1))
        // cairo counts in 256ths of a pixel, and leaves out what is smaller than the tolerance.
        let detail = 256.0
        cairo_scale(context.pointer, detail, detail)
        if let shape = ink.shape {
            cairo_save(context.pointer)
            cairo_scale(context.pointer, shape.scale, shape.scale)
            context.add(definitions.edge(ofOutline: shape.outline))
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
