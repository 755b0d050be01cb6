import Motion
import Raster

/// Maps pixels to the indices of a palette.
protocol PixelIndexer: Sendable {
    associatedtype Pixel: RasterPixel

    var palette: Palette { get }
    /// True if pixels without ink are transparent.
    var hasTransparency: Bool { get }

    /// Finds the index of a pixel.
    ///
    /// - Parameters:
    ///   - pixel: The pixel.
    ///   - shown: Its present index, which stays where another one is hardly nearer.
    ///   - isSmallChange: True if few pixels change, so that small errors cannot be seen.
    /// - Returns: An index into the palette.
    mutating func index(of pixel: Pixel, shown: UInt8, isSmallChange: Bool) -> UInt8
}

/// A file of a palette, whose encoder is specialised for the indexer that a scene needs.
protocol PaletteFileMaker {
    var scene: Scene { get }
    var scale: Double { get }

    func file<Indexer: PixelIndexer>(_ indexer: Indexer) -> StreamedFile
    where Indexer.Pixel == ColorPixel
}

extension PaletteFileMaker {
    /// Chooses the indexer of a scene whose ink has several colours.
    ///
    /// - Parameters:
    ///   - background: The background behind the ink.
    ///   - levels: The levels of each colour, at least 2.
    ///   - context: The painter, and the remaining time.
    /// - Returns: The file.
    /// - Throws: When a picture of the scene cannot be painted.
    func file(
        over background: PaletteBackground, levels: Int, _ context: EncodingContext
    ) throws(EncodingError) -> StreamedFile {
        guard scene.isPainted else {
            return file(try ColorIndexer(scene, over: background, levels: levels, context))
        }
        return file(
            try SampledIndexer<ColorPixel>(
                scene, over: background, levels: levels, scale: scale, context))
    }
}

/// The indexer for ink of one colour, whose palette is the exact ramp from the background to it.
struct RampIndexer: PixelIndexer {
    private(set) var palette = Palette()
    let hasTransparency: Bool
    private let ramp: PaletteRamp
    private let tolerance: LevelTolerance

    init(_ color: Color, over background: PaletteBackground, levels: Int) {
        hasTransparency = background.isTransparent
        ramp = PaletteRamp(to: color, from: background, levels: levels, in: &palette)
        tolerance = LevelTolerance(levels: levels)
    }

    @inline(__always)
    func index(of pixel: CoveragePixel, shown: UInt8, isSmallChange: Bool) -> UInt8 {
        ramp.index(
            alpha: pixel.alpha, shown: shown,
            tolerance: isSmallChange ? tolerance.smallChange : tolerance.strict)
    }
}

/// The largest error of a pixel that keeps its index, in levels·65,535.
///
/// A pixel that keeps its index costs nothing. Where few pixels change, a quarter of a level more
/// than rounding allows cannot be seen; coarse ramps allow less, and fine ramps are exact.
struct LevelTolerance {
    let strict: Int32 = 0
    let smallChange: Int32

    init(levels: Int) {
        let more = min(Double(levels) / 32, 1) / 4
        smallChange = levels < 128 ? Int32((0.5 + more) * 65_535) : 0
    }
}

/// The indexer for ink of several colours or with pictures.
///
/// Its palette has a ramp for each colour, and the rest is for the colours of pictures.
struct ColorIndexer: PixelIndexer {
    private(set) var palette = Palette()
    var hasTransparency: Bool { background.isTransparent }
    private let background: PaletteBackground
    /// The index of pixels without ink.
    private let clearIndex: UInt8
    private var ramps: [PaletteRamp] = []
    /// The earlier ramps, for each ramp, that may also have the colour of one of its pixels.
    private var rivals: [[Int]] = []
    /// The ramp of the last pixel; most pixels are on the ramp of their neighbour.
    private var lastRamp = 0
    private let tolerance: LevelTolerance
    /// The nearest index plus one for each colour of six bits a component; 0 where it is not known
    /// yet.
    private var nearest = [UInt16](repeating: 0, count: 1 << 18)

    /// The levels of each colour that leave no room for more steps between two colours.
    private static let steppedLevels = 24
    /// The fewest levels that look like a ramp.
    private static let fewestLevels = 4

    init(
        _ scene: Scene, over background: PaletteBackground, levels: Int, _ context: EncodingContext
    ) throws(EncodingError) {
        self.background = background
        let hasPictures = !scene.definitions.bitmaps.isEmpty
        let room = (Palette.capacity - 2) / (hasPictures ? 2 : 1)
        let colors = scene.inkColors(atMost: room / (min(levels, Self.steppedLevels) - 1))
        let perRamp = room / max(colors.count, 1) + 1
        let count = min(levels, perRamp)
        tolerance = LevelTolerance(levels: count)
        var histogram = ColorHistogram()
        if count >= Self.fewestLevels || count == levels {
            for (index, color) in colors.enumerated() {
                ramps.append(
                    PaletteRamp(to: color, from: background, levels: count, in: &palette))
                rivals.append((0..<index).filter { colors[$0].isNearly(color, times: 2) })
            }
        } else {
            for color in colors { histogram.add(rampTo: color, from: background.color) }
        }
        clearIndex = background.isTransparent ? 0 : palette.index(of: background.color)
        for bitmap in scene.definitions.bitmaps {
            try context.checkDeadline()
            let pixels = try EncodingError.catching { () throws(LibraryFault) in
                try context.painter.pixels(of: bitmap)
            }
            histogram.add(pixels, over: background.color)
        }
        let free = Palette.capacity - palette.colors.count
        for color in try histogram.medianCut(into: free, context) {
            _ = palette.index(of: color)
        }
    }

