import Motion
import Raster

/// A pixel of the ink, before it is blended with the background.
protocol RasterPixel: Equatable, BitwiseCopyable, Sendable {
    static var clear: Self { get }

    /// Makes a pixel of premultiplied red, green, blue, and alpha, 0…65,535 each.
    init(premultiplied: SIMD4<UInt16>)

    /// Draws a tile over a rectangle of pixels (source-over).
    ///
    /// - Parameters:
    ///   - tile: The tile.
    ///   - opacity: The factors for its alpha.
    ///   - color: The colour of a coverage tile.
    ///   - rect: The part of the tile to draw.
    ///   - canvas: The pixels to draw on.
    static func draw(
        _ tile: Tile, _ opacity: TileOpacity, _ color: Color, within rect: PixelRect,
        on canvas: inout Canvas<Self>
    )
}

/// The opacity of a tile, as factors for its alpha, 0…65,536 for 0…1.
struct TileOpacity {
    /// The product of `fade` and `coverage`.
    let whole: UInt32
    /// The opacity of the glyph's pose.
    let fade: UInt32
    /// The coverage of each pixel that the tile covers as a whole: less than 1 where a colour is
    /// translucent, and at the edges of masks.
    let coverage: UInt32
    /// The coverage from which a pixel has ink if it can have only all or none, 1…65,535.
    let cut: UInt32

    /// - Parameters:
    ///   - fade: The opacity of the glyph's pose, 0…1.
    ///   - alpha: A factor of the part that is drawn, 0…1.
    ///   - mask: The share of each pixel that is within a mask, 0…1.
    ///   - inkAlpha: The alpha of the ink in the middle of a glyph, 0…1.
    init(fade: Double, alpha: Double, mask: Double, inkAlpha: Double) {
        func factor(_ share: Double) -> UInt32 { UInt32((share * 65_536).rounded()) }
        whole = factor(fade * alpha * mask)
        self.fade = factor(fade)
        coverage = factor(alpha * mask)
        cut = max(UInt32((inkAlpha * 32_767.5).rounded()), 1)
    }
}

/// A pixel whose ink may have any colour.
protocol ColoredPixel: RasterPixel {
    /// The ink, premultiplied.
    var ink: ColorPixel { get }
}

/// The pixels of a picture, row by row without gaps.
struct Canvas<Pixel: RasterPixel>: Sendable {
    let size: PixelSize
    private(set) var pixels: [Pixel]

    init(size: PixelSize) {
        self.size = size
        pixels = [Pixel](repeating: .clear, count: size.count)
    }

    /// Makes a rectangle empty.
    mutating func clear(_ rect: PixelRect) {
        pixels.withUnsafeMutableBufferPointer { pixels in
            for y in rect.minY..<rect.maxY {
                let row = y * size.width
                pixels[row + rect.minX..<row + rect.maxX].update(repeating: .clear)
            }
        }
    }

    /// Replaces a rectangle by a card's pixels.
    mutating func fill(_ rect: PixelRect, with card: CardImage) {
        pixels.withUnsafeMutableBufferPointer { pixels in
            for y in rect.minY..<rect.maxY {
                let row = y * size.width
                let plain = card.plainColumns(ofRow: y, rect.minX..<rect.maxX)
                func draw(_ columns: Range<Int>) {
                    guard !columns.isEmpty else { return }
                    card.forEachPixel(ofRow: y, columns) { x, value in
                        pixels[row &+ x] = Pixel(premultiplied: value)
                    }
                }
                // The first of the pixels that are alike stands for all.
                draw(rect.minX..<plain.lowerBound + min(plain.count, 1))
                draw(plain.upperBound..<rect.maxX)
                guard let first = plain.first else { continue }
                pixels[(row + first)..<(row + plain.upperBound)].update(
                    repeating: pixels[row + first])
            }
        }
    }

    /// Calls `body` for each row of a rectangle with its first pixel, its first byte in a tile, and
    /// its y.
    @inline(__always)
    mutating func withRows(
        _ rect: PixelRect, of tile: Tile, bytesPerPixel: Int,
        _ body: (UnsafeMutablePointer<Pixel>, UnsafePointer<UInt8>, Int) -> Void
    ) {
        let width = size.width
        pixels.withUnsafeMutableBufferPointer { pixels in
            tile.bytes.withUnsafeBufferPointer { bytes in
                guard let target = pixels.baseAddress, let source = bytes.baseAddress else {
                    return
                }
                for y in rect.minY..<rect.maxY {
                    body(
                        target + (y * width + rect.minX),
                        source
                            + ((y - tile.rect.minY) * tile.stride
                                + (rect.minX - tile.rect.minX) * bytesPerPixel),
                        y)
                }
            }
        }
    }
}

