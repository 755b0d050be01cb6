import Motion

/// The weights of colours, for choosing a palette.
struct ColorHistogram {
    /// The colours that agree in the highest bits of each component.
    private struct Bin {
        var weight = 0
        /// The weighted sums of red, green, and blue.
        var sums = SIMD3<Int>()
    }

    private var bins: [Bin]
    /// The bits of each component in which the colours of a bin agree.
    private let bits: Int

    /// The opacities at which pictures are counted: they are opaque for longest, and fade through
    /// the others.
    private static let opacities: [(opacity: Double, weight: Int)] = [
        (1, 8), (0.75, 2), (0.5, 2), (0.25, 1),
    ]

    init(bits: Int = 5) {
        self.bits = bits
        bins = [Bin](repeating: Bin(), count: 1 << (3 * bits))
    }

    mutating func add(_ color: Color, weight: Int) {
        let rest = 8 - bits
        let bin =
            (Int(color.red >> rest) << bits | Int(color.green >> rest)) << bits
            | Int(color.blue >> rest)
        bins[bin].weight += weight
        bins[bin].sums &+=
            SIMD3(Int(color.red), Int(color.green), Int(color.blue)) &* weight
    }

    /// Counts the steps from a background to a colour.
    mutating func add(rampTo color: Color, from background: Color) {
        for level in 1...16 {
            add(background.blended(with: color, share: Double(level) / 16), weight: 16)
        }
    }

    /// Counts a picture's premultiplied pixels (blue, green, red, alpha) over an opaque background.
    mutating func add(_ pixels: [UInt8], over background: Color) {
        for pixel in stride(from: 0, to: pixels.count, by: 4) {
            let alpha = pixels[pixel + 3]
            guard alpha > 0 else { continue }
            for (opacity, weight) in Self.opacities {
                let rest = 1 - opacity * Double(alpha) / 255
                func part(_ offset: Int, _ below: UInt8) -> UInt8 {
                    UInt8(
                        min(
                            opacity * Double(pixels[pixel + offset])
                                + rest * Double(below), 255
                        ).rounded())
                }
                add(
                    Color(
                        red: part(2, background.red), green: part(1, background.green),
                        blue: part(0, background.blue)), weight: weight)
            }
        }
    }

    /// Returns at most `count` colours that represent all colours.
    ///
    /// - Throws: `EncodingError.deadline`.
    func medianCut(
        into count: Int, _ context: EncodingContext
    ) throws(EncodingError) -> [Color] {
        let colors = bins.filter { $0.weight > 0 }.map { bin in
            let color = SIMD4<Double>(SIMD4(bin.sums, 255 * bin.weight)) / Double(bin.weight)
            return WeightedColor(color: color, weight: Double(bin.weight))
        }
        return try WeightedColor.medianCut(colors, into: count, context)
    }
}
