import Motion

/// Gives pixels their places in a palette.
protocol PixelIndexer: Sendable {
    associatedtype Pixel: RasterPixel

    var palette: GIFPalette { get }
    /// Whether pixels without ink are transparent.
    var hasTransparency: Bool { get }

    /// A pixel's place, given what it is shown as now, and whether so little moves that a level
    /// may stay where another is hardly nearer.
    mutating func index(of pixel: Pixel, shown: UInt8, isCalm: Bool) -> UInt8
}

/// For ink of one colour: the palette is the exact ramp from the background to it.
struct RampIndexer: PixelIndexer {
    private(set) var palette = GIFPalette()
    let hasTransparency: Bool
    private let ramp: GIFRamp
    private let tolerance: GIFTolerance

    init(_ color: Color, over background: GIFBackground, levels: Int) {
        hasTransparency = background.isTransparent
        ramp = GIFRamp(to: color, from: background, levels: levels, in: &palette)
        tolerance = GIFTolerance(levels: levels)
    }

    @inline(__always)
    func index(of pixel: CoveragePixel, shown: UInt8, isCalm: Bool) -> UInt8 {
        ramp.index(
            alpha: pixel.alpha, shown: shown,
            tolerance: isCalm ? tolerance.calm : tolerance.strict)
    }
}

/// How far from its exact value a level may stay, in levels·65,535.
///
/// A pixel that is left alone costs nothing. Where few pixels move, a quarter of a level more than
/// rounding allows is not seen; of coarse ramps less, and fine ramps are always exact.
struct GIFTolerance {
    let strict: Int32 = 0
    let calm: Int32

    init(levels: Int) {
        let more = min(Double(levels) / 32, 1) / 4
        calm = levels < 128 ? Int32((0.5 + more) * 65_535) : 0
    }
}
