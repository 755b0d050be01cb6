import CPango
import Glibc
package import Motion
package import Raster

/// Draws glyphs with cairo.
///
/// Belongs to one worker.
package final class TilePainter: GlyphPainter {
    private let cache: any GlyphCache
    private let deadline: WorkDeadline
    /// The lengths of the longest contours of outlines in font units, by the outlines' ids.
    private var contourLengths: [UInt64: Double] = [:]

    private static let maximumLengths = 4096

    package init(cache: any GlyphCache, deadline: WorkDeadline = WorkDeadline()) {
        self.cache = cache
        self.deadline = deadline
    }

    package func tile(
        of part: TilePart, _ ink: Ink, of glyph: Glyph, in pose: Pose, _ definitions: Definitions,
        scale: Double, canvas: PixelSize
    ) throws(LibraryFault) -> Tile {
        let drawing = Drawing(
            part: part, ink: ink, color: pose.fill.color(own: glyph.color),
            center: glyph.rect.center.vector, pose: pose, linear: pose.linear,
            target: glyph.rect.center.vector + pose.offset, definitions: definitions,
            deadline: deadline,
            longestContour: pose.draw < 1 || pose.hasStroke
                ? longestContour(of: ink, definitions) : 0)
        guard drawing.isVisible(scale: scale) else { return .empty }
        if let blurred = BlurredDrawing(drawing, scale: scale) {
            return try blurred.tile(on: canvas, until: deadline, pixels: pixels)
        }
        let rect = drawing.bounds(scale: SIMD2(repeating: scale)).intersection(PixelRect(canvas))
        guard !rect.isEmpty else { return .empty }
        return try drawing.tile(of: rect, scale: SIMD2(repeating: scale), pixels: pixels)
    }

    package func file(of bitmap: Bitmap) throws(LibraryFault) -> [UInt8] {
        try BitmapScaler.isScaled(bitmap) ? png(of: bitmap) : bitmap.source
    }

    package func png(of bitmap: Bitmap) throws(LibraryFault) -> [UInt8] {
        guard try BitmapScaler.isScaled(bitmap) || WebPPicture.isWebP(bitmap.source) else {
            return bitmap.source
        }
        return try cache.bytes(for: Self.key(PNG.self, bitmap)) { () throws(LibraryFault) in
            try BitmapScaler.surface(of: bitmap).png()
        }
    }

    package func pixels(of bitmap: Bitmap) throws(LibraryFault) -> [UInt8] {
        try cache.bytes(for: Self.key(Pixels.self, bitmap)) { () throws(LibraryFault) in
            try BitmapScaler.surface(of: bitmap).pixels()
        }
    }

    // The kinds of values in the cache.
    private enum PNG {}
    private enum Pixels {}

    private static func key(_ kind: Any.Type, _ bitmap: Bitmap) -> GlyphKey {
        GlyphKey(kind, UInt64(bitmap.font), UInt64(bitmap.glyph), others: [UInt64(bitmap.width)])
    }

    /// Returns the length of the longest contour of an ink's shape in CSS pixels.
    private func longestContour(of ink: Ink, _ definitions: Definitions) -> Double {
        guard let shape = ink.shape else { return 0 }
        let outline = definitions.edge(ofOutline: shape.outline)
        if let known = contourLengths[outline.id] { return known * shape.scale }
        if contourLengths.count >= Self.maximumLengths { contourLengths = [:] }
        let length = outline.contourLengths.max() ?? 0
        contourLengths[outline.id] = length
        return length * shape.scale
    }
}

/// A part of a glyph in a pose.
private struct Drawing {
    let part: TilePart
    let ink: Ink
    /// The colour of the fill.
    let color: Color
    /// The centre of the glyph's box at rest.
    let center: SIMD2<Double>
    let pose: Pose
    /// The map about the centre.
    var linear: Affine
    /// The point that the centre is taken to.
    var target: SIMD2<Double>
    let definitions: Definitions
    let deadline: WorkDeadline
    /// In CSS pixels; needed where a line is drawn in part.
    let longestContour: Double

