import Motion

/// The weights of colours, for choosing a palette.
struct ColorHistogram {
    /// The colours that agree in the highest bits of each component.
    private struct Bin {
        var weight = 0
        /// The weighted sums of red, green and blue.
        var sums = SIMD3<Int>()
    }

    private var bins: [Bin]
    /// The bits of each component in which the colours of a bin agree.
    private let bits: Int

    /// The opacities at which pictures are counted: longest they are opaque, and they fade through
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

    /// Returns at most `count` colours that represent all, by Heckbert's median cut (1982).
    ///
    /// The box with the largest weighted spread is cut first.
    ///
    /// - Throws: `EncodingError.deadline`.
    func medianCut(
        into count: Int, _ context: EncodingContext
    ) throws(EncodingError) -> [Color] {
        let entries = bins.filter { $0.weight > 0 }.map { bin in
            Entry(color: SIMD3<Double>(bin.sums) / Double(bin.weight), weight: Double(bin.weight))
        }
        guard count > 0, !entries.isEmpty else { return [] }
        var boxes = [Box(entries)]
        while boxes.count < count {
            try context.checkDeadline()
            var widest = 0
            for index in boxes.indices where boxes[index].spread > boxes[widest].spread {
                widest = index
            }
            guard let halves = boxes[widest].halves else { break }
            boxes[widest] = halves.0
            boxes.append(halves.1)
        }
        return boxes.map(\.mean)
    }

    private struct Entry {
        /// Red, green, blue, 0…255 each.
        let color: SIMD3<Double>
        let weight: Double
    }

    private struct Box {
        private let entries: [Entry]
        private let weight: Double
        private let middle: SIMD3<Double>
        /// The component with the largest spread: 0 red, 1 green, 2 blue.
        private let axis: Int
        /// The weighted sum of squared differences from the mean along the axis.
        let spread: Double

        init(_ entries: [Entry]) {
            self.entries = entries
            let weight = entries.reduce(0) { $0 + $1.weight }
            let mean = entries.reduce(SIMD3()) { $0 + $1.color * $1.weight } / weight
            let spreads = entries.reduce(SIMD3<Double>()) { sum, entry in
                let off = entry.color - mean
                return sum + off * off * entry.weight
            }
            var axis = 0
            for other in 1..<3 where spreads[other] > spreads[axis] { axis = other }
            (self.weight, middle, self.axis, spread) = (weight, mean, axis, spreads[axis])
        }

        /// Two boxes of about the same weight; nil where there is only one colour.
        var halves: (Box, Box)? {
            guard spread > 0, entries.count > 1 else { return nil }
            let sorted = entries.sorted { $0.color[axis] < $1.color[axis] }
            var (below, cut) = (0.0, 0)
            while cut < sorted.count - 1, below + sorted[cut].weight <= weight / 2 || cut == 0 {
                below += sorted[cut].weight
                cut += 1
            }
            return (Box(Array(sorted[..<cut])), Box(Array(sorted[cut...])))
        }

        var mean: Color {
            func part(_ axis: Int) -> UInt8 { UInt8(min(max(middle[axis], 0), 255).rounded()) }
            return Color(red: part(0), green: part(1), blue: part(2))
        }
    }
}
