import Motion

/// The colours of a GIF; the first is transparent.
struct GIFPalette {
    private(set) var colors = [Color.transparent]
    private var indices: [Color: UInt8] = [:]

    static let capacity = 256

    /// Returns the index of a colour, which is added if there is room, else of the nearest one.
    mutating func index(of color: Color) -> UInt8 {
        if let known = indices[color] { return known }
        guard colors.count < Self.capacity else { return nearest(to: color) }
        let index = UInt8(colors.count)
        colors.append(color)
        indices[color] = index
        return index
    }

    /// Returns the index of the nearest colour; O(number of colours).
    func nearest(to color: Color) -> UInt8 {
        var best = (index: 0, distance: Int.max)
        for index in colors.indices.dropFirst() {
            let distance = colors[index].distance(to: color)
            if distance < best.distance { best = (index, distance) }
        }
        return UInt8(best.index)
    }

    /// The number of bits of an index, 1…8.
    var indexBits: Int {
        max(1, Int.bitWidth - (colors.count - 1).leadingZeroBitCount)
    }
}

extension Color {
    /// Returns the squared difference, weighted roughly as eyes do.
    fileprivate func distance(to other: Color) -> Int {
        let red = Int(red) - Int(other.red)
        let green = Int(green) - Int(other.green)
        let blue = Int(blue) - Int(other.blue)
        return 2 * red * red + 4 * green * green + 3 * blue * blue
    }
}

/// The steps from the background to one colour.
struct GIFRamp {
    let color: Color
    /// For each level, from the background to the colour, its index in the palette.
    private let indices: [UInt8]
    /// For each index its level; `elsewhere` where the ramp does not have it.
    private let levels: [Int32]

    private static let unit: Int32 = 65_535
    private static let elsewhere: Int32 = -1000

    /// Adds the ramp's colours to a palette.
    init(
        to color: Color, from background: GIFBackground, levels count: Int,
        in palette: inout GIFPalette
    ) {
        self.color = color
        var indices: [UInt8] = [0]
        for level in 1..<count {
            let share = Double(level) / Double(count - 1)
            indices.append(palette.index(of: background.color.blended(with: color, share: share)))
        }
        // Last, so that frames without it have smaller codes.
        if !background.isTransparent { indices[0] = palette.index(of: background.color) }
        var levels = [Int32](repeating: Self.elsewhere, count: GIFPalette.capacity)
        for (level, index) in indices.enumerated().reversed() { levels[Int(index)] = Int32(level) }
        self.indices = indices
        self.levels = levels
    }

    /// Finds the index of a pixel.
    ///
    /// - Parameters:
    ///   - alpha: The share of the colour, 0…65,535.
    ///   - shown: The pixel's present index, which stays if it is within the tolerance.
    ///   - tolerance: The largest error of the present index, in levels·65,535.
    /// - Returns: An index into the palette.
    @inline(__always)
    func index(alpha: UInt16, shown: UInt8, tolerance: Int32) -> UInt8 {
        let exact = Int32(alpha) &* Int32(truncatingIfNeeded: indices.count &- 1)
        let off = exact &- levels[Int(shown)] &* Self.unit
        if off.magnitude <= tolerance.magnitude { return shown }
        return indices[Int((exact &+ Self.unit / 2) / Self.unit)]
    }
}

/// The background of a GIF.
struct GIFBackground {
    /// The opaque colour that partly transparent pixels are blended with.
    let color: Color
    /// True if pixels without ink stay transparent.
    let isTransparent: Bool

    init(_ background: Color, matte: Color) {
        let opaque = Color(red: matte.red, green: matte.green, blue: matte.blue)
        isTransparent = background.isTransparent
        color = background.over(opaque)
    }
}
