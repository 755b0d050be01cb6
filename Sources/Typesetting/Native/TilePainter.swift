import CPango
import Glibc
package import Motion
package import Raster

/// Draws glyphs with cairo.
///
/// Belongs to one worker.
package final class TilePainter: GlyphPainter {
    /// In pixels; smaller ink covers no pixel by a 256th.
    private static let smallestSize = 1.0 / 16

    private let cache: any GlyphCache

    package init(cache: any GlyphCache) {
        self.cache = cache
    }

    package func tile(
        of ink: Ink, of glyph: Glyph, in pose: Pose, _ layout: Layout, scale: Double,
        canvas: PixelSize
    ) throws(LibraryFault) -> Tile {
        let size = max(ink.bounds.width * abs(pose.scaleX), ink.bounds.height * abs(pose.scaleY)) * scale
        // cairo takes no matrix that is hard to invert.
        guard size >= Self.smallestSize else { return .empty }
        let rect = Self.bounds(of: ink, turning: glyph.rect.center, pose, scale)
            .intersection(PixelRect(canvas))
        guard !rect.isEmpty else { return .empty }
        let kind: Tile.Kind = ink.hasPicture ? .picture : .coverage
        let surface = try ImageSurface(
            width: rect.width, height: rect.height,
            format: kind == .picture ? CAIRO_FORMAT_ARGB32 : CAIRO_FORMAT_A8)
        let context = try CairoContext(surface)
        cairo_translate(context.pointer, -Double(rect.minX), -Double(rect.minY))
        cairo_scale(context.pointer, scale, scale)
        context.move(glyph.rect.center, to: pose)
        context.setSource(glyph.color)
        try context.fill(ink, layout, pixels: pixels)
        try context.check()
        return Tile(
            kind: kind, rect: rect, stride: surface.stride, bytes: surface.bytes())
    }

    package func png(of bitmap: Bitmap) throws(LibraryFault) -> [UInt8] {
        guard try BitmapScaler.isScaled(bitmap) else { return bitmap.source }
        return try cache.bytes(
            for: .png(font: bitmap.font, glyph: bitmap.glyph, width: bitmap.width)
        ) { () throws(LibraryFault) in
            try BitmapScaler.surface(of: bitmap).png()
        }
    }

    package func pixels(of bitmap: Bitmap) throws(LibraryFault) -> [UInt8] {
        try cache.bytes(
            for: .pixels(font: bitmap.font, glyph: bitmap.glyph, width: bitmap.width)
        ) { () throws(LibraryFault) in
            try BitmapScaler.surface(of: bitmap).pixels()
        }
    }

    /// Returns the pixels that a glyph's ink may touch.
    private static func bounds(
        of ink: Ink, turning center: Point, _ pose: Pose, _ scale: Double
    ) -> PixelRect {
        let box = ink.bounds
        var (low, high) = (
            Point(x: .infinity, y: .infinity), Point(x: -.infinity, y: -.infinity)
        )
        let angle = pose.rotation * .pi / 180
        let (sine, cosine) = pose.rotation == 0 ? (0, 1) : (sin(angle), cos(angle))
        for x in [box.x, box.maxX] {
            for y in [box.y, box.maxY] {
                let (dx, dy) = ((x - center.x) * pose.scaleX, (y - center.y) * pose.scaleY)
                let corner = Point(
                    x: center.x + pose.offsetX + dx * cosine - dy * sine,
                    y: center.y + pose.offsetY + dx * sine + dy * cosine)
                low = Point(x: min(low.x, corner.x), y: min(low.y, corner.y))
                high = Point(x: max(high.x, corner.x), y: max(high.y, corner.y))
            }
        }
        // cairo counts in 256ths of a pixel.
        let margin = 1.0 / 128
        return PixelRect(
            minX: clamped((low.x * scale - margin).rounded(.down)),
            minY: clamped((low.y * scale - margin).rounded(.down)),
            maxX: clamped((high.x * scale + margin).rounded(.up)),
            maxY: clamped((high.y * scale + margin).rounded(.up)))
    }

    /// Returns a column or row, limited to far beyond any canvas, where an integer still holds it.
    private static func clamped(_ position: Double) -> Int {
        Int(min(max(position, -1_000_000), 1_000_000))
    }
}

extension Ink {
    fileprivate var hasPicture: Bool {
        details.contains { if case .picture = $0 { true } else { false } }
    }
}
