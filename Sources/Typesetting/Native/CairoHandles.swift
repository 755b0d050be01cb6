import CPango
import Motion
import Raster

/// An image surface, of premultiplied 32-bit pixels unless another format is asked for.
struct ImageSurface: ~Copyable {
    let pointer: OpaquePointer

    /// - Throws: When the size is out of cairo's range or memory is short.
    init(
        width: Int, height: Int, format: cairo_format_t = CAIRO_FORMAT_ARGB32
    ) throws(LibraryFault) {
        pointer = try Self.checked(
            cairo_image_surface_create(format, Int32(clamping: width), Int32(clamping: height)))
    }

    /// A PNG file's picture.
    init(png: [UInt8]) throws(LibraryFault) {
        var unread = png[...]
        let surface = withUnsafeMutablePointer(to: &unread) { source in
            cairo_image_surface_create_from_png_stream(
                { closure, target, count in
                    guard let source = closure?.assumingMemoryBound(to: ArraySlice<UInt8>.self),
                        let target, source.pointee.count >= Int(count)
                    else { return CAIRO_STATUS_READ_ERROR }
                    for (index, byte) in source.pointee.prefix(Int(count)).enumerated() {
                        target[index] = byte
                    }
                    source.pointee = source.pointee.dropFirst(Int(count))
                    return CAIRO_STATUS_SUCCESS
                }, source)
        }
        pointer = try Self.checked(surface)
    }

    private static func checked(_ surface: OpaquePointer?) throws(LibraryFault) -> OpaquePointer {
        guard let surface else { throw .memory }
        let status = cairo_surface_status(surface)
        if status != CAIRO_STATUS_SUCCESS { cairo_surface_destroy(surface) }
        try check(status)
        return surface
    }

    /// A picture of premultiplied pixels without gaps between rows.
    init(
        width: Int, height: Int, premultiplied pixels: [UInt8]
    ) throws(LibraryFault) {
        try self.init(width: width, height: height)
        guard let start = cairo_image_surface_get_data(pointer) else { return }
        let stride = Int(cairo_image_surface_get_stride(pointer))
        pixels.withUnsafeBufferPointer { pixels in
            for row in 0..<height {
                let source = pixels[4 * width * row..<4 * width * (row + 1)]
                let target = UnsafeMutableBufferPointer(
                    start: start + row * stride, count: source.count)
                _ = target.update(fromContentsOf: source)
            }
        }
        cairo_surface_mark_dirty(pointer)
    }

    deinit { cairo_surface_destroy(pointer) }

    var width: Int { Int(cairo_image_surface_get_width(pointer)) }
    var height: Int { Int(cairo_image_surface_get_height(pointer)) }
    /// Bytes from one row to the next.
    var stride: Int { Int(cairo_image_surface_get_stride(pointer)) }

    /// Returns the rows in memory, `stride` bytes each.
    func bytes() -> [UInt8] {
        cairo_surface_flush(pointer)
        guard let start = cairo_image_surface_get_data(pointer) else { return [] }
        return Array(UnsafeBufferPointer(start: start, count: stride * height))
    }

    /// The premultiplied pixels (blue, green, red, alpha) without gaps between rows.
    func pixels() -> [UInt8] {
        cairo_surface_flush(pointer)
        guard let start = cairo_image_surface_get_data(pointer) else { return [] }
        let stride = Int(cairo_image_surface_get_stride(pointer))
        var result: [UInt8] = []
        result.reserveCapacity(4 * width * height)
        for row in 0..<height {
            result += UnsafeBufferPointer(start: start + row * stride, count: 4 * width)
        }
        return result
    }

    /// The picture as a PNG file.
    func png() throws(LibraryFault) -> [UInt8] {
        var file: [UInt8] = []
        let status = withUnsafeMutablePointer(to: &file) { sink in
            cairo_surface_write_to_png_stream(
                pointer,
                { closure, bytes, count in
                    closure?.assumingMemoryBound(to: [UInt8].self).pointee
                        .append(contentsOf: UnsafeBufferPointer(start: bytes, count: Int(count)))
                    return CAIRO_STATUS_SUCCESS
                }, sink)
        }
        try Self.check(status)
        return file
    }

    static func check(_ status: cairo_status_t) throws(LibraryFault) {
        guard status != CAIRO_STATUS_SUCCESS else { return }
        guard status != CAIRO_STATUS_NO_MEMORY else { throw .memory }
        throw .drawing(String(cString: cairo_status_to_string(status)))
    }
}

/// A drawing context on a surface.
///
/// Its errors stick: `check` is called when the picture is done.
struct CairoContext: ~Copyable {
    let pointer: OpaquePointer

    init(_ surface: borrowing ImageSurface) throws(LibraryFault) {
        guard let context = cairo_create(surface.pointer) else { throw .memory }
        let status = cairo_status(context)
        if status != CAIRO_STATUS_SUCCESS { cairo_destroy(context) }
        try ImageSurface.check(status)
        pointer = context
    }

    deinit { cairo_destroy(pointer) }

