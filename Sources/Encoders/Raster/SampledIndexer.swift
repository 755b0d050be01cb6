import Motion
import Raster

/// The indexer for gradients, outlines, shadows, and cards, whose colours lie on many ramps, and
/// for pixels that are transparent or opaque.
///
/// Its palette is made for the pixels of some frames: frames at which blocks have arrived, and some
/// in which glyphs fade.
struct SampledIndexer<Pixel: ColoredPixel>: PixelIndexer {
    private(set) var palette = Palette()
    let hasTransparency: Bool
    /// The largest difference of a component at which a pixel keeps its index, which costs nothing.
    private let tolerance: Int
    /// The index of pixels without ink.
    private let clearIndex: UInt8
    /// Red, green, and blue of the backdrop, 0…65,535 each.
    private let below: InkComponents
    /// The nearest index for each colour of seven bits a component; 0, which is transparent, where
    /// it is not known yet.
    private var nearest = [UInt8](repeating: 0, count: 1 << 21)

    /// The most pixels that are examined in each frame.
    private static var mostPixels: Int { 1 << 18 }

    /// - Parameters:
    ///   - scene: The scene.
    ///   - background: The background behind the ink.
    ///   - seen: Returns the opaque colour in pictures of a colour of the scene.
    ///   - levels: The levels that requests ask for.
    ///   - scale: Pixels in one CSS pixel.
    ///   - context: The painter, and the remaining time.
    /// - Throws: When a frame that is examined cannot be painted.
    private init(
        _ scene: Scene, over background: PaletteBackground, seen: (Color) -> Color, levels: Int,
        scale: Double, _ context: EncodingContext
    ) throws(EncodingError) {
        let backdrop = background.color
        hasTransparency = background.isTransparent && !scene.appearance.card.isOpaque
        let sampling = PaletteSampling(levels: levels)
        tolerance = sampling.tolerance
        // Large areas of one colour have exactly that colour.
        for color in scene.flatColors(seen) where palette.colors.count <= sampling.count / 2 {
            _ = palette.index(of: color)
        }
        if !background.isTransparent { _ = palette.index(of: backdrop) }
        let free = sampling.count + 1 - palette.colors.count
        for color in try Self.colors(of: scene, over: backdrop, free, scale: scale, context) {
            _ = palette.index(of: color)
        }
        below = InkComponents(backdrop)
        clearIndex = hasTransparency ? 0 : palette.nearest(to: backdrop)
    }

    /// Returns at most `count` colours that represent some frames.
    private static func colors(
        of scene: Scene, over backdrop: Color, _ count: Int, scale: Double,
        _ context: EncodingContext
    ) throws(EncodingError) -> [Color] {
        var histogram = ColorHistogram(bits: 6)
        var painter = FramePainter<Pixel>(scene, scale: scale)
        for moment in scene.sampleMoments {
            _ = try painter.paint(moment, context)
            add(painter.canvas, over: backdrop, to: &histogram)
        }
        return try histogram.medianCut(into: count, context)
    }

    /// Counts the colours of a frame.
    private static func add(
        _ canvas: Canvas<Pixel>, over backdrop: Color, to histogram: inout ColorHistogram
    ) {
        let step = max(canvas.pixels.count / mostPixels, 1) | 1
        for index in stride(from: 0, to: canvas.pixels.count, by: step) {
            let pixel = canvas.pixels[index].ink
            guard pixel.alpha > PaletteSampling.leastAlpha else { continue }
            histogram.add(pixel.color(over: backdrop), weight: 1)
        }
    }

