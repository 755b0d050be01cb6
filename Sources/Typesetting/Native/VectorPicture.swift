import CPango
package import Motion
package import Raster

/// A picture of shapes, in units of its own.
package struct VectorPicture: Sendable {
    /// Curves, each of which begins where the one before ends; at least one.
    package struct Subpath: Sendable {
        package let curves: [CubicCurve]
        /// True if it ends by going back to its start.
        package let isClosed: Bool

        package init(curves: [CubicCurve], isClosed: Bool) {
            self.curves = curves
            self.isClosed = isClosed
        }
    }

    package struct Gradient: Sendable {
        package enum Geometry: Sendable {
            case linear(from: SIMD2<Double>, to: SIMD2<Double>)
            case radial(center: SIMD2<Double>, radius: Double, focus: SIMD2<Double>)
        }

        /// How it goes on beyond its ends.
        package enum Spread: Sendable {
            case pad, reflect, `repeat`
        }

        package var geometry: Geometry
        /// By rising offset, from 0 to 1.
        package var stops: [(offset: Double, color: Color)]
        package var spread = Spread.pad
        /// The map from its coordinates to the coordinates of the shape, or of the shape's box.
        package var transform = Affine.identity
        /// True if its coordinates are shares of the shape's box.
        package var goesByBox = true

        package init(_ geometry: Geometry, stops: [(offset: Double, color: Color)]) {
            self.geometry = geometry
            self.stops = stops
        }
    }

    package enum Paint: Sendable {
        case color(Color)
        case gradient(Gradient)
    }

    package struct Stroke: Sendable {
        package enum Cap: Sendable { case butt, round, square }
        package enum Join: Sendable { case miter, round, bevel }

        package var paint: Paint
        package var opacity = 1.0
        package var width = 1.0
        package var cap = Cap.butt
        package var join = Join.miter
        package var miterLimit = 4.0

        package init(_ paint: Paint) {
            self.paint = paint
        }
    }

    package struct Shape: Sendable {
        package var subpaths: [Subpath]
        /// The map from its coordinates to the coordinates of the picture.
        package var transform: Affine
        package var fill: Paint?
        package var fillOpacity = 1.0
        /// True for the even-odd rule, false for the nonzero rule.
        package var isEvenOdd = false
        package var stroke: Stroke?

        package init(_ subpaths: [Subpath], transform: Affine) {
            self.subpaths = subpaths
            self.transform = transform
        }
    }

    /// A shape or a group; each is drawn over the items before it.
    package indirect enum Item: Sendable {
        case shape(Shape)
        /// Items that are drawn as one, with an opacity.
        case group([Item], opacity: Double)
    }

    /// The part of the plane that is shown.
    package let box: Rect
    package let items: [Item]

    package init(box: Rect, items: [Item]) {
        self.box = box
        self.items = items
    }

    /// Returns it as a PNG file whose longer side has so many pixels.
    ///
    /// - Throws: The failure of the graphics library.
    package func png(longerSide: Int) throws(LibraryFault) -> [UInt8] {
        let scale = Double(longerSide) / max(box.width, box.height)
        let surface = try ImageSurface(
            width: max(Int((box.width * scale).rounded()), 1),
            height: max(Int((box.height * scale).rounded()), 1))
        let context = try CairoContext(surface)
        cairo_scale(
            context.pointer, Double(surface.width) / box.width,
            Double(surface.height) / box.height)
        cairo_translate(context.pointer, -box.x, -box.y)
        try context.draw(items)
        try context.check()
        return try surface.png()
    }
}

extension CairoContext {
    fileprivate func draw(_ items: [VectorPicture.Item]) throws(LibraryFault) {
        for item in items {
            switch item {
            case .shape(let shape): try draw(shape)
            case .group(let items, let opacity):
                cairo_push_group(pointer)
                try draw(items)
                cairo_pop_group_to_source(pointer)
                cairo_paint_with_alpha(pointer, opacity)
            }
        }
    }

    private func draw(_ shape: VectorPicture.Shape) throws(LibraryFault) {
        // A map that cannot be turned back shows nothing, and is an error of cairo.
        guard abs(shape.transform.determinant) > 1e-12 else { return }
        cairo_save(pointer)
        transform(by: shape.transform)
        for subpath in shape.subpaths { add(subpath) }
        var (left, top, right, bottom) = (0.0, 0.0, 0.0, 0.0)
        cairo_path_extents(pointer, &left, &top, &right, &bottom)
        let box = Rect(x: left, y: top, width: right - left, height: bottom - top)
        if let fill = shape.fill,
            try setSource(fill, opacity: shape.fillOpacity, in: box)
        {
            cairo_set_fill_rule(
                pointer, shape.isEvenOdd ? CAIRO_FILL_RULE_EVEN_ODD : CAIRO_FILL_RULE_WINDING)
            cairo_fill_preserve(pointer)
        }
        if let stroke = shape.stroke,
            try setSource(stroke.paint, opacity: stroke.opacity, in: box)
        {
            cairo_set_line_width(pointer, stroke.width)
            cairo_set_line_cap(pointer, stroke.cap.cairo)
            cairo_set_line_join(pointer, stroke.join.cairo)
            cairo_set_miter_limit(pointer, stroke.miterLimit)
            cairo_stroke_preserve(pointer)
        }
        cairo_new_path(pointer)
        cairo_restore(pointer)
    }

