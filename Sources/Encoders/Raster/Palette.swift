import Motion

/// At most 256 colours; the first is transparent.
struct Palette {
    private(set) var colors = [Color.transparent]
    private var indices: [Color: UInt8] = [:]
    /// The components of eight colours each, for `nearest`; free places are far from all colours.
    private var groups = [Group()]

    private typealias Lanes = SIMD8<Int32>

    /// The premultiplied components of eight colours.
    private struct Group {
        var red = Lanes(repeating: -1000)
        var green = Lanes(repeating: -1000)
        var blue = Lanes(repeating: -1000)
        var alpha = Lanes(repeating: 255)
    }

    static let capacity = 256

    /// Returns the index of a colour, which is added if there is room; else the index of the
    /// nearest one.
    mutating func index(of color: Color) -> UInt8 {
        if let known = indices[color] { return known }
        guard colors.count < Self.capacity else { return nearest(to: color) }
        let index = UInt8(colors.count)
        add(color)
        indices[color] = index
        return index
    }

    private mutating func add(_ color: Color) {
        let (group, lane) = colors.count.quotientAndRemainder(dividingBy: 8)
        if lane == 0 { groups.append(Group()) }
        let components = color.components
        groups[group].red[lane] = components.x
        groups[group].green[lane] = components.y
        groups[group].blue[lane] = components.z
        groups[group].alpha[lane] = components.w
        colors.append(color)
    }

    /// Returns the index of the colour that looks nearest over black and over white together, the
    /// first of equally near ones; never 0. O(number of colours).
    func nearest(to color: Color) -> UInt8 {
        let components = color.components
        let red = Lanes(repeating: components.x)
        let green = Lanes(repeating: components.y)
        let blue = Lanes(repeating: components.z)
        let alpha = Lanes(repeating: components.w)
        var least = Lanes(repeating: .max)
        var group = Lanes(repeating: 0)
        groups.withUnsafeBufferPointer { groups in
            for index in groups.indices {
                let (dr, dg, db) = (
                    groups[index].red &- red, groups[index].green &- green,
                    groups[index].blue &- blue
                )
                let behind = groups[index].alpha &- alpha
                let distance =
                    Self.difference(dr, dg, db)
                    &+ Self.difference(dr &- behind, dg &- behind, db &- behind)
                let isNearer = distance .< least
                least.replace(with: distance, where: isNearer)
                group.replace(
                    with: Lanes(repeating: Int32(truncatingIfNeeded: index)), where: isNearer)
            }
        }
        var lane = 0
        for other in 1..<8 where (least[other], group[other]) < (least[lane], group[lane]) {
            lane = other
        }
        return UInt8(truncatingIfNeeded: Int(group[lane]) * 8 + lane)
    }

    /// Returns squared differences, weighted roughly as eyes do.
    @inline(__always)
    private static func difference(_ red: Lanes, _ green: Lanes, _ blue: Lanes) -> Lanes {
        red &* red &* 2 &+ green &* green &* 4 &+ blue &* blue &* 3
    }

    /// The number of bits of an index, 1…8.
    var indexBits: Int {
        max(1, Int.bitWidth - (colors.count - 1).leadingZeroBitCount)
    }
}

extension Color {
    /// Red, green, and blue times the alpha, and the alpha, 0…255 each.
    var components: SIMD4<Int32> {
        let alpha = Int32(alpha)
        func part(_ value: UInt8) -> Int32 { (Int32(value) * alpha + 127) / 255 }
        return SIMD4(part(red), part(green), part(blue), alpha)
    }
}

/// The steps from the background to one colour.
struct PaletteRamp {
    let color: Color
    /// The index in the palette of each level, from the background to the colour.
    private let indices: [UInt8]
    /// The level of each index; `elsewhere` where the ramp does not have it.
    private let levels: [Int32]

    private static let unit: Int32 = 65_535
    private static let elsewhere: Int32 = -1000

    /// Adds the ramp's colours to a palette.
    init(
        to color: Color, from background: PaletteBackground, levels count: Int,
        in palette: inout Palette
    ) {
        self.color = color
        var indices: [UInt8] = [0]
        for level in 1..<count {
            let share = Double(level) / Double(count - 1)
            indices.append(palette.index(of: background.color.blended(with: color, share: share)))
        }
        // The background is last, so that frames without it have smaller codes.
        if !background.isTransparent { indices[0] = palette.index(of: background.color) }
        var levels = [Int32](repeating: Self.elsewhere, count: Palette.capacity)
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

/// The background of pictures whose pixels are opaque or transparent.
struct PaletteBackground {
    /// The opaque colour with which partly transparent pixels are blended.
    let color: Color
    /// True if pixels without ink stay transparent.
    let isTransparent: Bool

    init(_ background: Color, matte: Color) {
        isTransparent = background.isTransparent
        color = background.over(matte.opaque)
    }
}