    /// In pixels; smaller ink covers no pixel by a 256th.
    private static let smallestSize = 1.0 / 16
    /// In pixels; ink that is less wide or less high covers no pixel by a 256th.
    private static let smallestThickness = 1.0 / 1024
    /// Pixels of a picture in one pixel. Pixman's matrices end at 32,767, and turned ones sooner. A
    /// picture that is shrunk so far covers hardly a hundredth of a pixel.
    private static let mostShrunk = 16_000.0

    var kind: Tile.Kind { part.kind(of: ink) }

    /// The box of the part before the glyph is moved.
    private var box: Rect { part.box(of: ink, in: pose) }

    /// Returns true unless it is so small that cairo's matrix would be hard to invert.
    func isVisible(scale: Double) -> Bool {
        let factor = linear.thickness * scale
        let size = factor * SIMD2(box.width, box.height)
        // Written so that NaN is not visible.
        return size.x >= Self.smallestThickness && size.y >= Self.smallestThickness
            && (size.x >= Self.smallestSize || size.y >= Self.smallestSize)
            && ink.details.allSatisfy { detail in
                guard case .picture(let picture) = detail else { return true }
                let bitmap = definitions.bitmaps[picture.bitmap]
                let size = factor * SIMD2(picture.rect.width, picture.rect.height)
                return Double(bitmap.width) <= Self.mostShrunk * size.x
                    && Double(bitmap.height) <= Self.mostShrunk * size.y
            }
    }

    /// Returns the pixels that it may touch without its blur, at so many pixels in one CSS pixel
    /// across and down.
    func bounds(scale: SIMD2<Double>) -> PixelRect {
        let bounds = linear.taking(center, to: target).bounds(of: box)
        // cairo counts in 256ths of a pixel.
        return PixelRect(
            from: SIMD2(bounds.x, bounds.y) * scale - 1 / 128,
            to: SIMD2(bounds.maxX, bounds.maxY) * scale + 1 / 128)
    }

    /// Rasterises a part of it, without its blur.
    ///
    /// - Parameters:
    ///   - rect: The part, in pixels.
    ///   - scale: Pixels in one CSS pixel, across and down.
    ///   - pixels: Returns the pixels of a picture.
    /// - Returns: The pixels.
    /// - Throws: The failure of the graphics library.
    func tile(
        of rect: PixelRect, scale: SIMD2<Double>,
        pixels: (Bitmap) throws(LibraryFault) -> [UInt8]
    ) throws(LibraryFault) -> Tile {
        // Cairo draws only the coverage of a gradient: it takes twice as long for the colours.
        let shader = isCoverage ? shader(scale: scale) : nil
        let surface = try ImageSurface(
            width: rect.width, height: rect.height,
            format: kind == .picture && shader == nil ? CAIRO_FORMAT_ARGB32 : CAIRO_FORMAT_A8)
        let context = try CairoContext(surface)
        cairo_translate(context.pointer, -Double(rect.minX), -Double(rect.minY))
        cairo_scale(context.pointer, scale.x, scale.y)
        context.concatenate(linear, taking: center, to: target)
        let source =
            shader == nil ? source(of: rect, scale: scale) : .color(.opaque)
        try draw(in: context, source, pixels: pixels)
        try context.check()
        let (bytes, stride) = (surface.bytes(), surface.stride)
        guard let shader else {
            return Tile(kind: kind, rect: rect, stride: stride, bytes: bytes)
        }
        return Tile(
            kind: .picture, rect: rect, stride: 4 * rect.width,
            bytes: shader.pixels(of: rect, coverage: bytes, stride: stride))
    }

    /// True if its gradient's colours may be put in once all of it is drawn.
    private var isCoverage: Bool {
        guard case .fill(let fill?) = part, !ink.hasPicture else { return false }
        // Overlaps within a translucent glyph show.
        return ink.isOnePart && !pose.hasStroke || fill.gradient.isOpaque
    }

    /// Returns the paint of its fill.
    private func source(of rect: PixelRect, scale: SIMD2<Double>) -> GlyphSource {
        guard case .fill(let fill?) = part else { return .color(color) }
        let straight = StraightGradient(fill.gradient, in: fill.box)
        switch straight.geometry {
        case nil: return .color(fill.gradient.lastColor)
        case .line(let line) where !straight.repeats: return .line(line, straight.stops)
        case .line, .ellipse, .sweep:
            return shader(scale: scale).map { .pixels($0, rect) } ?? .color(color)
        }
    }

