import Motion

/// How a scene's pixels are written in a PNG.
protocol PNGPixels: Sendable {
    associatedtype Pixel: RasterPixel

    /// Colour type (PNG third edition, 11.2.1).
    var colorType: UInt8 { get }
    var bytesPerPixel: Int { get }
    /// Red, green and blue of each palette entry; empty where there is no palette.
    var palette: [UInt8] { get }
    /// Alphas of the first palette entries.
    var alphas: [UInt8] { get }
    /// The bytes of a fully transparent pixel; nil where none is to spare, or where the picture is
    /// not opaque, so that drawing it over another is not exact everywhere.
    var hole: [UInt8]? { get }
    /// Whether rows compress better as differences from the row above.
    var differsByRow: Bool { get }

    /// Writes a row of pixels.
    func write(_ pixels: UnsafeBufferPointer<Pixel>, to target: UnsafeMutablePointer<UInt8>)
}

/// Ink of one colour: all pixels lie between the background and it, so a palette is exact.
struct PalettePixels: PNGPixels {
    let colorType: UInt8 = 3
    let bytesPerPixel = 1
    let differsByRow = false
    private(set) var palette: [UInt8] = []
    private(set) var alphas: [UInt8] = []
    private(set) var hole: [UInt8]?
    /// For each alpha of the ink its place in the palette.
    private var places = [UInt8](repeating: 0, count: 256)

    /// `used` says of each alpha of the ink whether it is needed.
    init(_ ink: Color, over background: Color, used: [Bool], needsHole: Bool) {
        var known: [Color: UInt8] = [:]
        var colors: [Color] = []
        func add(_ color: Color) -> UInt8 {
            if let place = known[color] { return place }
            let place = UInt8(colors.count)
            known[color] = place
            colors.append(color)
            return place
        }
        let all = (0...255).map { alpha in
            ColorPixel(ink, alpha: UInt16(alpha) * 257).straight(over: background)
        }
        let distinct = Set(all.indices.filter { used[$0] }.map { all[$0] }).count
        if needsHole, background.isOpaque, distinct < 256 {
            hole = [add(.transparent)]
        }
        // Transparent entries first: only their alphas are written.
        for alpha in 0...255 where used[alpha] { places[alpha] = add(all[alpha]) }
        for color in colors {
            palette += [color.red, color.green, color.blue]
            alphas.append(color.alpha)
        }
        while alphas.last == 255 { alphas.removeLast() }
    }

    func write(
        _ pixels: UnsafeBufferPointer<CoveragePixel>, to target: UnsafeMutablePointer<UInt8>
    ) {
        places.withUnsafeBufferPointer { places in
            for x in 0..<pixels.count { target[x] = places[Int(pixels[x].byte)] }
        }
    }
}

/// Any other ink: red, green, blue and alpha.
struct TrueColorPixels: PNGPixels {
    let colorType: UInt8 = 6
    let bytesPerPixel = 4
    let differsByRow = true
    let palette: [UInt8] = []
    let alphas: [UInt8] = []
    let hole: [UInt8]?
    private let background: Color

    init(over background: Color) {
        self.background = background
        hole = background.isOpaque ? [0, 0, 0, 0] : nil
    }

    func write(
        _ pixels: UnsafeBufferPointer<ColorPixel>, to target: UnsafeMutablePointer<UInt8>
    ) {
        for x in 0..<pixels.count {
            let color = pixels[x].straight(over: background)
            target[4 * x] = color.red
            target[4 * x + 1] = color.green
            target[4 * x + 2] = color.blue
            target[4 * x + 3] = color.alpha
        }
    }
}