/// A pixel of a scene whose ink has one colour.
struct CoveragePixel: RasterPixel {
    /// 0…65,535.
    var alpha: UInt16

    static let clear = CoveragePixel(alpha: 0)

    init(alpha: UInt16) {
        self.alpha = alpha
    }

    init(premultiplied value: SIMD4<UInt16>) {
        alpha = value.w
    }

    static func draw(
        _ tile: Tile, _ opacity: TileOpacity, _ color: Color, within rect: PixelRect,
        on canvas: inout Canvas<Self>
    ) {
        let opacity = opacity.whole
        canvas.withRows(rect, of: tile, bytesPerPixel: 1) { target, source, _ in
            for x in 0..<rect.width {
                let alpha = (UInt32(source[x]) &* 257 &* opacity &+ 0x8000) >> 16
                let below = UInt32(target[x].alpha)
                target[x].alpha = UInt16(
                    truncatingIfNeeded: alpha &+ below &- product(alpha, below))
            }
        }
    }

    /// Returns the product of two shares, 0…65,535 for 0…1, rounded.
    @inline(__always)
    static func product(_ one: UInt32, _ other: UInt32) -> UInt32 {
        let product = one &* other &+ 0x8000
        return (product &+ product >> 16) >> 16
    }
}

/// A pixel of any other scene: premultiplied red, green, blue, and alpha, 0…65,535 each.
struct ColorPixel: ColoredPixel {
    var red: UInt16
    var green: UInt16
    var blue: UInt16
    var alpha: UInt16

    static let clear = ColorPixel(premultiplied: .zero)

    init(premultiplied value: SIMD4<UInt16>) {
        (red, green, blue, alpha) = (value.x, value.y, value.z, value.w)
    }

    static func draw(
        _ tile: Tile, _ opacity: TileOpacity, _ color: Color, within rect: PixelRect,
        on canvas: inout Canvas<Self>
    ) {
        let opacity = opacity.whole
        switch tile.kind {
        case .coverage:
            let color = InkComponents(color)
            canvas.withRows(rect, of: tile, bytesPerPixel: 1) { target, source, _ in
                for x in 0..<rect.width where source[x] != 0 {
                    target[x].cover(color, alpha: source[x], opacity)
                }
            }
        case .picture:
            canvas.withRows(rect, of: tile, bytesPerPixel: 4) { target, source, _ in
                for x in 0..<rect.width where source[4 * x + 3] != 0 {
                    target[x].cover(source + 4 * x, opacity)
                }
            }
        }
    }

    /// Draws a pixel of a coverage tile over this one, at an opacity of 0…65,536.
    @inline(__always)
    mutating func cover(_ color: InkComponents, alpha: UInt8, _ opacity: UInt32) {
        let alpha = (UInt32(alpha) &* 257 &* opacity &+ 0x8000) >> 16
        cover(
            CoveragePixel.product(color.red, alpha), CoveragePixel.product(color.green, alpha),
            CoveragePixel.product(color.blue, alpha), alpha)
    }

    /// Draws a pixel of a picture tile over this one, at an opacity of 0…65,536.
    @inline(__always)
    mutating func cover(_ picture: UnsafePointer<UInt8>, _ opacity: UInt32) {
        func part(_ offset: Int) -> UInt32 {
            (UInt32(picture[offset]) &* 257 &* opacity &+ 0x8000) >> 16
        }
        cover(part(2), part(1), part(0), part(3))
    }

    /// Draws premultiplied red, green, blue, and alpha over the pixel, 0…65,535 each.
    @inline(__always)
    private mutating func cover(
        _ red: UInt32, _ green: UInt32, _ blue: UInt32, _ alpha: UInt32
    ) {
        let rest = 65_535 &- alpha
        func over(_ above: UInt32, _ below: UInt16) -> UInt16 {
            UInt16(
                truncatingIfNeeded: min(
                    above &+ CoveragePixel.product(UInt32(below), rest), 65_535))
        }
        self.red = over(red, self.red)
        self.green = over(green, self.green)
        self.blue = over(blue, self.blue)
        self.alpha = over(alpha, self.alpha)
    }
}

