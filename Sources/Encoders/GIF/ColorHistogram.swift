import Motion

/// How often colours will be seen, for choosing a palette.
struct ColorHistogram {
    /// Weights by colour, five bits a part.
    private var weights = [Int](repeating: 0, count: 1 << 15)

    /// The opacities at which pictures are counted, with their weights: they stand longest as
    /// they are, and pass through the others.
    private static let opacities: [(opacity: Double, weight: Int)] = [
        (1, 8), (0.75, 2), (0.5, 2), (0.25, 1),
    ]

    mutating func add(_ color: Color, weight: Int) {
        weights[Int(color.red >> 3) << 10 | Int(color.green >> 3) << 5 | Int(color.blue >> 3)] +=
            weight
    }

    /// Counts the steps from a background to a colour.
    mutating func add(rampTo color: Color, from background: Color) {
        for level in 1...16 {
            add(background.blended(with: color, share: Double(level) / 16), weight: 16)
        }
    }

    /// Counts a picture's pixels over an opaque background.
    mutating func add(_ bitmap: Bitmap, over background: Color) {
        for place in stride(from: 0, to: bitmap.pixels.count, by: 4) {
            let alpha = bitmap.pixels[place + 3]
            guard alpha > 0 else { continue }
            for (opacity, weight) in Self.opacities {
                let rest = 1 - opacity * Double(alpha) / 255
                func part(_ offset: Int, _ below: UInt8) -> UInt8 {
                    UInt8(
                        min(
                            opacity * Double(bitmap.pixels[place + offset])
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

    /// At most so many colours that stand for all, by Heckbert's median cut (1982): the box with
    /// the largest weighted spread is cut first.
    func medianCut(into count: Int) -> [Color] {
        let entries = weights.indices.filter { weights[$0] > 0 }.map { bin in
            Entry(parts: [bin >> 10 & 31, bin >> 5 & 31, bin & 31], weight: weights[bin])
        }
        guard count > 0, !entries.isEmpty else { return [] }
        var boxes = [Box(entries)]
        while boxes.count < count {
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
        /// Red, green, blue, 0…31 each.
        let parts: [Int]
        let weight: Int
    }

    private struct Box {
        let entries: [Entry]
        /// The part along which the colours lie furthest apart.
        let axis: Int
        /// How much is won by a cut along it.
        let spread: Double

        init(_ entries: [Entry]) {
            self.entries = entries
            let weight = Double(entries.reduce(0) { $0 + $1.weight })
            var widest = (axis: 0, spread: 0.0)
            for axis in 0..<3 {
                let mean = entries.reduce(0) { $0 + Double($1.parts[axis] * $1.weight) } / weight
                let spread = entries.reduce(0) { sum, entry in
                    let off = Double(entry.parts[axis]) - mean
                    return sum + off * off * Double(entry.weight)
                }
                if spread > widest.spread { widest = (axis, spread) }
            }
            (axis, spread) = widest
        }

        /// Two boxes of about the same weight; nil where there is one colour only.
        var halves: (Box, Box)? {
            guard spread > 0 else { return nil }
            let sorted = entries.sorted { $0.parts[axis] < $1.parts[axis] }
            let half = sorted.reduce(0) { $0 + $1.weight } / 2
            var (below, cut) = (0, 0)
            while cut < sorted.count - 1, below + sorted[cut].weight <= half || cut == 0 {
                below += sorted[cut].weight
                cut += 1
            }
            return (Box(Array(sorted[..<cut])), Box(Array(sorted[cut...])))
        }

        var mean: Color {
            let weight = Double(entries.reduce(0) { $0 + $1.weight })
            func part(_ axis: Int) -> UInt8 {
                let sum = entries.reduce(0) { $0 + Double($1.parts[axis] * $1.weight) }
                return UInt8((sum / weight * 255 / 31).rounded())
            }
            return Color(red: part(0), green: part(1), blue: part(2))
        }
    }
}
