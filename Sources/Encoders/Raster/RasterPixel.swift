import Motion

/// What is kept of a pixel of the ink, which lies on the background but is not yet blended with it.
protocol RasterPixel: Equatable, BitwiseCopyable, Sendable {
    static var clear: Self { get }

    /// Draws a tile over a rectangle of pixels, as CSS's `source-over` does, with an opacity of
    /// 0…65,536; a coverage tile in the colour.
    static func draw(
        _ tile: Tile, _ opacity: UInt32, _ color: Color, within rect: PixelRect,
        on canvas: inout Canvas<Self>
    )
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

    /// Calls `body` with each row of a rectangle and its first column's and the tile's place.
    @inline(__always)
    mutating func withRows(
        _ rect: PixelRect, of tile: Tile, bytesPerPixel: Int,
        _ body: (UnsafeMutablePointer<Pixel>, UnsafePointer<UInt8>) -> Void
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
                                + (rect.minX - tile.rect.minX) * bytesPerPixel))
                }
            }
        }
    }
}

/// A pixel of a scene whose ink has one colour: only its alpha, 0…65,535.
struct CoveragePixel: RasterPixel {
    var alpha: UInt16

    static let clear = CoveragePixel(alpha: 0)

    static func draw(
        _ tile: Tile, _ opacity: UInt32, _ color: Color, within rect: PixelRect,
        on canvas: inout Canvas<Self>
    ) {
        canvas.withRows(rect, of: tile, bytesPerPixel: 1) { target, source in
            for x in 0..<rect.width {
                let alpha = (UInt32(source[x]) &* 257 &* opacity &+ 0x8000) >> 16
                let below = UInt32(target[x].alpha)
                target[x].alpha = UInt16(
                    truncatingIfNeeded: alpha &+ below &- product(alpha, below))
            }
        }
    }

    /// The product of two numbers that stand for 0…1, rounded.
    @inline(__always)
    static func product(_ one: UInt32, _ other: UInt32) -> UInt32 {
        let product = one &* other &+ 0x8000
        return (product &+ product >> 16) >> 16
    }
}

/// A pixel of any other scene: premultiplied red, green, blue and alpha, 0…65,535 each.
struct ColorPixel: RasterPixel {
    var red: UInt16
    var green: UInt16
    var blue: UInt16
    var alpha: UInt16

    static let clear = ColorPixel(red: 0, green: 0, blue: 0, alpha: 0)

    static func draw(
        _ tile: Tile, _ opacity: UInt32, _ color: Color, within rect: PixelRect,
        on canvas: inout Canvas<Self>
    ) {
        switch tile.kind {
        case .coverage:
            let (red, green, blue) = (
                257 * UInt32(color.red), 257 * UInt32(color.green), 257 * UInt32(color.blue)
            )
            canvas.withRows(rect, of: tile, bytesPerPixel: 1) { target, source in
                for x in 0..<rect.width where source[x] != 0 {
                    let alpha = (UInt32(source[x]) &* 257 &* opacity &+ 0x8000) >> 16
                    target[x].cover(
                        CoveragePixel.product(red, alpha), CoveragePixel.product(green, alpha),
                        CoveragePixel.product(blue, alpha), alpha)
                }
            }
        case .picture:
            canvas.withRows(rect, of: tile, bytesPerPixel: 4) { target, source in
                for x in 0..<rect.width where source[4 * x + 3] != 0 {
                    func part(_ offset: Int) -> UInt32 {
                        (UInt32(source[4 * x + offset]) &* 257 &* opacity &+ 0x8000) >> 16
                    }
                    target[x].cover(part(2), part(1), part(0), part(3))
                }
            }
        }
    }

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
