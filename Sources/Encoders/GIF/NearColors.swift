import Motion

/// The colours of a palette that may stand for another one in a lossy image.
///
/// An index is never replaced twice, so errors do not add up.
struct NearColors {
    /// The indices near each index, the nearest first, a row of `most` each; 0 after the last one.
    let rows: [UInt8]

    /// The most indices near one.
    static let most = 64

    /// The squared distance in red, green, and blue that a step of the quality allows. The number
    /// that gifsicle calls `--lossy` is twice as many steps.
    private static let distanceOfStep = 20

    /// - Parameters:
    ///   - palette: The palette, whose first colour is transparent and is near no other.
    ///   - ground: The colour behind everything, in whose place no other stands, so that it has no
    ///     specks.
    ///   - quality: The quality, 1…99.
    init(in palette: Palette, over ground: Color, quality: Int) {
        let most = Self.distanceOfStep * (FrameSettings.exactQuality - quality)
        let colors = palette.colors
        var rows = [UInt8](repeating: 0, count: Palette.capacity * Self.most)
        for index in colors.indices.dropFirst() where colors[index] != ground {
            let near = colors.indices.dropFirst()
                .map { (distance: colors[index].distance(to: colors[$0]), index: $0) }
                .filter { $0.index != index && $0.distance <= most }
                .sorted { ($0.distance, $0.index) < ($1.distance, $1.index) }
            for (place, other) in near.prefix(Self.most).enumerated() {
                rows[index * Self.most + place] = UInt8(other.index)
            }
        }
        self.rows = rows
    }
}

extension Color {
    /// Returns the squared distance to another colour in red, green, and blue.
    fileprivate func distance(to other: Color) -> Int {
        let red = Int(red) - Int(other.red)
        let green = Int(green) - Int(other.green)
        let blue = Int(blue) - Int(other.blue)
        return red * red + green * green + blue * blue
    }
}
