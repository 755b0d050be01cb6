import Motion
import Raster

/// The indexer for formats whose palettes have alphas.
///
/// Its palette is made for the pixels of some frames, as in `SampledIndexer`.
struct AlphaIndexer: PixelIndexer {
    private(set) var palette = Palette()
    let hasTransparency = true
    /// The colour behind the ink.
    private let background: Color
    /// The largest difference of a component at which a pixel keeps its index, which costs nothing.
    private let tolerance: Int32
    /// The index of pixels without ink.
    private let clearIndex: UInt8
    /// Premultiplied red, green, and blue, and alpha of each colour, 0…255 each.
    private let components: [SIMD4<Int32>]
    /// The nearest index, for opaque ink of seven bits a component, and for other ink of five bits
    /// a component and six of alpha; 0, which is transparent, where it is not known yet.
    private var nearest = [UInt8](repeating: 0, count: 2 << 21)

    /// The most pixels of all frames together that are examined for the palette.
    private static let mostPixels = 1 << 17

    /// - Parameters:
    ///   - scene: The scene.
    ///   - levels: The levels that requests ask for.
    ///   - scale: Pixels in one CSS pixel.
    ///   - context: The painter, and the remaining time.
    /// - Throws: When a frame that is examined cannot be painted.
    init(
        _ scene: Scene, levels: Int, scale: Double, _ context: EncodingContext
    ) throws(EncodingError) {
        background = scene.appearance.card.backdrop
        let sampling = PaletteSampling(levels: levels)
        tolerance = Int32(sampling.tolerance)
        clearIndex = background.isTransparent ? 0 : palette.index(of: background)
        // Large areas of one colour have exactly that colour.
        let flat = scene.flatColors { [background] color in
            color.opaque.atAlpha(257 * UInt16(color.alpha), over: background)
        }
        for color in flat where palette.colors.count <= sampling.count / 2 {
            _ = palette.index(of: color)
        }
        let colors = try Self.sample(of: scene, over: background, scale: scale, context)
        let free = sampling.count + 1 - palette.colors.count
        for color in try WeightedColor.medianCut(colors, into: free, context) {
            _ = palette.index(of: color)
        }
        components = palette.colors.map(\.components)
    }

    /// Returns the colours of some pixels of some frames, each once.
    private static func sample(
        of scene: Scene, over background: Color, scale: Double, _ context: EncodingContext
    ) throws(EncodingError) -> [WeightedColor] {
        var painter = FramePainter<ColorPixel>(scene, scale: scale)
        let moments = scene.sampleMoments
        let step = max(painter.canvas.size.count * moments.count / mostPixels, 1) | 1
        var keys: [UInt32] = []
        for moment in moments {
            _ = try painter.paint(moment, context)
            for index in stride(from: 0, to: painter.canvas.pixels.count, by: step) {
                let pixel = painter.canvas.pixels[index]
                guard pixel.alpha > PaletteSampling.leastAlpha else { continue }
                let parts = pixel.components(over: background)
                keys.append((0..<4).reduce(0) { $0 << 8 | UInt32(parts[$1]) })
            }
        }
        keys.sort()
        var colors: [WeightedColor] = []
        var start = 0
        for end in 1..<max(keys.count + 1, 1) where end == keys.count || keys[end] != keys[start] {
            let key = keys[start]
            let color = SIMD4(key >> 24, key >> 16 & 0xFF, key >> 8 & 0xFF, key & 0xFF)
            colors.append(
                WeightedColor(color: SIMD4<Double>(color), weight: Double(end - start)))
            start = end
        }
        return colors
    }

    @inline(__always)
    mutating func index(of pixel: ColorPixel, shown: UInt8, isSmallChange: Bool) -> UInt8 {
        guard pixel.alpha > PaletteSampling.leastAlpha else { return clearIndex }
        if shown > 0 {
            let off = pixel.components(over: background) &- components[Int(shown)]
            if all(off .<= tolerance), all(off .>= -tolerance) { return shown }
        }
        func bits(_ count: UInt16) -> Int {
            (Int(pixel.red >> (16 - count)) << count | Int(pixel.green >> (16 - count))) << count
                | Int(pixel.blue >> (16 - count))
        }
        let key = pixel.alpha == .max ? bits(7) : 1 << 21 | bits(5) << 6 | Int(pixel.alpha >> 10)
        if nearest[key] == 0 {
            nearest[key] = palette.nearest(to: pixel.straight(over: background))
        }
        return nearest[key]
    }
}

extension ColorPixel {
    /// Returns premultiplied red, green, and blue, and alpha over a background, 0…255 each.
    @inline(__always)
    fileprivate func components(over background: Color) -> SIMD4<Int32> {
        let rest = 65_535 &- UInt32(alpha)
        let behind = CoveragePixel.product(257 &* UInt32(background.alpha), rest)
        func part(_ value: UInt16, _ below: UInt8) -> Int32 {
            let sum = UInt32(value) &+ CoveragePixel.product(257 &* UInt32(below), behind)
            return Int32(CoveragePixel(alpha: UInt16(min(sum, 65_535))).byte)
        }
        return SIMD4(
            part(red, background.red), part(green, background.green),
            part(blue, background.blue), part(alpha, 255))
    }
}
