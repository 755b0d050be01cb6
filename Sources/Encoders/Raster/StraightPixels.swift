import Motion
import Raster

// Straight alpha, red, green, and blue of each pixel, 8 bits each, from the highest: the form that
// libwebp takes, and of which videos are made.

/// The colours of ink of one colour, by its alpha.
struct StraightRamp: PixelForm {
    private let values: [UInt32]

    /// - Parameters:
    ///   - ink: The colour of all ink.
    ///   - background: The colour behind it.
    ///   - levels: The levels of its alpha; nil for all.
    ///   - keepsColor: True if pixels without ink have its colour too, fully transparent.
    init(
        _ ink: Color, over background: Color, levels: AlphaLevels?, keepsColor: Bool = false
    ) {
        var values = (0...255).map { alpha in
            let alpha = UInt16(alpha) * 257
            return ink.atAlpha(levels?.nearest(to: alpha) ?? alpha, over: background).argb
        }
        if keepsColor {
            for index in values.indices where values[index] >> 24 == 0 {
                values[index] = ink.argb & 0xFF_FFFF
            }
        }
        self.values = values
    }

    func write(
        _ pixels: UnsafeBufferPointer<CoveragePixel>, at start: Int, isSmallChange: Bool,
        to target: UnsafeMutableBufferPointer<UInt32>
    ) {
        values.withUnsafeBufferPointer { values in
            for x in 0..<pixels.count { target[x] = values[Int(pixels[x].byte)] }
        }
    }
}

/// The colours of any other ink.
struct StraightColors: PixelForm {
    private let background: Color
    private let levels: AlphaLevels?

    /// - Parameters:
    ///   - background: The colour behind the ink.
    ///   - levels: The levels of its alpha; nil for all.
    init(over background: Color, levels: AlphaLevels?) {
        self.background = background
        self.levels = levels
    }

    func write(
        _ pixels: UnsafeBufferPointer<ColorPixel>, at start: Int, isSmallChange: Bool,
        to target: UnsafeMutableBufferPointer<UInt32>
    ) {
        for x in 0..<pixels.count { target[x] = value(of: pixels[x]) }
    }

    @inline(__always)
    func value(of pixel: ColorPixel) -> UInt32 {
        guard let levels else { return pixel.straight(over: background).argb }
        return pixel.withAlpha(levels.nearest(to: pixel.alpha)).straight(over: background).argb
    }
}

/// Steps of equal size from no ink to full ink.
struct AlphaLevels {
    /// 2…255.
    let count: Int

    /// Returns the nearest level of an alpha, 0…65,535 both.
    func nearest(to alpha: UInt16) -> UInt16 {
        let steps = UInt32(count - 1)
        let step = (UInt32(alpha) * steps + 32_767) / 65_535
        return UInt16((step * 65_535 + steps / 2) / steps)
    }
}

extension Color {
    /// Alpha, red, green, and blue, 8 bits each, from the highest.
    var argb: UInt32 {
        UInt32(alpha) << 24 | UInt32(red) << 16 | UInt32(green) << 8 | UInt32(blue)
    }
}