    private func add(_ subpath: VectorPicture.Subpath) {
        guard let start = subpath.curves.first?.start else { return }
        cairo_move_to(pointer, start.x, start.y)
        for curve in subpath.curves {
            cairo_curve_to(
                pointer, curve.first.x, curve.first.y, curve.second.x, curve.second.y,
                curve.end.x, curve.end.y)
        }
        if subpath.isClosed { cairo_close_path(pointer) }
    }

    private func transform(by map: Affine) {
        var matrix = cairo_matrix_t(map)
        cairo_transform(pointer, &matrix)
    }

    /// Makes a paint the source, in the current coordinates.
    ///
    /// - Parameters:
    ///   - paint: The paint.
    ///   - opacity: The factor of its alpha.
    ///   - box: The box of the painted shape, without its line.
    /// - Returns: False if nothing is painted.
    /// - Throws: The failure of the graphics library.
    private func setSource(
        _ paint: VectorPicture.Paint, opacity: Double, in box: Rect
    ) throws(LibraryFault) -> Bool {
        let gradient: VectorPicture.Gradient
        switch paint {
        case .color(let color):
            setSource(color, opacity: opacity)
            return true
        case .gradient(let own): gradient = own
        }
        guard let last = gradient.stops.last else { return false }
        var map = gradient.transform
        if gradient.goesByBox {
            guard box.width > 0, box.height > 0 else { return false }
            map =
                Affine(
                    across: SIMD2(box.width, 0), down: SIMD2(0, box.height),
                    origin: SIMD2(box.x, box.y)) * map
        }
        // Without a length it has the last colour (SVG 2, 14.2.2 and 14.2.3).
        guard gradient.geometry.hasLength, abs(map.determinant) > 1e-12 else {
            setSource(last.color, opacity: opacity)
            return true
        }
        let pattern: OpaquePointer?
        switch gradient.geometry {
        case .linear(let start, let end):
            pattern = cairo_pattern_create_linear(start.x, start.y, end.x, end.y)
        case .radial(let center, let radius, let focus):
            pattern = cairo_pattern_create_radial(
                focus.x, focus.y, 0, center.x, center.y, radius)
        }
        guard let pattern else { throw .memory }
        defer { cairo_pattern_destroy(pattern) }
        for stop in gradient.stops {
            cairo_pattern_add_color_stop_rgba(
                pattern, stop.offset, Double(stop.color.red) / 255,
                Double(stop.color.green) / 255, Double(stop.color.blue) / 255,
                Double(stop.color.alpha) / 255 * opacity)
        }
        cairo_pattern_set_extend(pattern, gradient.spread.cairo)
        var matrix = cairo_matrix_t()
        cairo_get_matrix(pointer, &matrix)
        transform(by: map)
        cairo_set_source(pointer, pattern)
        cairo_set_matrix(pointer, &matrix)
        return true
    }
}

extension VectorPicture.Gradient.Geometry {
    fileprivate var hasLength: Bool {
        switch self {
        case .linear(let start, let end): start != end
        case .radial(_, let radius, _): radius > 0
        }
    }
}

extension cairo_matrix_t {
    fileprivate init(_ map: Affine) {
        self.init(
            xx: map.across.x, yx: map.across.y, xy: map.down.x, yy: map.down.y, x0: map.origin.x,
            y0: map.origin.y)
    }
}

extension VectorPicture.Gradient.Spread {
    fileprivate var cairo: cairo_extend_t {
        switch self {
        case .pad: CAIRO_EXTEND_PAD
        case .reflect: CAIRO_EXTEND_REFLECT
        case .repeat: CAIRO_EXTEND_REPEAT
        }
    }
}

extension VectorPicture.Stroke.Cap {
    fileprivate var cairo: cairo_line_cap_t {
        switch self {
        case .butt: CAIRO_LINE_CAP_BUTT
        case .round: CAIRO_LINE_CAP_ROUND
        case .square: CAIRO_LINE_CAP_SQUARE
        }
    }
}

extension VectorPicture.Stroke.Join {
    fileprivate var cairo: cairo_line_join_t {
        switch self {
        case .miter: CAIRO_LINE_JOIN_MITER
        case .round: CAIRO_LINE_JOIN_ROUND
        case .bevel: CAIRO_LINE_JOIN_BEVEL
        }
    }
}
