/// Offsets along a path over an item's duration, as a row of straight pieces: formats move glyphs
/// along straight lines only.
struct PathOffsets: Sendable {
    /// CSS pixels that a glyph may be beside the path between two keyframes.
    private static let tolerance = 0.3
    /// Degrees that a glyph may turn between two keyframes.
    private static let mostTurn = 60.0
    /// The most pieces between two keyframes of the request.
    private static let mostPieces = 128
    /// The most glyphs whose ways are looked at.
    private static let mostGlyphs = 24

    private let path: PlacedPath
    /// The offsets at shares of the item's duration, as shares of the path's length.
    private let samples: [Keyframe<Double, Double>]

    /// - Parameters:
    ///   - keyframes: The offsets at shares of the item's duration, as shares of the path's length.
    ///   - path: The path.
    ///   - centers: The centres of the glyphs' boxes on the straight line.
    init(_ keyframes: [Keyframe<Double, Double>], along path: PlacedPath, for centers: [Point]) {
        self.path = path
        let step = max((centers.count + Self.mostGlyphs - 1) / Self.mostGlyphs, 1)
        let seen = stride(from: 0, to: centers.count, by: step).map { centers[$0] }
        var samples: [Keyframe<Double, Double>] = []
        for (from, to) in zip(keyframes, keyframes.dropFirst()) {
            guard from.easing != .hold, from.value != to.value else {
                samples.append(from)
                continue
            }
            func value(_ progress: Double) -> Double {
                from.value.mixed(with: to.value, progress: from.easing.value(at: progress))
            }
            let count = Self.pieces(along: path, for: seen, value)
            for number in 0..<count {
                let progress = Double(number) / Double(count)
                let time = from.time.mixed(with: to.time, progress: progress)
                samples.append(Keyframe(time, value: value(progress)))
            }
        }
        if let last = keyframes.last { samples.append(last) }
        self.samples = samples
    }

    /// The keyframes of each glyph.
    var keyframeCount: Int { 3 * samples.count }

    /// Returns the motion of a glyph.
    ///
    /// - Parameters:
    ///   - center: The centre of its box on the straight line.
    ///   - duration: Seconds.
    /// - Returns: Its offsets and its turn, each of as many keyframes.
    func moves(
        ofCenter center: Point, lasting duration: Double
    ) -> [(property: Property, keyframes: [Keyframe<Double, Double>])] {
        var moves: [(property: Property, keyframes: [Keyframe<Double, Double>])] =
            [Property.offsetX, .offsetY, .rotation].map { ($0, []) }
        // From the end, where the glyph is as typeset, so that it has made its rounds before.
        var turn = 0.0
        for sample in samples.reversed() {
            let shift = path.shift(ofCenter: center, by: sample.value, near: turn)
            turn = shift.turn
            for (index, value) in [shift.offset.x, shift.offset.y, turn].enumerated() {
                // So that the error of arithmetic gives no glyph keyframes of its own.
                let rounded = (value * 1000).rounded() / 1000
                moves[index].keyframes.append(
                    Keyframe(
                        sample.time * duration, value: rounded == 0 ? 0 : rounded,
                        easing: sample.easing))
            }
        }
        for index in moves.indices { moves[index].keyframes.reverse() }
        return moves
    }

    /// Returns into how many pieces of equal time a change is divided.
    private static func pieces(
        along path: PlacedPath, for centers: [Point], _ value: (Double) -> Double
    ) -> Int {
        func isStraight(_ count: Int) -> Bool {
            centers.allSatisfy { center in
                (0..<count).allSatisfy { number in
                    let shifts = (0...2).map { half in
                        let progress = (Double(number) + Double(half) / 2) / Double(count)
                        return path.shift(ofCenter: center, by: value(progress), near: 0)
                    }
                    let miss = shifts[1].offset - (shifts[0].offset + shifts[2].offset) / 2
                    let turn = (shifts[2].turn - shifts[0].turn).remainder(dividingBy: 360)
                    return (miss * miss).sum() <= tolerance * tolerance && abs(turn) <= mostTurn
                }
            }
        }
        var count = 4
        while count < mostPieces, !isStraight(count) {
            // Thirds between the powers of two.
            count = count.nonzeroBitCount == 1 ? count / 2 * 3 : count / 3 * 4
        }
        return count
    }
}
