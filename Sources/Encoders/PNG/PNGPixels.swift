import Motion

/// The representation of a scene's pixels in a PNG.
protocol PNGPixels: PixelForm {
    /// Colour type (PNG third edition, 11.2.1).
    var colorType: UInt8 { get }
    /// Red, green, and blue of each palette entry; empty where there is no palette.
    var palette: [UInt8] { get }
    /// Alphas of the first palette entries.
    var alphas: [UInt8] { get }
    /// A transparent pixel; nil where the palette is full, and where pictures are not opaque, which
    /// not all viewers draw over others exactly.
    var transparentPixel: Value? { get }
    /// True if rows compress better as differences from the row above.
    var differsByRow: Bool { get }
}

/// The pixels of ink of one colour: all lie between the background and that colour, so a palette is
/// exact.
struct PalettePixels: PNGPixels {
    let colorType: UInt8 = 3
    let differsByRow = false
    private(set) var palette: [UInt8] = []
    private(set) var alphas: [UInt8] = []
    private(set) var transparentPixel: UInt8?
    /// The index in the palette of each alpha of the ink.
    private var indices = [UInt8](repeating: 0, count: 256)

    /// Makes a palette.
    ///
    /// - Parameters:
    ///   - ink: The colour of all ink.
    ///   - background: The colour behind it.
    ///   - used: True for each alpha of the ink that a pixel has.
    ///   - levels: The levels of the ink's alpha; nil for all.
    ///   - needsTransparentPixel: True for pictures that are drawn over others.
    init(
        _ ink: Color, over background: Color, used: [Bool], levels: AlphaLevels? = nil,
        needsTransparentPixel: Bool
    ) {
        var known: [Color: UInt8] = [:]
        var colors: [Color] = []
        func add(_ color: Color) -> UInt8 {
            if let index = known[color] { return index }
            let index = UInt8(colors.count)
            known[color] = index
            colors.append(color)
            return index
        }
        let all = (0...255).map { alpha in
            let alpha = 257 * UInt16(alpha)
            return ink.atAlpha(levels?.nearest(to: alpha) ?? alpha, over: background)
        }
        let distinct = Set(all.indices.filter { used[$0] }.map { all[$0] }).count
        if needsTransparentPixel, background.isOpaque, distinct < 256 {
            transparentPixel = add(.transparent)
        }
        // Transparent entries first: only their alphas are written.
        for alpha in 0...255 where used[alpha] { indices[alpha] = add(all[alpha]) }
        (palette, alphas) = Self.chunks(of: colors)
    }

    /// Returns a palette as the contents of the chunks PLTE and tRNS.
    fileprivate static func chunks(of colors: [Color]) -> (palette: [UInt8], alphas: [UInt8]) {
        var alphas = colors.map(\.alpha)
        while alphas.last == 255 { alphas.removeLast() }
        return (colors.flatMap { [$0.red, $0.green, $0.blue] }, alphas)
    }

    func write(
        _ pixels: UnsafeBufferPointer<CoveragePixel>, at start: Int, isSmallChange: Bool,
        to target: UnsafeMutableBufferPointer<UInt8>
    ) {
        indices.withUnsafeBufferPointer { indices in
            for x in 0..<pixels.count { target[x] = indices[Int(pixels[x].byte)] }
        }
    }
}

/// The pixels of any other ink in few colours.
struct SampledPixels: PNGPixels {
    let colorType: UInt8 = 3
    let differsByRow = false
    let palette: [UInt8]
    let alphas: [UInt8]
    let transparentPixel: UInt8?
    private var indices: PaletteIndices<AlphaIndexer>

    /// - Parameters:
    ///   - indexer: The palette.
    ///   - card: The card behind the ink.
    init(_ indexer: AlphaIndexer, over card: Card) {
        (palette, alphas) = PalettePixels.chunks(of: indexer.palette.colors)
        transparentPixel = card.isOpaque ? 0 : nil
        indices = PaletteIndices(indexer: indexer)
    }

    mutating func write(
        _ pixels: UnsafeBufferPointer<ColorPixel>, at start: Int, isSmallChange: Bool,
        to target: UnsafeMutableBufferPointer<UInt8>
    ) {
        indices.write(pixels, at: start, isSmallChange: isSmallChange, to: target)
    }
}

/// The pixels of any other ink: red, green, blue, and alpha.
struct TrueColorPixels: PNGPixels {
    let colorType: UInt8 = 6
    let differsByRow = true
    let palette: [UInt8] = []
    let alphas: [UInt8] = []
    let transparentPixel: UInt32?
    private let background: Color

    /// - Parameter card: The card behind the ink; canvases contain it unless it has one colour.
    init(over card: Card) {
        background = card.backdrop
        transparentPixel = card.isOpaque ? 0 : nil
    }

    func write(
        _ pixels: UnsafeBufferPointer<ColorPixel>, at start: Int, isSmallChange: Bool,
        to target: UnsafeMutableBufferPointer<UInt32>
    ) {
        for x in 0..<pixels.count {
            let color = pixels[x].straight(over: background)
            // Red is the first byte in memory.
            let value =
                UInt32(color.red) | UInt32(color.green) << 8 | UInt32(color.blue) << 16
                | UInt32(color.alpha) << 24
            target[x] = value.littleEndian
        }
    }
}
