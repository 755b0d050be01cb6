import Motion

/// For ink of several colours or with pictures: a ramp for each colour, and what is left of the
/// palette for the colours of pictures.
struct ColorIndexer: PixelIndexer {
    private(set) var palette = GIFPalette()
    var hasTransparency: Bool { background.isTransparent }
    private let background: GIFBackground
    /// What pixels without ink are.
    private let clearIndex: UInt8
    private var ramps: [GIFRamp] = []
    private let tolerance: GIFTolerance
    /// For colours with six bits a part their nearest place in the palette plus one; 0 where it
    /// is not known yet.
    private var nearest = [UInt16](repeating: 0, count: 1 << 18)

    /// The fewest steps that look like a ramp.
    private static let fewestLevels = 4

    init(
        _ scene: Scene, over background: GIFBackground, levels: Int, _ painter: any GlyphPainter
    ) throws(LibraryFault) {
        self.background = background
        let colors = scene.inkColors
        let room = GIFPalette.capacity - 2
        let hasPictures = !scene.layout.bitmaps.isEmpty
        let perRamp = (hasPictures ? room / 2 : room) / max(colors.count, 1) + 1
        let count = min(levels, perRamp)
        tolerance = GIFTolerance(levels: count)
        var histogram = ColorHistogram()
        if count >= Self.fewestLevels || count == levels {
            for color in colors {
                ramps.append(
                    GIFRamp(to: color, from: background, levels: count, in: &palette))
            }
        } else {
            for color in colors { histogram.add(rampTo: color, from: background.color) }
        }
        clearIndex = background.isTransparent ? 0 : palette.index(of: background.color)
        for bitmap in scene.layout.bitmaps {
            histogram.add(try painter.pixels(of: bitmap), over: background.color)
        }
        for color in histogram.medianCut(into: GIFPalette.capacity - palette.colors.count) {
            _ = palette.index(of: color)
        }
    }

    mutating func index(of pixel: ColorPixel, shown: UInt8, isCalm: Bool) -> UInt8 {
        if let ramp = ramp(of: pixel) {
            return ramp.index(
                alpha: pixel.alpha, shown: shown,
                tolerance: isCalm ? tolerance.calm : tolerance.strict)
        }
        // An alpha below a half level of the finest ramp is none.
        guard pixel.alpha > 128 else { return clearIndex }
        let color = pixel.color(over: background.color)
        return color == background.color && !background.isTransparent
            ? clearIndex : nearestIndex(to: color)
    }

    /// The ramp on which a pixel lies.
    private func ramp(of pixel: ColorPixel) -> GIFRamp? {
        guard pixel.alpha > 0 else { return ramps.first }
        guard pixel.alpha > 128 else { return nil }
        let ink = pixel.ink
        for ramp in ramps where ramp.color.isNearly(ink) { return ramp }
        return nil
    }

    private mutating func nearestIndex(to color: Color) -> UInt8 {
        let place =
            Int(color.red >> 2) << 12 | Int(color.green >> 2) << 6 | Int(color.blue >> 2)
        if nearest[place] == 0 {
            func middle(_ part: UInt8) -> UInt8 { part & 0xFC | part >> 6 }
            let color = Color(
                red: middle(color.red), green: middle(color.green), blue: middle(color.blue))
            nearest[place] = UInt16(palette.nearest(to: color)) + 1
        }
        return UInt8(nearest[place] - 1)
    }
}

extension Color {
    /// Whether rounding alone may have made the difference.
    fileprivate func isNearly(_ other: Color) -> Bool {
        func near(_ one: UInt8, _ other: UInt8) -> Bool { abs(Int(one) - Int(other)) <= 2 }
        return near(red, other.red) && near(green, other.green) && near(blue, other.blue)
    }
}

extension Scene {
    /// The distinct colours, without their alpha, that glyphs are drawn in; in drawing order.
    fileprivate var inkColors: [Color] {
        var seen: Set<Color> = []
        var colors: [Color] = []
        for glyph in layout.glyphs {
            guard let ink = glyph.ink else { continue }
            let isDrawn =
                ink.shape != nil
                || ink.details.contains { if case .line = $0 { true } else { false } }
            let color = Color(
                red: glyph.color.red, green: glyph.color.green, blue: glyph.color.blue)
            if isDrawn, seen.insert(color).inserted { colors.append(color) }
        }
        return colors
    }
}