    /// - Throws: The first error since the context was made.
    func check() throws(LibraryFault) {
        try ImageSurface.check(cairo_status(pointer))
    }

    func setSource(_ color: Color, opacity: Double = 1) {
        cairo_set_source_rgba(
            pointer, Double(color.red) / 255, Double(color.green) / 255,
            Double(color.blue) / 255, Double(color.alpha) / 255 * opacity)
    }

    /// Sets the source of fills and lines, in the current coordinates.
    func setSource(_ source: GlyphSource, opacity: Double) throws(LibraryFault) {
        switch source {
        case .color(let color): setSource(color, opacity: opacity)
        case .line(let line, let stops):
            let pattern = try GradientPattern(along: line, stops, opacity: opacity)
            cairo_set_source(pointer, pattern.pointer)
        case .pixels(let shader, let rect):
            let alpha = UInt8((min(max(opacity, 0), 1) * 255).rounded())
            let coverage = [UInt8](repeating: alpha, count: rect.width * rect.height)
            let surface = try ImageSurface(
                width: rect.width, height: rect.height,
                premultiplied: shader.pixels(of: rect, coverage: coverage, stride: rect.width))
            var matrix = cairo_matrix_t()
            cairo_get_matrix(pointer, &matrix)
            cairo_identity_matrix(pointer)
            cairo_set_source_surface(pointer, surface.pointer, 0, 0)
            cairo_set_matrix(pointer, &matrix)
        }
    }

    /// Adds an outline to the path, in the current coordinates.
    ///
    /// - Parameters:
    ///   - outline: The outline.
    ///   - isClosed: False if contours end where they start without being joined there.
    func add(_ outline: Outline, isClosed: Bool = true) {
        var current = Point.zero
        var start = Point.zero
        for segment in outline.segments {
            switch segment {
            case .move(let point):
                start = point
                current = point
                cairo_move_to(pointer, current.x, current.y)
            case .line(let point):
                current = point
                cairo_line_to(pointer, current.x, current.y)
            case .quadratic(let control, let end):
                // The same curve with one degree more: cairo knows cubics only.
                cairo_curve_to(
                    pointer,
                    current.x + (control.x - current.x) * 2 / 3,
                    current.y + (control.y - current.y) * 2 / 3,
                    end.x + (control.x - end.x) * 2 / 3, end.y + (control.y - end.y) * 2 / 3,
                    end.x, end.y)
                current = end
            case .cubic(let first, let second, let end):
                cairo_curve_to(
                    pointer, first.x, first.y, second.x, second.y, end.x, end.y)
                current = end
            case .close:
                if isClosed {
                    cairo_close_path(pointer)
                } else if current != start {
                    cairo_line_to(pointer, start.x, start.y)
                }
            }
        }
    }

    /// Adds a map about a point, which it takes to another point, before the maps so far.
    func concatenate(
        _ linear: Affine, taking center: SIMD2<Double>, to target: SIMD2<Double>
    ) {
        guard linear != .identity || target != center else { return }
        var matrix = cairo_matrix_t(
            xx: linear.across.x, yx: linear.across.y, xy: linear.down.x, yy: linear.down.y,
            x0: 0, y0: 0)
        cairo_translate(pointer, target.x, target.y)
        cairo_transform(pointer, &matrix)
        cairo_translate(pointer, -center.x, -center.y)
    }

    /// Draws a glyph's shape and lines in a paint, with the pose's stroke along the contours of the
    /// shape, and its pictures.
    ///
    /// - Parameters:
    ///   - ink: The ink.
    ///   - source: The paint of shape, stroke, and lines.
    ///   - pose: The pose; only its fill and stroke count.
    ///   - definitions: The definitions that the ink refers to.
    ///   - longest: The length of the shape's longest contour in CSS pixels.
    ///   - deadline: The end of the work; details after it are left out.
    ///   - pixels: Returns the pixels of a picture, premultiplied.
    /// - Throws: The failure of the graphics library.
    func draw(
        _ ink: Ink, _ source: GlyphSource, _ pose: Pose, _ definitions: Definitions,
        longest: Double, until deadline: WorkDeadline = WorkDeadline(),
        pixels: (Bitmap) throws(LibraryFault) -> [UInt8]
    ) throws(LibraryFault) {
        if let shape = ink.shape {
            if pose.fillOpacity > 0 {
                add(shape, definitions.outlines[shape.outline])
                try setSource(source, opacity: pose.fillOpacity)
                cairo_fill(pointer)
            }
            if pose.hasStroke {
                addLine(
                    along: shape, definitions.edge(ofOutline: shape.outline), draw: pose.draw,
                    longest: longest)
                try setSource(source, opacity: pose.strokeOpacity)
                cairo_set_line_width(pointer, pose.strokeWidth)
                cairo_set_line_join(pointer, CAIRO_LINE_JOIN_ROUND)
                cairo_stroke(pointer)
            }
        }
        for detail in ink.details where !deadline.hasPassed {
            switch detail {
            case .line(let rect):
                guard pose.fillOpacity > 0 else { continue }
                try setSource(source, opacity: pose.fillOpacity)
                cairo_rectangle(pointer, rect.x, rect.y, rect.width, rect.height)
                cairo_fill(pointer)
            case .picture(let picture):
                let bitmap = definitions.bitmaps[picture.bitmap]
                let surface = try ImageSurface(
                    width: bitmap.width, height: bitmap.height, premultiplied: pixels(bitmap))
                paint(surface, picture)
            }
        }
    }

