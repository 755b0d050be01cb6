import Motion

/// A colour, and its share of a picture.
struct WeightedColor {
    /// Premultiplied red, green, and blue, and alpha, 0…255 each.
    let color: SIMD4<Double>
    let weight: Double

    /// Returns at most `count` colours that represent all, by Heckbert's median cut (1982).
    ///
    /// The box with the largest weighted spread is cut first.
    ///
    /// - Throws: `EncodingError.deadline`.
    static func medianCut(
        _ colors: [WeightedColor], into count: Int, _ context: EncodingContext
    ) throws(EncodingError) -> [Color] {
        guard count > 0, !colors.isEmpty else { return [] }
        var boxes = [Box(colors)]
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

    private struct Box {
        private let colors: [WeightedColor]
        private let weight: Double
        private let middle: SIMD4<Double>
        /// The component with the largest spread: 0 red, 1 green, 2 blue, 3 alpha.
        private let axis: Int
        /// The weighted sum of squared differences from the mean along the axis.
        let spread: Double

        init(_ colors: [WeightedColor]) {
            self.colors = colors
            let weight = colors.reduce(0) { $0 + $1.weight }
            let mean = colors.reduce(SIMD4()) { $0 + $1.color * $1.weight } / weight
            let spreads = colors.reduce(SIMD4<Double>()) { sum, color in
                let off = color.color - mean
                return sum + off * off * color.weight
            }
            var axis = 0
            for other in 1..<4 where spreads[other] > spreads[axis] { axis = other }
            (self.weight, middle, self.axis, spread) = (weight, mean, axis, spreads[axis])
        }

        /// Two boxes of about the same weight; nil where there is only one colour.
        var halves: (Box, Box)? {
            guard spread > 0, colors.count > 1 else { return nil }
            let sorted = colors.sorted { $0.color[axis] < $1.color[axis] }
            var (below, cut) = (0.0, 0)
            while cut < sorted.count - 1, below + sorted[cut].weight <= weight / 2 || cut == 0 {
                below += sorted[cut].weight
                cut += 1
            }
            return (Box(Array(sorted[..<cut])), Box(Array(sorted[cut...])))
        }

        var mean: Color {
            let alpha = min(max(middle.w, 0), 255).rounded()
            // An alpha below 0.5 of 255 rounds to full transparency.
            guard alpha > 0 else { return .transparent }
            let scale = alpha == 255 ? 1 : 255 / middle.w
            func part(_ axis: Int) -> UInt8 {
                UInt8(min(max(middle[axis] * scale, 0), 255).rounded())
            }
            return Color(red: part(0), green: part(1), blue: part(2), alpha: UInt8(alpha))
        }
    }
}
