import Motion
import Raster

/// The indexer for gradients, outlines, shadows and cards, whose colours are on no few ramps.
///
/// Its palette is made for the pixels of some frames: those at which blocks have arrived, and some
/// in which glyphs fade.
struct SampledIndexer: PixelIndexer {
    private(set) var palette = Palette()
    let hasTransparency: Bool
    /// The largest difference of a component at which a pixel keeps its index, which costs nothing.
    private let tolerance: Int
    /// The index of pixels without ink.
    private let clearIndex: UInt8
    /// Red, green and blue of the backdrop, 0…65,535 each.
    private let below: SIMD4<UInt32>
    /// For colours of seven bits a component the nearest index; 0, which is transparent, where it
    /// is not known yet.
    private var nearest = [UInt8](repeating: 0, count: 1 << 21)

    /// The palette's colours for each of the levels that requests ask for.
    private static let colorsPerLevel = 4
    /// The fewest colours.
    private static let fewestColors = 24
    /// The most blocks whose frames are examined.
    private static let mostSamples = 4
    /// The most pixels that are examined in each of them.
    private static let mostPixels = 1 << 18
    /// The levels from which every pixel has the nearest colour.
    private static let exactLevels = 128
    private static let coarseTolerance = 4
    /// An alpha up to this, 0…65,535, is none.
    private static let leastAlpha = 128

    /// - Throws: When a frame that is examined cannot be painted.
    init(
        _ scene: Scene, over background: PaletteBackground, levels: Int, scale: Double,
        _ context: EncodingContext
    ) throws(EncodingError) {
        let backdrop = background.color
        hasTransparency = background.isTransparent && !scene.appearance.card.isOpaque
        tolerance = levels < Self.exactLevels ? Self.coarseTolerance : 0
        let count = min(
            max(levels * Self.colorsPerLevel, Self.fewestColors), Palette.capacity - 1)
        // What is one colour in large areas has exactly that one.
        for color in scene.flatColors(over: backdrop) where palette.colors.count <= count / 2 {
            _ = palette.index(of: color)
        }
        if !background.isTransparent { _ = palette.index(of: backdrop) }
        var histogram = ColorHistogram(bits: 6)
        var painter = FramePainter<ColorPixel>(scene, scale: scale)
        for moment in scene.sampleMoments(ofBlocks: Self.mostSamples) {
            _ = try painter.paint(moment, context)
            Self.add(painter.canvas, over: backdrop, to: &histogram)
        }
        for color in try histogram.medianCut(into: count + 1 - palette.colors.count, context) {
            _ = palette.index(of: color)
        }
        below =
            257 &* SIMD4(UInt32(backdrop.red), UInt32(backdrop.green), UInt32(backdrop.blue), 0)
        clearIndex = hasTransparency ? 0 : palette.nearest(to: backdrop)
    }

    /// Counts the colours of a frame.
    private static func add(
        _ canvas: Canvas<ColorPixel>, over backdrop: Color, to histogram: inout ColorHistogram
    ) {
        let step = max(canvas.pixels.count / mostPixels, 1) | 1
        for index in stride(from: 0, to: canvas.pixels.count, by: step) {
            let pixel = canvas.pixels[index]
            guard pixel.alpha > leastAlpha else { continue }
            histogram.add(pixel.color(over: backdrop), weight: 1)
        }
    }

    @inline(__always)
    mutating func index(of pixel: ColorPixel, shown: UInt8, isSmallChange: Bool) -> UInt8 {
        guard pixel.alpha > Self.leastAlpha else { return clearIndex }
        let rest = 65_535 &- UInt32(pixel.alpha)
        func part(_ value: UInt16, _ below: UInt32) -> UInt8 {
            let sum = UInt32(value) &+ CoveragePixel.product(below, rest)
            return CoveragePixel(alpha: UInt16(min(sum, 65_535))).byte
        }
        let red = part(pixel.red, below.x)
        let green = part(pixel.green, below.y)
        let blue = part(pixel.blue, below.z)
        func keeps(_ value: UInt8, _ present: UInt8) -> Bool {
            abs(Int(value) - Int(present)) <= tolerance
        }
        if shown > 0 {
            let present = palette.colors[Int(shown)]
            if keeps(red, present.red), keeps(green, present.green), keeps(blue, present.blue) {
                return shown
            }
        }
        let key = Int(red >> 1) << 14 | Int(green >> 1) << 7 | Int(blue >> 1)
        let known = nearest[key]
        if known > 0 { return known }
        nearest[key] = palette.nearest(to: Color(red: red, green: green, blue: blue))
        return nearest[key]
    }
}

extension Scene {
    /// True if pictures show more than glyphs and a backdrop of one colour each.
    var isPainted: Bool {
        appearance.card.flatColor == nil
            || blocks.contains { $0.paint.hasUnderlay }
            || nodes.contains { $0.glyph.paint.gradient != nil }
    }

    /// Returns the opaque colours of glyphs, outlines, sharp shadows and of the border, each once.
    fileprivate func flatColors(over backdrop: Color) -> [Color] {
        var colors: [Color] = []
        func add(_ color: Color) {
            let seen = color.over(backdrop)
            if !color.isTransparent, !colors.contains(seen) { colors.append(seen) }
        }
        if let border = appearance.card.border { add(border.color) }
        if case .color(let color) = appearance.card.background { add(color) }
        for block in blocks {
            if let outline = block.paint.outline { add(outline.color) }
            for shadow in block.paint.shadows where shadow.blurRadius == 0 { add(shadow.color) }
        }
        for glyph in nodes.lazy.map(\.glyph) {
            guard let ink = glyph.ink, ink.shape != nil || ink.hasLine else { continue }
            if case .color(let color) = glyph.paint { add(color) }
        }
        return colors
    }

    /// Returns moments at which some blocks have arrived one after another, and, where glyphs fade,
    /// moments on the way there.
    fileprivate func sampleMoments(ofBlocks most: Int) -> [Moment] {
        guard duration > .zero else { return [.finished] }
        let step = max((blocks.count + most - 1) / most, 1)
        return stride(from: 0, to: blocks.count, by: step).flatMap { index -> [Moment] in
            let entrance = blocks[index].entrance
            let length = entrance.upperBound.ticks - entrance.lowerBound.ticks
            let shares = tracks.contains(where: \.fades) ? [0.2, 0.4, 0.6, 0.8, 1] : [1]
            return shares.map { share -> Moment in
                .instant(
                    Instant(ticks: entrance.lowerBound.ticks + Int(Double(length) * share)))
            }
        }
    }
}