    /// Draws lines along the contours of an ink's shape and around its lines.
    ///
    /// - Parameters:
    ///   - ink: The ink.
    ///   - definitions: The definitions that it refers to.
    ///   - width: The width of the lines in CSS pixels.
    ///   - cap: How they end.
    ///   - draw: The share of the longest contour's length that the line along each contour has.
    ///   - longest: That length in CSS pixels; needed where `draw` is not 1.
    func strokeEdges(
        of ink: Ink, _ definitions: Definitions, width: Double, cap: LineStyle.Cap = .butt,
        draw: Double = 1, longest: Double = 0
    ) {
        guard draw > 0 else { return }
        cairo_set_line_width(pointer, width)
        cairo_set_line_join(pointer, CAIRO_LINE_JOIN_ROUND)
        cairo_set_line_cap(pointer, cap == .round ? CAIRO_LINE_CAP_ROUND : CAIRO_LINE_CAP_BUTT)
        if let shape = ink.shape {
            addLine(
                along: shape, definitions.outlines[shape.outline], draw: draw, longest: longest)
        }
        for case .line(let rect) in ink.details {
            cairo_rectangle(pointer, rect.x, rect.y, rect.width, rect.height)
        }
        cairo_stroke(pointer)
    }

    /// Adds a line along the contours of a shape's outline to the path, and sets the dash by which it has a share of
    /// the longest contour's length, in CSS pixels.
    private func addLine(
        along shape: Ink.Shape, _ outline: Outline, draw: Double, longest: Double
    ) {
        // A dash is an open line, also where it goes all the way round.
        let isDashed = draw < 1
        add(shape, outline, isClosed: !isDashed)
        // It begins anew at each contour, and none is longer than the gap.
        let dashes = [draw * longest, 2 * longest]
        cairo_set_dash(pointer, dashes, isDashed && longest > 0 ? 2 : 0, 0)
    }

    /// Adds a shape, or another outline in its place, to the path, in CSS pixels.
    private func add(_ shape: Ink.Shape, _ outline: Outline, isClosed: Bool = true) {
        cairo_save(pointer)
        cairo_translate(pointer, shape.origin.x, shape.origin.y)
        cairo_scale(pointer, shape.scale, shape.scale)
        add(outline, isClosed: isClosed)
        cairo_restore(pointer)
    }

    private func paint(_ surface: borrowing ImageSurface, _ picture: Ink.Picture) {
        let rect = picture.rect
        cairo_save(pointer)
        cairo_translate(pointer, rect.x, rect.y)
        cairo_scale(
            pointer, rect.width / Double(surface.width), rect.height / Double(surface.height))
        cairo_set_source_surface(pointer, surface.pointer, 0, 0)
        cairo_pattern_set_filter(cairo_get_source(pointer), CAIRO_FILTER_GOOD)
        if picture.isFramed {
            cairo_pattern_set_extend(cairo_get_source(pointer), CAIRO_EXTEND_PAD)
            cairo_rectangle(pointer, 0, 0, Double(surface.width), Double(surface.height))
            cairo_fill(pointer)
        } else {
            cairo_paint(pointer)
        }
        cairo_restore(pointer)
    }
}

/// The paint of a glyph's shape and lines.
enum GlyphSource {
    case color(Color)
    case line(GradientLine, [StraightGradient.Stop])
    /// The colours of the pixels of a rectangle, the one that the context draws on.
    case pixels(GradientShader, PixelRect)
}

/// Colours along a line, before the first and after the last of which theirs go on.
private struct GradientPattern: ~Copyable {
    let pointer: OpaquePointer

    init(
        along line: GradientLine, _ stops: [StraightGradient.Stop], opacity: Double
    ) throws(LibraryFault) {
        let (start, end) = (line.start, line.end)
        guard let pattern = cairo_pattern_create_linear(start.x, start.y, end.x, end.y) else {
            throw .memory
        }
        for stop in stops {
            cairo_pattern_add_color_stop_rgba(
                pattern, stop.offset, Double(stop.color.red) / 255,
                Double(stop.color.green) / 255, Double(stop.color.blue) / 255,
                Double(stop.color.alpha) / 255 * opacity)
        }
        cairo_pattern_set_extend(pattern, CAIRO_EXTEND_PAD)
        let status = cairo_pattern_status(pattern)
        if status != CAIRO_STATUS_SUCCESS { cairo_pattern_destroy(pattern) }
        try ImageSurface.check(status)
        pointer = pattern
    }

    deinit { cairo_pattern_destroy(pointer) }
}