/// Red, green, and blue of a colour, 0…65,535 each.
struct InkComponents {
    let red: UInt32
    let green: UInt32
    let blue: UInt32

    init(_ color: Color) {
        red = 257 * UInt32(color.red)
        green = 257 * UInt32(color.green)
        blue = 257 * UInt32(color.blue)
    }
}

extension CoveragePixel {
    /// The alpha, 0…255.
    @inline(__always)
    var byte: UInt8 {
        let alpha = UInt32(alpha) &+ 128
        return UInt8(truncatingIfNeeded: (alpha &- alpha >> 8) >> 8)
    }
}

extension ColorPixel {
    /// Makes a pixel of an opaque colour with an alpha of 0…65,535.
    init(_ color: Color, alpha: UInt16) {
        func part(_ value: UInt8) -> UInt16 {
            UInt16(CoveragePixel.product(257 * UInt32(value), UInt32(alpha)))
        }
        self.init(
            premultiplied: SIMD4(part(color.red), part(color.green), part(color.blue), alpha))
    }

    /// Returns the pixel of the same ink with another alpha.
    func withAlpha(_ alpha: UInt16) -> ColorPixel {
        guard alpha != self.alpha, self.alpha > 0 else { return self }
        let (old, new) = (UInt32(self.alpha), UInt32(alpha))
        func part(_ value: UInt16) -> UInt16 {
            UInt16(min((UInt32(value) * new + old / 2) / old, new))
        }
        return ColorPixel(premultiplied: SIMD4(part(red), part(green), part(blue), alpha))
    }

    var ink: ColorPixel { self }

    /// The colour of the ink, opaque.
    var inkColor: Color {
        let alpha = max(UInt32(alpha), 1)
        func part(_ value: UInt16) -> UInt8 {
            UInt8(min((UInt32(value) * 255 + alpha / 2) / alpha, 255))
        }
        return Color(red: part(red), green: part(green), blue: part(blue))
    }

    /// Returns the colour of the ink over an opaque background.
    func color(over background: Color) -> Color {
        let rest = 65_535 - UInt32(alpha)
        func part(_ value: UInt16, _ below: UInt8) -> UInt8 {
            let sum = UInt32(value) + CoveragePixel.product(257 * UInt32(below), rest)
            return CoveragePixel(alpha: UInt16(min(sum, 65_535))).byte
        }
        return Color(
            red: part(red, background.red), green: part(green, background.green),
            blue: part(blue, background.blue))
    }

    /// Returns the colour of the ink over any background, with straight alpha.
    func straight(over background: Color) -> Color {
        if background.isOpaque { return color(over: background) }
        let rest = 65_535 - UInt32(alpha)
        let behind = CoveragePixel.product(257 * UInt32(background.alpha), rest)
        let whole = UInt32(alpha) + behind
        guard whole > 0 else { return .transparent }
        func part(_ value: UInt16, _ below: UInt8) -> UInt8 {
            let sum = UInt32(value) + CoveragePixel.product(257 * UInt32(below), behind)
            return UInt8(min((sum * 255 + whole / 2) / whole, 255))
        }
        let alpha = CoveragePixel(alpha: UInt16(min(whole, 65_535))).byte
        guard alpha > 0 else { return .transparent }
        return Color(
            red: part(red, background.red), green: part(green, background.green),
            blue: part(blue, background.blue), alpha: alpha)
    }
}

extension Color {
    /// Returns the colour, opaque, at an alpha of 0…65,535 over a background, with straight alpha.
    func atAlpha(_ alpha: UInt16, over background: Color) -> Color {
        ColorPixel(self, alpha: alpha).straight(over: background)
    }

    /// Returns the opaque colour of this one over an opaque one.
    func over(_ below: Color) -> Color {
        below.blended(with: self, share: Double(alpha) / 255)
    }

    /// Returns the opaque colour at a progress (0…1) from this one to another.
    func blended(with other: Color, share: Double) -> Color {
        func part(_ from: UInt8, _ to: UInt8) -> UInt8 {
            UInt8((Double(from) + (Double(to) - Double(from)) * share).rounded())
        }
        return Color(
            red: part(red, other.red), green: part(green, other.green),
            blue: part(blue, other.blue))
    }
}