    mutating func index(of pixel: ColorPixel, shown: UInt8, isSmallChange: Bool) -> UInt8 {
        if let ramp = ramp(of: pixel) {
            return ramp.index(
                alpha: pixel.alpha, shown: shown,
                tolerance: isSmallChange ? tolerance.smallChange : tolerance.strict)
        }
        // An alpha below a half level of the finest ramp counts as none.
        guard pixel.alpha > 128 else { return clearIndex }
        let color = pixel.color(over: background.color)
        return color == background.color && !background.isTransparent
            ? clearIndex : nearestIndex(to: color)
    }

    /// Returns the first ramp that has a pixel's colour.
    private mutating func ramp(of pixel: ColorPixel) -> PaletteRamp? {
        guard pixel.alpha > 0 else { return ramps.first }
        guard pixel.alpha > 128, lastRamp < ramps.count else { return nil }
        let ink = pixel.inkColor
        if ramps[lastRamp].color.isNearly(ink) {
            for rival in rivals[lastRamp] where ramps[rival].color.isNearly(ink) {
                return ramps[rival]
            }
            return ramps[lastRamp]
        }
        for index in ramps.indices where ramps[index].color.isNearly(ink) {
            lastRamp = index
            return ramps[index]
        }
        return nil
    }

    private mutating func nearestIndex(to color: Color) -> UInt8 {
        let key =
            Int(color.red >> 2) << 12 | Int(color.green >> 2) << 6 | Int(color.blue >> 2)
        if nearest[key] == 0 {
            func middle(_ part: UInt8) -> UInt8 { part & 0xFC | part >> 6 }
            let color = Color(
                red: middle(color.red), green: middle(color.green), blue: middle(color.blue))
            nearest[key] = UInt16(palette.nearest(to: color)) + 1
        }
        return UInt8(nearest[key] - 1)
    }
}

extension Color {
    /// Returns true if rounding, once or several times, may be the only difference.
    fileprivate func isNearly(_ other: Color, times: Int = 1) -> Bool {
        func near(_ one: UInt8, _ other: UInt8) -> Bool {
            abs(Int(one) - Int(other)) <= 2 * times
        }
        return near(red, other.red) && near(green, other.green) && near(blue, other.blue)
    }
}

extension Scene {
    /// The most steps between two colours; more cannot be told apart.
    private static var mostSteps: Int { 15 }

    /// Returns the distinct opaque colours of shapes and lines in drawing order, and after them
    /// steps between colours that change, if there are at most `most` colours with them.
    func inkColors(atMost most: Int) -> [Color] {
        var colors = DistinctColors()
        var changes = DistinctColors.Changes()
        for node in nodes {
            let glyph = node.glyph
            guard let ink = glyph.ink else { continue }
            guard ink.shape != nil || ink.hasLine else { continue }
            colors.add(glyph.color)
            guard let fill = tracks[node.track].fill else { continue }
            for (from, to) in zip(fill.keyframes, fill.keyframes.dropFirst()) {
                colors.add(to.value.color(own: glyph.color))
                guard from.easing != .hold, from.value != to.value else { continue }
                changes.add(from.value, to.value, own: glyph.color)
            }
            if let first = fill.keyframes.first { colors.add(first.value.color(own: glyph.color)) }
        }
        guard !changes.all.isEmpty else { return colors.all }
        let steps = min((most - colors.all.count) / changes.all.count, Self.mostSteps)
        guard steps > 0 else { return colors.all }
        for change in changes.all {
            for step in 1...steps {
                let share = Double(step) / Double(steps + 1)
                colors.add(
                    change.from.mixed(with: change.to, progress: share).color(own: change.own))
            }
        }
        return colors.all
    }
}

/// Opaque colours, each once.
private struct DistinctColors {
    private(set) var all: [Color] = []
    private var seen: Set<Color> = []

    /// Adds a colour without its alpha, unless it is transparent.
    mutating func add(_ color: Color) {
        guard !color.isTransparent else { return }
        if seen.insert(color.opaque).inserted { all.append(color.opaque) }
    }

    /// Changes from one colour to another, each once in either direction.
    struct Changes {
        struct Change: Hashable {
            let from: ColorMix
            let to: ColorMix
            let own: Color
        }

        private(set) var all: [Change] = []
        private var seen: Set<Change> = []

        mutating func add(_ from: ColorMix, _ to: ColorMix, own: Color) {
            // Two paints without any share of the glyph's own colour look the same on all glyphs.
            let own = from.ownShare == 0 && to.ownShare == 0 ? Color.transparent : own
            let change = Change(from: from, to: to, own: own)
            guard !seen.contains(Change(from: to, to: from, own: own)) else { return }
            if seen.insert(change).inserted { all.append(change) }
        }
    }
}