    @inline(__always)
    mutating func index(of pixel: Pixel, shown: UInt8, isSmallChange: Bool) -> UInt8 {
        let pixel = pixel.ink
        guard pixel.alpha > PaletteSampling.leastAlpha else { return clearIndex }
        let rest = 65_535 &- UInt32(pixel.alpha)
        func part(_ value: UInt16, _ below: UInt32) -> UInt8 {
            let sum = UInt32(value) &+ CoveragePixel.product(below, rest)
            return CoveragePixel(alpha: UInt16(min(sum, 65_535))).byte
        }
        let red = part(pixel.red, below.red)
        let green = part(pixel.green, below.green)
        let blue = part(pixel.blue, below.blue)
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

/// The parameters by which a palette is made of the colours of some frames.
struct PaletteSampling {
    /// The most colours, without the transparent one.
    let count: Int
    /// The largest difference of a component, of 255, at which a pixel may keep its index.
    let tolerance: Int

    /// The largest alpha, 0…65,535, that counts as none.
    static let leastAlpha: UInt16 = 128

    /// - Parameter levels: The levels that requests ask for; each is worth four colours.
    init(levels: Int) {
        count = min(max(4 * levels, 24), Palette.capacity - 1)
        // With 128 levels or more, every pixel has the nearest colour.
        tolerance = levels < 128 ? 4 : 0
    }
}

extension SampledIndexer<ColorPixel> {
    /// The indexer for ink that is blended with the background.
    ///
    /// - Throws: When a frame that is examined cannot be painted.
    init(
        _ scene: Scene, over background: PaletteBackground, levels: Int, scale: Double,
        _ context: EncodingContext
    ) throws(EncodingError) {
        try self.init(
            scene, over: background, seen: { $0.over(background.color) }, levels: levels,
            scale: scale, context)
    }
}

extension SampledIndexer<HalftonePixel> {
    /// The indexer for ink on a transparent ground; if the ink has one colour or some, the palette
    /// has only these.
    ///
    /// - Throws: When a frame that is examined cannot be painted.
    init(
        halftoneOf scene: Scene, levels: Int, scale: Double, _ context: EncodingContext
    ) throws(EncodingError) {
        // Opaque pixels have nothing of the background behind them.
        guard scene.isPainted || !scene.definitions.bitmaps.isEmpty else {
            self.init(scene.inkColors(atMost: Palette.capacity - 1))
            return
        }
        try self.init(
            scene, over: PaletteBackground(.transparent, matte: .transparent), seen: \.opaque,
            levels: levels, scale: scale, context)
    }

    /// Makes a palette of opaque colours, or of the first 255 of them.
    private init(_ colors: [Color]) {
        for color in colors { _ = palette.index(of: color) }
        (hasTransparency, tolerance, clearIndex) = (true, 0, 0)
        below = InkComponents(.transparent)
    }
}

extension Scene {
    /// True if pictures show more than glyphs and a backdrop of one colour each.
    var isPainted: Bool {
        appearance.card.flatColor == nil
            || blocks.contains { $0.paint.hasUnderlay }
            || !shimmers.isEmpty
            || backdropPicture != nil
            || nodes.contains { $0.glyph.paint.gradient != nil || $0.isShade }
    }

    /// Returns the colours of glyphs, outlines, sharp shadows, and the border as pictures show
    /// them, each once.
    func flatColors(_ seen: (Color) -> Color) -> [Color] {
        var colors: [Color] = []
        func add(_ color: Color) {
            let seen = seen(color)
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

    /// The moments at which some blocks, four at most, have arrived one after another; moments on
    /// the way there if glyphs fade; and some moments at which glyphs show once more or light
    /// passes.
    var sampleMoments: [Moment] {
        guard duration > .zero else { return [.finished] }
        let step = max((blocks.count + 3) / 4, 1)
        return stride(from: 0, to: blocks.count, by: step).flatMap { index -> [Moment] in
            let entrance = blocks[index].entrance
            let length = entrance.upperBound.ticks - entrance.lowerBound.ticks
            let shares = tracks.contains(where: \.fades) ? [0.2, 0.4, 0.6, 0.8, 1] : [1]
            return shares.map { share -> Moment in
                .instant(
                    Instant(ticks: entrance.lowerBound.ticks + Int(Double(length) * share)))
            }
        } + (momentsOfCopies + momentsOfLight).map { .instant($0) }
    }

    private var momentsOfCopies: [Instant] {
        guard let copy = nodes.first(where: \.repeatsSource) else { return [] }
        let own = tracks[copy.track]
        let offsets = own[.offsetX]?.keyframes ?? []
        let moments = zip(offsets, offsets.dropFirst()).flatMap { from, to -> [Instant] in
            guard from.easing != .hold, from.value != to.value else { return [from.time] }
            // One moment for each time that it passes the canvas.
            let count = min(Int((abs(to.value - from.value) / width).rounded(.up)), 8)
            return (1...max(count, 1)).map { part in
                let length = to.time.ticks - from.time.ticks
                return Instant(ticks: from.time.ticks + length * part / (count + 1))
            }
        }
        return Array(moments.lazy.filter { own.opacity.value(at: $0) > 0 }.prefix(8))
    }

    private var momentsOfLight: [Instant] {
        shimmers.prefix(4).flatMap { shimmer -> [Instant] in
            let keyframes = shimmer.passage.keyframes
            let passing = zip(keyframes, keyframes.dropFirst()).first { $0.value < $1.value }
            guard let (start, end) = passing.map({ ($0.time.ticks, $1.time.ticks) }) else {
                return []
            }
            return [3, 5, 7].map { Instant(ticks: start + (end - start) * $0 / 10) }
        }
    }
}