    /// Returns the colours of its gradient at pixels; nil without one.
    private func shader(scale: SIMD2<Double>) -> GradientShader? {
        guard case .fill(let fill?) = part else { return nil }
        let inverse = linear.inverse
        return GradientShader(fill.gradient, in: fill.box) { pixel in
            center + inverse(pixel / scale - target)
        }
    }

    private func draw(
        in context: borrowing CairoContext, _ source: GlyphSource,
        pixels: (Bitmap) throws(LibraryFault) -> [UInt8]
    ) throws(LibraryFault) {
        switch part {
        case .fill:
            try context.draw(
                ink, source, pose, definitions, longest: longestContour, until: deadline,
                pixels: pixels)
        case .outline(let width, let cap):
            context.setSource(.opaque)
            context.strokeEdges(
                of: ink, definitions, width: width, cap: cap, draw: pose.draw,
                longest: longestContour)
        case .shadow(let shadow, let outlineWidth):
            cairo_translate(context.pointer, shadow.offsetX, shadow.offsetY)
            try context.draw(
                ink, .color(.opaque), .rest, definitions, longest: 0, until: deadline,
                pixels: pixels)
            guard outlineWidth > 0 else { return }
            context.setSource(.opaque)
            context.strokeEdges(of: ink, definitions, width: outlineWidth)
        }
    }
}

extension Color {
    /// Stands for colours where only their alpha counts.
    fileprivate static let opaque = Color(red: 0, green: 0, blue: 0)
}

/// A drawing that is blurred, on a grid of samples that pixels are interpolated from.
private struct BlurredDrawing {
    /// The drawing as it lies on the grid.
    private let drawing: Drawing
    private let blur: GaussianBlur
    /// Pixels of one sample, across and down.
    private let grid: SIMD2<Double>
    private let scale: Double
    /// The map from the grid, in pixels, to the canvas, and the way back; nil where the grid lies as
    /// the pixels do.
    private let turn: (there: Affine, back: Affine)?
    /// The samples in which something is drawn.
    private let inked: PixelRect
    /// The samples that are not transparent.
    private let covered: PixelRect

    /// The side of the square that is blurred at once, in pixels; smaller if the grid is turned.
    private static let side = (straight: 512, turned: 128)

    /// Returns nil if the drawing is not blurred.
    init?(_ drawing: Drawing, scale: Double) {
        let pose = drawing.pose
        let sigma = drawing.part.blur(in: pose) * scale
        guard let samples = BlurGrid(sigma: sigma, in: pose) else { return nil }
        var drawing = drawing
        if samples.isTurned {
            var there = pose.turn.taking(drawing.center, to: drawing.target)
            there.origin *= scale
            turn = (there, there.inverse)
            (drawing.linear, drawing.target) = (pose.unturned, drawing.center)
        } else {
            turn = nil
        }
        self.drawing = drawing
        self.scale = scale
        grid = samples.spacing
        blur = GaussianBlur(sigma: samples.sigma)
        inked = drawing.bounds(scale: scale / grid)
        covered = inked.grown(byX: blur.reachX, y: blur.reachY)
    }

