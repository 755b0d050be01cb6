import Motion
import Raster

/// A pixel that is transparent or opaque, for pictures that look right on any page.
///
/// Over a transparent pixel, ink covers all of it or nothing: the edges of glyphs are cut at half
/// of their alpha, and fading glyphs dissolve in the pattern of Bayer (1973). The pattern is fixed
/// to the canvas, so that no pixel flickers. Over an opaque pixel, ink is blended as usual.
struct HalftonePixel: ColoredPixel {
    /// The ink, which is opaque or clear.
    private(set) var ink: ColorPixel

    static let clear = HalftonePixel(premultiplied: .zero)

    /// Makes an opaque pixel where at least half of one is covered.
    init(premultiplied value: SIMD4<UInt16>) {
        let pixel = ColorPixel(premultiplied: value)
        ink = value.w > .max / 2 ? pixel.withAlpha(.max) : .clear
    }

    static func draw(
        _ tile: Tile, _ opacity: TileOpacity, _ color: Color, within rect: PixelRect,
        on canvas: inout Canvas<Self>
    ) {
        switch tile.kind {
        case .coverage:
            let (opaque, components) = (ColorPixel(color, alpha: .max), InkComponents(color))
            canvas.withRows(rect, of: tile, bytesPerPixel: 1) { target, source, y in
                let dissolve = Dissolve(row: y, of: opacity)
                for x in 0..<rect.width where source[x] != 0 {
                    if target[x].ink.alpha > 0 {
                        target[x].ink.cover(components, alpha: source[x], opacity.whole)
                    } else if opacity.hasInk(source[x]), dissolve.shows(rect.minX &+ x) {
                        target[x].ink = opaque
                    }
                }
            }
        case .picture:
            canvas.withRows(rect, of: tile, bytesPerPixel: 4) { target, source, y in
                let dissolve = Dissolve(row: y, of: opacity)
                for x in 0..<rect.width {
                    let picture = source + 4 * x
                    if target[x].ink.alpha > 0 {
                        target[x].ink.cover(picture, opacity.whole)
                    } else if opacity.hasInk(picture[3]), dissolve.shows(rect.minX &+ x) {
                        target[x].ink.cover(picture, 65_536)
                        target[x].ink = target[x].ink.withAlpha(.max)
                    }
                }
            }
        }
    }
}

extension TileOpacity {
    /// Returns true if a pixel of a tile has enough ink to be covered, where ink covers all or
    /// nothing.
    @inline(__always)
    fileprivate func hasInk(_ alpha: UInt8) -> Bool {
        (UInt32(alpha) &* 257 &* coverage &+ 0x8000) >> 16 >= cut
    }
}

/// The pixels of a row of the canvas that show while a glyph fades in.
private struct Dissolve {
    /// The thresholds of eight columns, 0…63, a byte each.
    private let thresholds: UInt64
    /// The opacity of the glyph's pose, 0…65,536.
    private let fade: UInt32

    init(row y: Int, of opacity: TileOpacity) {
        thresholds = Self.matrix[y & 7]
        fade = opacity.fade
    }

    @inline(__always)
    func shows(_ x: Int) -> Bool {
        let threshold = UInt32(truncatingIfNeeded: thresholds >> UInt64(8 &* (x & 7))) & 63
        // The threshold is the middle of one of 64 steps.
        return fade > threshold &* 1024 &+ 512
    }

    /// Bayer's matrix of the order 8, a row each, the first column in the lowest byte.
    private static let matrix: [UInt64] = (0..<8).map { y in
        (0..<8).reduce(0) { row, x in
            let value = (0..<3).reduce(0) { value, bit in
                value | ((x ^ y) >> bit & 1) << (5 - 2 * bit) | (y >> bit & 1) << (4 - 2 * bit)
            }
            return row | UInt64(value) << UInt64(8 * x)
        }
    }
}