    func tile(
        on canvas: PixelSize, until deadline: WorkDeadline,
        pixels: (Bitmap) throws(LibraryFault) -> [UInt8]
    ) throws(LibraryFault) -> Tile {
        let rect = bounds.intersection(PixelRect(canvas))
        guard !rect.isEmpty else { return .empty }
        let step = drawing.kind == .picture ? 4 : 1
        let stride = rect.width * step
        var bytes = [UInt8](repeating: 0, count: stride * rect.height)
        for part in parts(of: rect) where !deadline.hasPassed {
            let wanted = samples(of: part)
            let source = inked.intersection(wanted.grown(byX: blur.reachX, y: blur.reachY))
            guard !wanted.isEmpty, !source.isEmpty else { continue }
            let sharp = try drawing.tile(of: source, scale: scale / grid, pixels: pixels)
            for offset in 0..<step {
                let plane = Plane(
                    rect: source, bytes: sharp.bytes, stride: sharp.stride, step: step,
                    offset: offset
                ).blurred(by: blur, in: wanted)
                bytes.withUnsafeMutableBufferPointer { bytes in
                    let first = (part.minY - rect.minY) * stride + (part.minX - rect.minX) * step
                    guard let start = bytes.baseAddress.map({ $0 + first + offset }) else {
                        return
                    }
                    if let turn {
                        plane.write(to: start, stride: stride, step: step, of: part) {
                            turn.back($0) / grid
                        }
                    } else {
                        plane.write(
                            to: start, stride: stride, step: step, of: part, grid: grid)
                    }
                }
            }
        }
        return Tile(kind: drawing.kind, rect: rect, stride: stride, bytes: bytes)
    }

    /// The pixels that it may touch.
    private var bounds: PixelRect {
        let low = (SIMD2(Double(covered.minX), Double(covered.minY)) - 0.5) * grid
        let high = (SIMD2(Double(covered.maxX), Double(covered.maxY)) + 0.5) * grid
        guard let turn else { return PixelRect(from: low, to: high) }
        return PixelRect(around: low, high) { turn.there($0) }
    }

    /// Returns the samples that the pixels of a rectangle lie between.
    private func samples(of rect: PixelRect) -> PixelRect {
        let low = SIMD2(Double(rect.minX), Double(rect.minY)) + 0.5
        let high = SIMD2(Double(rect.maxX), Double(rect.maxY)) - 0.5
        if let turn {
            let samples = PixelRect(around: low, high) { turn.back($0) / grid }
            return samples.grown(byX: 1, y: 1).intersection(covered)
        }
        func range(_ low: Double, _ high: Double, grid: Double) -> (Int, Int) {
            if grid == 1 { return (Int(low - 0.5), Int(high + 0.5)) }
            let first = (low / grid - 0.5).rounded(.down)
            let last = (high / grid - 0.5).rounded(.down) + 2
            return (Int(first), Int(last))
        }
        let (minX, maxX) = range(low.x, high.x, grid: grid.x)
        let (minY, maxY) = range(low.y, high.y, grid: grid.y)
        return PixelRect(minX: minX, minY: minY, maxX: maxX, maxY: maxY)
    }

    /// Returns rectangles that are small enough to be blurred at once.
    private func parts(of rect: PixelRect) -> [PixelRect] {
        let side = turn == nil ? Self.side.straight : Self.side.turned
        let width = side * max(Int(grid.x), 1)
        let height = side * max(Int(grid.y), 1)
        var parts: [PixelRect] = []
        for y in stride(from: rect.minY, to: rect.maxY, by: height) {
            for x in stride(from: rect.minX, to: rect.maxX, by: width) {
                parts.append(
                    PixelRect(
                        minX: x, minY: y, maxX: min(x + width, rect.maxX),
                        maxY: min(y + height, rect.maxY)))
            }
        }
        return parts
    }
}

extension PixelRect {
    /// The pixels from a point to another.
    fileprivate init(from low: SIMD2<Double>, to high: SIMD2<Double>) {
        self.init(
            minX: Self.limited(low.x.rounded(.down)), minY: Self.limited(low.y.rounded(.down)),
            maxX: Self.limited(high.x.rounded(.up)), maxY: Self.limited(high.y.rounded(.up)))
    }

    /// The pixels around the places of a rectangle's corners.
    fileprivate init(
        around low: SIMD2<Double>, _ high: SIMD2<Double>,
        at place: (SIMD2<Double>) -> SIMD2<Double>
    ) {
        let corners = [low, high, SIMD2(low.x, high.y), SIMD2(high.x, low.y)].map(place)
        self.init(
            from: corners.reduce(corners[0], pointwiseMin),
            to: corners.reduce(corners[0], pointwiseMax))
    }

    /// Returns a column or row, limited to far beyond any canvas, where an integer still holds it.
    private static func limited(_ position: Double) -> Int {
        Int(min(max(position, -1_000_000), 1_000_000))
    }
}
